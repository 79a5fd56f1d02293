"""The one way to do many things at once: work goes to an executor, results come back in order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    pass
from pentaglot.hands import Hand, finished

__all__ = ["in_order", "in_processes", "when_ready"]

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


def when_ready(
    function: Callable[[Item], Result],
    needs: Mapping[Item, Collection[Item]],
    processes: int,
    begun: Callable[[Item], object] = lambda item: None,
) -> Iterator[tuple[Item, Result]]:
    """Calls a function for each item after it is done for those that the item `needs`, and gives items and results as
    they are done. Of the items that could be next, the first is; `begun` is told. This is for long work: several
    `processes` are new ones, and are ended with what they are doing if the caller stops.

    >>> [item for item, _ in when_ready(str.upper, {"bread": ["dough"], "soup": [], "dough": []}, processes=1)]
    ['soup', 'dough', 'bread']
    """
    waiting, done = dict(needs), set[Item]()
    hands: list[Hand] = []
    running: dict[Item, Hand] = {}
    try:
        while waiting or running:
            ready = [item for item, wanted in waiting.items() if done.issuperset(wanted)]
            if not ready and not running:
                raise ValueError(f"these wait for each other: {', '.join(map(str, waiting))}")
            for item in ready[: max(1, processes) - len(running)]:
                del waiting[item]
                begun(item)
                if processes <= 1:
                    yield item, function(item)
                    done.add(item)
                    break  # something earlier in the list may be ready now
                if len(running) == len(hands):
                    hands.append(Hand(function))
                running[item] = next(hand for hand in hands if hand not in running.values())
                running[item].take(item)
            for item in finished(running):
                yield item, running.pop(item).result()
                done.add(item)
    finally:
        for hand in hands:
            hand.stop()
