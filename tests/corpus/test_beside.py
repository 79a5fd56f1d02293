"""Files beside a text: what they add to its words and lines, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pentaglot.corpus import Beside, Tokenizer, read_bitext, read_sentences
from pentaglot.errors import InputError, PentaglotError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "a.de": "Das Haus, das\nEin Baum\n",
        "a.en": "The house, that\nA tree\n",
        "tags": "DET NOUN PRON\nDET NOUN\n",
        "heads": "2 0 2\n_ 1\n",
        "domains": "law\n\n",
        "a.conllu": "# sent_id = s1\n1\tDas\tder\tDET\t_\t_\t2\tdet\t_\t_\n"
        "2\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
        "3\t,\t,\tPUNCT\t_\t_\t2\tpunct\t_\t_\n4\tdas\tder\tPRON\t_\t_\t2\tdep\t_\t_\n\n"
        "1\tEin\tein\tDET\t_\t_\t2\tdet\t_\t_\n2\tBaum\tBaum\tNOUN\t_\t_\t0\troot\t_\t_\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_values_go_to_words_between_spaces(folder: Path) -> None:
    layers = {"upos": folder / "tags", "head": folder / "heads"}
    found = list(read_sentences(folder / "a.de", layers, {"domain": folder / "domains"}, "other"))
    assert [line for line, _ in found] == [1, 2]
    assert found[0].sentence.layers == {"upos": ("DET", "NOUN", "PRON"), "head": (2, 0, 2)}
    assert found[0].sentence.line == "Das Haus, das" and found[1].sentence.layers["head"] == (0, 1)
    assert [dict(each.metadata) for _, each in found] == [{"domain": "law"}, {"domain": "other"}]


@pytest.mark.parametrize("source", ["a.de", "a.conllu"])
@pytest.mark.parametrize("mode", ["none", "conservative", "characters"])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_bitext_is_annotated_whichever_tokenizer_made_it(folder: Path, source: str, mode: str, threads: int) -> None:
    tokenizer = Tokenizer(mode)
    work = {"source_tokenizer": tokenizer, "target_tokenizer": tokenizer, "threads": threads}
    bitext = read_bitext(folder / source, folder / "a.en", keep_lines=True, **work)  # type: ignore[arg-type]
    beside = Beside(target_layers={"upos": folder / "tags"}, domain="law")
    if source == "a.de":
        beside = Beside({"upos": folder / "tags", "head": folder / "heads"}, beside.target_layers, domain="law")
    found = beside.annotation(bitext, (folder / source, folder / "a.en"))
    assert found.layers("target")["upos"].spelt(0, 1) == ["DET"]
    for number in range(2):
        sentence = type(bitext)(*_texts(bitext), annotation=found).sentence(number, "source")
        assert sentence.metadata["domain"] == "law" and sentence.layers["upos"][0] == "DET"
    sentence = type(bitext)(*_texts(bitext), annotation=found).sentence(0, "source")
    if mode == "conservative":
        assert sentence.words == ("Das", "Haus", "￭,", "das")
        assert sentence.layers["upos"] == ("DET", "NOUN", "NOUN" if source == "a.de" else "PUNCT", "PRON")
        assert sentence.layers["head"] == (2, 0, 2, 2)
    if mode == "none":
        assert len(sentence) == (3 if source == "a.de" else 4)
    # The lines that a bitext keeps are as good as the file.
    if source == "a.de":
        again = beside.annotation(bitext, (None, None))
        assert [(group, name) for group, name, _ in again.groups()] == [
            (group, name) for group, name, _ in found.groups()
        ]
        for (_, _, one), (_, _, other) in zip(again.groups(), found.groups(), strict=True):
            assert one.values.tolist() == other.values.tolist()


def _texts(bitext):  # type: ignore[no-untyped-def]
    return bitext.source, bitext.target, bitext.source_vocabulary, bitext.target_vocabulary


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("DET NOUN\nDET NOUN\n", 1, "the layer 'upos' has 2 values for 3 words"),
        ("DET NOUN PRON\nDET\n", 2, "the layer 'upos' has 1 values for 2 words"),
        ("DET NOUN PRON\n", None, "ends after 1 line, but .*a.de goes on"),
        ("DET NOUN PRON\nDET NOUN\nX\n", None, "goes on after 2 lines, where .*a.de ends"),
    ],
)
def test_bad_values_are_named(folder: Path, text: str, line: int | None, message: str) -> None:
    (folder / "bad").write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        list(read_sentences(folder / "a.de", {"upos": folder / "bad"}))
    assert (caught.value.path, caught.value.line) == (folder / "bad", line)


@pytest.mark.parametrize(
    ("heads", "message"), [("2 1 0", "depends on itself"), ("9 0 0", "is 9"), ("x 0 0", "not a number")]
)
def test_bad_heads_are_named(folder: Path, heads: str, message: str) -> None:
    (folder / "bad").write_text(f"{heads}\n0 0\n")
    with pytest.raises(InputError, match=message) as caught:
        list(read_sentences(folder / "a.de", {"head": folder / "bad"}))
    assert (caught.value.path, caught.value.line) == (folder / "bad", 1)


def test_other_texts_are_refused(folder: Path) -> None:
    work = {"source_tokenizer": Tokenizer(), "target_tokenizer": Tokenizer()}
    bitext = read_bitext(folder / "a.de", folder / "a.en", **work)
    (folder / "other").write_text("Der Hund, das\nEin Baum\n")
    with pytest.raises(InputError, match=r"other:1: the words of this line cannot be found"):
        Beside(domain="x").annotation(bitext, (folder / "other", folder / "a.en"))
    (folder / "short").write_text("Das Haus, das\n")
    with pytest.raises(InputError, match="no longer has the 2 sentences"):
        Beside(domain="x").annotation(bitext, (folder / "short", folder / "a.en"))
    with pytest.raises(PentaglotError, match="cannot be called 'a b'"):
        Beside({"a b": folder / "tags"})
