"""The room of search: builders of forests from a sentence and its rules, by chart or by stacks."""

from pentaglot.search.searcher import Cancellation, Found, Searcher, SearchOptions

__all__ = ["Cancellation", "Found", "SearchOptions", "Searcher"]
