"""`pentaglot find` on a model; on an index it is tested with `pentaglot index`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Run


def test_find_in_a_model(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, "Der Quastenflosser sieht die Katze.", "The coelacanth sees the cat.")
    shown = pentaglot("find", grown, "der X sieht die Katze").stdout
    assert "[Der] Quastenflosser [sieht die Katze].\n" in shown
    assert "[The] coelacanth [sees the cat].\n" in shown
    everything = json.loads(pentaglot("find", grown, "der X sieht die Katze", "--json").stdout)
    assert everything["count"] == sum(each["count"] for each in everything["translations"])
    plain = pentaglot("find", grown, "Quastenflosser", "--plain").stdout
    assert plain == "coelacanth\tDer [Quastenflosser] sieht die Katze.\tThe [coelacanth] sees the cat.\t\n"


def test_what_people_wrote_is_shown_as_they_wrote_it(pentaglot: Run, tmp_path: Path) -> None:
    """In lower case for the model, in its own capitals for people: training text, further corpora, added and folded
    pairs; with file and line where there are some."""
    source = [f"Der  Mann »{word}« SIEHT uns." for word in ("Meier", "Schulz", "Ilves")] * 4
    target = [f"The man “{word}” SEES us." for word in ("Meier", "Schulz", "Ilves")] * 4
    for name, lines in (
        ("t.de", source),
        ("t.en", target),
        ("n.de", ["Die FRAU ruft."]),
        ("n.en", ["The WOMAN calls."]),
    ):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    made = pentaglot("train", "t.de", "t.en", "-o", "m", "--casing", "lowercase", "--corpus", "news=n.de,n.en")
    assert made.returncode == 0, made.stderr
    pentaglot("add", "m", "Der HUND bellt.", "The DOG barks.")
    shown = pentaglot("find", "m", "ilves", "--examples", "1").stdout
    assert "        Der  Mann »[Ilves]« SIEHT uns.\n        The man “[Ilves]” SEES us.  (line 3 of t.de)\n" in shown
    assert "[FRAU] ruft." in pentaglot("find", "m", "frau").stdout
    assert "(line 1 of n.de)" in pentaglot("find", "m", "frau").stdout
    assert "Mann »[Meier]« SIEHT" in pentaglot("rules", "m", "meier").stdout
    told = pentaglot("rules", "m", "die frau ruft.").stdout
    assert "[Die FRAU ruft.]" in told and "[The WOMAN calls.]  (line 1 of n.de, news)" in told
    assert "[Der HUND bellt.]" in (told := pentaglot("explain", "m", "der Hund bellt.").stdout) and "pair 1" in told
    assert pentaglot("add", "m", "--list").stdout == "1\t1\tDer HUND bellt.\tThe DOG barks.\n"
    page = pentaglot("explain", "m", "meier", "--html", "-").stdout
    assert "Der  Mann »<mark>Meier</mark>« SIEHT uns." in page and "of t.de" in page
    assert pentaglot("index", "merge", "m").returncode == 0
    assert pentaglot("find", "m", "hund", "--plain").stdout == "dog\tDer [HUND] bellt.\tThe [DOG] barks.\t\n"
    assert "m/index/text/written" in _damaged(tmp_path / "m/index/text/written/source_packed.npy", pentaglot)


def _damaged(file: Path, pentaglot: Run) -> str:
    data = bytearray(file.read_bytes())
    data[-9] ^= 255
    file.write_bytes(data)
    done = pentaglot("find", "m", "hund")
    assert done.returncode == 2
    return done.stderr


def test_says_what_was_taken_freely(pentaglot: Run, grown: Path) -> None:
    pentaglot("add", grown, 'Ich habe "Star Wars" gesehen.', 'I have seen "Star Wars".')
    exact = pentaglot("find", grown, '"Star Wars" gesehen.').stdout.splitlines()
    assert exact[0] == "found once" and exact[1] == ""
    freely = pentaglot("find", grown, '" star wars " gesehen').stdout.splitlines()
    assert freely[:2] == ["found once", "(not exactly as written: with other spaces or capitals)"]
    assert json.loads(pentaglot("find", grown, '"star Wars"', "--json").stdout)["exact"] is False
    ways = pentaglot("rules", grown, '"', "--examples", "0").stdout
    assert '"   "￭   seen 1×' in ways and '"   ￭"   seen 1×' in ways


def test_bad_input(pentaglot: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    for arguments, message in (
        (["nowhere", "x"], "nowhere: there is no index here"),
        (["file", "x"], "file: holds no index"),
        ([model, ""], "there is no word to look for"),
        ([model, "a X Y b"], "two gaps stand side by side"),
        ([model, "a", "--json", "--plain"], "choose one of --json and --plain"),
    ):
        done = pentaglot("find", *arguments)
        assert done.returncode == 2 and message in done.stderr and len(done.stderr.splitlines()) == 1
    assert pentaglot("find", model, "gibtesnicht").stdout == "found nothing\n"
