"""Why a phrase of the training text has no rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pentaglot._core.index import sample_evenly
from pentaglot._core.rules import extract_occurrence
from pentaglot.explain.explained import ExplainedTranslator
from pentaglot.index import FindOptions, Hit, Index, find
from pentaglot.index.pattern import literal, parse_pattern
from pentaglot.rules import RuleOptions

__all__ = ["NoRule", "Reason", "why_no_rule"]

Reason = Literal["symbols", "gaps", "unlinked", "edges", "crossing", "target", "unfilled", "moved"]

_MOST = 10_000  # most occurrences that are counted


@dataclass(frozen=True)
class NoRule:
    """How often a phrase occurs in the training text, how many of these places were looked at, and how many gave no
    rule for which reason."""

    occurrences: int
    complete: bool  # False if there are more
    looked_at: int
    reasons: dict[Reason, int]

    def as_json(self) -> dict[str, Any]:
        """The same as a dictionary."""
        return {"occurrences": self.occurrences, "looked_at": self.looked_at, "reasons": dict(self.reasons)}


def why_no_rule(translator: ExplainedTranslator, phrase: str) -> NoRule:
    """Looks at a sample of the places of a phrase, as extraction does, and counts them by why they give no rule:

    - `symbols`: it has more words and gaps, or covers more words, than a rule may; `gaps`: it has more gaps
    - `unlinked`: none of its words is linked to the translation; `edges`: its first or last word, or one beside a gap,
      is not linked
    - `crossing`: the words it is linked to are also linked to words outside it
    - `target`: its translation is longer than a rule allows
    - `unfilled`: the content of its gaps is not translated as a whole
    - `moved`: text was put into another order, and there its words are apart or follow each other otherwise
    """
    options, view = translator.rules.options, translator.indexed.view
    limits = FindOptions(min_gap=options.min_gap, examples=_MOST, most=_MOST)
    typed, phrase = phrase, _as_indexed(translator, phrase)
    found = find(view.indexes, phrase, limits, tokenizer=translator.source_tokenizer, as_typed=False)
    if not found.count:
        moved = find(view.indexes, typed, limits, tokenizer=translator.source_tokenizer)
        return NoRule(moved.count, moved.complete, moved.count, {"moved": moved.count} if moved.count else {})
    hits = sorted(
        (hit for each in found.translations for hit in each.examples),
        key=lambda hit: (hit.corpus, hit.pair, hit.chunks),
    )
    looked_at = [hits[at] for at in sample_evenly(len(hits), options.sample).tolist()]
    parts = parse_pattern(phrase)
    reasons = Counter(
        _reason(view.indexes[hit.corpus], hit, options, (parts[0] is None, parts[-1] is None)) for hit in looked_at
    )
    counted = {reason: count for reason, count in reasons.most_common() if reason is not None}
    return NoRule(found.count, found.complete, len(looked_at), counted)


def _as_indexed(translator: ExplainedTranslator, phrase: str) -> str:
    """A phrase with its words in the order of the index; one with gaps is taken as it is."""
    parts, tokenizer = parse_pattern(phrase), translator.source_tokenizer
    words = tokenizer.tokenise(parts[0] or "") if len(parts) == 1 else []
    ordered = list(translator.ordered(words)) if words else words
    return phrase if ordered == words else literal(tokenizer.detokenise(ordered))


def _reason(index: Index, hit: Hit, options: RuleOptions, edges: tuple[bool, bool]) -> Reason | None:
    gaps = len(hit.gaps) + sum(edges)
    words = {place for chunk in hit.chunks for place in range(*chunk)}
    if gaps > options.max_gaps or len(hit.chunks) > options.max_chunks:
        return "gaps"
    if len(words) + gaps > options.max_symbols or hit.chunks[-1][1] - hit.chunks[0][0] > options.max_span:
        return "symbols"
    links = index.aligned.links(hit.pair)
    sizes = len(hit.source), len(hit.target)
    if extract_occurrence(*sizes, links, hit.chunks, *edges, options.extract_limits):
        return None
    return _reason_of_links(links, hit.chunks, words, edges, options)


def _reason_of_links(
    links: Sequence[tuple[int, int]],
    chunks: Sequence[tuple[int, int]],
    words: set[int],
    edges: tuple[bool, bool],
    options: RuleOptions,
) -> Reason:
    linked = {source for source, _ in links}
    if not words & linked:
        return "unlinked"
    whole = range(chunks[0][0], chunks[-1][1])
    at_edges = {whole[0], whole[-1]} - ({whole[0]} if edges[0] else set()) - ({whole[-1]} if edges[1] else set())
    if options.extraction == "tight" and not at_edges <= linked:
        return "edges"
    targets = [target for source, target in links if source in words]
    covered = range(min(targets), max(targets) + 1)
    outside = [source for source, target in links if target in covered and source not in whole]
    if outside and not any(edges):
        return "crossing"
    return "target" if len(covered) > options.max_target_span else "unfilled" if len(chunks) > 1 else "crossing"
