"""The one way to do many things at once: work goes to an executor, results come back in order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["in_order", "in_processes"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int,
    give_up: Callable[[], object] = lambda: None,
    *,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """Like `map`, on several threads, or in an `executor` with that many workers.

    Items are read while earlier ones are worked on, but never far ahead; a result comes as soon as it and all before it
    are done, even if the next item takes long.

    A caller that stops early, because of an error or Ctrl-C, does not wait for results in progress: `give_up` is
    called, which may cut them short.

    >>> list(in_order(lambda n: n * n, range(5), threads=2))
    [0, 1, 4, 9, 16]
    """
    if threads <= 1 and executor is None:
        yield from map(function, items)
        return
    done: queue.Queue[Future[Result] | BaseException | None] = queue.Queue()
    room = threading.Semaphore(8 * threads)
    stopped = threading.Event()

    def read() -> None:
        try:
            for item in items:
                room.acquire()
                if stopped.is_set():
                    return
                done.put(pool.submit(function, item))
            done.put(None)
        except BaseException as error:
            done.put(error)

    pool = ThreadPoolExecutor(threads) if executor is None else executor
    # Not waited for at the end: it may be waiting for input that never comes.
    threading.Thread(target=read, daemon=True).start()
    wanted = True
    try:
        while (entry := done.get()) is not None:
            if isinstance(entry, BaseException):
                raise entry
            yield entry.result()
            room.release()
        wanted = False
    finally:
        stopped.set()
        room.release()
        if wanted:
            give_up()
        if executor is None:
            pool.shutdown(wait=not wanted, cancel_futures=True)
        while not done.empty():  # an executor from outside goes on without unwanted work
            if isinstance(entry := done.get(), Future):
                entry.cancel()


def in_processes(function: Callable[[Item], Result], items: Iterable[Item], processes: int) -> Iterator[Result]:
    """Like `map`, in new processes, each of which gets `function` once: a method of a translator takes its model along
    as a path. Items and results are sent, too.

    >>> list(in_processes(abs, range(-2, 3), processes=2))
    [2, 1, 0, 1, 2]
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    fresh = multiprocessing.get_context("spawn")  # a fork would have dead threads
    with ProcessPoolExecutor(processes, fresh, initializer=_keep, initargs=(function,)) as executor:
        yield from in_order(_call, items, processes, executor=executor)


_kept: list[Callable[[Any], Any]] = []  # what this process was started for


def _keep(function: Callable[[Any], Any]) -> None:
    _kept[:] = [function]


def _call(item: Any) -> Any:
    return _kept[0](item)
