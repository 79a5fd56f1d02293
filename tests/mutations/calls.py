"""Calls of the native core with arguments of the right types and with any values: what Python code can get wrong."""

from __future__ import annotations

import inspect
import re
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from tests.mutations.changes import changed_values
from tests.mutations.kinds import bitext, links, sentences

from pentaglot import _core
from pentaglot.align import AlignOptions
from pentaglot.align import train as train_aligner
from pentaglot.forest import example_forest
from pentaglot.index import Index, PrecomputationOptions
from pentaglot.learn import Candidate, KBestLists
from pentaglot.lm import BuildOptions, build
from pentaglot.metrics import Bleu
from pentaglot.rules import RuleOptions, Table, extract_table

ROOMS = ("base", "corpus", "align", "lm", "forest", "index", "rules", "search", "metrics", "learn")
# These do as often as they are told what takes time, or go through all patterns that there could be.
_ENDLESS = {"exercise_parallel_for", "licensed_patterns", "count_by", "find_by"}
_AS_OFTEN = {"count": 50, "rounds": 5, "threads": 3, "milliseconds": 0}
_LARGE = (-1, 2**16, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1, -(2**31))
_WORDS = ("", "a", "Haus", "the", "gallop", "merge", "moses", "cdec", "given", "counts", "pairs", "product", "\ud800")


class Pool:
    """Objects of every native class, and arrays by the names that they have as arguments."""

    def __init__(self) -> None:
        self.objects: dict[str, list[Any]] = defaultdict(list)
        self.arrays: dict[tuple[str, str], list[np.ndarray]] = defaultdict(list)
        self.dictionaries: list[dict[str, np.ndarray]] = [{}]
        self._fill()

    def keep(self, value: Any) -> None:
        """Takes in what a call has given."""
        if isinstance(value, (tuple, list)):
            for each in value[:20]:
                self.keep(each)
        elif type(value).__module__.startswith("pentaglot._core"):
            kept = self.objects[type(value).__name__]
            kept.append(value)
            del kept[:-20]

    def name(self, arrays: dict[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Keeps arrays by name."""
        for name, array in dict(arrays).items():
            if isinstance(array, np.ndarray):
                self.arrays[name, array.dtype.name].append(np.ascontiguousarray(array))

    def _fill(self) -> None:
        pairs = bitext()
        index = Index.build(pairs, links(pairs), PrecomputationOptions(frequent=5, super_frequent=2), both_sides=True)
        for text in (pairs.source, pairs.target):
            self.name({"tokens": text.tokens, "offsets": text.offsets, "sentence": text.tokens[:6]})
            self.keep(text)
        self.keep(
            [pairs.source_vocabulary, index.source, index.aligned, index.lexicon, index.precomputed, index.finder()]
        )
        for arrays in index.arrays.values():
            self.name(arrays)
        self.name(
            {"common_prefixes": _core.index.common_prefixes(pairs.source.tokens, index.arrays["suffixes"]["suffixes"])}
        )
        self.keep(index.finder().find(pairs.source.tokens[:6]))
        aligner = train_aligner(pairs, AlignOptions(iterations=1, warm_up=1))
        self.keep(aligner._native)
        self.dictionaries.append(aligner.tables)
        self.name({"source": np.array([0, 1, 2], np.uint16), "target": np.array([0, 0, 1], np.uint16)})
        model = build(pairs.target, pairs.target_vocabulary, BuildOptions(order=3))
        self.keep([model.native, model.ngrams, model.native.begin_sentence(), _core.lm.ChartState()])
        self.keep(_core.lm.build_tables(model.ngrams)[0])
        forest = example_forest()
        self.keep(forest.packed)
        self.name({name: getattr(forest.packed, name) for name in ("tails", "templates", "symbols", "edge_offsets")})
        self.name({"scores": forest.scores, "weights": np.array([1.0, 0.5]), "values": np.zeros(6)})
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "table"
            table = extract_table((pairs, links(pairs)), place, RuleOptions(max_span=4, max_symbols=3))
            self.keep(Table.open(place).stored)
            for array in place.glob("*.npy"):
                self.name({array.stem: np.load(array)})
            del table
        lists = KBestLists.empty(1)
        shown = [[Candidate("a house", {"lm": -1.0}), Candidate("the house", {"lm": -2.0, "words": 1.0})]]
        lists = lists.merged(lists.novel(shown, lambda texts, _: Bleu().statistics(texts, [["a house"] * len(texts)])))
        self.name(
            {name: getattr(lists, name).reshape(-1) for name in ("sentences", "text", "text_offsets", "statistics")}
        )
        self.name({"ids": lists.feature_ids, "offsets": lists.feature_offsets, "values": lists.feature_values})
        self.keep(lists.native)
        rules = _core.rules.RuleTable()
        rules.add_pattern([5, -1, 6])
        rules.add_rule([-1, 7], [(0, 1)])
        rules.add_pattern([5])
        rules.add_rule([8])
        rules.add_pattern([6])
        rules.add_rule([9, 4])
        self.keep([rules, _core.search.sentence(np.array([5, 6], np.uint32))])
        self.words = sentences("de", 3)


class Caller:
    """Calls functions and methods with arguments that their signatures allow."""

    def __init__(self, pool: Pool, random: Random) -> None:
        self.pool = pool
        self.random = random

    def chosen(self) -> tuple[str, Callable[[], None]]:
        """A call and its name. Whatever exception comes of it is right."""
        name, function, owner = self.random.choice(FUNCTIONS)
        parameters = _parameters(function)
        made = owner is not None and name.endswith(".__init__")
        arguments = [self._value(*each) for each in parameters if each[0] != "self"]
        if owner is not None and not made:
            arguments.insert(0, self._self(owner))
        given = ", ".join(_shown(each) for each in arguments)
        return f"{name}({given})", lambda: self.pool.keep((owner if made else function)(*arguments))

    def _self(self, owner: type) -> Any:
        known = self.pool.objects[owner.__name__]
        return self.random.choice(known) if known else None

    def _value(self, name: str, kind: str) -> Any:
        random = self.random
        if " | None" in kind:
            return None if random.random() < 0.5 else self._value(name, kind.replace(" | None", ""))
        if kind.startswith("ndarray"):
            return self._array(name, kind)
        inner = re.fullmatch(r"collections\.abc\.Sequence\[(.*)\]", kind)
        if inner:
            if "reordering" in name or name == "features":
                return [self._value("feature", inner[1]) for _ in range(random.choice((3, 4, 6, 7)))]
            return [self._value(name, inner[1]) for _ in range(random.choice((0, 1, 2, 3)))]
        inner = re.fullmatch(r"tuple\[(.*)\]", kind)
        if inner:
            return tuple(self._value(name, each) for each in _split(inner[1]))
        plain: dict[str, Callable[[], Any]] = {
            "int": lambda: self._int(name),
            "float": lambda: random.choice((0.0, 0.5, 1.0, 10.0, -1.0, 1e30, float("inf"), float("nan"), 1e300)),
            "bool": lambda: random.random() < 0.5,
            "str": lambda: random.choice(_WORDS),
            "bytes": lambda: random.choice((b"", b"0-0 1-2\n", b"a b\n\nc", b"\xff\n", random.randbytes(20))),
            "dict": self._dictionary,
            "list": lambda: random.choice(([], self.pool.words, [["a"], []], [1], [None], [[1]])),
            "tuple": lambda: random.choice(((), ("a b", "c"), (("a b", "c"),), (1,))),
            "object": lambda: self._self(random.choice(CLASSES)),
        }
        if kind in plain:
            return plain[kind]()
        known = self.pool.objects[kind.rpartition(".")[2]]
        return random.choice(known) if known else None

    def _int(self, name: str) -> int:
        if name in _AS_OFTEN:
            return self.random.randint(0, _AS_OFTEN[name])
        if self.random.random() < 0.7:
            return self.random.choice((0, 1, 2, 3, 4, 5, 6, 10, 60))
        return self.random.choice(_LARGE)

    def _array(self, name: str, kind: str) -> np.ndarray:
        dtype = re.search(r"dtype=(\w+)", kind)
        assert dtype is not None
        if "shape=(*, *)" in kind:
            return np.zeros((self.random.randrange(4), 6), dtype[1])
        arrays = self.pool.arrays
        known = arrays.get((name, dtype[1])) or [
            each for key, all_ in arrays.items() if key[1] == dtype[1] for each in all_
        ]
        array = self.random.choice(known) if known else np.arange(3).astype(dtype[1])
        if self.random.random() < 0.5:
            array = changed_values(array, self.random)[0]
        return array

    def _dictionary(self) -> dict[str, np.ndarray]:
        tables = dict(self.random.choice(self.pool.dictionaries))
        if tables and self.random.random() < 0.7:
            name = self.random.choice(sorted(tables))
            tables[name] = changed_values(tables[name], self.random)[0]
        return tables


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name}{value.reshape(-1)[:40].tolist()}"
    return "{...}" if isinstance(value, dict) else repr(value)[:200]


def _split(types: str) -> list[str]:
    parts, depth = [""], 0
    for letter in types:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _parameters(function: Any) -> list[tuple[str, str]]:
    signature = function.__nb_signature__[0][0]
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    found = []
    for part in _split(inside):
        name, _, kind = part.partition(":")
        if name.strip() != "*":
            found.append((name.strip(), kind.partition(" = ")[0].strip()))
    return found


def _functions() -> list[tuple[str, Any, Any]]:
    found = []
    for room in ROOMS:
        for name, value in sorted(vars(getattr(_core, room)).items()):
            if inspect.isclass(value):
                methods = [(key, each) for key, each in vars(value).items() if hasattr(each, "__nb_signature__")]
                found += [(f"{room}.{name}.{key}", each, value) for key, each in methods if key not in _ENDLESS]
            elif hasattr(value, "__nb_signature__") and name not in _ENDLESS:
                found.append((f"{room}.{name}", value, None))
    return found


FUNCTIONS = _functions()
CLASSES = sorted({owner for _, _, owner in FUNCTIONS if owner is not None}, key=lambda each: each.__name__)
