"""An experiment on several language pairs: each has a directory of its own, and a survey puts them side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pentaglot import storage
from pentaglot.corpus.compression import StrPath
from pentaglot.errors import writing
from pentaglot.evaluate import Survey, survey_page, survey_to_markdown
from pentaglot.progress import SILENT, Progress
from pentaglot.systems.experiment import Laboratory
from pentaglot.systems.experiment_file import Experiment

__all__ = ["Expedition"]


class Expedition:
    """The experiments of one file, one after the other, each in a directory with the name of its pair."""

    def __init__(
        self,
        experiments: Sequence[Experiment],
        output: StrPath,
        *,
        threads: int = 1,
        processes: int = 1,
        progress: Progress = SILENT,
    ) -> None:
        self.output = Path(output)
        self.laboratories = {
            each.pair: Laboratory(
                each, self.output / each.pair, threads=threads, processes=processes, progress=progress
            )
            for each in experiments
        }
        self._progress = progress

    def plan_lines(self) -> Iterator[str]:
        """What a run would do now, pair by pair."""
        for pair, laboratory in self.laboratories.items():
            yield f"{pair}:"
            yield from (f"  {line}" for line in laboratory.plan(_parts(laboratory.experiment)).lines())

    def run(self) -> Survey:
        """Does what is left of all experiments, writes their reports, and a survey of them."""
        with writing(self.output):
            self.output.mkdir(parents=True, exist_ok=True)
        reports, choosing = {}, {}
        for number, (pair, laboratory) in enumerate(self.laboratories.items(), 1):
            self._progress.say(f"language pair {pair} ({number} of {len(self.laboratories)})")
            reports[pair] = laboratory.run(_parts(laboratory.experiment))
            if laboratory.experiment.options.leave_out:
                choosing[pair] = laboratory.scores("choose")
        notes = [f"{pair}: {note}" for pair, report in reports.items() for note in report.notes]
        survey = Survey(reports, choosing, tuple(notes))
        self._write(survey)
        return survey

    def _write(self, survey: Survey) -> None:
        title = next(iter(self.laboratories.values())).experiment.path.stem
        forms = {
            "survey.md": survey_to_markdown(survey),
            "survey.html": survey_page(survey, title=title),
            "survey.json": json.dumps(survey.as_dictionary(), ensure_ascii=False, indent=2) + "\n",
        }
        for name, text in forms.items():
            storage.write_text(self.output / name, text)


def _parts(experiment: Experiment) -> tuple[str, ...]:
    """The sets that all systems translate."""
    return ("choose", "dev", "test") if experiment.options.leave_out else ("dev", "test")
