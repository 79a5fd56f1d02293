"""Arrays in `.npy` files as Pentaglot writes them: their header is read strictly, and nothing in it is evaluated.

A file that says anything else (objects, records, other byte orders, more values than it holds) is refused.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["array_in"]

_MAGIC = b"\x93NUMPY\x01\x00"
_HEADER = re.compile(
    rb"\{'descr': '([<|][iuf][1248])', 'fortran_order': False, 'shape': \(((?:\d{1,19}, ?)*(?:\d{1,19})?)\), \} *\n"
)
_ALIGNED = 64  # numpy begins the values at such a place, and so no number lies across two words of memory


def array_in(data: NDArray[np.uint8]) -> NDArray[Any]:
    """The array in the bytes of a file, without copying it; raises ValueError if there is none.

    >>> from io import BytesIO
    >>> np.save(file := BytesIO(), np.arange(3, dtype=np.uint16))
    >>> array_in(np.frombuffer(file.getvalue(), np.uint8))
    array([0, 1, 2], dtype=uint16)
    """
    head = data[:10].tobytes()
    begin = 10 + int.from_bytes(head[8:], "little")
    found = _HEADER.fullmatch(data[10:begin].tobytes())
    if len(head) < 10 or not head.startswith(_MAGIC) or found is None or begin % _ALIGNED:
        raise ValueError("not an array")
    kind = np.dtype(found[1].decode())
    shape = tuple(int(size) for size in re.findall(rb"\d+", found[2]))
    if math.prod(shape) * kind.itemsize != len(data) - begin:
        raise ValueError("not as many values as promised")
    return data[begin:].view(kind).reshape(shape)
