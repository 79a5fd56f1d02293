"""The tutorial's commands work and show what the page says."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.docs.console import ROOT, run_page


def test_tutorial(tmp_path: Path) -> None:
    number = run_page(ROOT / "docs" / "tutorial.md", tmp_path / "reader", os.environ, Path(sys.executable).parent)
    assert number >= 15
