"""What can go wrong with a stored file: changes at random, the same for the same seed, signed again or not."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import tomli_w

from pentaglot._core import base
from pentaglot.contents import CONTENTS
from pentaglot.file_checks import sample_checksum

_NUMBERS = (0, 1, 2, 3, 4, 5, 7, 255, 256, 65534, 65535, 65536)
_LARGE = (2**30, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1)
_FLOATS = (math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0, 1.0, 2.0, 1e-45, 1e30, -1e30, 3e38, -3e38, 1e300)
_KINDS = ("<u1", "<u2", "<u4", "<u8", "<i4", "<i8", "<f4", "<f8", ">u4", ">u8", "<f2", "|b1", "|S4", "<U2", "<c8")


def change(place: Path, random: Random) -> str:
    """Damages one file below `place` (or `place` itself, if it is one) and says how; half of the time or more it is
    signed again, so that no checksum tells."""
    files = sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]
    files = [file for file in files if file.is_file()]
    if not files:
        return "nothing is left"
    arrays = [file for file in files if file.suffix == ".npy"]
    file = random.choice(arrays if arrays and random.random() < 0.7 else files)
    signed = random.random() < 0.7
    what = _changed(file, arrays, random)
    if signed:
        sign(place)
    name = file.relative_to(place) if file != place else file.name
    return f"{name}: {what}{', signed again' if signed else ''}"


def sign(place: Path) -> None:
    """Makes all checksums below `place` right again: those of stored directories, and of a journal."""
    if place.is_file():
        if place.suffix == ".additions":
            _sign_journal(place)
        return
    for contents in place.rglob(CONTENTS):
        _sign_directory(contents)
    for journal in place.rglob("*.additions"):
        _sign_journal(journal)


def _sign_directory(file: Path) -> None:
    data = file.read_bytes()
    try:
        contents = tomllib.loads(data.decode())
    except ValueError:
        rest = data.partition(b"\n")[2]
        file.write_bytes(f'contents_checksum = "{base.checksum(rest):016x}"\n'.encode() + rest)
        return
    contents.pop("contents_checksum", None)
    files = contents.get("files")
    for name, recorded in files.items() if isinstance(files, dict) else ():
        target = file.parent / str(name)
        if not isinstance(recorded, dict) or not target.is_file():
            continue
        bytes_ = np.frombuffer(target.read_bytes(), np.uint8)
        if isinstance(recorded.get("bytes"), int):
            recorded["bytes"] = len(bytes_)
        recorded["checksum"] = f"{base.checksum(bytes_):016x}"
        recorded["sample"] = f"{sample_checksum(bytes_):016x}"
    text = tomli_w.dumps(contents)
    file.write_text(f'contents_checksum = "{base.checksum(text.encode()):016x}"\n' + text, "utf-8")


def _sign_journal(file: Path) -> None:
    checksum, lines = 0, b""
    for line in file.read_bytes().splitlines():
        text = line.partition(b" ")[2]
        checksum = base.checksum(text, checksum)
        lines += b"%016x " % checksum + text + b"\n"
    file.write_bytes(lines)


def _changed(file: Path, arrays: list[Path], random: Random) -> str:
    if random.random() < 0.04:
        file.unlink()
        return "removed"
    if random.random() < 0.15 or file.stat().st_size == 0:
        return _change_bytes(file, random)
    if file.suffix == ".npy":
        return _change_array(file, arrays, random)
    if file.suffix == ".toml":
        return _change_toml(file, random)
    if file.suffix in (".additions", ".json"):
        return _change_json(file, random)
    return _change_text(file, random)


def _change_bytes(file: Path, random: Random) -> str:
    data = bytearray(file.read_bytes())
    size = len(data)
    ways = ["bits", "run", "random run", "cut", "longer", "empty", "head"]
    way = random.choice(ways if size else ["longer"])
    begin = random.randrange(size + 1)
    end = min(size, begin + random.choice((1, 4, 64, 512, 4096)))
    if way == "bits":
        for _ in range(random.choice((1, 1, 3, 20))):
            data[random.randrange(size)] ^= 1 << random.randrange(8)
    elif way == "run":
        data[begin:end] = bytes([random.choice((0, 0xFF, 0x7F, 0x80, 0x20))]) * (end - begin)
    elif way == "random run":
        data[begin:end] = random.randbytes(end - begin)
    elif way == "head":
        data[random.randrange(min(size, 128))] = random.randrange(256)
    elif way == "cut":
        del data[begin:]
    elif way == "longer":
        data += random.randbytes(random.choice((1, 8, 100)))
    else:
        data.clear()
    file.write_bytes(data)
    return f"{way} of bytes from {begin} on"


def _value(array: np.ndarray, random: Random) -> Any:
    """A number that an array might hold, or had better not."""
    if array.dtype.kind == "f":
        return random.choice((*_FLOATS, random.uniform(-10, 10)))
    nearby = [len(array), len(array) - 1, len(array) + 1]
    if len(array):
        nearby += [int(array.flat[random.randrange(array.size)]) + step for step in (0, -1, 1)]
    return random.choice((*_NUMBERS, *_LARGE, *_LARGE, *nearby, random.getrandbits(64)))


def _cast(value: Any, kind: np.dtype[Any]) -> Any:
    if kind.kind == "f":
        with np.errstate(over="ignore"):
            return kind.type(value)
    width = 8 * kind.itemsize
    wrapped = int(value) % (1 << width)
    return kind.type(wrapped - (1 << width) if kind.kind == "i" and wrapped >> (width - 1) else wrapped)


def changed_values(array: np.ndarray, random: Random) -> tuple[np.ndarray, str]:
    """A flat array with other values, or with more or fewer, and what was done."""
    flat = array.reshape(-1).copy()
    if not len(flat):
        return np.full(random.choice((1, 5)), _cast(_value(flat, random), flat.dtype)), "filled"
    begin = random.randrange(len(flat))
    end = min(len(flat), begin + random.choice((1, 2, 10, 512)))
    way = random.choice(("element", "element", "run", "run", "all", "shuffle", "reverse", "near", "shorter", "longer"))
    if way == "element":
        for _ in range(random.choice((1, 1, 2, 8))):
            flat[random.randrange(len(flat))] = _cast(_value(flat, random), flat.dtype)
    elif way in ("run", "all"):
        flat[begin if way == "run" else 0 : end if way == "run" else None] = _cast(_value(flat, random), flat.dtype)
    elif way == "shuffle":
        np.random.default_rng(random.getrandbits(32)).shuffle(flat[begin:])
    elif way == "reverse":
        flat[begin:end] = flat[begin:end][::-1].copy()
    elif way == "near":
        for _ in range(random.choice((1, 3, 20))):
            at = random.randrange(len(flat))
            step = random.choice((-2, -1, 1, 2))
            flat[at] = _cast(flat[at] + step if flat.dtype.kind == "f" else int(flat[at]) + step, flat.dtype)
    elif way == "shorter":
        flat = flat[: len(flat) - random.choice((1, 1, 2, len(flat)))]
    else:
        more = [_cast(_value(flat, random), flat.dtype) for _ in range(random.choice((1, 2, 3, 50)))]
        flat = np.concatenate([flat, np.array(more, flat.dtype)])
    return flat, f"{way} from {begin} on"


def _change_array(file: Path, arrays: list[Path], random: Random) -> str:
    try:
        array = np.load(file, allow_pickle=False)
    except Exception:
        return _change_bytes(file, random)
    way = random.choice(("values",) * 8 + ("kind", "shape", "swap", "header"))
    if way == "swap":
        other = random.choice(arrays)
        ours, theirs = file.read_bytes(), other.read_bytes()
        file.write_bytes(theirs)
        other.write_bytes(ours)
        return f"swapped with {other.name}"
    if way == "header":
        return _change_header(file, random)
    if way == "kind":
        return _save(file, np.ascontiguousarray(array).reshape(-1).view(np.uint8), random.choice(_KINDS), way)
    if way == "shape":
        shape = random.choice([(1, *array.shape), (*array.shape, 1), (array.size, 1), (-1,)])
        return _save(file, array.reshape(shape), None, f"shape {shape}")
    flat, what = changed_values(array, random)
    return _save(file, flat.reshape(array.shape) if flat.size == array.size else flat, None, what)


def _save(file: Path, array: np.ndarray, kind: str | None, what: str) -> str:
    if kind is None:
        with file.open("wb") as out:
            np.lib.format.write_array(out, array, allow_pickle=False)
        return what
    dtype = np.dtype(kind)
    with file.open("wb") as out:
        header = {"descr": kind, "fortran_order": False, "shape": (array.size // dtype.itemsize,)}
        np.lib.format.write_array_header_1_0(out, header)
        out.write(array.tobytes()[: array.size // dtype.itemsize * dtype.itemsize])
    return f"{what} {kind}"


def _change_header(file: Path, random: Random) -> str:
    """Another header before the same data."""
    data = file.read_bytes()
    size = int.from_bytes(data[8:10], "little")
    text = data[10 : 10 + size].decode("latin-1")
    choices = [
        ("(", f"({random.choice((*_LARGE, -1, 2**40, 2**100))}, "),
        ("False", random.choice(("True", "None", "0", "__import__('os')"))),
        ("<", random.choice((">", "|", "", "=", "<<"))),
        ("u4", random.choice(("O", "V0", "S0", "f4", "u3", "m8[s]"))),
        ("}", random.choice(("", "}}", ")", "#", "'", "\x00", "]" * 200))),
        ("{", random.choice(("", "(" * 90, "[", "-" * 90 + "{", "'"))),
        ("'shape'", random.choice(("'shapes'", "'shape': 3, 'shape'", "3"))),
        ("descr", random.choice(("desc", "descr\\ud800"))),
    ]
    old, new = random.choice(choices)
    changed = text.replace(old, new, 1)[:size].ljust(size)
    length = random.choice((size, size, size, size - 1, size + 7, 0, 65535))
    magic = data[:8] if random.random() < 0.8 else data[:6] + bytes((random.choice((0, 2, 3, 9)), 0))
    file.write_bytes(magic + length.to_bytes(2, "little") + changed.encode("latin-1", "replace") + data[10 + size :])
    return f"header with {new!r} for {old!r}, length {length}"


_STRANGE: tuple[Callable[[Random], Any], ...] = (
    lambda random: random.choice((*_NUMBERS, *_LARGE, -1, -(2**63), 2**70)),
    lambda random: random.choice(_FLOATS),
    lambda random: random.choice(("", "a", "../..", "/etc/passwd", "x" * 5000, "\x00", "nan", "true", "hiero", "ü")),
    lambda random: random.choice((True, False)),
    lambda random: random.choice(([], [1], ["a"], [[1]], [{}], list(range(300)), [-1, 2**64])),
    lambda random: random.choice(({}, {"a": 1}, {"": {}}, {"..": []})),
)


def _change_leaf(tree: Any, random: Random) -> str:
    """Replaces, removes or adds something somewhere in nested dictionaries and lists."""
    holder, keys = tree, []
    while True:
        names = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not names:
            break
        key = random.choice(names)
        keys.append(key)
        if not isinstance(holder[key], (dict, list)) or not holder[key] or random.random() < 0.1:
            break
        holder = holder[key]
    if not keys:
        return "empty"
    key = keys[-1]
    way = random.choice(("replace", "replace", "replace", "remove", "add", "near"))
    if way == "remove":
        del holder[key]
    elif way == "add":
        value = random.choice(_STRANGE)(random)
        if isinstance(holder, dict):
            holder[random.choice(("", "a", "..", "x.npy", "order"))] = value
        else:
            holder.append(value)
    elif way == "near" and isinstance(holder[key], (int, float)):
        holder[key] += random.choice((-1, 1))
    else:
        holder[key] = random.choice(_STRANGE)(random)
    return f"{way} at {keys}"


def _change_toml(file: Path, random: Random) -> str:
    try:
        tree = tomllib.loads(file.read_text("utf-8"))
        what = _change_leaf(tree, random)
        file.write_text(tomli_w.dumps(tree), "utf-8")
    except (ValueError, TypeError):
        return _change_text(file, random)
    return what


def _change_json(file: Path, random: Random) -> str:
    """One line of a journal, or all of a JSON file."""
    lines = file.read_bytes().splitlines(keepends=True)
    at = random.randrange(len(lines)) if lines else 0
    try:
        head, _, text = lines[at].partition(b" ") if file.suffix == ".additions" else (b"", b"", lines[at])
        tree = json.loads(text)
        what = _change_leaf(tree, random)
        lines[at] = (
            (head + b" " if head else b"") + json.dumps(tree, ensure_ascii=random.random() < 0.5).encode() + b"\n"
        )
    except (ValueError, IndexError):
        return _change_text(file, random)
    if random.random() < 0.1:
        random.shuffle(lines)
    file.write_bytes(b"".join(lines))
    return f"line {at + 1}: {what}"


def _change_text(file: Path, random: Random) -> str:
    words = file.read_bytes().split(b" ")
    strange = (
        b"\xff\xfe",
        b"\x00",
        b"nan",
        b"inf",
        b"-1",
        b"1e308",
        b"9" * 400,
        b"",
        b"\n",
        b"%zz",
        b"[" * 3000,
        b"\xed\xa0\x80",
    )
    at = random.randrange(len(words))
    way = random.choice(("replace", "insert", "remove", "double", "swap"))
    if way == "replace":
        words[at] = random.choice(strange)
    elif way == "insert":
        words.insert(at, random.choice(strange))
    elif way == "remove":
        del words[at]
    elif way == "double":
        words.insert(at, words[at])
    else:
        other = random.randrange(len(words))
        words[at], words[other] = words[other], words[at]
    file.write_bytes(b" ".join(words))
    return f"{way} of word {at}"
