import numpy as np
from numpy.typing import NDArray

def shuffled_totals(
    first: NDArray[np.float64],
    second: NDArray[np.float64],
    runs: int,
    segments: int,
    width: int,
    begin: int,
    trials: int,
    seed: int,
    pooled: bool = False,
    threads: int = 1,
) -> NDArray[np.float64]: ...
