"""What holds for all tests: properties are checked without a stop-watch, because machines are sometimes busy, and on
the same examples every time, so that a run tells of the change and not of chance; HYPOTHESIS_PROFILE=explore looks
further."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("pentaglot", patient, derandomize=True)
settings.register_profile("explore", patient)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "pentaglot"))

# Commands are run hundreds of times: their modules need not be compiled each time, whatever the machine says.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A shell starts what runs in its background deaf to Ctrl-C; the tests that press it need to be heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
