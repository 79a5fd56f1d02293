"""Steps are done once; a change redoes what depends on it; a failure loses nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.errors import InputError
from pentaglot.systems.steps import Step, file_key, run_steps


def test_goes_on_after_a_failure(tmp_path: Path) -> None:
    done: list[str] = []

    def fail() -> None:
        raise KeyboardInterrupt

    first = Step("one", {}, lambda: done.append("one"))
    with pytest.raises(KeyboardInterrupt):
        run_steps(tmp_path, [first, Step("two", {}, fail)])
    run_steps(tmp_path, [first, Step("two", {}, lambda: done.append("two"))])
    assert done == ["one", "two"]


def test_a_change_redoes_what_comes_after(tmp_path: Path) -> None:
    done: list[str] = []

    def steps(key: int) -> list[Step]:
        names = [("a", 0), ("b", key), ("c", 0)]
        return [Step(name, {"key": value}, lambda name=name: done.append(name)) for name, value in names]  # type: ignore[misc]

    run_steps(tmp_path, steps(1))
    assert run_steps(tmp_path, steps(1)) == {}
    run_steps(tmp_path, steps(2))
    assert done == ["a", "b", "c", "b", "c"]


def test_what_is_gone_is_made_again(tmp_path: Path) -> None:
    made = tmp_path / "made"
    first = Step("one", {}, lambda: made.write_text("x") and None, (made,))
    with pytest.raises(ZeroDivisionError):
        run_steps(tmp_path, [first, Step("two", {}, lambda: 1 / 0 and None)])
    made.unlink()
    assert list(run_steps(tmp_path, [first, Step("two", {}, lambda: None)])) == ["one", "two"]
    made.unlink()
    assert run_steps(tmp_path, [first, Step("two", {}, lambda: None)]) == {}, "once all is done it may be removed"


def test_file_key(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("one")
    before = file_key(file)
    file.write_text("two")
    assert file_key(file) != before
    with pytest.raises(InputError, match="no such file"):
        file_key(tmp_path / "none")
