"""Where the command begins: a signal that comes while modules are still being loaded ends it without a word."""

from __future__ import annotations

import threading

from pentaglot.cli.interruption import leave, leave_when_asked

__all__ = ["main"]


def main() -> None:
    """What `pentaglot` and `python -m pentaglot` call."""
    leave_when_asked()
    from pentaglot.cli.main import main as run

    try:
        run()
    except SystemExit as ended:
        # Who was stopped does not stay to put every word of a large text back in its place. And threads may still be at
        # work, or wait for input that never comes: Python would wait for them, or leave their native code hanging.
        if isinstance(ended.code, int) and (ended.code > 128 or threading.active_count() > 1):
            leave(ended.code)
        raise
