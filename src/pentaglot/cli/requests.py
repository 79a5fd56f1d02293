"""What to translate, line by line: text, beginnings, word orders, marks and terms from several files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TypeVar

from pentaglot.corpus import Beside, Sentence, Tokenizer, read_lines
from pentaglot.corpus.case_mapping import CaseMapping
from pentaglot.corpus.compression import shown
from pentaglot.corpus.lines import read_lines_or_sentences
from pentaglot.corpus.retokenising import annotated_line
from pentaglot.errors import InputError, OptionError, PentaglotError
from pentaglot.progress import Task
from pentaglot.systems import Fixed, Glossary, Request, read_markup
from pentaglot.wording import number_of

__all__ = ["annotated_lines", "beside_lines", "counted", "located", "read_terms", "requests"]

_Result = TypeVar("_Result")


def read_terms(keep: Path | None, glossary: Path | None) -> Glossary | None:
    """The terms of a glossary and those to keep untranslated, if any are given."""
    given = [Glossary.open(glossary)] if glossary is not None else []
    given += [Glossary.open_kept(keep)] if keep is not None else []
    return reduce(or_, given) if given else None


def annotated_lines(input_file: Path, beside: Beside, tokenizer: Tokenizer) -> Iterator[tuple[int, str | Sentence]]:
    """The numbered lines, annotated if anything is known about them; a pipe may turn out to be a treebank."""
    for number, line in beside.sources(input_file) if beside else read_lines_or_sentences(input_file):
        yield number, line if isinstance(line, str) else annotated_line(line, tokenizer)


def requests(
    input_file: Path,
    lines: Iterable[tuple[int, str | Sentence]],
    numbers: deque[int],
    prefix: Path | None,
    order_by: Path | None,
    markup: bool,
    terms: Glossary | None,
    letters: CaseMapping,
) -> Iterator[Request]:
    """The request for each line; the numbers of the lines go to `numbers`."""
    prefixes = beside_lines(input_file, lines, prefix) if prefix is not None else ((line, "") for line in lines)
    orders = (
        beside_lines(input_file, prefixes, order_by) if order_by is not None else ((each, None) for each in prefixes)
    )
    for ((number, line), begun), order in orders:
        fixed: list[Fixed] = []
        numbers.append(number)
        if markup:
            if not isinstance(line, str):
                raise OptionError("--markup cannot be combined with a treebank", hint="leave it out")
            line, fixed = read_markup(line, path=shown(input_file), line=number)
        if terms is not None:
            fixed += terms.marks(line if isinstance(line, str) else line.line, fixed, letters)
        yield Request(line, begun, tuple(fixed), order)


def beside_lines(input_file: Path, lines: Iterable[_Result], other: Path) -> Iterator[tuple[_Result, str]]:
    """Two files line by line; raises an error if one ends before the other."""
    partners = read_lines(other)
    number = 0
    for number, line in enumerate(lines, 1):
        partner = next(partners, None)
        if partner is None:
            raise InputError(f"ends after {number_of(number - 1, 'line')}, but {shown(input_file)} goes on", path=other)
        yield line, partner
    if next(partners, None) is not None:
        raise InputError(f"goes on after {number_of(number, 'line')}, where {shown(input_file)} ends", path=other)


def located(results: Iterator[_Result], input_file: Path, numbers: deque[int]) -> Iterator[_Result]:
    """The same results; errors name the line."""
    try:
        for result in results:
            yield result
            numbers.popleft()
    except PentaglotError as error:
        if error.path is not None:
            raise
        raise InputError(
            error.message, path=shown(input_file), line=next(iter(numbers), None), hint=error.hint
        ) from error


def counted(results: Iterator[_Result], task: Task) -> Iterator[_Result]:
    """The same results; progress shows each."""
    for result in results:
        yield result
        task.advance()
