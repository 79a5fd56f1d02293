"""The package as `import pentaglot` shows it."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys

import pytest

import pentaglot


def test_names() -> None:
    assert dir(pentaglot) == ["PentaglotError", "Translator", "__version__", "train"]
    assert all(getattr(pentaglot, name) is not None for name in dir(pentaglot))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pentaglot.nothing


def test_version() -> None:
    assert pentaglot.__version__ == importlib.metadata.version("pentaglot")


def test_importing_it_imports_no_room() -> None:
    asked = "import sys, pentaglot; print([name for name in sys.modules if name.startswith('pentaglot')])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "['pentaglot.errors', 'pentaglot']"
