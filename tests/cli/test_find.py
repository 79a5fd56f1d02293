"""`pentaglot find` on a model; on an index it is tested with `pentaglot index`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_find_in_a_model(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, "Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.")
    shown = pentaglot("find", grown, "der X sieht die Katze").stdout
    assert "[der] Quastenflosser [sieht die Katze].\n" in shown
    assert "[the] coelacanth [sees the cat].\n" in shown
    everything = json.loads(pentaglot("find", grown, "der X sieht die Katze", "--json").stdout)
    assert everything["count"] == sum(each["count"] for each in everything["translations"])
    plain = pentaglot("find", grown, "Quastenflosser", "--plain").stdout
    assert plain == "coelacanth\tder [Quastenflosser] sieht die Katze.\tthe [coelacanth] sees the cat.\n"


def test_says_what_was_taken_freely(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, 'Ich habe "Star Wars" gesehen.', 'I have seen "Star Wars".')
    exact = pentaglot("find", grown, '"Star Wars" gesehen.').stdout.splitlines()
    assert exact[0] == "found once" and exact[1] == ""
    freely = pentaglot("find", grown, '" star wars " gesehen').stdout.splitlines()
    assert freely[:2] == ["found once", "(not just as it was written: with other spaces or capitals)"]
    assert json.loads(pentaglot("find", grown, '"star Wars"', "--json").stdout)["exact"] is False
    ways = pentaglot("rules", grown, '"', "--examples", "0").stdout
    assert '"   "￭   seen 1×' in ways and '"   ￭"   seen 1×' in ways


def test_bad_input(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    for arguments, message in (
        (["nowhere", "x"], "nowhere: there is no index here"),
        (["file", "x"], "file: is no index"),
        ([model, ""], "there is no word to look for"),
        ([model, "a X Y b"], "two gaps stand side by side"),
        ([model, "a", "--json", "--plain"], "choose one of --json and --plain"),
    ):
        done = pentaglot("find", *arguments)
        assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1
    assert pentaglot("find", model, "gibtesnicht").stdout == "found nothing\n"
