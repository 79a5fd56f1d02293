"""Processes that call a function, as often as they are given an item."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from pentaglot.errors import PentaglotError

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

__all__ = ["Hand", "finished"]

Item = TypeVar("Item")


class Hand:
    """A process that calls a function, as often as it is given an item."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        import multiprocessing

        fresh = multiprocessing.get_context("spawn")
        self.line, inside = fresh.Pipe()
        self._item: Any = None
        self._process = fresh.Process(target=_serve, args=(function, inside), daemon=True)
        self._process.start()
        inside.close()

    def take(self, item: Any) -> None:
        """Begins with an item."""
        self._item = item
        self.line.send(item)

    def result(self) -> Any:
        """What the function returned; raises what it raised."""
        try:
            good, found = self.line.recv()
        except (EOFError, ConnectionError):
            self._process.join()
            raise self._ended() from None
        if not good:
            raise found
        return found

    def _ended(self) -> PentaglotError:
        code = self._process.exitcode
        name = self._item[-1] if isinstance(self._item, tuple) else self._item
        if code == 1:  # as Python ends after an error, which has been printed
            hint = "in a script, put what it does below: if __name__ == '__main__':"
            return PentaglotError(f"the process for '{name}' could not begin", hint=hint)
        problem = f"the process for '{name}' was ended from outside (exit code {code})"
        return PentaglotError(problem, hint="memory may be short: run it again, with fewer processes")

    def stop(self) -> None:
        """Ends it, whatever it is doing."""
        self._process.terminate()
        self._process.join()
        self.line.close()


def finished(running: Mapping[Item, Hand]) -> list[Item]:
    """Waits until something is done."""
    from multiprocessing.connection import wait

    ready = wait([hand.line for hand in running.values()]) if running else []
    return [item for item, hand in running.items() if hand.line in ready]


def _serve(function: Callable[[Any], Any], line: Connection[Any, Any]) -> None:
    """What the new process does, until it is ended."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one that waits for it hears Ctrl-C, and ends it
    threading.Thread(target=_end_with_parent, daemon=True).start()
    while True:
        item = line.recv()
        try:
            found = True, function(item)
        except BaseException as error:
            found = False, error
        line.send(found)


def _end_with_parent() -> None:
    """Nobody else would end this process if its parent was killed."""
    import multiprocessing

    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)
