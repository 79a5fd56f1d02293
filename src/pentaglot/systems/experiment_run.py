"""Does the steps of experiments, several at a time, each in a process of its own. The models of one experiment are
trained one after the other, since later ones take parts from earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from pentaglot.parallel import when_ready
from pentaglot.progress import SILENT, Progress
from pentaglot.steps import Step
from pentaglot.systems.experiment_clock import Clock
from pentaglot.systems.experiment_file import Experiment
from pentaglot.systems.experiment_steps import ExperimentSteps

__all__ = ["do_steps"]

_Key = tuple[int, str]  # an experiment, and the name of a step


def do_steps(
    work: Sequence[tuple[ExperimentSteps, Sequence[Step]]],
    *,
    processes: int = 1,
    threads: int = 1,
    progress: Progress = SILENT,
    clock: Clock | None = None,
    later: Sequence[str] = (),
) -> None:
    """Does all steps of some experiments that are not done yet. The results are the same with any number of
    `processes`, which share the `threads`. `later` are names of steps that will be done after these, which only matter
    for the time that is left."""
    todo: dict[_Key, Step] = {
        (at, planned.step.name): planned.step
        for at, (experiment, steps) in enumerate(work)
        for planned in experiment.shop.plan(steps).steps
        if planned.reason
    }
    several = len({at for at, _ in todo}) > 1
    clock = clock or Clock()
    clock.begin([name for _, name in todo], processes, later=later)

    def told(key: _Key, seconds: float) -> None:
        title = f"{work[key[0]][0].experiment.path.stem}: " if several else ""
        progress.say(title + clock.told(key[1], seconds))

    def do(key: _Key) -> float:
        begun = monotonic()
        work[key[0]][0].do(todo[key])
        return monotonic() - begun

    if len({work[at][0].output for at, _ in todo}) < processes:  # all threads for one model after the other
        for key in [key for key, step in todo.items() if not step.needs]:
            told(key, do(key))
            del todo[key]
    needs = _needs(work, todo)
    if processes <= 1 or len(todo) < 2:
        for key, seconds in when_ready(do, needs, 1):
            told(key, seconds)
        return
    places = tuple((each.experiment, each.output) for each, _ in work)
    now: dict[_Key, None] = {}
    with progress.task("experiment") as task:

        def begun(key: _Key) -> None:
            now[key] = None
            task.note("; ".join(name for _, name in now))

        for key, seconds in when_ready(_Elsewhere(places, max(1, threads // processes)), needs, processes, begun):
            del now[key]
            told(key, seconds)
            task.note("; ".join(name for _, name in now))


def _needs(work: Sequence[tuple[ExperimentSteps, Sequence[Step]]], todo: Mapping[_Key, Step]) -> dict[_Key, list[_Key]]:
    """What comes before each step: what it needs, and before a model the one before it in its directory. The first
    steps of all experiments come first."""
    sizes = Counter(at for at, _ in todo)
    seen, before = Counter[int](), dict[Path, _Key]()
    found: list[tuple[float, _Key, list[_Key]]] = []
    for (at, name), step in todo.items():
        wanted = [(at, each.name) for each in step.needs if (at, each.name) in todo]
        if not step.needs:
            place = work[at][0].output
            wanted += [before[place]] if place in before else []
            before[place] = at, name
        found.append((seen[at] / sizes[at], (at, name), wanted))
        seen[at] += 1
    return {key: wanted for _, key, wanted in sorted(found, key=lambda each: each[0])}


@dataclass(frozen=True)
class _Elsewhere:
    """Does a step in another process, where all that is known of it has to be sent."""

    places: tuple[tuple[Experiment, Path], ...]
    threads: int

    def __call__(self, key: _Key) -> float:
        begun = monotonic()
        experiment = ExperimentSteps(*self.places[key[0]], threads=self.threads)
        experiment.do(next(step for step in experiment.every() if step.name == key[1]))
        return monotonic() - begun
