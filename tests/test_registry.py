"""Things by name: our own, and those of other packages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.packages import install

from pentaglot.errors import OptionError, PentaglotError
from pentaglot.registry import Registry

GROUP = "pentaglot.greetings"


def greetings() -> Registry[str]:
    return Registry(
        GROUP, "greeting", {"hello": "Hello!"}, fits=lambda name, loaded: isinstance(loaded, str), wanted="a greeting"
    )


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_our_own_come_first_and_cannot_be_taken(site: Path) -> None:
    texts = "HI = 'Hi!'\nOTHER = 'Not hello!'\n"
    install(site, "polite", {"hi": "polite:HI", "hello": "polite:OTHER"}, group=GROUP, polite=texts)
    found = greetings()
    assert found.names() == ("hello", "hi") and "hi" in found and "bye" not in found
    assert found.find("hello") == "Hello!" and found.find("hi") == "Hi!"


def test_nothing_is_imported_before_it_is_asked_for(site: Path) -> None:
    install(site, "broken", {"hi": "broken:HI"}, group=GROUP, broken="raise RuntimeError('odd')\n")
    assert greetings().names() == ("hello", "hi")
    with pytest.raises(PentaglotError, match="the greeting 'hi' of broken cannot be loaded: odd"):
        greetings().find("hi")


def test_what_does_not_fit_is_refused(site: Path) -> None:
    install(site, "number", {"one": "number:ONE"}, group=GROUP, number="ONE = 1\n")
    with pytest.raises(PentaglotError, match="the greeting 'one' of number is not a greeting; look at 'number:ONE'"):
        greetings().find("one")


def test_two_packages_with_one_name(site: Path) -> None:
    for package in ("first", "second"):
        install(site, package, {"hi": f"{package}:HI"}, group=GROUP, **{package: "HI = 'Hi!'\n"})
    with pytest.raises(PentaglotError, match="first and second both have a greeting 'hi'"):
        greetings().find("hi")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(OptionError, match="there is no greeting 'helo'; did you mean 'hello'"):
        greetings().find("helo")
