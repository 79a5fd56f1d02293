"""Where rules come from: training sentences with the words of a rule marked on both sides."""

from __future__ import annotations

from dataclasses import dataclass

from pentaglot.errors import PentaglotError
from pentaglot.explain.readings import readings
from pentaglot.rules import RuleOptions, RuleSource, SentenceRules

__all__ = ["Example", "Examples"]


@dataclass(frozen=True)
class Example:
    """A training pair that a rule was found in, and the places of the rule's own words in it."""

    corpus: str  # empty for the main text, "added" for pairs added since, else the name of a further corpus
    sentence: int  # its line, from 1; or the number that it was given when it was added
    source: tuple[str, ...]
    target: tuple[str, ...]
    source_places: tuple[int, ...]
    target_places: tuple[int, ...]
    source_line: str = ""  # as it was written, if that is known
    target_line: str = ""
    file: str = ""  # the name of the file that the source line was read from, if that is known

    @property
    def label(self) -> str:
        """The name of the pair, for display."""
        if self.file:
            return f"line {self.sentence:,} of {self.file}" + (f", {self.corpus}" if self.corpus else "")
        named = f"pair {self.sentence:,} of {self.corpus}" if self.corpus else f"training pair {self.sentence:,}"
        return f"added pair {self.sentence:,}" if self.corpus == "added" else named


class Examples:
    """Finds training pairs of the rules of a sentence. A table does not store where its rules were seen; they are then
    looked up in the index beside it, if there is one."""

    def __init__(self, rules: SentenceRules, index: RuleSource) -> None:
        self._rules = rules
        self._options = index.options
        self._places: dict[tuple[tuple[str, ...], tuple[str, ...]], tuple[int, int]] | None = None
        self._indexed = rules
        if rules.view is None:
            self._indexed = found = index.rules(rules.words)
            self._places = {
                (tuple(found.source_side(pattern)), tuple(found.target_side(rule))): (pattern, rule)
                for pattern in range(found.table.patterns)
                for rule in range(*found.table.rule_offsets[pattern : pattern + 2].tolist())
            }

    def of(self, pattern: int, rule: int) -> tuple[Example, ...]:
        """The training pairs of a rule, with its words marked."""
        if self._places is not None:
            sides = tuple(self._rules.source_side(pattern)), tuple(self._rules.target_side(rule))
            if sides not in self._places:
                return ()
            pattern, rule = self._places[sides]
        return tuple(_examples_of(self._options, self._indexed, pattern, rule))


def _examples_of(options: RuleOptions, rules: SentenceRules, pattern: int, rule: int) -> list[Example]:
    """The stored sightings of a rule, each with its words marked."""
    found: list[Example] = []
    view = rules.view
    if view is None:
        return found
    for corpus, sentence, position in rules.table.sightings(rule):
        if corpus >= len(view.indexes) or sentence >= len(view.indexes[corpus]):
            raise PentaglotError(f"rule {rule} was seen in pair {sentence} of corpus {corpus}, which does not exist")
        index = view.indexes[corpus]
        source, target = index.typed_pair(sentence)
        typed = index.typed_places(sentence)
        number = view.pair_number(corpus, sentence)
        for source_places, target_places in readings(index, options, rules, pattern, rule, sentence, position):
            words = tuple(source), tuple(target)
            source_places = tuple(sorted(typed[place] for place in source_places))
            lines, file = index.written(sentence), index.file_of(sentence)
            found.append(Example(view.names[corpus], number, *words, source_places, target_places, *lines, file))
            break
    return found
