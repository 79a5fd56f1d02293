"""How a word is cased inside a sentence, where its position does not explain a capital.

>>> truecaser = Truecaser.train(["Das Haus ist alt.", "Alt ist das Haus.", "Er sieht das Haus."])
>>> truecaser.truecase("Das Haus steht. Alt ist es.")
'das Haus steht. alt ist es.'
>>> truecaser.restore("das alte haus")
'das alte Haus'
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from pentaglot._core.corpus import FIRST_WORD, Vocabulary
from pentaglot.corpus.case_mapping import PLAIN, CaseMapping
from pentaglot.corpus.casing import INITIAL, WORD, has_case
from pentaglot.corpus.vocabulary import open_vocabulary, save_vocabulary

__all__ = ["Truecaser"]


class Truecaser:
    """Knows the most frequent casing of each word where position does not explain a capital, and whether lines begin
    with capitals."""

    def __init__(self, forms: Mapping[str, str], letters: CaseMapping = PLAIN, capitals: bool = True) -> None:
        self._forms = dict(forms)
        self.letters = letters
        self.capitals = capitals

    def __len__(self) -> int:
        return len(self._forms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Truecaser):
            return False
        return (self._forms, self.letters, self.capitals) == (other._forms, other.letters, other.capitals)

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def train(cls, lines: Iterable[str], letters: CaseMapping = PLAIN) -> Truecaser:
        """Counts the casings in normalised text; lines in capitals and words at the beginning of a sentence do not
        count."""
        counts: Counter[str] = Counter()
        begun: Counter[bool] = Counter()
        for line in lines:
            first = WORD.search(line)
            if first is not None and has_case(first[0][0]):
                begun[first[0][0].isupper()] += 1
            if not line.isupper():
                counts.update(WORD.findall(INITIAL.sub(r"\1", line)))
        casings: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
        for form, count in counts.items():
            casings[letters.lower(form)].append((-count, form))
        forms = {word: min(forms)[1] for word, forms in casings.items()}
        return cls(forms, letters, begun[True] >= begun[False])

    def truecase(self, line: str) -> str:
        """The line with words at sentence beginnings cased as elsewhere; a line in all capitals is changed as a
        whole."""
        if line.isupper():
            return WORD.sub(self._known_form, line)
        return INITIAL.sub(self._initial_form, line)

    def restore(self, line: str) -> str:
        """A lower-case line with each word as it is written most often."""
        return WORD.sub(self._known_form, line)

    def inside(self, word: str) -> str:
        """A word as it is written most often inside of sentences; unchanged if it was never seen there."""
        return self._forms.get(self.letters.lower(word), word)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the forms as a vocabulary."""
        vocabulary = Vocabulary()
        for form in sorted(self._forms.values()):
            vocabulary.add(form)
        save_vocabulary(vocabulary, path)

    @classmethod
    def open(cls, path: str | os.PathLike[str], letters: CaseMapping = PLAIN, capitals: bool = True) -> Truecaser:
        """Reads what `save` wrote."""
        vocabulary = open_vocabulary(path)
        forms = vocabulary.words(np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32))
        return cls({letters.lower(form): form for form in forms}, letters, capitals)

    def _known_form(self, match: re.Match[str]) -> str:
        return self.inside(match[0])

    def _initial_form(self, match: re.Match[str]) -> str:
        before, word = match.groups()
        # "US" at the beginning is not the pronoun "us"; only a capital that position explains is in doubt.
        if not word[0].isupper() or not (len(word) == 1 or word[1:].islower()):
            return match[0]
        return str(before) + self.inside(word)
