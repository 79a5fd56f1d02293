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
    assert "no rule has this phrase" in pentaglot("rules", grown, "gar nichts davon").stdout
    done = pentaglot("rules", grown, "X")
    assert done.returncode == 2 and "there is no word to look for" in done.stderr
    done = pentaglot("rules", grown, "a", "--json", "--plain")
    assert done.returncode == 2 and "choose one of --json and --plain" in done.stderr
