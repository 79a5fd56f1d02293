"""What the journal of additions holds: pairs, and what was done to them later."""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.align import NO_POSITION
from pentaglot.corpus.kept_lines import keepable
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index.growing import AddedPair
from pentaglot.index.journal import Record

__all__ = ["check_record", "check_weight", "pair_of", "record_of"]

_LARGEST_WEIGHT = 1e9


def check_weight(weight: float) -> None:
    """An error about a weight that a pair cannot have."""
    if not 0 < weight < _LARGEST_WEIGHT:
        raise PentaglotError(f"a weight of {weight} cannot be used", hint="weights are above 0; remove a pair instead")


def record_of(
    source: Sequence[str],
    target: Sequence[str],
    links: Sequence[tuple[int, int]],
    weight: float,
    written: tuple[str, str] = ("", ""),
) -> Record:
    """The record of a pair; an error about one that cannot be used. Lines as they were written are part of it if they
    are known.

    >>> record_of(["Haus"], ["house"], [(0, 0)], 2.0)
    {'source': ['Haus'], 'target': ['house'], 'links': [[0, 0]], 'weight': 2.0}
    """
    if not source or not target:
        raise PentaglotError("a sentence pair to add has an empty side")
    if max(len(source), len(target)) >= NO_POSITION:
        raise PentaglotError(f"a sentence to add has more than {NO_POSITION - 1} words", hint="split it")
    for word in (*source, *target):
        if not word or word.split() != [word]:
            raise PentaglotError(f"{word!r} is not a word", hint="words are not empty and hold no spaces")
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise PentaglotError(f"{word!r} is not valid Unicode") from error
    for link in links:
        if not (0 <= link[0] < len(source) and 0 <= link[1] < len(target)):
            raise PentaglotError(f"the link {link[0]}-{link[1]} points to a word that the pair does not have")
    record = {"source": list(source), "target": list(target), "links": [list(link) for link in links], "weight": weight}
    lines = [keepable(line) for line in written]
    return record | {"written": lines} if any(lines) else record


def check_record(record: Record) -> None:
    """An error about a record of the journal that nothing here has written."""
    try:
        if "source" in record:
            sides = record["source"], record["target"]
            links = [(i, j) for i, j in record["links"]]
            if not all(isinstance(side, list) and all(isinstance(word, str) for word in side) for side in sides):
                raise TypeError
            if not all(type(place) is int for link in links for place in link):
                raise TypeError
            lines = record.get("written", ["", ""])
            if not isinstance(lines, list) or len(lines) != 2 or not all(isinstance(line, str) for line in lines):
                raise TypeError
            record_of(*sides, links, record["weight"])
            check_weight(_number(record["weight"]))
            return
        if type(record["weigh" if "weigh" in record else "remove"]) is not int:
            raise TypeError
        if "weigh" in record:
            check_weight(_number(record["weight"]))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise StorageError("it tells of nothing that is done to a pair") from error


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def pair_of(record: Record, number: int) -> AddedPair:
    """The pair of a record, with its number."""
    links = tuple((int(i), int(j)) for i, j in record["links"])
    lines = [keepable(line) for line in record.get("written", ("", ""))]
    sides = tuple(record["source"]), tuple(record["target"])
    return AddedPair(number, *sides, links, float(record["weight"]), (lines[0], lines[1]))
