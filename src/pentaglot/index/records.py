"""The records in the journal of additions: pairs, and later changes to them."""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.align import NO_POSITION
from pentaglot.corpus import Sentence
from pentaglot.corpus.annotation import pair_metadata
from pentaglot.corpus.kept_lines import keepable
from pentaglot.errors import PentaglotError, StorageError
from pentaglot.index.added_pair import AddedPair
from pentaglot.index.journal_lines import Record
from pentaglot.order.places import TYPED_PLACE, order_of, reordered_sentence, typed_sentence

__all__ = ["check_record", "checked_weight", "pair_of", "record_of"]

_LARGEST_WEIGHT = 1e9
_LAYERS, _METADATA = ("source_layers", "target_layers"), "metadata"
_ORDER = "order"


def checked_weight(weight: float) -> float:
    """The weight of a pair, if it can have it."""
    if weight >= _LARGEST_WEIGHT:
        raise PentaglotError(f"a weight of {weight} cannot be used", hint=f"weights are below {_LARGEST_WEIGHT:,.0f}")
    if not weight > 0:
        raise PentaglotError(f"a weight of {weight} cannot be used", hint="weights are above 0; remove a pair instead")
    return float(weight)


def record_of(
    source: Sequence[str],
    target: Sequence[str],
    links: Sequence[tuple[int, int]],
    weight: float,
    written: tuple[str, str] = ("", ""),
) -> Record:
    """The record of a pair; raises an error if it cannot be used. Layers and metadata of annotated sentences are part
    of it, and so are lines as they were written if they are known. A source sentence in another order is kept as it was
    typed, with its order.

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
        if not _is_unicode(word):
            raise PentaglotError(f"{word!r} is not valid Unicode")
    for link in links:
        if not (0 <= link[0] < len(source) and 0 <= link[1] < len(target)):
            raise PentaglotError(f"the link {link[0]}-{link[1]} points to a word that the pair does not have")
    order = order_of(source)
    if order:
        source, links = typed_sentence(Sentence.of(source)), sorted((order[i], j) for i, j in links)
    record = {"source": list(source), "target": list(target), "links": [list(link) for link in links], "weight": weight}
    record |= _annotation_of(Sentence.of(source), Sentence.of(target))
    record |= {_ORDER: list(order)} if order else {}
    lines = [keepable(line) for line in written]
    return record | {"written": lines} if any(lines) else record


def check_record(record: Record) -> None:
    """Raises an error if Pentaglot cannot have written this record."""
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
            annotated = _annotated(record)
            source, target = annotated or sides
            record_of(source, target, links, record["weight"])
            _check_order(record, len(sides[0]))
            checked_weight(_number(record["weight"]))
            return
        if type(record["weigh" if "weigh" in record else "remove"]) is not int:
            raise TypeError
        if "weigh" in record:
            checked_weight(_number(record["weight"]))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise StorageError("it neither adds nor changes a pair") from error


def _check_order(record: Record, words: int) -> None:
    order = record.get(_ORDER, list(range(words)))
    places = record.get(_LAYERS[0], {})
    whole = isinstance(order, list) and all(type(place) is int for place in order)
    if not whole or sorted(order) != list(range(words)) or TYPED_PLACE in places:
        raise TypeError


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return float(value)


def pair_of(record: Record, number: int, *, reordered: bool = False) -> AddedPair:
    """The pair of a record, with its number; in the order that the record says, if `reordered`."""
    links = tuple((int(i), int(j)) for i, j in record["links"])
    lines = [keepable(line) for line in record.get("written", ("", ""))]
    sides = tuple(record["source"]), tuple(record["target"])
    annotated = _annotated(record)
    order = record.get(_ORDER, ()) if reordered else ()
    if order:
        annotated = annotated or (Sentence(sides[0]), Sentence(sides[1]))
        annotated = reordered_sentence(annotated[0], order), annotated[1]
        sides = annotated[0].words, sides[1]
        ranks = {place: at for at, place in enumerate(order)}
        links = tuple(sorted((ranks[i], j) for i, j in links))
    return AddedPair(number, *sides, links, float(record["weight"]), (lines[0], lines[1]), annotated)


def _annotation_of(source: Sentence, target: Sentence) -> Record:
    """The layers and metadata of two sentences, as a record has them."""
    found: Record = {}
    for name, sentence in zip(_LAYERS, (source, target), strict=True):
        if sentence.layers:
            found[name] = {layer: list(values) for layer, values in sentence.layers.items()}
    if metadata := pair_metadata(source, target):
        found[_METADATA] = metadata
    for text in (*(value for each in found.values() for value in each.values()),):
        for value in text if isinstance(text, list) else [text]:
            if isinstance(value, str) and (not value or not _is_unicode(value)):
                raise PentaglotError(f"{value!r} cannot be part of a layer or of metadata")
    return found


def _annotated(record: Record) -> tuple[Sentence, Sentence] | None:
    """The annotated sentences of a record, if it has any."""
    if not any(name in record for name in (*_LAYERS, _METADATA)):
        return None
    metadata = record.get(_METADATA, {})
    sides = []
    for side, name in zip(("source", "target"), _LAYERS, strict=True):
        layers = record.get(name, {})
        if not all(isinstance(each, dict) for each in (layers, metadata)):
            raise TypeError
        if not all(isinstance(values, list) for values in layers.values()):
            raise TypeError
        sides.append(Sentence(record[side], layers, metadata))
    return sides[0], sides[1]


def _is_unicode(text: str) -> bool:
    try:
        return bool(text.encode())
    except UnicodeEncodeError:
        return False
