"""Tries an installed Pentaglot away from the source tree: `python tests/installed.py FOLDER_OF_PROGRAMS`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.docs.console import ROOT, run_page


def main(programs: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    with tempfile.TemporaryDirectory() as folder:
        where = "import pentaglot._core, sys; print(pentaglot.__file__)"
        place = subprocess.run(
            [programs / "python", "-c", where], cwd=folder, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()
        assert str(ROOT / "src") not in place, f"this is the source tree, not an installation: {place}"
        number = run_page(ROOT / "docs" / "tutorial.md", Path(folder) / "tutorial", environment, programs)
    print(f"the installed package works: all {number} commands of the tutorial ran away from the source tree")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
