"""Which path of a lattice a derivation has taken."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pentaglot.forest import Derivation
from pentaglot.rules import SentenceRules
from pentaglot.search import origin_of

__all__ = ["path_of", "runs_of"]


def runs_of(rules: SentenceRules, derivation: Derivation) -> Iterator[tuple[int, int, list[str]]]:
    """The words of the rules of a derivation, and from which node to which they lead: those on each side of a gap, and
    in between, by themselves."""
    payloads, offsets = derivation.payloads.tolist(), rules.table.rule_offsets
    for place in range(len(payloads)):
        rule, (begin, end) = origin_of(payloads[place])
        if rule is None:
            continue
        source = rules.table.source(int(np.searchsorted(offsets, rule, side="right")) - 1).tolist()
        words: list[str] = []
        for symbol in source:
            if symbol >= 0:
                words.append(rules.source_word(symbol))
                continue
            inside = origin_of(payloads[derivation.children(place)[-1 - symbol]])[1]
            yield begin, inside[0], words
            begin, words = inside[1], []
        yield begin, end, words


def path_of(rules: SentenceRules, derivation: Derivation) -> list[str]:
    """The words of the input that a derivation translates, in their order there."""
    payloads = derivation.payloads.tolist()
    offsets = rules.table.rule_offsets
    pieces: dict[int, list[tuple[int, list[str]]]] = {}  # by place: where in the input, and which words
    for place in reversed(range(len(payloads))):
        rule, (begin, _) = origin_of(payloads[place])
        below = [pieces[child] for child in derivation.children(place)]
        if rule is None:
            pieces[place] = [piece for each in below for piece in each]
            continue
        source = rules.table.source(int(np.searchsorted(offsets, rule, side="right")) - 1).tolist()
        words: list[str] = []
        for symbol in source:
            if symbol >= 0:
                words.append(rules.source_word(symbol))
            else:
                words += [word for _, inner in sorted(below[-1 - symbol]) for word in inner]
        # A phrase follows what was translated before it; it does not contain it.
        before = [] if min(source, default=0) < 0 else [piece for each in below for piece in each]
        pieces[place] = [*before, (begin, words)]
    return [word for _, words in sorted(pieces[0]) for word in words]
