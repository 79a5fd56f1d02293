"""Names in another script, as a user meets them: train, translate, explain, add."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Run
from tests.rules.test_letters import name, sounded

WORDS = {"και": "and", "ο": "the", "ειδε": "saw", "τον": "him", "ηρθε": "came", "προς": "to", "μας": "us"}
NEW = "Μαναθα"


def corpus(place: Path) -> None:
    """Sentences with names that are spelt as they sound, and with words that are not."""
    random, names = np.random.default_rng(2), set[str]()
    while len(names) < 160:
        names.add(name(random))
    lines = []
    for each in sorted(names - {NEW.lower()}):
        words = random.choice(list(WORDS), 4).tolist()
        source = f"{words[0]} {each.capitalize()} {words[1]} {words[2]}"
        target = f"{WORDS[words[0]]} {sounded(each).capitalize()} {WORDS[words[1]]} {WORDS[words[2]]}"
        lines.append((source, target))
    for side, language in enumerate(("el", "en")):
        (place / f"train.{language}").write_text("".join(f"{line[side]}\n" for line in lines), "utf-8")


@pytest.mark.parametrize("system", ["hiero", "phrase"])
def test_a_name_that_was_never_seen(pentaglot: Run, tmp_path: Path, system: str) -> None:
    corpus(tmp_path)
    done = pentaglot("train", "train.el", "train.en", "-o", "model", "--system", system, "--order", "3")
    assert done.returncode == 0, done.stderr
    line = f"και {NEW} ηρθε"
    translated = pentaglot("translate", "model", stdin=line).stdout.strip()
    assert translated.lower() == "and manatha came" and "Manatha" in translated
    assert NEW in pentaglot("translate", "model", "--fallbacks", "forms,lexicon", stdin=line).stdout
    told = " ".join(pentaglot("explain", "model", line, "--features").stdout.split())
    assert f"{NEW} → Manatha" in told and "guessed, letter by letter" in told
    assert "transliterated -2.30 = 1 × -2.3" in told
    record = json.loads(pentaglot("explain", "model", line, "--json").stdout)
    nodes = list(_nodes(record["derivations"][0]))
    assert [node["fallback"] for node in nodes if node["source"] == [NEW]] == ["letters"]
    # Fixed parts have target words of their own, which are not taken for spellings.
    marked = f'{NEW} <fix translation="St. John">και</fix> {NEW}'
    assert pentaglot("translate", "model", "--markup", stdin=marked).stdout.strip() == "Manatha St. John Manatha"
    added = pentaglot("add", "model", NEW, "Manna")
    assert added.returncode == 0, added.stderr
    assert "Manna" in pentaglot("translate", "model", stdin=line).stdout
    other = "και Μαναθε ηρθε"
    assert "Manathe" in pentaglot("translate", "model", "--fallbacks", "letters", stdin=other).stdout
    # A model from before there were letters is opened, and copies.
    shutil.rmtree(tmp_path / "model" / "letters")
    assert "Μαναθε" in pentaglot("translate", "model", "--fallbacks", "letters", stdin=other).stdout


def _nodes(node: dict[str, object]) -> list[dict[str, object]]:
    children = node["children"]
    assert isinstance(children, list)
    return [node, *(each for child in children for each in _nodes(child))]
