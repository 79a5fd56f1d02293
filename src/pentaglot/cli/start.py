"""Where the command begins: a signal that comes while modules are still being loaded ends it without a word."""

from __future__ import annotations

import os
import sys
import threading

from pentaglot.cli.interruption import leave, leave_when_asked

__all__ = ["main"]


def main() -> None:
    """What `pentaglot` and `python -m pentaglot` call."""
    leave_when_asked()
    _open_standard_streams()
    from pentaglot.cli.main import main as run

    try:
        run()
    except SystemExit as ended:
        # Who was stopped does not stay to put every word of a large text back in its place. And threads may still be at
        # work, or wait for input that never comes: Python would wait for them, or leave their native code hanging.
        if isinstance(ended.code, int) and (ended.code > 128 or threading.active_count() > 1):
            leave(ended.code)
        raise


def _open_standard_streams() -> None:
    """Opens those that the caller closed, so that no other file gets their number: input and output the wrong way
    round, as using them shall be an error like any other; what is said to people may be lost."""
    for number, (name, mode, access) in enumerate(
        (("stdin", "r", os.O_WRONLY), ("stdout", "w", os.O_RDONLY), ("stderr", "w", os.O_WRONLY))
    ):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, access)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 (to the end)
