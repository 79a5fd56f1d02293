"""Calls of the native core with arguments of the right types and with any values: what Python code can get wrong."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from tests.mutations.changes import changed_values
from tests.mutations.good_calls import good_calls

from pentaglot import _core

ROOMS = ("base", "corpus", "align", "lm", "forest", "order", "index", "rules", "search", "metrics", "learn", "evaluate")
# These do as often as they are told what takes time, or go through all patterns that there could be.
_ENDLESS = {"exercise_parallel_for", "licensed_patterns", "count_by", "find_by"}
_AS_OFTEN = {"count": 50, "rounds": 5, "threads": 3, "trials": 600}
_LARGE = (-1, 2**16, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**63 - 1, 2**64 - 1, -(2**31))
_FLOATS = (0.0, 0.5, 1.0, 10.0, -1.0, 1e30, float("inf"), float("nan"), 1e300)
_WORDS = ("", "a", "Haus", "the", "gallop", "merge", "moses", "cdec", "given", "counts", "pairs", "\ud800")


class Caller:
    """Calls functions and methods with arguments that are good, but for one or two of them. What calls have made takes
    the place of good arguments later."""

    def __init__(self) -> None:
        self.random = Random(0)
        self._good = good_calls()
        self._objects: dict[type, list[Any]] = defaultdict(list)
        self._arrays: dict[np.dtype[Any], list[np.ndarray]] = defaultdict(list)
        for calls in self._good.values():
            for arguments in calls:
                self._keep(arguments)

    def _keep(self, value: Any) -> None:
        """Takes in what a call has given."""
        if isinstance(value, (tuple, list)):
            for each in value[:20]:
                self._keep(each)
        elif isinstance(value, np.ndarray):
            self._arrays[value.dtype].append(value)
            del self._arrays[value.dtype][:-40]
        elif type(value).__module__.startswith("pentaglot._core"):
            self._objects[type(value)].append(value)
            del self._objects[type(value)][:-20]

    def chosen(self) -> tuple[str, Callable[[], None]]:
        """A call and its name. Whatever exception comes of it is right."""
        name, function, owner = self.random.choice(FUNCTIONS)
        made = owner is not None and name.endswith(".__init__")
        kinds = [kind for each, kind in _parameters(function) if each != "self"]
        names = [each for each, _ in _parameters(function) if each != "self"]
        if name in self._good:
            arguments = list(self.random.choice(self._good[name]))
            first = int(owner is not None and not made)
            changeable = min(len(arguments) - first, len(kinds))
            for _ in range(self.random.choice((0, 1, 1, 2, 3))) if changeable else ():
                at = self.random.randrange(changeable)
                arguments[first + at] = self._another(names[at], kinds[at], arguments[first + at])
        else:
            arguments = [self._value(*each) for each in zip(names, kinds, strict=True)]
            if owner is not None and not made:
                arguments.insert(0, self._object(owner))
        given = ", ".join(_shown(each) for each in arguments)
        return f"{name}({given})", lambda: self._keep((owner if made else function)(*arguments))

    def _another(self, name: str, kind: str, value: Any) -> Any:
        """Something else than a good value, perhaps not far from it."""
        random = self.random
        if random.random() < 0.2:
            return self._value(name, kind)
        if isinstance(value, np.ndarray):
            return changed_values(value, random)[0].reshape(value.shape if value.ndim == 2 and not value.size else -1)
        if isinstance(value, dict) and value:
            key = random.choice(sorted(value))
            return value | {key: self._another(name, _kind_of(value[key]), value[key])}
        if isinstance(value, (list, tuple)) and value:
            changed = list(value)
            at = random.randrange(len(changed))
            way = random.random()
            if way < 0.15:
                del changed[at]
            elif way < 0.3:
                changed.insert(at, changed[at])
            else:
                changed[at] = self._another(name, _kind_of(changed[at]), changed[at])
            return type(value)(changed)
        return self._value(name, kind)

    def _object(self, owner: type) -> Any:
        known = self._objects[owner]
        return self.random.choice(known) if known and self.random.random() < 0.97 else None

    def _value(self, name: str, kind: str) -> Any:
        random = self.random
        if " | None" in kind:
            return None if random.random() < 0.3 else self._value(name, kind.replace(" | None", ""))
        if kind.startswith("ndarray"):
            known = self._arrays[np.dtype(re.search(r"dtype=(\w+)", kind)[1])]  # type: ignore[index]
            return random.choice(known) if known else np.zeros(3)
        inner = re.fullmatch(r"collections\.abc\.Sequence\[(.*)\]", kind)
        if inner:
            return [self._value(name, inner[1]) for _ in range(random.choice((0, 1, 2, 3, 7)))]
        inner = re.fullmatch(r"tuple\[(.*)\]", kind)
        if inner:
            return tuple(self._value(name, each) for each in _split(inner[1]))
        plain: dict[str, Callable[[], Any]] = {
            "int": lambda: self._int(name),
            "float": lambda: random.choice(_FLOATS),
            "bool": lambda: random.random() < 0.5,
            "str": lambda: random.choice(_WORDS),
            "bytes": lambda: random.choice((b"", b"0-0 1-2\n", b"a b\n\nc", b"\xff\n", random.randbytes(20))),
            "dict": dict,
            "list": lambda: random.choice(([], [["a"], []], [1], [None], [[1]])),
            "tuple": lambda: random.choice(((), ("a b", "c"), (1,))),
            "object": lambda: self._object(random.choice(CLASSES)),
        }
        if kind in plain:
            return plain[kind]()
        return self._object(next((each for each in CLASSES if kind.endswith(f".{each.__name__}")), int))

    def _int(self, name: str) -> int:
        if name in _AS_OFTEN:
            return self.random.randint(0, _AS_OFTEN[name])
        return self.random.choice(_LARGE if self.random.random() < 0.5 else range(11))


def _kind_of(value: Any) -> str:
    known = {bool: "bool", int: "int", float: "float", str: "str"}
    if type(value) in known:
        return known[type(value)]
    return f"ndarray[dtype={value.dtype.name}]" if isinstance(value, np.ndarray) else f"x.{type(value).__name__}"


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype.name}{value.reshape(-1)[:40].tolist()}"
    return "{...}" if isinstance(value, dict) else repr(value)[:200].replace("\n", " ")


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
    """Names and types, as the core itself tells them."""
    signature = function.__nb_signature__[0][0]
    inside = signature[signature.index("(") + 1 : signature.rindex(") ->")]
    parts = [part.partition(":") for part in _split(inside)]
    return [(name.strip(), kind.partition(" = ")[0].strip()) for name, _, kind in parts if name.strip() != "*"]


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
