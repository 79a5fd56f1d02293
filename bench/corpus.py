"""The cost of reading, tokenising and encoding compared with tokenising alone, and of the corpus commands."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from bench.harness import Row, data, measure

NOTES = """
Text: the German and English training parts of all `*.de-en` folders. Both sides of the first comparison use pyonmttok's
conservative mode with joiners, 512 lines per call, one thread; ours also normalises, escapes, makes the
vocabulary and renumbers it by frequency. Whole processes are measured.
A ratio of 0.77 is 1.3 times the time of pyonmttok alone.
"""

FOLDERS = ("multi30k.de-en", "newstest.de-en", "tatoeba.de-en", "libreoffice.de-en")

_OURS = """
import sys
from pentaglot.corpus import Tokenizer, read_text
for path in sys.argv[1:]:
    read_text(path, tokenizer=Tokenizer("conservative"), threads=1)
"""

_THEIRS = """
import sys
import pyonmttok
from itertools import islice
tokenizer = pyonmttok.Tokenizer("conservative", joiner_annotate=True, no_substitution=True, allow_isolated_marks=True)
for path in sys.argv[1:]:
    with open(path, encoding="utf-8", newline="\\n") as lines:
        while batch := list(islice(lines, 512)):
            tokenizer.tokenize_batch(batch)
"""

_OPEN = """
import sys, time
from pentaglot.corpus import Bitext
bitext = Bitext.open(sys.argv[1])
assert len(bitext) > 0 and bitext.pair(len(bitext) - 1)
"""


def rows() -> list[Row]:
    """Measure everything that the available data allows."""
    files = {
        language: [path for folder in FOLDERS if (path := data(folder, f"train.{language}.gz"))]
        for language in ("de", "en")
    }
    if not all(files.values()):
        return []
    with tempfile.TemporaryDirectory() as folder:
        return _rows(Path(folder), files)


def _rows(folder: Path, files: dict[str, list[Path]]) -> list[Row]:
    from pentaglot.corpus import Tokenizer, read_bitext, read_lines

    plain = {language: folder / f"train.{language}" for language in files}
    for language, path in plain.items():
        with path.open("w", encoding="utf-8") as out:
            out.writelines(f"{line}\n" for source in files[language] for line in read_lines(source))
    source, target = map(str, plain.values())
    bitext = read_bitext(source, target, source_tokenizer=Tokenizer(), target_tokenizer=Tokenizer())
    bitext.save(folder / "bitext")
    python, pentaglot = [sys.executable, "-c"], [sys.executable, "-m", "pentaglot", "corpus"]
    costs = measure(
        {
            "ours": [*python, _OURS, source, target],
            "theirs": [*python, _THEIRS, source, target],
            "import": [*python, "from pentaglot.corpus import Bitext"],
            "their import": [*python, "import pyonmttok"],
            "open": [*python, _OPEN, str(folder / "bitext")],
            "check": [*pentaglot, "check", source, target],
            "prepare": [*pentaglot, "prepare", source, target, "-o", str(folder / "prepared"), "--threads", "1"],
        }
    )
    ours, theirs = costs["ours"].user, costs["theirs"].user
    ratio = theirs / ours
    work, their_work = ours - costs["import"].user, theirs - costs["their import"].user
    opening = costs["open"].wall - costs["import"].wall
    pairs = f"{len(bitext):,} pairs"
    return [
        Row(
            f"tokenise and encode {pairs}",
            f"{ours:.2f} s",
            "pyonmttok alone",
            f"{theirs:.2f} s",
            ratio,
            "at least 0.77x",
            ratio >= 1 / 1.3,
        ),
        Row(
            "the same, time to import the packages taken off",
            f"{work:.2f} s",
            "pyonmttok alone",
            f"{their_work:.2f} s",
            their_work / work,
            "(recorded)",
            True,
        ),
        Row(f"open a bitext of {pairs}", f"{opening:.2f} s", "", "", None, "well under 1 s", opening < 0.5),
        Row(
            f"corpus check, {pairs}",
            f"{costs['check'].user:.1f} s",
            "",
            "",
            None,
            "a few seconds",
            costs["check"].user < 5,
        ),
        Row(f"corpus prepare, {pairs}", f"{costs['prepare'].user:.1f} s", "", "", None, "(recorded)", True),
    ]
