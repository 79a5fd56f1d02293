"""Placeables that were never seen: they borrow the rules of others of their kind.

`Seite 4711` is translated like `Seite 12` if the text has no 4711: the known number is looked up in its place, and
gives way to it in the rules that are found.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import rules as native
from pentaglot._core.corpus import FIRST_WORD, UNKNOWN, Vocabulary
from pentaglot.corpus import Placeables, Sentence
from pentaglot.rules.fallbacks import StandIn
from pentaglot.rules.sentence_rules import Loans, SentenceRules

__all__ = ["CountedWords", "Lender", "Loan", "with_known", "with_stand_ins"]

_OFFERED = 20  # known words of each form, the most frequent
_FULL = 5  # runs of digits from this length on are alike

Form = tuple[str, str, str]  # what is around the placeable in its word, its kind, its shape
Offers = dict[Form, list[tuple[int, int]]]  # less their counts, and ids of words; the best first


@dataclass(frozen=True)
class CountedWords:
    """The words of the source side of the training text."""

    vocabulary: Vocabulary
    counts: NDArray[np.uint64]  # occurrences of each word, by id
    occurrences: Callable[[Sequence[str]], int]  # of some words in a row; 0 if that is not known


@dataclass(frozen=True)
class Loan:
    """A word of the sentence that was never seen, and the known one that is looked up in its place."""

    word: str
    known: str
    number: int  # of the known one
    atom: str  # the placeable in the word
    known_atom: str


def with_known(sentence: Sentence, loans: Sequence[Loan]) -> Sentence:
    """The sentence that is looked up."""
    known = {loan.word: loan.known for loan in loans}
    return Sentence([known.get(word, word) for word in sentence], sentence.layers, sentence.metadata)


def with_stand_ins(found: SentenceRules) -> SentenceRules:
    """The rules of a sentence, with what each of those that were lent was looked up as."""
    likes = {}
    for pattern in range(found.table.patterns):
        symbols = found.table.source(pattern).tolist()
        likes[pattern] = tuple(found.loans.source[each] for each in symbols if each in found.loans.source)
    return replace(found, stand_ins={at: StandIn("placeables", like) for at, like in likes.items() if like})


class Lender:
    """Finds known placeables that others are like; any number of threads may use it."""

    def __init__(self, placeables: Placeables) -> None:
        self.placeables = placeables
        self._offers: Offers = {}
        self._words = 0  # of the vocabulary, when it was looked through
        self._lock = Lock()

    def loans(self, words: Sequence[str], counted: Callable[[], CountedWords]) -> list[Loan]:
        """What the unknown placeables of a sentence borrow: each from a word of its own, which the sentence lacks."""
        placeables = {word: found for word in dict.fromkeys(words) if (found := self._placeable(word)) is not None}
        if not placeables:
            return []
        known = counted()
        wanted = {word: found for word, found in placeables.items() if known.vocabulary.find(word) == UNKNOWN}
        if not wanted:
            return []
        offers = self._known(known)
        taken = {atom for word in words for atom in self.placeables.atoms(word)}
        loans = []
        for word, found in wanted.items():
            at = words.index(word)
            beside = [words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""]
            best = self._best(found, taken, offers, known, ["" if each in wanted else each for each in beside])
            if best is not None:
                (atom,) = self.placeables.atoms(known.vocabulary.word(best))
                taken.add(atom)
                loans.append(Loan(word, known.vocabulary.word(best), best, found[2], atom))
        return loans

    def _best(
        self, found: Form, taken: set[str], offers: Offers, known: CountedWords, beside: Sequence[str]
    ) -> int | None:
        """The known word that a placeable is most like: one that has stood beside the same words, if there is one;
        among these one of the closest form, and among these the most frequent."""
        before, after = beside
        ranked = []
        for distance, form in enumerate(_forms(*found)):
            for seldom, number in offers.get(form, ()):
                word = known.vocabulary.word(number)
                if self.placeables.atoms(word)[0] not in taken:
                    rows = [[before, word], [word, after], [before, word, after]]
                    fits = sum(1 for row in rows if all(row) and known.occurrences(row))
                    ranked.append((-fits, distance, seldom, number))
        return min(ranked)[3] if ranked else None

    def lend(self, found: SentenceRules, loans: Sequence[Loan], features: tuple[int, int]) -> SentenceRules:
        """The rules of a sentence, whose table has those of the known words. `features` are that of rules that are
        never lent, and that of loans. Some rules may still say a known placeable, or one too often: they must be
        removed like others that do not keep placeables."""
        source = {int(found.source[found.words.index(loan.word)]): loan.number for loan in loans}
        target: dict[int, int] = {}
        changed, copies, by_atom = [], list(found.copies), {loan.known_atom: loan for loan in loans}
        symbols = np.unique(found.table.target_symbols)
        for symbol in symbols[symbols >= FIRST_WORD].tolist():
            word = own = found.target_vocabulary.word(symbol)
            for loan in (by_atom[atom] for atom in self.placeables.atoms(word) if atom in by_atom):
                own = own.replace(loan.known_atom, loan.atom)
            if own != word:
                changed.append((symbol, found.target_symbol(own, copies)))
                target.setdefault(changed[-1][1], symbol)
        native.lend_rules(found.table, [(known, own) for own, known in source.items()], changed, *features)
        return replace(found, copies=tuple(copies), loans=Loans(source, target))

    def _placeable(self, word: str) -> tuple[str, str, str] | None:
        """What is around the only placeable in a word, its kind, and the placeable itself."""
        atoms = self.placeables.atoms(word)
        if len(atoms) != 1 or word.count(atoms[0]) != 1:
            return None
        found = self.placeables.find(word)
        return (word.replace(atoms[0], "\0"), found[0].kind, atoms[0]) if len(found) == 1 else None

    def _known(self, known: CountedWords) -> Offers:
        """All known placeables by their forms. The vocabulary may have grown since the last call."""
        vocabulary, counts = known.vocabulary, known.counts
        with self._lock:
            if len(vocabulary) != self._words:
                found: Offers = defaultdict(list)
                words = vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))
                for number, word in enumerate(words, FIRST_WORD):
                    if (each := self._placeable(word)) is not None:
                        seen = int(counts[number]) if number < len(counts) else 0
                        for form in _forms(*each):
                            found[form].append((-seen, number))
                self._offers = {form: sorted(each)[:_OFFERED] for form, each in found.items()}
                self._words = len(vocabulary)
            return self._offers


def _forms(around: str, kind: str, atom: str) -> Iterator[Form]:
    """The forms of a placeable, the closest first: with as many digits; with digits and letters in the same places.

    >>> [form[2] for form in _forms("", "placeholder", "$(ARG12)")], [form[2] for form in _forms("", "number", "3.5")]
    (['$(ARG00)', '$(a)'], ['0.0', '0.0'])
    """
    near = re.sub(r"\d+", lambda found: "0" * min(len(found[0]), _FULL), atom)
    yield around, kind, near
    yield around, kind, re.sub(r"[^\W\d_][^\W_]*", "a", re.sub("0+", "0", near))
