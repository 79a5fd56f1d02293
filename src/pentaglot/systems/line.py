"""`Line`: a request cut into parts for the search, and its translation put together again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pentaglot.corpus import Sentence
from pentaglot.errors import PentaglotError
from pentaglot.systems.marks import Fixed
from pentaglot.systems.model import Model
from pentaglot.systems.prepared import PreparedLine, PreparedPart, TypedWords
from pentaglot.systems.remembered import as_added
from pentaglot.systems.translation import Hypothesis, Part, PartHypotheses, Translation, join_hypotheses

__all__ = ["Line", "Request", "uncut"]

_LONGEST_CONSTRAINED = 250  # words of a line that cannot be cut, or of a given beginning


@dataclass(frozen=True)
class Request:
    """A line, perhaps annotated, and the demands on its translation: fixed parts, words to begin with. A model trained
    in another word order puts the line into that of the translation `order_by`, if it is given."""

    line: str | Sentence
    prefix: str = ""
    fixed: tuple[Fixed, ...] = ()
    order_by: str | None = None  # a translation whose order its words are put into


@dataclass(frozen=True)
class Line:
    """A request whose line is cut into words and parts; an empty line has none."""

    request: Request
    prepared: PreparedLine
    typed: TypedWords
    parts: list[PreparedPart]

    @classmethod
    def read(cls, request: Request, model: Model, longest: int, remembers: Callable[[Sequence[str]], bool]) -> Line:
        """Cuts a line into parts of at most `longest` words, in the order in which the model translates them; a line
        whose translation is partly given stays whole. Nothing is taken out of a line that the model `remembers`."""
        source, target = model.source_tokenizer, model.target_tokenizer
        # The typed beginning may have its tags already.
        prepared = PreparedLine.read(request.line, request.fixed, source, target, inline=not request.prefix)
        if prepared.linked:
            whole = PreparedLine.read(request.line, request.fixed, source, target)
            if remembers(whole.words):
                prepared = whole
        typed = TypedWords.read(request.prefix, target)
        if not prepared.words:
            return cls(request, prepared, typed, [])
        if len(typed.words) > _LONGEST_CONSTRAINED:
            raise PentaglotError(
                f"a translation cannot begin with {len(typed.words)} given words",
                hint=f"give at most {_LONGEST_CONSTRAINED} of them",
            )
        order_by = None if request.order_by is None else target.tokenise(request.order_by)
        prepared = prepared.ordered_by(model, longest, order_by)
        return cls(request, prepared, typed, [uncut(prepared)] if typed.words else prepared.parts(longest))

    def joined(self, parts: Sequence[PartHypotheses], nbest: int) -> Translation:
        """The translation of the line, from the translations of its parts."""
        line, prepared, typed = _text(self.request.line), self.prepared, self.typed
        if not parts:
            return Translation(line, self.request.prefix, (), ())
        listed: dict[str, Hypothesis] = {}  # other words may make the same text, as with capitals at the beginning
        for each in join_hypotheses([part.hypotheses for part in parts], nbest):
            surface: Sequence[str] = each.surface
            links: Sequence[tuple[int, ...]] = each.links
            # Typed beginnings and remembered sentences are left as they are.
            if not typed.words and not each.features.get("remembered"):
                surface, links = prepared.with_mark_last(surface, links)
            text = prepared.text(surface, links)
            if each.added is not None and not typed.words and not prepared.is_marked:
                text = as_added(text, each.words, line, each.added, prepared.target_tokenizer)
            listed.setdefault(typed.before(text, prepared, each.surface), each)
        kept = tuple(part for part in parts if isinstance(part, Part))
        return Translation(line, next(iter(listed)), kept, tuple(listed.items()), any(part.limited for part in parts))


def _text(line: str | Sentence) -> str:
    return line if isinstance(line, str) else line.line


def uncut(prepared: PreparedLine) -> PreparedPart:
    """A line as one part, for searches that cannot work in parts."""
    if len(prepared.words) > _LONGEST_CONSTRAINED:
        raise PentaglotError(
            f"a line of {len(prepared.words)} words is too long for a translation that is partly given",
            hint=f"cut it into lines of at most {_LONGEST_CONSTRAINED} words",
        )
    return prepared.whole()
