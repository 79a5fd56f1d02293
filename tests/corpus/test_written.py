"""The lines of a bitext are read and stored with its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.corpus import Bitext, Tokenizer, Written, read_bitext
from pentaglot.errors import PentaglotError, StorageError


def test_lines_are_read_and_stored_with_their_words(tmp_path: Path) -> None:
    sides = {"de": ["Das Haus.", "", "  EIN »Buch« "], "en": ["The house.", "x", "A\tbook\r"]}
    for language, lines in sides.items():
        (tmp_path / f"t.{language}").write_bytes("\n".join(lines).encode())
    expected = [("Das Haus.", "The house."), ("", "x"), ("  EIN »Buch« ", "A\tbook")]
    for tokenizer in (
        Tokenizer("none"),
        Tokenizer(casing="lowercase"),
        Tokenizer(casing="truecase").train(["Ein Haus"]),
    ):
        for threads in (1, 2):
            files = tmp_path / "t.de", tmp_path / "t.en"
            both = {"source_tokenizer": tokenizer, "target_tokenizer": tokenizer, "threads": threads}
            bitext = read_bitext(*files, keep_lines=True, **both)  # type: ignore[arg-type]
            bitext.save(tmp_path / "bitext")
            for each in (bitext, Bitext.open(tmp_path / "bitext")):
                assert each.written is not None and each.written.files == ("t.de", "t.en")
                assert [each.written.pair(number) for number in range(3)] == expected
            assert read_bitext(*files, **both).written is None  # type: ignore[arg-type]


def test_lines_of_another_text_are_refused(tmp_path: Path) -> None:
    bitext = Bitext.from_sentences([["a"], ["b"]], [["c"], ["d"]])
    with pytest.raises(PentaglotError, match="1 line for 2"):
        Bitext(bitext.source, bitext.target, bitext.source_vocabulary, bitext.target_vocabulary, Written(["A"], ["C"]))
    bitext.save(tmp_path / "bitext")
    Written(["A"], ["C"]).save(tmp_path / "bitext" / "written")
    with pytest.raises(StorageError, match="written: is damaged: these are not the lines of this text"):
        Bitext.open(tmp_path / "bitext")
