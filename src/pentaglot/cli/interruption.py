"""What Ctrl-C and its kin do to a command: it ends at once, cleans up on its way out, and says nothing strange.

Only the standard library's smallest modules are imported here: this is what runs while all else is still being loaded.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

__all__ = ["Terminated", "leave", "leave_when_asked", "raised_when_asked"]

# A terminal that is closed ends what runs in it, too.
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PATIENCE = 2.0  # seconds for cleaning up, in which further signals change nothing


class Terminated(BaseException):
    """Someone asked the process to end; the way out removes what is half-written, as Ctrl-C does."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def leave_when_asked() -> None:
    """For as long as nothing has begun, or all is done: a signal just ends the process."""
    _handle(lambda number, _: os._exit(128 + number))


@contextmanager
def raised_when_asked() -> Iterator[None]:
    """Inside the block the first signal raises `KeyboardInterrupt` or `Terminated` in the main thread. Further ones
    change nothing while the command cleans up; but if that takes long they end it without."""
    asked: list[float] = []

    def ask(number: int, _: FrameType | None) -> None:
        if not asked:
            asked.append(time.monotonic())
            raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)
        if time.monotonic() - asked[0] > _PATIENCE:
            os._exit(128 + number)

    def tell(lost: Any) -> None:
        # Raised where Python can only print it, as in a callback of the garbage collector: it is raised again soon.
        if not isinstance(lost.exc_value, KeyboardInterrupt | Terminated):
            sys.__unraisablehook__(lost)
            return
        asked.clear()
        number = lost.exc_value.number if isinstance(lost.exc_value, Terminated) else signal.SIGINT
        again = threading.Timer(0.01, signal.pthread_kill, [threading.main_thread().ident, number])
        again.daemon = True
        again.start()

    told_before, sys.unraisablehook = sys.unraisablehook, tell
    before = _handle(ask)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        sys.unraisablehook = told_before


def leave(code: int) -> NoReturn:
    """Ends the process at once, with what was printed printed."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _handle(handler: Any) -> dict[signal.Signals, Any]:
    """Sets a handler for all signals that are not ignored (as by nohup, or by a shell for what it runs behind); gives
    those that were there before."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    heard = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    return {number: signal.signal(number, handler) for number in heard}
