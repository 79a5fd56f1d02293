from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

def checksum(buffer: bytes | NDArray[Any], seed: int = 0) -> int: ...
def exercise_parallel_for(shards: int, threads: int, milliseconds: int = 0, failing: Sequence[int] = ...) -> int: ...
