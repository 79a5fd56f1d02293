"""Which words of a translation are which words of its reference, and in what order they stand.

Links are made in stages, each between words that are still free: equal words, words with the same stem, words with
similar spellings. Among equal words those are linked that cross the fewest other links (Stanojević 2017, §4.2, after
the aligner of METEOR).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pentaglot._core import metrics as core
from pentaglot.errors import OptionError
from pentaglot.metrics.matched_words import COLUMNS, WordOrders
from pentaglot.metrics.spelling import spelled
from pentaglot.metrics.stems import stems
from pentaglot.options import check_choice

__all__ = ["Matching", "Stages", "Unmatched"]

Stages = Literal["exact", "stem", "similar", "all"]
Unmatched = Literal["ignore", "left", "right"]

# Two spellings are similar if they differ in at most 35 % of the letters of the longer one.
_SIMILAR = 0.65

_NONE = 2**32 - 1


@dataclass(frozen=True)
class Matching:
    """How words of translations and references are matched. `left` and `right` say that reference words without a
    match go with the nearest matched word on that side; otherwise they are left out of the permutation.

    >>> Matching().links("the houses are small", "small houses , the house")
    [(0, 3), (1, 1), (3, 0)]
    >>> Matching("exact").orders(["b a d"], ["a b c d"])["kendall"].round(4).tolist()
    [0.6667]
    """

    stages: Stages = "similar"  # equal words always; then those of the same stem, of similar spelling, or all of them
    stemmer: str | None = None  # the language of stems
    lowercase: bool = False
    cut: bool = True  # tokenise; otherwise split at spaces
    unmatched: Unmatched = "ignore"

    def __post_init__(self) -> None:
        check_choice("stages", self.stages, get_args(Stages))
        check_choice("unmatched", self.unmatched, get_args(Unmatched))
        if self._stems and self.stemmer is None:
            raise OptionError("matching by stems needs the language of the stemmer", hint="name it, such as english")

    @property
    def _stems(self) -> bool:
        return self.stages in ("stem", "all")

    @property
    def _similar(self) -> float:
        return _SIMILAR if self.stages in ("similar", "all") else 0.0

    def orders(
        self,
        hypotheses: Sequence[str],
        references: Sequence[str],
        *,
        beta: float = 0.6,
        uniform: bool = False,
        function_words: Sequence[str] = (),
        threads: int = 1,
    ) -> WordOrders:
        """The words and the word order of each translation beside those of its reference. `beta` is the weight of a
        node of a permutation tree against all below it; `uniform` asks for the column `recpef-uniform`, too."""
        said, wanted, functions = map(self._spelled, (hypotheses, references, function_words))
        found = core.word_orders(
            said,
            wanted,
            self._stemmed(said),
            self._stemmed(wanted),
            functions,
            self.cut,
            self._similar,
            core.Unmatched.__members__[self.unmatched],
            beta,
            uniform,
            threads,
        )
        return WordOrders(found.reshape(len(said), len(COLUMNS)))

    def links(self, hypothesis: str, reference: str) -> list[tuple[int, int]]:
        """The matched words, as pairs of positions in the hypothesis and in the reference."""
        [said], [wanted] = self._spelled([hypothesis]), self._spelled([reference])
        [stems], [wanted_stems] = (self._stemmed((text,)) or ("",) for text in (said, wanted))
        found = core.word_links(said, wanted, stems, wanted_stems, self._stems, self.cut, self._similar)
        return [(word, link) for word, link in enumerate(found.tolist()) if link != _NONE]

    def _spelled(self, texts: Sequence[str]) -> tuple[str, ...]:
        return spelled(texts, lowercase=self.lowercase)

    def _stemmed(self, texts: tuple[str, ...]) -> tuple[str, ...]:
        if not self._stems or self.stemmer is None:
            return ()
        return stems(core.cut_words(texts, self.cut), self.stemmer)

    @property
    def signature(self) -> str:
        """How words are matched, for signatures."""
        stem = f"-{self.stemmer}" if self._stems else ""
        case, tokens = "lc" if self.lowercase else "mixed", "cut" if self.cut else "none"
        return f"case:{case}|tok:{tokens}|match:{self.stages}{stem}|unmatched:{self.unmatched}"
