"""`pentaglot rules`: what a model knows about a phrase."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_rules_of_a_model(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, "Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.")
    shown = pentaglot("rules", grown, "die Katze").stdout
    assert "die Katze   seen" in shown and "the cat" in shown and "[die Katze]" in shown
    first = json.loads(pentaglot("rules", grown, "Quastenflosser", "--json").stdout.splitlines()[0])
    assert first["target"] == ["coelacanth"] and first["examples"][0]["corpus"] == "added"
    plain = pentaglot("rules", grown, "Quastenflosser", "--plain").stdout
    assert plain.startswith("Quastenflosser\tcoelacanth\t1\t") and "translation" not in plain.split("\t")[0]
    assert "X1" in pentaglot("rules", grown, "der Lehrer sieht", "--gaps", "--features").stdout
    assert pentaglot("rules", grown, "gar nichts davon").stdout.splitlines() == [
        "gar nichts davon   not in the training text, and no rule has it as its source side",
        "see --parts for the rules of its parts",
    ]
    done = pentaglot("rules", grown, "X")
    assert done.returncode == 2 and "there is no word to look for" in done.stderr
    done = pentaglot("rules", grown, "a", "--json", "--plain")
    assert done.returncode == 2 and "choose one of --json and --plain" in done.stderr


def test_words_that_were_seen_in_vain(pentaglot: Run, grown: Path) -> None:
    for words in ("Quark hier so", "dort Quark so"):
        pentaglot("index", "add", grown, words, "here so", "--links", "2-1")
    pentaglot("index", "add", grown, "Alpha Quark", "all", "--links", "0-0 1-0")
    shown = pentaglot("rules", grown, "Quark").stdout.splitlines()
    assert shown[:3] == [
        "Quark   seen 3×, but no rule can be made from it:",
        "  in 2 places it is not linked to any word of the translation",
        "  in 1 place the words it is linked to are also linked to other words",
    ]
    assert shown[-1].split() == ["0", "-2.30", "Quark", "unknown"]
    shown = pentaglot("rules", grown, "Quark hier").stdout.splitlines()
    assert shown[0] == "Quark hier   seen 1×, but no rule can be made from it:" and "--parts" in shown[-1]


def test_text_without_spaces_is_shown_whole(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, "Quastenflosser" * 9, "coelacanth" * 9)
    shown = "".join(pentaglot("rules", grown, "Quastenflosser" * 9).stdout.split())
    assert f"[{'Quastenflosser' * 9}][{'coelacanth' * 9}]" in shown
