"""`WeightVector`: the weights of all features known so far, and a search model that reads them."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pentaglot._core.search import SearchModel
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace, Weights

__all__ = ["WeightVector"]


# Features, and their conjunctions with what is known of a sentence, which have the same values in it.
Conjoined = tuple[tuple[int, int], ...]


class WeightVector:
    """Weights by the ids of a space. The vector grows with the space, as rules name new features; what is being read
    never changes. Any number of threads may use it."""

    def __init__(
        self, weights: Weights, features: FeatureSpace, model: Callable[[NDArray[np.float64], Conjoined], SearchModel]
    ) -> None:
        self._weights, self._features, self._unnamed = weights, features, model
        self._lock = threading.Lock()
        self._room = weights.dense(features)
        self._now = self._room, self._model(self._room, ())
        self._known: dict[Conjoined, tuple[NDArray[np.float64], SearchModel]] = {}  # of the vector as it is now

    def now(self, conjoined: Conjoined = ()) -> tuple[NDArray[np.float64], SearchModel]:
        """The vector, and the model that searches with it. In a sentence with `conjoined` features, the weight of each
        is its own and those of its conjunctions."""
        if len(self._now[0]) < len(self._features):
            with self._lock:
                self._grow(len(self._now[0]))
        dense, model = self._now
        if not conjoined:
            return dense, model
        known = self._known.get(conjoined)
        if known is None or known[0] is not dense:
            summed = dense.copy()
            for simple, product in conjoined:
                summed[simple] += dense[product]
            known = dense, self._model(summed, conjoined)
            self._known[conjoined] = known
        return known

    def _model(self, vector: NDArray[np.float64], conjoined: Conjoined) -> SearchModel:
        try:
            return self._unnamed(vector, conjoined)
        except PentaglotError as error:
            largest = int(np.abs(vector).argmax())
            if "too large" not in error.message:
                raise
            problem = (
                f"the weight {vector[largest]:.6g} of '{self._features.names[largest]}' is too large to search with"
            )
            raise PentaglotError(
                problem, hint="only ratios of weights matter: divide all by the same number"
            ) from error

    def _grow(self, known: int) -> None:
        new = self._weights.dense(self._features, known)
        size = known + len(new)
        if size > len(self._room):
            self._room = np.concatenate([self._room[:known], np.zeros(size + size // 2 - known)])
        self._room[known:size] = new  # beyond what is being read
        vector = self._room[:size]
        self._now = vector, self._model(vector, ())
