"""Reordering grammars by definition: every derivation of a sentence, one by one."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from itertools import combinations, pairwise, product
from math import prod

from pentaglot.order import ReorderingGrammar
from pentaglot.order.forest import OPERATORS
from pentaglot.order.grammar import slot_columns

ROOT = len(OPERATORS)
_FIRST_SLOT = [sum(map(len, OPERATORS[:kind])) for kind in range(ROOT + 1)]
Order = tuple[int, ...]


class BruteGrammar:
    """The rules of a grammar, looked up one at a time."""

    def __init__(self, grammar: ReorderingGrammar) -> None:
        self.grammar = grammar
        self.states = (*grammar.rules.states, 1)
        self._columns = slot_columns(grammar.rules.states).tolist()
        self._rows = [sum(self.states[:kind]) for kind in range(ROOT)]
        self._widths = [self.states[kind] for kind in range(ROOT) for _ in OPERATORS[kind]] + [1]
        at, self._values = 0, {}
        offsets, slots = grammar.lexicon.offsets.tolist(), grammar.lexicon.slots.tolist()
        for terminal in range(len(offsets) - 1):
            for slot in slots[offsets[terminal] : offsets[terminal + 1]]:
                self._values[terminal, slot] = at
                at += self._widths[slot]

    def filled(self, kind: int, state: int, child: int, other: int, other_state: int) -> float:
        """The probability of a state of another operator in a slot."""
        column = self._columns[_FIRST_SLOT[kind] + child] + state
        return float(self.grammar.rules.slots[self._rows[other] + other_state, column])

    def word(self, kind: int, state: int, child: int, terminal: int) -> float:
        """The probability of a terminal in a slot."""
        at = self._values.get((terminal, _FIRST_SLOT[kind] + child))
        if at is not None:
            return float(self.grammar.rules.words[at + state])
        # A word that was never seen there has a share of what the unknown word has, unlike a phrase.
        known = 0 < terminal < self.grammar.terminals.first
        return self.grammar.options.unseen * self.word(kind, state, child, 0) if known else 0.0

    def terminals(self, sentence: list[str]) -> dict[tuple[int, int], tuple[int, float]]:
        """The terminals of all stretches of a sentence that have one, and their factors."""
        ids = [self.grammar.vocabulary.find(word) for word in sentence]
        known = self.grammar.terminals
        found = {(i, i + 1): (int(known.words[id]), float(known.factors[id])) for i, id in enumerate(ids)}
        offsets = known.phrase_offsets.tolist()
        for number, (begin, end) in enumerate(pairwise(offsets)):
            phrase = known.phrase_words[begin:end].tolist()
            for i in range(len(ids) - len(phrase) + 1):
                if ids[i : i + len(phrase)] == phrase:
                    found[i, i + len(phrase)] = (known.first + number, 1.0)
        return found

    def distribution(self, sentence: list[str], walls: tuple[int, ...] = ()) -> dict[Order, float]:
        """The probability of every order together with the sentence, by going through all derivations; but for those
        with an operator that turns something over a wall, which stands before the word of this number."""
        terminals = self.terminals(sentence)

        @cache
        def below(kind: int, state: int, child: int, begin: int, end: int) -> tuple[tuple[Order, float], ...]:
            found: dict[Order, float] = defaultdict(float)
            if (begin, end) in terminals:
                terminal, factor = terminals[begin, end]
                found[tuple(range(begin, end))] += factor * self.word(kind, state, child, terminal)
            for other, name in enumerate(OPERATORS):
                if name not in ("12", "01", "10") and any(begin < wall < end for wall in walls):
                    continue
                for other_state in range(self.states[other]):
                    chance = self.filled(kind, state, child, other, other_state)
                    if chance == 0:
                        continue
                    for cuts in combinations(range(begin + 1, end), len(name) - 1):
                        posts = (begin, *cuts, end)
                        parts = [below(other, other_state, c, posts[c], posts[c + 1]) for c in range(len(name))]
                        for chosen in product(*parts):
                            order = tuple(word for c in _said(name) for word in chosen[c][0])
                            found[order] += chance * prod(value for _, value in chosen)
            return tuple((order, value) for order, value in found.items() if value > 0)

        return dict(below(ROOT, 0, 0, 0, len(sentence)))


def _said(name: str) -> list[int]:
    """The children of an operator in the order in which they are said."""
    return [0, 1] if "0" in name else sorted(range(len(name)), key=lambda child: name[child])
