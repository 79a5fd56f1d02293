"""Threads hand out their results in order, as soon as they can, and mistakes where they happen."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator

import pytest

from pentaglot.systems.ordered import in_order


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_keeps_the_order(threads: int) -> None:
    assert list(in_order(lambda n: n * n, iter(range(200)), threads)) == [n * n for n in range(200)]


def test_a_result_does_not_wait_for_the_next_item() -> None:
    items: queue.Queue[int | None] = queue.Queue()
    results = in_order(lambda n: -n, iter(items.get, None), threads=4)
    for number in range(5):
        items.put(number)
        assert next(results) == -number
    items.put(None)
    assert list(results) == []


def test_reads_only_a_little_ahead() -> None:
    read = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            read.append(number)
            yield number

    results = in_order(lambda n: n, items(), threads=2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    results.close()  # type: ignore[attr-defined]
    assert len(read) < 100


@pytest.mark.parametrize("threads", [1, 3])
def test_errors_come_after_what_was_before_them(threads: int) -> None:
    def divide(number: int) -> float:
        return 1 / number

    results = in_order(divide, [1, 2, 0, 4], threads)
    assert [next(results), next(results)] == [1, 0.5]
    with pytest.raises(ZeroDivisionError):
        next(results)

    def broken() -> Iterator[int]:
        yield 1
        raise OSError("no more")

    results = in_order(divide, broken(), threads)
    assert next(results) == 1
    with pytest.raises(OSError, match="no more"):
        next(results)


def test_leaves_no_work_behind() -> None:
    running = threading.active_count()
    results = in_order(lambda n: n, iter(range(1000)), threads=3)
    next(results)
    results.close()  # type: ignore[attr-defined]
    for _ in range(100):
        if threading.active_count() <= running:
            break
        threading.Event().wait(0.05)
    assert threading.active_count() <= running
