"""The lines of a journal, each with a checksum that covers it and all lines before it."""

from __future__ import annotations

import json
import secrets
from typing import Any, NamedTuple

from pentaglot._core import base

__all__ = ["Place", "Record", "checksum_of", "lines_of"]

Record = dict[str, Any]


class Place(NamedTuple):
    """How far a journal was read."""

    end: int = 0
    lines: int = 0
    checksum: int = 0
    name: str = ""


def checksum_of(line: bytes, place: Place) -> int | None:
    """The checksum of a line, if it matches the recorded one."""
    recorded, _, text = line.partition(b" ")
    checksum = base.checksum(text, place.checksum)
    return checksum if recorded == b"%016x" % checksum else None


def lines_of(records: tuple[Record, ...], place: Place) -> tuple[bytes, Place]:
    """The lines of some records, and the place after them."""
    name = place.name or secrets.token_hex(8)
    if place.end == 0:
        records = ({"journal": name}, *records)
    checksum, lines = place.checksum, []
    for record in records:
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        checksum = base.checksum(text, checksum)
        lines.append(b"%016x %b\n" % (checksum, text))
    data = b"".join(lines)
    return data, Place(place.end + len(data), place.lines + len(lines), checksum, name)
