"""`Line`: a request cut into what can be searched, and its translation put together again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pentaglot.corpus import Tokenizer
from pentaglot.errors import PentaglotError
from pentaglot.systems.marks import Fixed
from pentaglot.systems.sentence import Segment, Sentence, TypedWords
from pentaglot.systems.translation import Part, PartHypotheses, Translation, join_hypotheses

__all__ = ["Line", "Request", "uncut"]

_LONGEST_CONSTRAINED = 250  # words of a line that cannot be cut, and of what its translation begins with


@dataclass(frozen=True)
class Request:
    """A line, and what is demanded of its translation: parts that are fixed, words that it begins with."""

    line: str
    prefix: str = ""
    fixed: tuple[Fixed, ...] = ()


@dataclass(frozen=True)
class Line:
    """A request whose line is cut into words and segments; an empty line has none."""

    request: Request
    sentence: Sentence
    typed: TypedWords
    segments: list[Segment]

    @classmethod
    def read(cls, request: Request, source: Tokenizer, target: Tokenizer, longest: int) -> Line:
        """Cuts a line into segments of at most `longest` words; one whose translation is given in part stays whole."""
        # What somebody types may have its tags already.
        sentence = Sentence.read(request.line, request.fixed, source, target, inline=not request.prefix)
        typed = TypedWords.read(request.prefix, target)
        if not sentence.words:
            return cls(request, sentence, typed, [])
        if len(typed.words) > _LONGEST_CONSTRAINED:
            raise PentaglotError(
                f"a translation cannot be made to begin with {len(typed.words)} words",
                hint=f"give at most {_LONGEST_CONSTRAINED} of them",
            )
        return cls(request, sentence, typed, [uncut(sentence)] if typed.words else sentence.segments(longest))

    def joined(self, parts: Sequence[PartHypotheses], nbest: int) -> Translation:
        """The translation of the line, from those of its segments."""
        line, sentence, typed = self.request.line, self.sentence, self.typed
        if not parts:
            return Translation(line, self.request.prefix, (), ())
        listed = []
        for each in join_hypotheses([part.hypotheses for part in parts], nbest):
            surface: Sequence[str] = each.surface
            links: Sequence[tuple[int, ...]] = each.links
            # What somebody has typed, or has said just so, is theirs.
            if not typed.words and not each.features.get("remembered"):
                surface, links = sentence.with_mark_last(surface, links)
            text = sentence.text(surface, links)
            listed.append((typed.before(text, sentence, each.surface), each))
        kept = tuple(part for part in parts if isinstance(part, Part))
        return Translation(line, listed[0][0], kept, tuple(listed), any(part.limited for part in parts))


def uncut(sentence: Sentence) -> Segment:
    """A sentence as one segment, for searches that cannot translate it in parts."""
    if len(sentence.words) > _LONGEST_CONSTRAINED:
        raise PentaglotError(
            f"a line of {len(sentence.words)} words is too long for a translation that is given in part",
            hint=f"cut it into lines of at most {_LONGEST_CONSTRAINED} words",
        )
    return Segment(sentence.words, sentence.units, linked=sentence.linked)
