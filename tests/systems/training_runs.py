"""What tests of training share: quick options, and runs that are watched or killed."""

from __future__ import annotations

from pathlib import Path

from pentaglot.align import AlignOptions
from pentaglot.progress import SILENT, Task
from pentaglot.systems import TrainOptions

SMALL = TrainOptions(order=2, frequent=10)
QUICK = AlignOptions(model="ibm1", iterations=2)


class Killed(BaseException):
    pass


class Listener:
    """A progress that remembers what it was told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.begun: list[str] = []

    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        self.begun.append(name)
        return SILENT.task(name)

    def say(self, text: str) -> None:
        self.said.append(text)


class KilledAt(Listener):
    """A progress that ends the process, as it were, when a certain step begins; or begins again."""

    def __init__(self, step: str, after: int = 0) -> None:
        super().__init__()
        self.step, self.after = step, after

    def task(self, name: str, *, total: int | None = None, unit: str = "") -> Task:
        if name.startswith(self.step):
            self.after -= 1
            if self.after < 0:
                raise Killed
        return super().task(name)


def contents(model: Path) -> dict[str, bytes]:
    """All files of a model, but for what training keeps for itself."""
    return {
        str(file.relative_to(model)): file.read_bytes()
        for file in sorted(model.rglob("*"))
        if file.is_file() and ".train" not in file.parts and file.name != ".word-ids"
    }
