"""What holds for all tests: properties are checked without a stop-watch, because machines are sometimes busy."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("pentaglot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pentaglot")
