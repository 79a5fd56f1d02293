"""Word lattices as input: alternatives of a recogniser or a segmenter, or several ways to write a sentence."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from pentaglot.corpus import Tokenizer, Vocabulary
from pentaglot.corpus.casing import begins_after
from pentaglot.errors import InputError
from pentaglot.forest import Arc, Derivation, Lattice, lattice_from_json, lattice_from_plf
from pentaglot.forest.exchange import json_metadata
from pentaglot.rules import SentenceRules
from pentaglot.systems.lattice_paths import runs_of
from pentaglot.systems.lattice_runs import Known, Runs, sentence_of
from pentaglot.systems.segments import ends_of_parts
from pentaglot.systems.translation import Path

__all__ = ["WordArc", "WordLattice"]

# The spelling of a word, as it was before its capitals were changed, and its place in a sentence.
_Spelt = tuple[str, str, int | None]
_INSIDE = "x"  # a word after which no sentence begins


@dataclass(frozen=True)
class WordArc:
    """A word from one node to a later one, and its score (the natural logarithm of a probability, for instance)."""

    start: int
    end: int
    word: str
    score: float = 0.0
    surface: str = field(default="", compare=False, repr=False)  # the word as it was before its capitals were changed
    position: int | None = None  # the place of the word in the sentence that the lattice has orders of


@dataclass(frozen=True)
class WordLattice:
    """A lattice with one word on each arc, one start (node 0) and one end (the last node); every arc lies on a path.

    >>> lattice = WordLattice.from_plf("((('das', 0, 1), ('ein', -1, 1)), (('altes', 0, 1), ('*EPS*', -2, 1)), "
    ...     "(('Haus', 0, 1),))")
    >>> [(arc.word, arc.start, arc.end, arc.score) for arc in lattice.arcs][2:]
    [('altes', 1, 2, 0.0), ('Haus', 1, 3, -2.0), ('Haus', 2, 3, 0.0)]
    """

    nodes: int
    arcs: tuple[WordArc, ...]
    metadata: Mapping[str, str] = field(default_factory=dict, hash=False)  # such as its domain, for features

    @classmethod
    def from_lattice(cls, lattice: Lattice, spelling: Callable[[int], str]) -> WordLattice:
        """From a lattice whose words are ids."""
        return cls._made(lattice, lambda word: (spelling(word), "", None))

    @classmethod
    def from_orders(cls, lattice: Lattice, words: Sequence[str]) -> WordLattice:
        """From a lattice whose labels are the places of words of a sentence (see `pentaglot.order.order_lattice`).

        >>> made = WordLattice.from_orders(Lattice.from_sequences([(0, 1), (1, 0)]), ["a", "a"])
        >>> [(arc.start, arc.end, arc.word, arc.position) for arc in made.arcs]
        [(0, 1, 'a', 1), (0, 2, 'a', 0), (1, 3, 'a', 0), (2, 3, 'a', 1)]
        """
        return cls._made(lattice, lambda place: (words[place], "", place))

    @classmethod
    def from_plf(cls, line: str) -> WordLattice:
        """Reads one line of the Python lattice format."""
        words = Vocabulary()
        return cls.from_lattice(lattice_from_plf(line, words.add), words.word)

    @classmethod
    def from_json(cls, line: str) -> WordLattice:
        """Reads one line of Pentaglot's own format, with its metadata."""
        words = Vocabulary()
        lattice = cls.from_lattice(lattice_from_json(line, words), words.word)
        return lattice.with_metadata(json_metadata(line))

    def with_metadata(self, metadata: Mapping[str, str]) -> WordLattice:
        """The same lattice with more metadata; values that it already has stay."""
        return replace(self, metadata={**metadata, **self.metadata})

    @classmethod
    def _made(cls, lattice: Lattice, spelling: Callable[[int], _Spelt]) -> WordLattice:
        """Removes silent arcs: their scores move to the next words, or to the end. `spelling` gives words, surfaces and
        positions."""
        split = lattice.split_words()
        silent = _silent_ways(split.nodes, split.arcs)
        starts: list[list[tuple[int, float]]] = [[] for _ in range(split.nodes)]  # from where a node is reached so
        for start, ways in enumerate(silent):
            for node, score in ways.items():
                starts[node].append((start, score))
        end = split.nodes
        best: dict[tuple[int, int, str, int | None], WordArc] = {}

        def offer(start: int, stop: int, word: int, score: float) -> None:
            spelt, surface, position = spelling(word)
            known = best.get((start, stop, spelt, position))
            if known is None or known.score < score:
                best[start, stop, spelt, position] = WordArc(start, stop, spelt, score, surface, position)

        for arc in split.arcs:
            if not arc.words:
                continue
            endings = [score for stop, score in silent[arc.end].items() if stop in split.finals]
            for start, score in starts[arc.start]:
                offer(start, arc.end, arc.words[0], score + arc.score)
                if endings:
                    offer(start, end, arc.words[0], score + arc.score + max(endings))
        return cls._trimmed(end + 1, best.values())

    @classmethod
    def _trimmed(cls, nodes: int, arcs: Iterable[WordArc]) -> WordLattice:
        ordered = sorted(arcs, key=lambda arc: (arc.start, arc.end, arc.word, arc.position or 0))
        forward, backward = {0}, {nodes - 1}
        for arc in ordered:
            if arc.start in forward:
                forward.add(arc.end)
        for arc in sorted(ordered, key=lambda arc: -arc.end):
            if arc.end in backward:
                backward.add(arc.start)
        kept = sorted(forward & backward)
        if not {0, nodes - 1} <= set(kept):
            raise InputError("no path of the lattice has a word")
        numbers = {node: number for number, node in enumerate(kept)}
        return cls(
            len(kept),
            tuple(
                WordArc(numbers[arc.start], numbers[arc.end], arc.word, arc.score, arc.surface, arc.position)
                for arc in ordered
                if arc.start in numbers and arc.end in numbers
            ),
        )

    def tokenised(self, tokenizer: Tokenizer) -> WordLattice:
        """The same lattice with its words tokenised and cased as in a line of them; a word that is cut becomes
        several."""
        as_it_is = replace(tokenizer, casing="keep", truecaser=None)
        spellings: dict[_Spelt, int] = {}
        arcs: list[Arc] = []

        def add(start: int, end: int, line: str, before: int, score: float, position: int | None) -> None:
            words, surfaces = (each.tokenise(line)[before:] for each in (tokenizer, as_it_is))
            pairs = zip(words, surfaces if len(surfaces) == len(words) else words, strict=True)
            ids = tuple(spellings.setdefault((*pair, position), len(spellings)) for pair in pairs)
            arcs.append(Arc(start, end, ids, score))

        # Capitals mean less where a sentence begins, which the words before decide: every node becomes two, one where
        # the next word begins a sentence and one where it does not.
        halves = tokenizer.casing == "truecase" and not " ".join(arc.word for arc in self.arcs).isupper()
        for arc in self.arcs:
            add(
                2 * arc.start,
                2 * arc.end + (halves and not begins_after(arc.word)),
                arc.word,
                0,
                arc.score,
                arc.position,
            )
            if halves:
                line = f"{_INSIDE} {arc.word}"
                add(2 * arc.start + 1, 2 * arc.end + (not begins_after(line)), line, 1, arc.score, arc.position)
        finals = [2 * self.nodes - 2, 2 * self.nodes - 1]
        made = WordLattice._made(Lattice.from_arcs(arcs, finals=finals), list(spellings).__getitem__)
        return made.with_metadata(self.metadata)

    @property
    def has_orders(self) -> bool:
        """Whether its paths are orders of one sentence."""
        return bool(self.arcs) and all(arc.position is not None for arc in self.arcs)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """How many words come before each node; in a lattice of orders these are as many on all paths."""
        depths = [0] * self.nodes
        for arc in self.arcs:  # sorted by their starts
            depths[arc.end] = depths[arc.start] + 1
        return tuple(depths)

    def path(self, rules: SentenceRules, derivation: Derivation) -> Path:
        """The order that a derivation has chosen in a lattice of orders."""
        used: list[WordArc] = []
        for begin, end, words in runs_of(rules, derivation):
            used += self._between(begin, end, words)
        used.sort(key=lambda arc: arc.start)
        places = tuple(arc.position for arc in used if arc.position is not None)
        return Path(tuple(arc.word for arc in used), places, self.depths)

    def _between(self, begin: int, end: int, words: Sequence[str]) -> list[WordArc]:
        """The best way from one node to another by these words."""
        reached: dict[int, tuple[float, list[WordArc]]] = {begin: (0.0, [])}
        for word in words:
            following: dict[int, tuple[float, list[WordArc]]] = {}
            for node, (score, before) in reached.items():
                for arc in self._leaving[node]:
                    known = following.get(arc.end)
                    if arc.word == word and (known is None or known[0] < score + arc.score):
                        following[arc.end] = score + arc.score, [*before, arc]
            reached = following
        return reached[end][1]

    @cached_property
    def _leaving(self) -> list[list[WordArc]]:
        leaving: list[list[WordArc]] = [[] for _ in range(self.nodes)]
        for arc in self.arcs:
            leaving[arc.start].append(arc)
        return leaving

    def surface_of(self, words: Sequence[str]) -> list[str]:
        """The words of a path as written before their capitals were changed; of several paths, the best."""
        reached: dict[int, tuple[float, list[str]]] = {0: (0.0, [])}
        for word in words:
            following: dict[int, tuple[float, list[str]]] = {}
            for arc in self.arcs:
                if arc.word == word and arc.start in reached:
                    score, before = reached[arc.start]
                    if arc.end not in following or following[arc.end][0] < score + arc.score:
                        following[arc.end] = score + arc.score, [*before, arc.surface or word]
            reached = following
        return reached[self.nodes - 1][1]

    def parts(self, longest: int) -> list[WordLattice]:
        """Cuts the lattice at nodes that all paths go through into parts of at most `longest` nodes, if possible,
        preferably after punctuation marks, like long lines."""
        ends = ends_of_parts(self._endings(), longest)
        begins = [0, *ends[:-1]]
        arcs: list[list[WordArc]] = [[] for _ in ends]
        for arc in self.arcs:
            part = bisect.bisect_right(ends, arc.start)
            arcs[part].append(replace(arc, start=arc.start - begins[part], end=arc.end - begins[part]))
        return [
            WordLattice(end - begin + 1, tuple(inside), self.metadata)
            for begin, end, inside in zip(begins, ends, arcs, strict=True)
        ]

    def _endings(self) -> list[set[str]]:
        """The words that end at each node but the first; none at a node that some word skips."""
        endings: list[set[str]] = [set() for _ in range(self.nodes)]
        reach = [0] * self.nodes  # how far words from the nodes so far reach
        for arc in self.arcs:
            endings[arc.end].add(arc.word)
            reach[arc.start] = max(reach[arc.start], arc.end)
        furthest = 0
        for node in range(self.nodes):
            if furthest > node:
                endings[node].clear()
            furthest = max(furthest, reach[node])
        return endings[1:]

    def sentence(self, longest: int, separators: int, known: Known | None = None) -> Runs:
        """A sentence in which all rules of the lattice are found; see `sentence_of`."""
        return sentence_of(self, longest, separators, known)


def _silent_ways(nodes: int, arcs: Sequence[Arc]) -> list[dict[int, float]]:
    """For every node, the nodes that can be reached from it without a word, and the best score of each."""
    ways: list[dict[int, float]] = [{node: 0.0} for node in range(nodes)]
    silent = sorted((arc for arc in arcs if not arc.words), key=lambda arc: -arc.start)
    for arc in silent:  # from the last node on, so that what follows an arc is known
        for node, score in ways[arc.end].items():
            total = arc.score + score
            ways[arc.start][node] = max(ways[arc.start].get(node, total), total)
    return ways
