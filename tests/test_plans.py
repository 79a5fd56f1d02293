"""Plans redo exactly what depends on a change, leave what is there until all is new, and survive a kill anywhere."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pentaglot import placing, storage
from pentaglot.errors import PentaglotError
from pentaglot.steps import Result, Step
from pentaglot.workshop import Workshop


class Kitchen:
    """A job with all kinds of steps. What a step makes is told by its inputs alone."""

    def __init__(self, output: Path, **options: int) -> None:
        self.shop = Workshop(output, ".work")
        self.options = options
        self.log: list[str] = []

    def steps(self) -> list[Step]:
        flour = self._step("grind", makes=(Result("mill"), Result("flour", lent=True, also_in=("bread",))))
        spice = self._step("spice", makes=(Result("spice"),))
        dough = self._step("knead", flour, spice, takes=("flour",), makes=(Result("dough", lent=True),))
        bread = self._step("bake", dough, flour, takes=("flour", "dough"), makes=(Result("bread", _first_line),))
        butter = self._step("butter", bread, makes=(Result("butter"),), in_place=True)
        return [flour, spice, dough, bread, butter]

    def _step(
        self, name: str, *needs: Step, makes: tuple[Result, ...], takes: tuple[str, ...] = (), in_place: bool = False
    ) -> Step:
        options = {"n": self.options.get(name, 0)}

        def work() -> None:
            self.log.append(name)
            read = " ".join(_first_line(self.shop.at(each)) for each in takes)
            for result in makes:
                text = f"{options['n']} {' '.join(need.key for need in needs)} {read}"
                _write(self.shop.to(result.name), _first_line(self.shop.at("flour")) if name == "bake" else text)

        return Step(name, work, options, needs=needs, makes=makes, takes=takes, in_place=in_place)

    def run(self) -> list[str]:
        """What was done."""
        self.log.clear()
        self.shop.run(self.shop.plan(self.steps()))
        return list(self.log)


def _write(path: Path, text: str) -> None:
    """Things to eat are directories, others files."""
    if path.name not in ("bread", "flour", "dough"):
        path.write_text(text)
        return
    with storage.create(path, kind="food", version=1) as new:
        for name in ("crust", "crumb"):
            (new.path / name).write_text(text)
            new.add_file(name)


def _first_line(path: Path) -> str:
    """What something is made of. What is half there is noticed."""
    if not path.is_dir():
        return path.read_text()
    stored = storage.open_directory(path, kind="food", version=1)
    return (stored.path / "crust").read_text()


def files(output: Path) -> dict[str, str]:
    return {path.name: _first_line(path) for path in output.iterdir() if path.name != ".work"}


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without waiting for the disk, hundreds of times: that matters when the power fails, not when a process does."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


ALL = ["grind", "spice", "knead", "bake", "butter"]


@pytest.mark.parametrize(
    ("change", "redone"),
    [
        ({"grind": 1}, ["grind", "knead", "bake", "butter"]),
        ({"spice": 1}, ["spice", "knead", "bake", "butter"]),
        ({"knead": 1}, ["knead", "bake", "butter"]),
        ({"bake": 1}, ["knead", "bake", "butter"]),  # the dough was only lent; the flour is in the bread
        ({"butter": 1}, ["butter"]),
    ],
)
def test_a_change_redoes_what_depends_on_it(tmp_path: Path, change: dict[str, int], redone: list[str]) -> None:
    output = tmp_path / "kitchen"
    assert Kitchen(output).run() == ALL
    assert Kitchen(output).run() == []
    assert Kitchen(output, **change).run() == redone
    Kitchen(tmp_path / "fresh", **change).run()
    assert files(output) == files(tmp_path / "fresh")
    assert set(files(output)) == {"mill", "spice", "bread", "butter"}
    assert not (output / ".work" / "new").exists()


class Killed(BaseException):
    pass


def killed(run: Kitchen, monkeypatch: pytest.MonkeyPatch, at: int) -> bool:
    """Runs until something on the disk has been changed so many times; whether it came to that."""
    counter = itertools.count()

    def counting(function: object) -> object:
        def wrapped(*arguments: object, **options: object) -> object:
            if next(counter) == at:
                raise Killed
            return function(*arguments, **options)  # type: ignore[operator]

        return wrapped

    with monkeypatch.context() as patch:
        for name in ("replace", "rename", "unlink", "write_text"):
            patch.setattr(Path, name, counting(getattr(Path, name)))
        for name in ("rmdir", "unlink"):
            patch.setattr(os, name, counting(getattr(os, name)))
        patch.setattr(placing, "_swap", counting(placing._swap))
        # A kill gives nobody the time to put marks back.
        patch.setattr("pentaglot.steps.Place._stands", lambda *_: False)
        try:
            run.run()
        except Killed:
            return True
    return False


def moments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Kitchens whose second run was killed, each at another moment."""
    for at in itertools.count():
        output = tmp_path / str(at)
        Kitchen(output).run()
        if not killed(Kitchen(output, spice=1, grind=1), monkeypatch, at):
            assert at > 20
            return
        yield output


def test_a_kill_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Kitchen(tmp_path / "new", spice=1, grind=1).run()
    Kitchen(tmp_path / "old").run()
    new, old = files(tmp_path / "new"), files(tmp_path / "old")
    for output in moments(tmp_path, monkeypatch):
        for wanted, options in ((new, {"spice": 1, "grind": 1}), (old, {}), (new, {"spice": 1, "grind": 1})):
            Kitchen(output, **options).run()
            assert files(output) == wanted
            assert Kitchen(output, **options).run() == []


def test_going_back_after_a_kill_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as nothing new was put in place."""
    before = None
    unchanged = 0
    for output in moments(tmp_path, monkeypatch):
        before = before or files(tmp_path / "0")
        if files(output) == before and not (output / ".work" / "butter.done").read_text().count('"begun": true'):
            assert Kitchen(output).run() == []
            unchanged += 1
    assert unchanged > 5


def test_damage_and_loss(tmp_path: Path) -> None:
    Kitchen(tmp_path).run()
    before = files(tmp_path)
    for name, redone in (("mill", ["grind"]), ("spice", ["spice"]), ("butter", ["butter"])):
        _write(tmp_path / name, "rotten")
        assert Kitchen(tmp_path).run() == redone
        (tmp_path / name).unlink()
        assert Kitchen(tmp_path).run() == redone
    shutil.rmtree(tmp_path / "bread")
    assert Kitchen(tmp_path).run() == ["grind", "knead", "bake"], "what was lent is gone with it"
    assert files(tmp_path) == before


def test_what_is_told(tmp_path: Path) -> None:
    kitchen = Kitchen(tmp_path)
    plan = kitchen.shop.plan(kitchen.steps())
    assert plan.first
    assert next(plan.lines()) == "grind: for the first time"
    kitchen.run()
    (tmp_path / "butter").unlink()
    other = Kitchen(tmp_path, spice=2)
    plan = other.shop.plan(other.steps())
    assert not plan.first
    assert list(plan.lines()) == [
        "grind: kept",
        "spice: again, because n changed from 0 to 2",
        "knead: again, because spice changed",
        "bake: again, because knead changed",
        "butter: again, because bake changed",
    ]
    assert list(plan.reasons) == ["spice", "knead", "bake", "butter"]


def test_steps_that_are_not_wanted_any_more(tmp_path: Path) -> None:
    Kitchen(tmp_path).run()
    for changed in (False, True):
        shop = Workshop(tmp_path, ".work")
        steps = Kitchen(tmp_path).steps()
        if changed:
            Kitchen(tmp_path).run()
            (tmp_path / "butter").write_text("home-made")
        plan = shop.plan(steps[:-1], [steps[-1]])
        assert list(plan.lines())[-1] == "butter: removed, because it is not asked for"
        shop.run(plan)
        assert (tmp_path / "butter").exists() == changed, "only what the step itself has made"


def test_an_outer_result_takes_the_inner_with_it(tmp_path: Path) -> None:
    shop = Workshop(tmp_path, ".work")

    def outer() -> None:
        with storage.create(shop.to("box"), kind="box", version=1):
            pass

    def inner() -> None:
        with storage.create(shop.to("box/lid"), kind="lid", version=1):
            pass

    def steps(n: int) -> list[Step]:
        box = Step("box", outer, {"n": n}, makes=(Result("box", lambda _: "box"),))
        return [box, Step("lid", inner, makes=(Result("box/lid"),), in_place=True)]

    assert list(shop.run(shop.plan(steps(1)))) == ["box", "lid"]
    assert shop.run(shop.plan(steps(1))) == {}
    plan = shop.plan(steps(2))
    assert plan.reasons == {"box": "n changed from 1 to 2", "lid": "box is made again"}
    shop.run(plan)
    assert (tmp_path / "box" / "lid" / "contents.toml").exists()


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    kitchen = Kitchen(tmp_path)
    kitchen.run()
    kitchen.shop.plan(kitchen.steps())
    with pytest.raises(PentaglotError, match="is gone: dough"):
        kitchen.shop.at("dough")
