import numpy as np
from numpy.typing import NDArray

def bleu_statistics(hypotheses: tuple[str, ...], references: tuple[tuple[str, ...], ...]) -> NDArray[np.float64]: ...
