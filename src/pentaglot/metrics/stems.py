"""Stems of words, by the Snowball stemmers where they are installed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from pentaglot.errors import MissingDependencyError, OptionError
from pentaglot.options import suggestion

__all__ = ["stemmer", "stems"]


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word to its stem; `language` is the name of a Snowball stemmer, such as `english`."""
    try:
        import snowballstemmer
    except ImportError as error:
        raise MissingDependencyError(
            "matching words by their stems needs the package snowballstemmer", hint="pip install 'pentaglot[stems]'"
        ) from error
    known = tuple(snowballstemmer.algorithms())
    if language not in known:
        raise OptionError(f"there is no stemmer for '{language}'", hint=suggestion(language, known))
    found = snowballstemmer.stemmer(language)

    @cache
    def stem(word: str) -> str:
        return str(found.stemWord(word.lower())) or word

    return stem


def stems(texts: Sequence[str], language: str) -> tuple[str, ...]:
    """The stems of texts whose words stand between single spaces, as texts of as many words."""
    stem = stemmer(language)
    return tuple(" ".join(map(stem, text.split(" "))) if text else "" for text in texts)
