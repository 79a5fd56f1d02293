"""Threads hand out their results in order, as soon as they can, and mistakes where they happen."""

from __future__ import annotations

import math
import multiprocessing
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest

from pentaglot.errors import PentaglotError
from pentaglot.parallel import in_order, when_ready


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


NEEDS = {9: [4, 1], 1: [], 16: [9], 4: [1], 25: []}


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_everything_comes_after_what_it_needs(processes: int) -> None:
    begun: list[int] = []
    done: list[int] = []
    for number, root in when_ready(math.sqrt, NEEDS, processes, begun.append):
        assert root == math.sqrt(number) and number in begun
        assert set(NEEDS[number]) <= set(done)
        done.append(number)
    assert sorted(begun) == sorted(done) == sorted(NEEDS)
    if processes == 1:
        assert begun == done == [1, 4, 9, 16, 25], "the first of those that can be done"


def test_processes_work_at_the_same_time() -> None:
    begun = list[float]()
    times = dict.fromkeys([0.5, 0.51, 0.52], ())
    for _ in when_ready(time.sleep, times, 2, lambda item: begun.append(time.monotonic())):
        if len(begun) < 3:
            assert len(begun) == 2, "two begin before one is done"
    assert begun[2] - begun[0] >= 0.5, "no more than two"


@pytest.mark.parametrize("processes", [1, 2])
def test_a_failure_ends_the_rest(processes: int) -> None:
    found = when_ready(math.sqrt, {-1: [], 4: [-1]}, processes)
    with pytest.raises(ValueError, match="math domain error|nonnegative"):
        next(found)
    assert not multiprocessing.active_children()


def test_a_caller_that_stops_ends_what_is_in_progress() -> None:
    found = when_ready(time.sleep, {0.01: [], 1000.0: []}, 2)
    assert next(found)[0] == 0.01
    found.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def test_a_process_that_is_killed_is_no_riddle() -> None:
    with pytest.raises(PentaglotError, match="the process for '3' was ended from outside .exit code 3.; memory may be"):
        list(when_ready(os._exit, {3: []}, 2))


def test_a_script_that_would_run_itself_again_is_told_how_not_to(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import math\n"
        "from pentaglot.errors import PentaglotError\n"
        "from pentaglot.parallel import when_ready\n"
        "try:\n"
        "    list(when_ready(math.sqrt, {1: [], 4: []}, 2))\n"
        "except PentaglotError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "could not begin" in done.stdout
    assert "if __name__ == '__main__':" in done.stdout


def test_nothing_outlives_a_killed_parent() -> None:
    script = (
        "import os, time\n"
        "from pentaglot.parallel import when_ready\n"
        "if __name__ == '__main__':\n"
        "    for _ in when_ready(time.sleep, {0.0: [], 1000.0: []}, 2):\n"
        "        import multiprocessing\n"
        "        print(*(each.pid for each in multiprocessing.active_children()), flush=True)\n"
        "        os.kill(os.getpid(), 9)\n"
    )
    shown = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    children = list(map(int, shown.stdout.split()))
    assert len(children) == 2
    for _ in range(200):
        if not any(map(_runs, children)):
            break
        time.sleep(0.05)
    assert not any(map(_runs, children))


def _runs(process: int) -> bool:
    try:
        return b") Z " not in Path(f"/proc/{process}/stat").read_bytes()  # nobody may have asked how it ended
    except OSError:
        return False


def test_what_waits_for_itself_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="these wait for each other: 1, 2"):
        list(when_ready(abs, {1: [2], 2: [1]}, 2))
