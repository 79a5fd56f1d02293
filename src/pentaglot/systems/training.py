"""`train`: from raw parallel text to a tuned model directory, in steps that survive a kill and are never repeated."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pentaglot.align import AlignOptions
from pentaglot.borrowing import borrow
from pentaglot.corpus import Beside, read_pairs
from pentaglot.errors import PentaglotError, StorageError, writing
from pentaglot.index import Index
from pentaglot.learn import TuneOptions, Tuning
from pentaglot.options import checked
from pentaglot.order import GrammarOptions, OrderOptions
from pentaglot.plans import Plan
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import RuleOptions
from pentaglot.rules.operator_tables import check_operators
from pentaglot.rules.operators import Operator
from pentaglot.search import SearchOptions
from pentaglot.steps import NOT_DONE
from pentaglot.systems.languages import Classes, GivenLanguage
from pentaglot.systems.materials import Materials, TrainOptions
from pentaglot.systems.recipe import Recipe
from pentaglot.systems.registry import find_system
from pentaglot.systems.weight_steps import CHOOSE, Weighing
from pentaglot.workshop import Workshop

__all__ = ["TrainOptions", "Trained", "train"]

StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Trained:
    """The result of training."""

    path: Path
    seconds: dict[str, float]  # of the steps done now
    reasons: dict[str, str]  # why they were done
    kept: tuple[str, ...]  # the steps done before
    pairs: int
    tuning: Tuning | None  # if it was done now
    held_out: int  # pairs that weights were chosen on


def train(
    source: StrPath,
    target: StrPath,
    output: StrPath,
    *,
    dev: tuple[StrPath, StrPath] | None = None,
    dev_references: Sequence[StrPath] = (),
    options: TrainOptions | None = None,
    align: AlignOptions | None = None,
    rules: RuleOptions | None = None,
    search: SearchOptions | None = None,
    tuning: TuneOptions | None = None,
    alignment: StrPath | None = None,
    language_model: StrPath | None = None,
    weights: StrPath | None = None,
    corpora: Mapping[str, tuple[StrPath, StrPath]] | None = None,
    beside: Beside | None = None,
    dev_beside: Beside | None = None,
    languages: Mapping[str, Classes | tuple[StrPath, Classes] | GivenLanguage] | None = None,
    monolingual: Sequence[StrPath] = (),
    grammar: GrammarOptions | None = None,
    order: OrderOptions | None = None,
    induce: Sequence[Operator] = (),
    like: Sequence[StrPath] = (),
    threads: int = 1,
    progress: Progress = SILENT,
) -> Trained:
    """Trains a system on two parallel files. A killed run continues where it left off; one with other files or options
    redoes what depends on them, and leaves the model unchanged until everything is ready.

    `rules` and `search` default to those of the system (`find_system`). `alignment` (links in
    Pharaoh format), `language_model` (ARPA or a model directory) and `weights` replace the steps that would make them.
    `corpora` are further corpora by name, two files each; their rules have their own features. `languages` are further
    language models by name; a model over word classes comes with the file of the classes (see
    `pentaglot.lm.read_classes`) or with a `TargetLayer`, whose values are the classes; a layer alone stands for a model
    estimated from it. The language model is estimated from the target side and the `monolingual` files.
    Layers and metadata come from files `beside` the text and from treebanks; `dev_beside` are those of `dev`.
    With `TrainOptions.preorder`, `grammar` says how word order is learnt, `order` how new text is put into it.
    `dev_references` are further translations of the development text, line by line. Operators that
    `induce` features are fitted on the text that weights are tuned on. Parts that trained models `like` this one have
    already, made from the same text with the same options, are copied from them.
    """
    options = checked(options or TrainOptions())
    system = find_system(options.system)
    materials = Materials(
        Path(source),
        Path(target),
        options,
        checked(align or AlignOptions()),
        checked(rules or system.rules),
        checked(search or system.search),
        checked(tuning or TuneOptions()),
        None if dev is None else (Path(dev[0]), Path(dev[1])),
        None if alignment is None else Path(alignment),
        None if language_model is None else Path(language_model),
        None if weights is None else Path(weights),
        {name: (Path(files[0]), Path(files[1])) for name, files in (corpora or {}).items()},
        {name: GivenLanguage.of(given) for name, given in (languages or {}).items()},
        tuple(map(Path, monolingual)),
        beside or Beside(),
        dev_beside or Beside(),
        checked(grammar or GrammarOptions()),
        checked(order or OrderOptions()),
        tuple(map(Path, dev_references)),
        check_operators(induce, declared=system.declared, undeclared=bool(system.hooks)),
    )
    return _followed(Recipe(materials, Path(output), threads, progress), [Path(model) for model in like])


def _followed(recipe: Recipe, like: Sequence[Path]) -> Trained:
    """Does the steps of a recipe that are left."""
    _check_place(recipe)
    recipe.materials.check()
    weighing = Weighing(recipe)
    made = list(recipe.steps())
    at = next((number for number, step in enumerate(made) if step.in_place), len(made))
    steps = [*made[:at], weighing.first(), *made[at:], *weighing.tuned()]
    with _alone(recipe):
        borrowed = _borrow(recipe, like)
        plan = recipe.shop.plan(steps, recipe.former.dropped(steps))
        _check_changes(recipe, plan)
        _tell(plan, recipe, weighing, borrowed)
        seconds = recipe.shop.run(plan)
        weighing.remove_scratch()
    kept = tuple(each.step.name for each in plan.steps if not each.reason)
    pairs = len(Index.open(recipe.output / "index"))
    return Trained(recipe.output, seconds, plan.reasons, kept, pairs, weighing.tuning, weighing.held_out)


def _check_place(recipe: Recipe) -> None:
    """Raises an error if the output directory cannot be used."""
    output, work = recipe.output, recipe.shop.marks
    if output.exists() and not output.is_dir():
        raise StorageError("is a file; a model is a directory", path=output, hint="choose another name")
    for place in (work, recipe.shop.new.path("")):
        if place.is_symlink():
            raise StorageError("is a symbolic link", path=place, hint="remove it")
    ours = work.exists() or (output / "pentaglot.toml").exists()
    if output.is_dir() and any(output.iterdir()) and not ours:
        hint = "choose another name or empty it"
        raise StorageError("is a directory with other things in it", path=output, hint=hint)


@contextlib.contextmanager
def _alone(recipe: Recipe) -> Iterator[None]:
    """Locks the model against training by other processes. A directory in which nothing was done is removed."""
    fresh = not recipe.output.exists()
    with writing(recipe.shop.marks):
        recipe.shop.marks.mkdir(parents=True, exist_ok=True)
        handle = os.open(recipe.shop.marks, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            hint = "wait until it is done"
            raise PentaglotError("is being trained by another process", path=recipe.output, hint=hint) from None
        yield
    except PentaglotError:
        if fresh and not recipe.shop.done.names() and not recipe.shop.new.names():
            shutil.rmtree(recipe.output, ignore_errors=True)
        raise
    finally:
        os.close(handle)


def _borrow(recipe: Recipe, models: Iterable[Path]) -> dict[str, Path]:
    """Copies the parts that other models have and this one needs. Gives the steps that made them, and whose they
    were."""
    lenders = [Workshop(path, ".train") for path in models if path != recipe.output and _lends(path)]
    return borrow(recipe.shop, (step for step in recipe.steps() if step is not recipe.description), lenders)


def _lends(model: Path) -> bool:
    """Whether the parts of a model are as training left them; folding added pairs in changes its index."""
    try:
        return Index.open(model / "index", bare=True).added_from is None
    except PentaglotError:
        return False


def _check_changes(recipe: Recipe, plan: Plan) -> None:
    """Finds errors that would otherwise come up while the model is being changed."""
    record = recipe.shop.done.record("prepare")
    changed = "prepare" in plan.reasons and (record is None or record["key"] != recipe.prepare.key)
    recipe.check_others(changed)
    for name, files in recipe.materials.corpora.items():
        if f"corpus {name}" in plan.reasons:
            for _ in read_pairs(files):
                pass


def _tell(plan: Plan, recipe: Recipe, weighing: Weighing, borrowed: Mapping[str, Path]) -> None:
    """Logs what will be done, and why, unless it is everything or nothing; and what other models had already."""
    for model in dict.fromkeys(borrowed.values()):
        names = (name for name, lender in borrowed.items() if lender == model)
        recipe.progress.say(f"taken from {model}: {', '.join(names)}")
    if not plan.reasons or all(each.step.name in borrowed or each.reason == NOT_DONE for each in plan.steps):
        return
    for line in plan.lines():
        recipe.progress.say(line)
    if not {"tune", "weights", CHOOSE} & set(plan.reasons) and weighing.kept():
        recipe.progress.say("the weights stay as they were tuned or changed; give --dev to tune them again")
    if "prepare" in plan.reasons and (recipe.output / "index.additions").exists():
        recipe.progress.say("added pairs keep the words that they were cut into")
