"""Forests and lattices as JSON, and lattices in the Python lattice format (PLF) of other decoders."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from pentaglot.corpus import Vocabulary
from pentaglot.errors import InputError
from pentaglot.forest.builder import ForestBuilder
from pentaglot.forest.features import FeatureSpace
from pentaglot.forest.forest import Forest
from pentaglot.forest.lattice import Arc, Lattice
from pentaglot.forest.lettering import Words, spelt

__all__ = [
    "forest_from_json",
    "forest_to_json",
    "json_metadata",
    "lattice_from_json",
    "lattice_from_plf",
    "lattice_to_json",
]

_FOREST, _LATTICE, _VERSION = "pentaglot forest", "pentaglot lattice", 1
_ARC = ("from", "to", "words", "score", "features", "payload")
_KNOWN = ("format", "version", "nodes", "finals", "arcs", "metadata", *(f"arcs.{name}" for name in _ARC))


def forest_to_json(forest: Forest, vocabulary: Words | None = None, features: FeatureSpace | None = None) -> str:
    """One line of JSON: nodes in topological order, each with its incoming edges. In a target side a string (or a
    bare number, if there is no vocabulary) is a word and `[k]` is what tail k yields. Without a feature space, features
    have numbers for names.

    >>> from pentaglot.forest import example_forest
    >>> text = forest_to_json(example_forest())
    >>> forest_from_json(text).kbest(1)[0].words
    (5, 8, 7)
    """
    nodes = []
    for node in range(forest.nodes):
        edges = [
            {
                "tails": forest.tails(edge),
                "target": [_said(symbol, vocabulary) for symbol in forest.template(edge)],
                "features": _named(forest.local_vector(edge), features),
                "score": None if math.isinf(forest.scores[edge]) else float(forest.scores[edge]),
                "payload": int(forest.packed.edge_payloads[edge]),
            }
            for edge in forest.incoming(node)
        ]
        nodes.append({"payload": int(forest.packed.node_payloads[node]), "edges": edges})
    return _dumped({"format": _FOREST, "version": _VERSION, "goal": forest.goal, "nodes": nodes})


def forest_from_json(text: str, vocabulary: Vocabulary | None = None, features: FeatureSpace | None = None) -> Forest:
    """Reads what `forest_to_json` wrote. Words and features that are not known yet are added."""
    data = _loaded(text, _FOREST)
    builder, scores = ForestBuilder(), []
    with _Misread(_FOREST):
        for node in data["nodes"]:
            builder.node(_number(node["payload"]))
        for head, node in enumerate(data["nodes"]):
            for edge in node["edges"]:
                target = [
                    -1 - _number(each[0]) if isinstance(each, list) else _word(each, vocabulary)
                    for each in _listed(edge["target"])
                ]
                tails = [_number(each) for each in edge["tails"]]
                # Edges come sorted by head already, so that their scores stay in step if the nodes are in order.
                if any(each >= head for each in tails):
                    raise InputError(f"node {head} of the forest has a tail that does not come before it")
                builder.edge(head, tails, target, _ids(edge["features"], features), _number(edge["payload"]))
                scores.append(-math.inf if edge["score"] is None else float(edge["score"]))
        return builder.finish(_number(data["goal"]), trim=False).with_scores(scores)


def lattice_to_json(lattice: Lattice, vocabulary: Words | None = None, features: FeatureSpace | None = None) -> str:
    """One line of JSON: the number of nodes, the finals and the arcs."""
    arcs = [
        {
            "from": arc.start,
            "to": arc.end,
            "words": [_said(word, vocabulary) for word in arc.words],
            "score": arc.score,
            "features": _named(arc.features, features),
            "payload": arc.payload,
        }
        for arc in lattice.arcs
    ]
    head = {"format": _LATTICE, "version": _VERSION, "nodes": lattice.nodes, "finals": list(lattice.finals)}
    return _dumped({**head, "arcs": arcs})


def lattice_from_json(text: str, vocabulary: Vocabulary | None = None, features: FeatureSpace | None = None) -> Lattice:
    """Reads what `lattice_to_json` wrote. Words and features that are not known yet are added. For the metadata of a
    line see `json_metadata`; anything else that it has is refused.

    >>> lattice = Lattice.from_words([4, 5])
    >>> lattice_from_json(lattice_to_json(lattice)) == lattice
    True
    """
    data = _loaded(text, _LATTICE)
    with _Misread(_LATTICE):
        names = {*data, *(f"arcs.{name}" for each in data["arcs"] for name in each)}.difference(_KNOWN)
        if names:
            raise InputError(f"this {_LATTICE} has '{min(names)}', which cannot be used", hint="leave it out")
        arcs = tuple(
            Arc(
                _number(each["from"]),
                _number(each["to"]),
                tuple(_word(word, vocabulary) for word in _listed(each["words"])),
                float(each.get("score", 0.0)),
                _ids(each.get("features", {}), features),
                _number(each.get("payload", 0)),
            )
            for each in data["arcs"]
        )
        return Lattice(_number(data["nodes"]), arcs, tuple(_number(each) for each in data["finals"]))


def json_metadata(text: str) -> dict[str, str]:
    """The metadata of a lattice in JSON, such as its domain.

    >>> text = lattice_to_json(Lattice.from_words([4, 5]))
    >>> json_metadata(text), json_metadata(text.replace('"nodes"', '"metadata": {"domain": "law"}, "nodes"'))
    ({}, {'domain': 'law'})
    """
    found = _loaded(text, _LATTICE).get("metadata", {})
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise InputError(f"the metadata of this {_LATTICE} are not names with strings")
    return found


_TOKEN = re.compile(r"""\s*(?:(?P<mark>[(),])|(?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?P<number>[^\s(),'"]+))""")


def lattice_from_plf(line: str, word: Callable[[str], int]) -> Lattice:
    """Reads one line of PLF: for each node a tuple of arcs, each of them a word, one or more numbers, and how many
    nodes further it leads. The first number is the score; all of them are features 0, 1, ... of the arc. `*EPS*` is the
    empty word. `word` gives ids, as `Vocabulary.add` does.

    >>> ids = {"ein": 4, "kleines": 5, "Haus": 6}
    >>> line = "((('ein', -0.1, 1), ('kleines', -2, 1)), (('Haus', 0, 1),))"
    >>> [path.words for path in lattice_from_plf(line, ids.__getitem__).kbest(2)]
    [(4, 6), (5, 6)]
    """
    arcs: list[Arc] = []
    columns = _nested(line)
    for start, column in enumerate(columns):
        for each in column if isinstance(column, list) else [None]:
            if not isinstance(each, list) or len(each) < 3 or not isinstance(each[0], str):
                raise InputError(f"node {start} of the lattice is not a tuple of (word, score, distance) tuples")
            numbers = [value for value in each[1:] if isinstance(value, float)]
            if len(numbers) != len(each) - 1 or not numbers[-1].is_integer() or not 1 <= numbers[-1] <= len(columns):
                raise InputError(f"an arc of node {start} of the lattice has no distance of 1 or more at its end")
            end = start + int(numbers.pop())
            words = () if each[0] == "*EPS*" else (word(each[0]),)
            arcs.append(Arc(start, end, words, numbers[0], dict(enumerate(numbers))))
    if any(arc.end > len(columns) for arc in arcs):
        raise InputError("an arc of the lattice leads beyond its last node")
    return Lattice(len(columns) + 1, tuple(arcs), (len(columns),))


def _nested(line: str) -> list[Any]:
    """The nested tuples of a line as lists, with an explicit stack."""
    position, top = 0, []  # type: int, list[Any]
    stack: list[list[Any]] = [top]
    line = line.rstrip()
    while position < len(line):
        found = _TOKEN.match(line, position)
        if found is None:
            raise InputError(f"cannot read the lattice at character {position + 1}")
        position = found.end()
        if found["mark"] == "(":
            fresh: list[Any] = []
            stack[-1].append(fresh)
            stack.append(fresh)
        elif found["mark"] == ")":
            stack.pop()
            if not stack:
                raise InputError(f"a parenthesis too many in the lattice at character {position}")
        elif found["text"] is not None:
            stack[-1].append(re.sub(r"\\(.)", r"\1", found["text"][1:-1]))
        elif found["number"] is not None:
            stack[-1].append(_finite(found["number"], position))
    if len(stack) != 1 or len(top) != 1 or not isinstance(top[0], list):
        raise InputError("a lattice is one tuple in parentheses; a parenthesis is missing")
    return list(top[0])


def _finite(text: str, position: int) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"'{text[:40]}' in the lattice, before character {position + 1}, is not a number")
    return value


def _said(symbol: int, vocabulary: Words | None) -> Any:
    if symbol < 0:
        return [-1 - symbol]
    return symbol if vocabulary is None else spelt(vocabulary, symbol)


def _word(said: Any, vocabulary: Vocabulary | None) -> int:
    if isinstance(said, str) and vocabulary is not None:
        return vocabulary.add(said)
    return _number(said)


def _named(vector: Mapping[int, float], features: FeatureSpace | None) -> dict[str, float]:
    return {str(each) if features is None else features.name(each): value for each, value in vector.items()}


def _ids(vector: Any, features: FeatureSpace | None) -> dict[int, float]:
    return {int(name) if features is None else features.add(name): float(value) for name, value in vector.items()}


def _listed(value: Any) -> list[Any]:
    if not isinstance(value, list):  # a string would be read as its letters
        raise TypeError
    return value


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**64:
        raise TypeError
    return value


def _dumped(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _loaded(text: str, kind: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not valid JSON, where a {kind} is needed") from error
    if not isinstance(data, dict) or data.get("format") != kind or data.get("version") != _VERSION:
        raise InputError(f"not a {kind} of version {_VERSION}")
    return data


class _Misread:
    """Turns any error from well-formed JSON with wrong contents into one sentence."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError)):
            raise InputError(f"this {self._kind} has missing or misshapen parts") from error
