"""Sentences that were added come out as they were written, with their own capitals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pentaglot.corpus import Tokenizer
from pentaglot.corpus.casing import beginning, in_capitals
from pentaglot.forest import Derivation
from pentaglot.rules import SentenceRules
from pentaglot.search import origin_of

__all__ = ["AddedLines", "added_lines", "as_added"]

AddedLines = tuple[str, str]  # the two lines of an added pair, as they were written


def added_lines(rules: SentenceRules, derivation: Derivation) -> AddedLines | None:
    """The lines of the pair that was added last for the sentence that a derivation translates by one rule."""
    rule = next((rule for rule, _ in map(origin_of, derivation.payloads.tolist()) if rule is not None), None)
    if rule is None or rules.view is None:
        return None
    pattern = int(np.searchsorted(rules.table.rule_offsets, rule, side="right")) - 1
    found = rules.view.snapshot.newest_addition(rules.table.source(pattern).astype(np.uint32))
    return None if found is None else rules.view.indexes[found[0]].written(found[1])


def as_added(text: str, words: Sequence[str], line: str, added: AddedLines, tokenizer: Tokenizer) -> str:
    """The translation of a line that was added, with the capitals that it was given. Only its beginning follows the
    line, if that begins otherwise than the one that was added; `text` is what was made of its words.

    >>> tokenizer, added = Tokenizer(casing="lowercase"), ("lies NASA-Texte!", "read NASA texts! said Ann")
    >>> words = tokenizer.tokenise(added[1])
    >>> as_added("Read nasa texts! Said ann", words, "lies NASA-Texte!", added, tokenizer)
    'read NASA texts! said Ann'
    >>> as_added("Read nasa texts! Said ann", words, "Lies NASA-Texte!", added, tokenizer)
    'Read NASA texts! said Ann'
    """
    source, target = added
    written = replace(tokenizer, casing="keep").normalise(target)
    if tokenizer.tokenise(target) != list(words) or in_capitals(line) != in_capitals(source):
        return text
    if beginning(line) == beginning(source) or len(text) != len(written):
        return written
    first = next((place for place, letter in enumerate(written) if letter.isalpha()), 0)
    return written[:first] + text[first] + written[first + 1 :] if written else text
