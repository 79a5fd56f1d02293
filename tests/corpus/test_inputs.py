"""Which files belong together, and what their names say."""

from __future__ import annotations

import pytest

from pentaglot.corpus.inputs import group_inputs, languages_of
from pentaglot.corpus.pairs import read_pairs, write_pairs
from pentaglot.errors import OptionError


def test_which_files_belong_together() -> None:
    assert group_inputs(["a.de.gz", "a.en.gz", "b.tsv.zst", "c.txt"]) == [
        ("a.de.gz", "a.en.gz"),
        ("b.tsv.zst",),
        ("c.txt",),
    ]
    with pytest.raises(OptionError, match=r"a\.de has no partner: the next file, b\.tmx"):
        group_inputs(["a.de", "b.tmx"])
    for paths in ([], ["a", "b", "c"]):
        with pytest.raises(OptionError, match="one file or two"):
            read_pairs(paths)
        with pytest.raises(OptionError, match="one file or two"):
            write_pairs(paths, [])


@pytest.mark.parametrize(
    ("paths", "languages"),
    [
        (["x.de", "x.en"], ("de", "en")),
        (["x.pt-br.gz", "x.zh_tw.zst"], ("pt-br", "zh_tw")),
        (["x.txt", "y.txt"], None),
        (["x", "y"], None),
        (["x.1", "x.2"], None),
        (["x.tmx"], None),
    ],
)
def test_languages_from_names(paths: list[str], languages: tuple[str, str] | None) -> None:
    assert languages_of(paths) == languages
