"""What holds for all tests: properties are checked without a stop-watch, because machines are sometimes busy, and on
the same examples every time, so that a run tells of the change and not of chance; HYPOTHESIS_PROFILE=explore looks
further."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("pentaglot", patient, derandomize=True)
settings.register_profile("explore", patient)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "pentaglot"))
