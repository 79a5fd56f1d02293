"""How the lines of a translation begin and end, given how their source lines do.

A small first letter is a hint from the author, unless all of the text is in small letters; a full stop at the end asks
for one, unless the other language does without. Which of these holds is learnt from the training text.

>>> pairs = [("das ist es。", "That is it."), ("ein satz。", "A sentence.")] * 10
>>> edges = Edges.learn(pairs)
>>> edges.begins, edges.ends
({'small': True}, {'。': '.'})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pentaglot.corpus.casing import beginning
from pentaglot.corpus.splitters import JOINER, plain

__all__ = ["Edges", "final_mark"]

# Marks that end a sentence, in any script. Which of them stands for which is learnt.
_MARKS = frozenset(".!?…:;。！？：；．｡।॥؟؛۔։።၊။។។៖༎᙮")
_CLOSING = "\"'»«“”’)]}」』）】〉》"
Kind = TypeVar("Kind")
_FEWEST = 20  # pairs from which anything is learnt
_NEARLY_ALWAYS = 0.9


@dataclass(frozen=True)
class Edges:
    """What holds in nearly all pairs; what does not, or was seldom seen, is left out."""

    # Whether lines begin with a capital, for those that translate a line which begins with a `large` letter, with a
    # `small` one, or with what has `no` case.
    begins: dict[str, bool] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)  # marks at the end, for marks at the end

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]]) -> Edges:
        """Looks at pairs of lines, each with its translation. What is not language should be hidden in them."""
        begins: dict[str, Counter[bool]] = {}
        ends: dict[str, Counter[str]] = {}
        for source, target in pairs:
            one, other = beginning(source), beginning(target)
            if one is not None and other in ("large", "small"):
                begins.setdefault(one, Counter())[other == "large"] += 1
            if mark := final_mark(source):
                ends.setdefault(mark, Counter())[final_mark(target)] += 1
        usual_begins = {name: _usual(counts) for name, counts in sorted(begins.items())}
        usual_ends = {mark: _usual(counts) for mark, counts in sorted(ends.items())}
        return cls(
            {name: usual for name, usual in usual_begins.items() if usual is not None},
            {mark: usual for mark, usual in usual_ends.items() if usual},
        )

    def with_mark_last(
        self, words: Sequence[str], links: Sequence[tuple[int, ...]], source: Sequence[str], line: str
    ) -> tuple[Sequence[str], Sequence[tuple[int, ...]]]:
        """The words of a translation, and their links if any, with the final mark moved to the end if it stands inside.
        `source` has the words of the `line` that they translate. A missing mark is not made up."""
        mark = final_mark(line)
        usual = self.ends.get(mark)
        bare = [plain(word) for word in words]
        if usual is None or not line.rstrip().endswith(mark) or not words or final_mark(" ".join(bare)):
            return words, links
        places = [place for place, word in enumerate(bare) if word == usual]
        if not places or len(places) < sum(plain(word) == mark for word in source):
            return words, links
        last = places[-1]
        moved = [*words[:last], *words[last + 1 :], words[last].removesuffix(JOINER)]
        return moved, [*links[:last], *links[last + 1 :], links[last]] if links else links


def final_mark(line: str) -> str:
    """The mark that ends a sentence at the end of a line, quotation marks and brackets aside; empty if there is none.

    >>> final_mark("Er rief: »Halt!«"), final_mark("So ist es 。"), final_mark("Datei öffnen")
    ('!', '。', '')
    """
    last = line.rstrip().rstrip(_CLOSING).rstrip()[-1:]
    return last if last in _MARKS else ""


def _usual(counts: Counter[Kind]) -> Kind | None:
    (value, count), total = counts.most_common(1)[0], counts.total()
    return value if total >= _FEWEST and count >= _NEARLY_ALWAYS * total else None
