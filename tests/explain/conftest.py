"""The small trained models that systems are tested with."""

from tests.systems.conftest import trained

__all__ = ["trained"]
