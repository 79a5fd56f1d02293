"""How the lines of a translation begin and end, given how their source lines do.

A small first letter is a hint from the author, unless most translations begin with a capital all the same; a full stop
at the end asks for one, unless the other language does without. Which of these holds is learnt from the training text.

>>> pairs = [("das ist es。", "That is it."), ("ein satz。", "A sentence.")] * 10
>>> edges = Edges.learn(pairs)
>>> edges.begins, edges.ends
({'small': True}, {'。': '.'})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from pentaglot.corpus.casing import beginning, first_word
from pentaglot.corpus.joints import Joints
from pentaglot.corpus.splitters import JOINER, plain

__all__ = ["Edges", "final_mark"]

# Marks that end a sentence, in any script. Which of them stands for which is learnt.
_MARKS = frozenset(".!?…:;。！？：；．｡।॥؟؛۔։።၊။។។៖༎᙮")
_CLOSING = "\"'»«“”’)]}」』）】〉》"
Kind = TypeVar("Kind")
_FEWEST = 20  # pairs from which anything is learnt
_MOSTLY, _NEARLY_ALWAYS = 0.501, 0.9  # shares of pairs


@dataclass(frozen=True)
class Edges:
    """How most lines begin, and how nearly all end; what was seldom seen is left out."""

    # Whether lines begin with a capital, for those that translate a line which begins with a `large` letter, with a
    # `small` one, or with what has `no` case. A beginning has to be chosen, so most decide; an end may stay as it is.
    begins: dict[str, bool] = field(default_factory=dict)
    ends: dict[str, str] = field(default_factory=dict)  # marks at the end, for marks at the end
    joints: Joints = field(default_factory=Joints)  # where sentences of a line meet

    @classmethod
    def learn(cls, pairs: Iterable[tuple[str, str]], usual: Callable[[str], str] | None = None) -> Edges:
        """Looks at pairs of lines, each with its translation. What is not language should be hidden in them. `usual`
        gives a word the case that it has inside of sentences; names say nothing about the place that they are at, and
        count only where there are few other words. Without it, nothing is learnt about the inside of lines."""
        if usual is not None:
            pairs = list(pairs)
        begins: dict[str, Counter[bool]] = {}
        telling: dict[str, Counter[bool]] = {}
        ends: dict[str, Counter[str]] = {}
        for source, target in pairs:
            one, other = beginning(source), beginning(target)
            if one is not None and other in ("large", "small"):
                begins.setdefault(one, Counter())[other == "large"] += 1
                if usual is not None and usual(first_word(target)).islower():
                    telling.setdefault(one, Counter())[other == "large"] += 1
            if mark := final_mark(source):
                ends.setdefault(mark, Counter())[final_mark(target)] += 1
        begins |= {name: counts for name, counts in telling.items() if counts.total() >= _FEWEST}
        usual_begins = {name: _usual(counts, _MOSTLY) for name, counts in sorted(begins.items())}
        usual_ends = {mark: _usual(counts, _NEARLY_ALWAYS) for mark, counts in sorted(ends.items())}
        return cls(
            {name: large for name, large in usual_begins.items() if large is not None},
            {mark: end for mark, end in usual_ends.items() if end},
            Joints() if usual is None else Joints.learn(pairs, usual),
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


def _usual(counts: Counter[Kind], share: float) -> Kind | None:
    (value, count), total = counts.most_common(1)[0], counts.total()
    return value if total >= _FEWEST and count >= share * total else None
