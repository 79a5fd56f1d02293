"""Headers of arrays: what NumPy writes of our kinds is read, and everything else is refused without being evaluated."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.npy import array_in

KINDS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int32, np.int64, np.float32, np.float64]


def _saved(array: np.ndarray) -> np.ndarray:
    np.save(file := BytesIO(), array)
    return np.frombuffer(file.getvalue(), np.uint8)


@given(st.sampled_from(KINDS), st.lists(st.integers(0, 5), max_size=3))
def test_what_numpy_writes_is_read(kind: type, shape: list[int]) -> None:
    array = np.arange(np.prod(shape, dtype=int)).astype(kind).reshape(shape)
    read = array_in(_saved(array))
    assert read.dtype == array.dtype and read.shape == array.shape
    assert np.array_equal(read, array)
    assert read.ctypes.data % read.dtype.itemsize == 0


@pytest.mark.parametrize(
    "array",
    [
        np.arange(3, dtype=">u4"),
        np.array(["a"]),
        np.zeros(2, [("a", "<u4")]),
        np.zeros((2, 3), order="F"),
        np.zeros(2, bool),
        np.zeros(2, complex),
        np.zeros(2, "m8[s]"),
    ],
)
def test_other_arrays_are_refused(array: np.ndarray) -> None:
    with pytest.raises(ValueError):
        array_in(_saved(array))


@given(st.data())
def test_damaged_headers_are_refused_or_read(data: st.DataObject) -> None:
    whole = bytearray(_saved(np.arange(4, dtype=np.uint32)).tobytes())
    for at in data.draw(st.lists(st.integers(0, 127), min_size=1, max_size=4)):
        whole[at] = data.draw(st.integers(0, 255) | st.sampled_from(b"'(){},[]0<|\n\\"))
    try:
        read = array_in(np.frombuffer(bytes(whole), np.uint8))
    except ValueError:
        return
    assert read.nbytes == 16


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<u4', 'fortran_order': False, 'shape': (18446744073709551616,), }",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (4611686018427387905,), }",  # times four it is one too many
        "{'descr': '|O', 'fortran_order': False, 'shape': (4,), }",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (-4,), }",
        "{'descr': '<u4', 'fortran_order': False, 'shape': (4, }",
        "[" * 100,
        "'" * 117,
        "",
    ],
)
def test_hostile_headers(header: str) -> None:
    text = header.ljust(117) + "\n"
    whole = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + bytes(16)
    with pytest.raises(ValueError):
        array_in(np.frombuffer(whole, np.uint8))


@pytest.mark.parametrize("size", range(12))
def test_short_files(size: int) -> None:
    with pytest.raises(ValueError):
        array_in(_saved(np.arange(3))[:size])
