"""Threads hand out their results in order, as soon as they can, and mistakes where they happen."""

from __future__ import annotations

import math
import multiprocessing
import queue
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from pentaglot.parallel import in_order


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


@pytest.mark.parametrize("workers", [1, 2])
def test_any_executor_will_do(workers: int) -> None:
    executors: list[Executor] = [ThreadPoolExecutor(workers)]
    executors.append(ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")))
    for executor in executors:
        with executor:
            for _ in range(2):  # it is left as it was
                found = in_order(math.sqrt, iter(range(50)), workers, executor=executor)
                assert list(found) == [math.sqrt(number) for number in range(50)]


def test_an_executor_is_rid_of_what_nobody_wants() -> None:
    begun, go_on, given_up = list[int](), threading.Event(), list[bool]()

    def work(number: int) -> int:
        begun.append(number)
        if number:
            go_on.wait(10)
        return number

    with ThreadPoolExecutor(1) as executor:
        results = in_order(work, iter(range(8)), 1, lambda: given_up.append(True), executor=executor)
        assert next(results) == 0
        results.close()  # type: ignore[attr-defined]
        go_on.set()
        assert executor.submit(math.sqrt, 4).result(10) == 2
    assert given_up == [True] and len(begun) <= 3
