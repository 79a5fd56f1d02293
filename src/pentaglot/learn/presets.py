"""Settings of publications, by name: what the theses tuned with."""

from __future__ import annotations

from typing import Any

__all__ = ["PRESETS"]

PRESETS: dict[str, dict[str, Any]] = {
    # Gimpel 2012, §3.4.3: algorithms 1 and 2. Costs are scaled by what the thesis found for each loss.
    "gimpel2012": {
        "tuner": "ramp3",
        "size": 500,
        "rounds": 20,
        "patience": 20,
        "smoothing": "plus-one",
        "loss": {"rate": 1e-4, "strength": 1.0, "steps": 10, "epochs": 5, "anchor": "start"},
    },
    # The same thesis, §3.4.2: MERT on lists.
    "gimpel2012-mert": {"tuner": "mert", "size": 100},
    # Clark 2015, chapters 3 and 4: any pairs, the last round, squares to zero and to the round before.
    "clark2015": {
        "tuner": "pro",
        "size": 1500,
        "rounds": 30,
        "patience": 30,
        "final": "last",
        "smoothing": "plus-one-higher",
        "pro": {"pairs": "uniform", "gap": 0.0, "both": False, "squared": 500.0, "to_last": 5000.0},
    },
    # Clark 2015, chapter 5: the same with OSCAR, by AdaGrad.
    "clark2015-oscar": {
        "tuner": "pro",
        "size": 1500,
        "rounds": 30,
        "patience": 30,
        "final": "last",
        "smoothing": "plus-one-higher",
        "pro": {
            "pairs": "uniform",
            "gap": 0.0,
            "both": False,
            "squared": 500.0,
            "to_last": 5000.0,
            "solver": "adagrad",
            "rate": 0.01,
            "steps": 100,
        },
        "penalty": ["oscar=1e-6,3e-8"],
    },
    # Clark 2015, §3.3: MERT on lists from many points, and on forests from one, in more directions.
    "clark2015-mert": {"tuner": "mert", "size": 200, "mert": {"restarts": 20, "sample": 0}},
    "clark2015-mert-forests": {"tuner": "mert", "mert": {"space": "forests", "restarts": 0, "directions": 5}},
    # Hopkins and May 2011.
    "hopkins2011": {
        "tuner": "pro",
        "size": 1500,
        "rounds": 25,
        "patience": 25,
        "final": "last",
        "smoothing": "plus-one-higher",
        "pro": {"pairs": "largest", "gap": 0.05, "both": True, "squared": 0.5, "to_last": 0.0, "share": 0.1},
    },
}
