"""The rules of a reordering grammar before the first round of learning: counted, and split into states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import order as core
from pentaglot.order.forest import OPERATORS
from pentaglot.order.grammar import SLOT_OPERATORS, Lexicon, Rules, Terminals, slot_columns
from pentaglot.order.options import GrammarOptions

__all__ = ["Start", "normalised", "totals"]

_ABSOLUTE_NOISE = 0.005


@dataclass(frozen=True, eq=False)
class Start:
    """The rules before the first round: those without states, by how often edges have them, and those with states."""

    lexicon: Lexicon
    unsplit: Rules
    rules: Rules
    columns: NDArray[np.int64]  # of each value of a word

    @classmethod
    def of(
        cls, sentences: core.TrainingSentences, terminals: Terminals, options: GrammarOptions, threads: int
    ) -> Start:
        counts, offsets, entries, words = sentences.edge_counts(terminals.count, threads)
        lexicon = Lexicon(offsets, entries)
        ones = (1,) * len(OPERATORS)
        unsplit = normalised(ones, counts.reshape(-1, len(OPERATORS)).T, words, entries.astype(np.int64))
        seen = counts.reshape(-1, len(OPERATORS)).sum(0) > 0
        split = [options.binary_states if len(name) == 2 else options.other_states for name in OPERATORS]
        states = tuple(number if there else 1 for number, there in zip(split, seen.tolist(), strict=True))
        columns = _value_columns(states, entries)
        return cls(lexicon, unsplit, _split(unsplit, states, entries, columns, options), columns)


def _value_columns(states: tuple[int, ...], entries: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The column of every value of every entry of a lexicon."""
    begins = slot_columns(states)
    widths = np.diff(begins)[entries]
    ends = np.cumsum(widths)
    within = np.arange(int(ends[-1]) if len(ends) else 0) - np.repeat(ends - widths, widths)
    columns: NDArray[np.int64] = np.repeat(begins[entries], widths) + within
    return columns


def _split(
    unsplit: Rules,
    states: tuple[int, ...],
    entries: NDArray[np.uint8],
    columns: NDArray[np.int64],
    options: GrammarOptions,
) -> Rules:
    """Every rule once for each combination of states, its probability shared out evenly but for some noise."""
    widths = np.diff(slot_columns(states))
    kinds = np.repeat(np.arange(len(SLOT_OPERATORS)), widths)  # of each column
    operators = np.repeat(np.arange(len(OPERATORS)), states)  # of each row
    slots = unsplit.slots[operators][:, kinds].astype(np.float64) / np.array(states)[operators][:, None]
    words = np.repeat(unsplit.words.astype(np.float64), widths[entries])
    random = np.random.default_rng(options.seed)
    return normalised(states, _noisy(slots, random, options), _noisy(words, random, options), columns)


def _noisy(values: NDArray[np.float64], random: np.random.Generator, options: GrammarOptions) -> NDArray[np.float64]:
    if options.noise_kind == "relative":
        return values * (1 + options.noise * random.uniform(-1.0, 1.0, values.shape))
    made = values + random.uniform(-_ABSOLUTE_NOISE, _ABSOLUTE_NOISE, values.shape)
    # Drawn again where it is not a probability; for those at 0 or 1 that is the half that lies inside.
    outside = (made < 0) | (made > 1)
    while outside.any():
        again = values[outside] + random.uniform(-_ABSOLUTE_NOISE, _ABSOLUTE_NOISE, int(outside.sum()))
        made[outside] = again
        outside = (made < 0) | (made > 1)
    return np.where(values > 0, made, 0.0)  # what was never seen stays impossible


def normalised(
    states: tuple[int, ...], slots: NDArray[np.float64], words: NDArray[np.float64], columns: NDArray[np.int64]
) -> Rules:
    """Counts as probabilities; a column without any is 0."""
    sums = totals(slots, words, columns)
    shares = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    return Rules(states, (slots * shares).astype(np.float32), (words * shares[columns]).astype(np.float32))


def totals(slots: NDArray[np.float64], words: NDArray[np.float64], columns: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sum of every column, with the words of its slot."""
    sums: NDArray[np.float64] = slots.sum(0) + np.bincount(columns, words, slots.shape[1])
    return sums
