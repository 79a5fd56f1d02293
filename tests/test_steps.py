"""Steps are done once; a change, damage or a kill has them done again; a failure leaves what was there."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import numpy as np
import pytest

from pentaglot import placing, storage
from pentaglot._core import base
from pentaglot.errors import InputError, StorageError
from pentaglot.seals import file_key, seal
from pentaglot.steps import NOT_DONE, Place, Result, Step, beside, remove_scratch, scratch


def write(path: Path, text: str = "x") -> Step:
    """A step that writes a file."""
    return Step("write", lambda: path.write_text(text) and None, makes=(Result(path.name),))


def test_done_once(tmp_path: Path) -> None:
    place, step = Place(tmp_path), write(tmp_path / "made")
    assert place.trouble(step) == NOT_DONE
    place.do(step)
    assert place.trouble(step) == ""
    assert place.names() == ["write"]
    (tmp_path / "made").unlink()
    assert place.trouble(step) == "made is missing"


def test_what_a_step_depends_on(tmp_path: Path) -> None:
    place, one = Place(tmp_path), Step("one", options={"n": 1})
    first = Step("two", options={"many": {"of": 1, "on": True}}, files={"text": "a"}, needs=(one,))
    place.finish(first)
    for step, reason in (
        (Step("two", options={"many": {"of": 1, "on": True}}, files={"text": "a"}, needs=(one,)), ""),
        (
            Step("two", options={"many": {"of": 2, "on": False}}, files={"text": "a"}, needs=(one,)),
            "of of many changed from 1 to 2, on of many changed from on to off",
        ),
        (Step("two", options=first.options, files={"text": "b"}, needs=(one,)), "the text changed"),
        (Step("two", options=first.options, files={"text": "a", "more": "c"}, needs=(one,)), "the more changed"),
        (
            Step("two", options=first.options, files={"text": "a"}, needs=(Step("one", options={"n": 2}),)),
            "one changed",
        ),
        (Step("two", options=first.options, files={"text": "a"}), "one changed"),
        (
            Step("two", options={"many": None, "a": [1, 2], "b": "x", "c": []}, files={"text": "b"}, needs=(one,)),
            "the text changed, a changed from none to 1, 2, b changed from none to x, and 3 more",
        ),
    ):
        assert place.trouble(step) == reason
    assert place.trouble(Step("other", options=first.options, files=first.files, needs=(one,))) == NOT_DONE


def test_a_kill_in_the_middle(tmp_path: Path) -> None:
    """The mark of an earlier run does not count from the moment on that a step begins."""
    place, step = Place(tmp_path), write(tmp_path / "made")
    place.do(step)
    place.begin("write")
    assert place.trouble(step) == "it was stopped before it was done"
    assert place.facts(step) == {}
    place.do(step)
    assert place.trouble(step) == ""


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_a_failure(tmp_path: Path, error: type[BaseException]) -> None:
    place, made = Place(tmp_path), tmp_path / "made"
    step = write(made)
    place.do(step)

    def fail(text: str) -> None:
        if text:
            made.write_text(text)
        raise error

    for text, trouble in (("", ""), ("x", ""), ("half", "it was stopped before it was done")):
        with pytest.raises(error):
            place.do(Step("write", lambda text=text: fail(text), {"n": 2}, makes=step.makes))  # type: ignore[misc]
        assert place.trouble(step) == trouble, "what is as it was is as good as it was"


def test_damaged_marks_do_not_count(tmp_path: Path) -> None:
    place, step = Place(tmp_path), Step("one", lambda: {"found": 12})
    place.do(step)
    assert place.facts(step) == {"found": 12}
    mark = tmp_path / "one.done"
    good = mark.read_bytes()
    signed = [json.dumps(each) for each in ([], {}, {"key": 1, "begun": False, "inputs": {}, "makes": []})]
    signed.append(json.dumps(json.loads(good.partition(b"\n")[2]) | {"makes": {"../victim": "x"}}))
    for bad in (
        *(f"{base.checksum(each.encode()):016x}\n{each}".encode() for each in signed),
        b"",
        b"{}",
        b"\xff\xfe",
        good[:-1],
        good + b" ",
        good.replace(b"12", b"13"),
    ):
        mark.write_bytes(bad)
        assert place.trouble(step) == NOT_DONE
        assert place.record("one") is None


def test_seals_of_directories(tmp_path: Path) -> None:
    def store(value: int) -> None:
        with storage.create(tmp_path / "made", kind="numbers", version=7) as new:
            new.add("numbers", np.arange(5) + value)
            with storage.create(new.path / "inner", kind="more", version=1) as inner:
                inner.add("numbers", np.arange(9) * value)

    store(1)
    before = seal(tmp_path / "made")
    store(1)
    assert seal(tmp_path / "made") == before
    store(2)
    assert seal(tmp_path / "made") != before
    store(1)
    left = tmp_path / "made" / ".inner.1234.tmp"
    left.mkdir()
    (left / "contents.toml").write_text("half")
    assert seal(tmp_path / "made") == before, "what a kill left behind does not matter"
    file = tmp_path / "made" / "inner" / "numbers.npy"
    file.write_bytes(file.read_bytes()[:-1] + b"\x07")
    with pytest.raises(StorageError, match="altered"):
        seal(tmp_path / "made")
    (tmp_path / "other").mkdir()
    with pytest.raises(StorageError, match="did not write"):
        seal(tmp_path / "other")


def test_file_key(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_text("one")
    before = file_key(file)
    file.write_text("two")
    assert file_key(file) != before
    with pytest.raises(InputError, match="no such file"):
        file_key(tmp_path / "none")
    with pytest.raises(InputError, match="is a directory"):
        file_key(tmp_path)


def test_scratch_belongs_to_one_job(tmp_path: Path) -> None:
    work = beside(tmp_path / "table")
    assert work == tmp_path / ".table.work"
    one, two = Step("job", options={"n": 1}), Step("job", options={"n": 2})
    for job, kept in ((one, False), (one, True), (two, False), (two, True), (one, False)):
        place = scratch(work, job)
        assert place.path("piece").exists() == (work / "pieces").exists() == kept
        place.path("piece").write_text("x")
        (work / "pieces").mkdir(exist_ok=True)
    Place(work).begin("job")
    assert not scratch(work, one).path("piece").exists(), "it was stopped while it was emptied"


def test_scratch_after_a_kill_at_any_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a half-written mark nor a removal that was cut short makes a place look like somebody else's."""
    work, one, two = tmp_path / "work", Step("job", options={"n": 1}), Step("job", options={"n": 2})
    work.mkdir()
    (work / ".job.done.1a2b3c4d.tmp").write_text("half a m")
    scratch(work, one)
    assert [each.name for each in work.iterdir()] == ["job.done"]

    def filled() -> None:
        place = scratch(work, one)
        for number in range(5):
            (work / f"round-{number}").mkdir()
            place.finish(Step(f"round-{number}"))

    removed = placing.remove
    for left in range(12):

        def until_killed(path: Path, left: list[int] = [left]) -> None:  # noqa: B006
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            removed(path)

        filled()
        monkeypatch.setattr(placing, "remove", until_killed)
        with contextlib.suppress(KeyboardInterrupt):
            remove_scratch(work, "job")
        monkeypatch.undo()
        assert work.exists() == (left < 11)
        scratch(work, two)
        assert [each.name for each in work.iterdir()] == ["job.done"]
    (tmp_path / "link").symlink_to(work)
    remove_scratch(tmp_path / "link", "job")
    assert (tmp_path / "link").is_symlink() and (work / "job.done").exists()


def test_scratch_removes_nothing_of_others(tmp_path: Path) -> None:
    victim = tmp_path / "thesis"
    victim.mkdir()
    (victim / "chapter").write_text("x")
    (tmp_path / "link").symlink_to(victim)
    for place, problem in ((victim, "other things in it"), (tmp_path / "link", "symbolic link")):
        with pytest.raises(StorageError, match=problem):
            scratch(place, Step("job"))
    (victim / "chapter").unlink()
    with pytest.raises(StorageError, match="symbolic link"):
        scratch(tmp_path / "link", Step("job"))
    assert list(victim.iterdir()) == []
