"""Tries an installed Pentaglot away from the source tree: `python tests/installed.py FOLDER_OF_PROGRAMS ARCHIVE`."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.docs.console import ROOT, run_page


def check_archive(archive: Path) -> None:
    """A source archive must have everything that is needed to build."""
    with tarfile.open(archive) as packed:
        held = {name.partition("/")[2] for name in packed.getnames()}
    needed = {"pyproject.toml", "CMakeLists.txt", "README.md", "LICENSE"}
    for folder in ("src", "core"):
        kinds = (".py", ".pyi", ".typed", ".cpp", ".hpp")
        needed |= {str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("*") if path.suffix in kinds}
    assert needed <= held, f"the source archive lacks {sorted(needed - held)}"


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
    check_archive(Path(sys.argv[2]))
    main(Path(sys.argv[1]).resolve())
