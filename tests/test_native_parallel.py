"""The native parallel loop: every shard once, the same error whoever hits it, Ctrl-C heard."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from pentaglot._core import base
from pentaglot.errors import PentaglotError


@pytest.mark.parametrize("threads", [0, 1, 2, 8])
@pytest.mark.parametrize("shards", [0, 1, 7, 1000])
def test_every_shard_once(shards: int, threads: int) -> None:
    assert base.exercise_parallel_for(shards, threads) == shards * (shards - 1) // 2


def test_errors_are_ours() -> None:
    with pytest.raises(PentaglotError, match="shard 3 failed"):
        base.exercise_parallel_for(4, 2, failing=[3])
    with pytest.raises(PentaglotError, match="shard 0 failed"):
        base.exercise_parallel_for(1000, 1, failing=[0, 999])


@pytest.mark.parametrize(("shards", "milliseconds"), [(10_000, 20), (2, 100_000)])
def test_interrupt(shards: int, milliseconds: int) -> None:
    """Heard between two shards, and in the middle of a long one."""
    # Where tests are run in the background, the shell has switched Ctrl-C off.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        base.exercise_parallel_for(shards, 2, milliseconds=milliseconds)
    signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 30, "the loop stops long before its 100 seconds of work are done"
