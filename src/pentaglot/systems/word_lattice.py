"""Word lattices as input: what a recogniser or a segmenter was not sure of, or several ways to write a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pentaglot.corpus import Tokenizer, Vocabulary
from pentaglot.errors import InputError
from pentaglot.forest import Arc, Derivation, Lattice, lattice_from_json, lattice_from_plf
from pentaglot.rules import SentenceRules

__all__ = ["WordArc", "WordLattice", "path_of"]

_SEPARATOR = "\x00"  # no word of any text
_GLUE_AND_ENDS = 0xFFFFFFFD  # origins from here on are no rules


@dataclass(frozen=True)
class WordArc:
    """A word from one node to a later one, and what it is worth (a natural logarithm, if it is a probability)."""

    start: int
    end: int
    word: str
    score: float = 0.0


@dataclass(frozen=True)
class WordLattice:
    """One word on each arc, one start (node 0), one end (the last node), and nothing that lies on no path.

    >>> lattice = WordLattice.from_plf("((('das', 0, 1), ('ein', -1, 1)), (('altes', 0, 1), ('*EPS*', -2, 1)), "
    ...     "(('Haus', 0, 1),))")
    >>> [(arc.word, arc.start, arc.end, arc.score) for arc in lattice.arcs][2:]
    [('altes', 1, 2, 0.0), ('Haus', 1, 3, -2.0), ('Haus', 2, 3, 0.0)]
    """

    nodes: int
    arcs: tuple[WordArc, ...]

    @classmethod
    def from_lattice(cls, lattice: Lattice, spelling: Callable[[int], str]) -> WordLattice:
        """Of a lattice whose words are ids."""
        split = lattice.split_words()
        return cls._made(split.nodes, split.arcs, split.finals, spelling)

    @classmethod
    def from_plf(cls, line: str) -> WordLattice:
        """Reads one line of the Python lattice format."""
        words = Vocabulary()
        return cls.from_lattice(lattice_from_plf(line, words.add), words.word)

    @classmethod
    def from_json(cls, line: str) -> WordLattice:
        """Reads one line of Pentaglot's own form."""
        words = Vocabulary()
        return cls.from_lattice(lattice_from_json(line, words), words.word)

    @classmethod
    def _made(
        cls, nodes: int, arcs: Sequence[Arc], finals: Sequence[int], spelling: Callable[[int], str]
    ) -> WordLattice:
        """Leaves out silent arcs: their scores go to the words before which, or the end before which, they stand."""
        silent = _silent_ways(nodes, arcs)
        end = nodes
        best: dict[tuple[int, int, str], float] = {}

        def offer(start: int, stop: int, word: str, score: float) -> None:
            key = start, stop, word
            best[key] = max(best.get(key, score), score)

        for arc in arcs:
            if not arc.words:
                continue
            endings = [score for stop, score in silent[arc.end].items() if stop in finals]
            for start, ways in enumerate(silent):
                if arc.start in ways:
                    offer(start, arc.end, spelling(arc.words[0]), ways[arc.start] + arc.score)
                    if endings:
                        offer(start, end, spelling(arc.words[0]), ways[arc.start] + arc.score + max(endings))
        return cls._trimmed(end + 1, [WordArc(*key, score) for key, score in best.items()])

    @classmethod
    def _trimmed(cls, nodes: int, arcs: Iterable[WordArc]) -> WordLattice:
        ordered = sorted(arcs, key=lambda arc: (arc.start, arc.end, arc.word))
        forward, backward = {0}, {nodes - 1}
        for arc in ordered:
            if arc.start in forward:
                forward.add(arc.end)
        for arc in sorted(ordered, key=lambda arc: -arc.end):
            if arc.end in backward:
                backward.add(arc.start)
        kept = sorted(forward & backward)
        if not {0, nodes - 1} <= set(kept):
            raise InputError("no path of the lattice says a word")
        numbers = {node: number for number, node in enumerate(kept)}
        return cls(
            len(kept),
            tuple(
                WordArc(numbers[arc.start], numbers[arc.end], arc.word, arc.score)
                for arc in ordered
                if arc.start in numbers and arc.end in numbers
            ),
        )

    def tokenised(self, tokenizer: Tokenizer) -> WordLattice:
        """The same with words as a model's tokenizer would write them; a word that it cuts becomes several."""
        arcs: list[Arc] = []
        words = Vocabulary()
        for arc in self.arcs:
            ids = tuple(words.add(word) for word in tokenizer.tokenise(arc.word))
            arcs.append(Arc(arc.start, arc.end, ids, arc.score))
        return WordLattice.from_lattice(Lattice.from_arcs(arcs, finals=[self.nodes - 1]), words.word)

    def sentence(self, longest: int, separators: int, most: int = 3000) -> list[str]:
        """A sentence in which every run of up to `longest` words on a path stands somewhere, so that looking up the
        sentence finds all rules of the lattice; if it would have more than `most` words, shorter runs must do. Pieces
        of different paths are kept apart by separators."""
        for size in range(longest, 0, -1):
            pieces = self._pieces(size, most)
            if pieces is None:
                continue
            words: list[str] = []
            for piece in pieces:
                words += [_SEPARATOR] * separators if words else []
                words += [self.arcs[number].word for number in piece]
            if size == 1 or len(words) <= most:
                return words
        return []

    def _pieces(self, size: int, most: int) -> list[list[int]] | None:
        """Few paths that go through all runs of so many arcs; None if they are too many."""
        leaving: list[list[int]] = [[] for _ in range(self.nodes)]
        for number, arc in enumerate(self.arcs):
            leaving[arc.start].append(number)
        runs: dict[tuple[int, ...], None] = {}
        waiting: list[tuple[int, ...]] = [(number,) for number in range(len(self.arcs))]
        while waiting:
            run = waiting.pop()
            following = leaving[self.arcs[run[-1]].end]
            if len(run) == size or not following:
                if len(run) < size and self.arcs[run[0]].start > 0:
                    continue  # the end of a longer one
                runs[run] = None
                if len(runs) > most:
                    return None
            else:
                waiting += [(*run, number) for number in following]
        pieces = []
        for run in sorted(runs, key=lambda run: self.arcs[run[0]].start):
            if run not in runs:
                continue
            piece = list(run)
            del runs[run]
            while following := leaving[self.arcs[piece[-1]].end]:
                # On, preferably where nobody has been.
                fresh = [number for number in following if (*piece[1 - size :], number)[-size:] in runs]
                if not fresh:
                    break
                piece.append(fresh[0])
                del runs[tuple(piece[-size:])]
            pieces.append(piece)
        return pieces


def _silent_ways(nodes: int, arcs: Sequence[Arc]) -> list[dict[int, float]]:
    """For every node the nodes that can be reached from it without a word, and the best score of doing so."""
    ways: list[dict[int, float]] = [{node: 0.0} for node in range(nodes)]
    silent = sorted((arc for arc in arcs if not arc.words), key=lambda arc: -arc.start)
    for arc in silent:  # from the last node on, so that what follows an arc is known
        for node, score in ways[arc.end].items():
            total = arc.score + score
            ways[arc.start][node] = max(ways[arc.start].get(node, total), total)
    return ways


def path_of(rules: SentenceRules, derivation: Derivation) -> list[str]:
    """The words of the input that a derivation translates, in their order there."""
    payloads = derivation.payloads.tolist()
    offsets = rules.table.rule_offsets
    pieces: dict[int, list[tuple[int, list[str]]]] = {}  # by place: where in the input, and which words
    for place in reversed(range(len(payloads))):
        origin, begin = payloads[place] & 0xFFFFFFFF, payloads[place] >> 32 & 0xFFFF
        below = [pieces[child] for child in derivation.children(place)]
        if origin >= _GLUE_AND_ENDS:
            pieces[place] = [piece for each in below for piece in each]
            continue
        source = rules.table.source(int(np.searchsorted(offsets, origin, side="right")) - 1).tolist()
        words: list[str] = []
        for symbol in source:
            if symbol >= 0:
                words.append(rules.source_word(symbol))
            else:
                words += [word for _, inner in sorted(below[-1 - symbol]) for word in inner]
        # A phrase is not made of what was translated before it, it follows it.
        before = [] if min(source, default=0) < 0 else [piece for each in below for piece in each]
        pieces[place] = [*before, (begin, words)]
    return [word for _, words in sorted(pieces[0]) for word in words]
