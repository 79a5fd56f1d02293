"""Opens and uses damaged copies of a stored thing, one after the other. Run as a process of its own, so that whoever
started it learns of a crash; see tests/test_mutations.py."""

from __future__ import annotations

import contextlib
import logging
import os
import resource
import shutil
import sys
import traceback
import warnings
from pathlib import Path
from random import Random

from tests.mutations.changes import change
from tests.mutations.kinds import KINDS

from pentaglot.errors import PentaglotError

# What a use of a damaged thing may take beyond that of a whole one; the things are a few hundred kilobytes.
_MORE_BYTES = 128 << 20
_CALLS = 10


def _limit_memory() -> None:
    if "asan" in os.environ.get("LD_PRELOAD", ""):
        return  # its shadow is larger than any limit
    size = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmSize"))
    most = int(size.split()[1]) * 1024 + _MORE_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def damage(kind: str, whole: Path, work: Path, first: int, last: int) -> None:
    """Opens and uses damaged copies; prints the number of every case before it begins, and what went wrong in it."""
    copy = work / whole.name
    for number in range(first - 1, last):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        shutil.copytree(whole, copy)
        if number < first:
            KINDS[kind].use(copy, strict=True)
            _limit_memory()
            continue
        print(f"case {number}", flush=True)
        random = Random(f"{kind} {number}")
        what = ""
        try:
            what = "; ".join(change(copy / KINDS[kind].name, random) for _ in range(random.choice((1, 1, 1, 2))))
            print(f"about {what}", flush=True)
            with contextlib.suppress(PentaglotError):
                KINDS[kind].use(copy, strict=False)
        except Exception:
            print(f"failed {traceback.format_exc()}", flush=True)
    shutil.rmtree(work, ignore_errors=True)


def calls(first: int, last: int) -> None:
    """Calls the core with arguments at random. What a call leaves behind may be used by the next: a case is the same
    only together with those before it."""
    from tests.mutations.calls import Caller

    caller = Caller()
    _limit_memory()
    for number in range(first, last):
        print(f"case {number}", flush=True)
        caller.random = Random(f"calls {number}")
        for _ in range(_CALLS):
            name, call = caller.chosen()
            print(f"about {name}", flush=True)
            with contextlib.suppress(Exception):
                call()


if __name__ == "__main__":
    logging.disable()
    warnings.simplefilter("ignore")
    cases = int(sys.argv[4]), int(sys.argv[5])
    if sys.argv[1] == "calls":
        calls(*cases)
    else:
        damage(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), *cases)
