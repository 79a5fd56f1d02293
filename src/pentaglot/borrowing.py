"""Steps that were done elsewhere: what an equal step of another job has made is copied, not made again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from pentaglot import placing
from pentaglot.errors import writing
from pentaglot.steps import Record, Step
from pentaglot.workshop import Workshop

__all__ = ["borrow"]


def borrow(shop: Workshop, steps: Iterable[Step], lenders: Sequence[Workshop]) -> dict[str, Path]:
    """Copies what equal steps have made in other workshops, as if an earlier run had made it here: the next plan keeps
    it. Gives the names of these steps, and where their results came from. What is lent is not copied: later steps find
    it where it is also in. Steps that are done in place are left alone.

    >>> import tempfile
    >>> from pentaglot.steps import Result
    >>> def shop_and_steps():
    ...     shop = Workshop(Path(tempfile.mkdtemp()), ".work")
    ...     return shop, [Step("bake", lambda: shop.to("bread").write_text("brown") and None, makes=(Result("bread"),))]
    >>> (one, steps), (other, same) = shop_and_steps(), shop_and_steps()
    >>> list(one.run(one.plan(steps))), list(borrow(other, same, [one])), list(other.run(other.plan(same)))
    (['bake'], ['bake'], [])
    """
    found: dict[str, Path] = {}
    for step in steps:
        if step.in_place or not shop.done.trouble(step) or not shop.new.trouble(step, shop.done):
            continue
        for lender in lenders:
            record = lender.done.record(step.name)
            if record is not None and not lender.done.trouble(step):
                _copy(step, record, lender, shop)
                found[step.name] = lender.done.path("")
                break
    return found


def _copy(step: Step, record: Record, lender: Workshop, shop: Workshop) -> None:
    others = _parts_of_others(step, lender)
    for result in step.makes:
        if result.lent:
            continue
        place, there = shop.new.path(result.name), lender.done.path(result.name)
        with writing(place):
            place.parent.mkdir(parents=True, exist_ok=True)
            placing.remove(place)  # of an abandoned run
            if there.is_dir():
                with placing.new_directory(place) as beside:
                    shutil.copytree(there, beside, dirs_exist_ok=True, ignore=_ignoring(others))
                    placing.put_in_place(beside, place)
            else:
                with placing.new_file(place) as out, there.open("rb") as file:
                    shutil.copyfileobj(file, out)
    shop.new.adopt(step.name, record)


def _parts_of_others(step: Step, lender: Workshop) -> set[Path]:
    """What other steps have put into the results of this one."""
    records = (lender.done.record(name) for name in lender.done.names() if name != step.name)
    made = {name for record in records if record is not None for name in record["makes"]}
    own = tuple(f"{result.name}/" for result in step.makes)
    return {lender.done.path(name) for name in made if name.startswith(own)}


def _ignoring(others: set[Path]) -> Callable[[str, list[str]], list[str]]:
    """Leaves out what others have made, and what a killed writer left behind."""
    return lambda folder, names: [name for name in names if Path(folder) / name in others or name.startswith(".")]
