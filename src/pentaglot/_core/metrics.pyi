from enum import Enum

import numpy as np
from numpy.typing import NDArray

def bleu_statistics(
    hypotheses: tuple[str, ...], references: tuple[tuple[str, ...], ...], shortest: bool = False
) -> NDArray[np.float64]: ...
def chrf_statistics(
    hypotheses: tuple[str, ...],
    references: tuple[tuple[str, ...], ...],
    character_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    whitespace: bool = False,
) -> NDArray[np.float64]: ...
def ter_statistics(
    hypotheses: tuple[str, ...],
    references: tuple[tuple[str, ...], ...],
    normalized: bool = False,
    punctuation: bool = True,
    asian_support: bool = False,
) -> NDArray[np.float64]: ...
def tokenize_13a(texts: tuple[str, ...]) -> tuple[str, ...]: ...
def overlaps(
    hypotheses: tuple[str, ...], references: tuple[str, ...], cut: bool = True, threads: int = 1, kinds: int = ...
) -> NDArray[np.float64]: ...

class Unmatched(Enum):
    ignore = 0
    left = 1
    right = 2

def word_orders(
    hypotheses: tuple[str, ...],
    references: tuple[str, ...],
    stems: tuple[str, ...],
    reference_stems: tuple[str, ...],
    function_words: tuple[str, ...],
    cut: bool,
    similar: float,
    unmatched: Unmatched,
    beta: float,
    uniform: bool,
    threads: int,
) -> NDArray[np.float64]: ...
def word_links(
    text: str, reference: str, stems: str, reference_stems: str, stem: bool, cut: bool, similar: float
) -> NDArray[np.uint32]: ...
def ribes_statistics(
    hypotheses: tuple[str, ...], references: tuple[str, ...], cut: bool, threads: int
) -> NDArray[np.float64]: ...
def cut_words(texts: tuple[str, ...], cut: bool) -> tuple[str, ...]: ...
