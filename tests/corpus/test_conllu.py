"""CoNLL-U as universaldependencies.org/format.html has it: its own examples, round trips, and what is no CoNLL-U."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pentaglot.corpus import Sentence, read_conllu
from pentaglot.corpus.conllu import sentences_of_lines
from pentaglot.errors import InputError

from .annotated import sentences


def rows(*lines: str) -> list[str]:
    """Lines whose fields are written with spaces between them."""
    return [line if line.startswith("#") else "\t".join(line.split()) for line in lines]


def read(*lines: str) -> list[Sentence]:
    return [sentence for _, sentence in sentences_of_lines(rows(*lines), "a.conllu")]


# The examples of the standard: a multiword token, an empty node, comments.
VAMONOS = (
    "# sent_id = panc0.s4",
    "# text = vámonos al mar",
    "1-2 vámonos _ _ _ _ _ _ _ _",
    "1 vamos ir VERB _ _ 0 root _ _",
    "2 nos nosotros PRON _ _ 1 obj _ _",
    "3-4 al _ _ _ _ _ _ _ _",
    "3 a a ADP _ _ 5 case _ _",
    "4 el el DET _ _ 5 det _ _",
    "5 mar mar NOUN _ _ 1 obl _ SpaceAfter=No",
)
ELLIPSIS = (
    "1 Sue Sue _ _ _ _ _ _ _",
    "2 likes like _ _ _ _ _ _ _",
    "3 coffee coffee _ _ _ _ _ _ _",
    "4 and and _ _ _ _ _ _ _",
    "5 Bill Bill _ _ _ _ _ _ _",
    "5.1 likes like _ _ _ _ _ _ _",
    "6 tea tea _ _ _ _ _ _ _",
)


def test_words_of_one_token_share_its_place() -> None:
    [found] = read(*VAMONOS)
    assert found.words == ("vamos", "nos", "a", "el", "mar")
    assert found.line == "vámonos al mar"
    assert [found.line[begin:end] for begin, end in found.places] == ["vámonos", "vámonos", "al", "al", "mar"]
    assert found.layers["head"] == (0, 1, 5, 5, 1) and found.layers["lemma"][1] == "nosotros"
    assert list(found.layers) == ["lemma", "upos", "head", "deprel"] and found.metadata == {"id": "panc0.s4"}
    [untold] = read(*VAMONOS[2:])
    assert (untold.line, untold.places) == (found.line, found.places)


def test_empty_nodes_are_no_words() -> None:
    [found] = read(*ELLIPSIS)
    assert found.words == ("Sue", "likes", "coffee", "and", "Bill", "tea")
    assert list(found.layers) == ["lemma"]
    assert [each.words for each in read("0.1 e e _ _ _ _ _ _ _", "1 a a _ _ _ _ _ _ _")] == [("a",)]


def test_documents_and_paragraphs_go_on() -> None:
    word = "1 a a X _ _ 0 root _ _"
    found = read(
        "# newdoc id = d1", "# newpar id = p1", "# sent_id = 1", "# domain = law", word, "",
        "# sent_id=2", "# a comment", word, "",
        "# newpar", "# sent_id = 3", word, "", "",
        "# newdoc", word,
    )  # fmt: skip
    assert [dict(each.metadata) for each in found] == [
        {"document": "d1", "paragraph": "p1", "id": "1", "domain": "law"},
        {"document": "d1", "paragraph": "p1", "id": "2"},
        {"document": "d1", "id": "3"},
        {},
    ]


def test_spaces_are_as_the_tokens_say() -> None:
    [found] = read(
        "1 ( ( X _ _ 0 root _ A=b|SpaceAfter=No", "2 a a X _ _ 1 dep _ SpaceAfter=No", "3 ) ) X _ _ 1 dep _ _"
    )
    assert found.line == "(a)"
    # A text that is another one is not believed.
    [other] = read("# text = b", "1 a a X _ _ 0 root _ _")
    assert other.line == "a"


@pytest.mark.parametrize(
    ("lines", "number", "message"),
    [
        (["1 a a"], 1, "this line has 3 fields"),
        (["# x", "1 a a X _ _ 0 root _ _", "3 b b X _ _ 1 dep _ _"], 3, "word '3' where word 2 is due"),
        (["x a a X _ _ 0 root _ _"], 1, "word 'x' where word 1 is due"),
        (["1 a a X _ _ 2 root _ _"], 1, "the head '2' is not one of the 1 words"),
        (["1 a a X _ _ 0 root _ _", "2 b b X _ _ x dep _ _"], 2, "the head 'x'"),
        (["1 a a X _ _ 0 root _ _", "2 b b X _ _ _ _ _ _"], 2, "the head '_'"),
        (["# x", "1 a a X _ _ 2 root _ _", "2 b b X _ _ 1 dep _ _"], 2, "word 1 depends on itself"),
        (["1 a a X _ _ 0 root _ _", "# x"], 2, "a comment in the middle"),
        (["# x"], 1, "without words"),
        (["1-2 ab _ _ _ _ _ _ _ _", "1 a a X _ _ 0 root _ _"], 2, "the last token has words up to 2"),
        (["2-3 ab _ _ _ _ _ _ _ _"], 1, "the token 2-3 does not begin with word 1"),
        (["1-2 ab _ _ _ _ _ _ _ _", "1-2 ab _ _ _ _ _ _ _ _"], 2, "the token 1-2 does not begin"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(lines: list[str], number: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    good = rows("1 a a X _ _ 0 root _ _", "")
    path.write_text("\n".join([*good, *rows(*lines)]) + "\n")
    with pytest.raises(InputError, match=message) as caught:
        list(read_conllu(path))
    assert (caught.value.path, caught.value.line) == (path, number + 2)


def test_empty_fields_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.conllu"
    path.write_text("1\ta\t\tX\t_\t_\t0\troot\t_\t_\n")
    with pytest.raises(InputError, match="an empty field"):
        list(read_conllu(path))
    path.write_bytes(b"1\t\xff\n")
    with pytest.raises(InputError, match="not valid UTF-8"):
        list(read_conllu(path))


@given(st.lists(sentences(1), max_size=4))
def test_what_is_written_is_read_again(found: list[Sentence]) -> None:
    lines: list[str] = []
    for sentence in found:
        names = {"id": "sent_id"}
        lines += [
            f"# {names.get(name, name)} = {value}" for name, value in sentence.metadata.items() if name != "document"
        ]
        lines.insert(
            len(lines),
            f"# newdoc id = {sentence.metadata['document']}" if "document" in sentence.metadata else "# newdoc",
        )
        tags, heads = (sentence.layers.get(name, ["_"] * len(sentence)) for name in ("upos", "head"))
        for number, (word, tag, head) in enumerate(zip(sentence, tags, heads, strict=True), 1):
            lines.append("\t".join([str(number), word, "_", tag, "_", "_", str(head), "_", "_", "_"]))
        lines.append("")
    again = [each for _, each in sentences_of_lines(lines, "a")]
    for one, other in zip(found, again, strict=True):
        wanted = {name: values for name, values in one.layers.items() if name != "count"}
        if set(wanted.get("upos", ["_"])) == {"_"}:
            wanted.pop("upos", None)
        assert (other.words, other.layers, other.metadata) == (one.words, wanted, one.metadata)
