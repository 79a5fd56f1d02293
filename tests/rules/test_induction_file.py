"""Saved inductions: opened as they were, and refused with file and line if they are damaged."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from pentaglot.corpus import encode
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace
from pentaglot.rules import Induction, open_induction, save_induction
from pentaglot.rules.binning import Bins
from pentaglot.rules.features import feature_space
from pentaglot.rules.induced import BinnedQuantity, ConjoinedQuantities, FittedDomains, WordClassMaps, WordFeatures
from pentaglot.rules.operators import ConjoinBins, CutIntoBins, Domains, TargetNgrams, WholeRules, WordPairs
from pentaglot.rules.quantities import quantity_named

BINS = Bins((-2.5, -1.0, 0.0), (-2.0, -0.5, 0.0), (-2.25, -0.75, 0.0), (5, 6, 7))
COUNTS = Bins((1.0, 3.0), (2.0, 9.0), (1.5, 4.0), (10, 20))


def example() -> Induction:
    binned = (BinnedQuantity(quantity_named("coherent"), BINS), BinnedQuantity(quantity_named("pair_count"), COUNTS))
    worded = (
        WordFeatures(WordPairs(), ("das>the", "a\\>b>c d", "100%>\\[1]")),
        WordFeatures(WholeRules(), ("das>[1]>>the>[1]", "ja>")),
        WordFeatures(TargetNgrams(order=3, across=True, classes=2), ("1>2", "<s\\>>1>1")),
    )
    made = Induction(
        (
            CutIntoBins(),
            ConjoinBins(),
            WordPairs(),
            WholeRules(),
            TargetNgrams(order=3, across=True, classes=2),
            Domains(),
        ),
        binned,
        (ConjoinedQuantities((0, 1), np.array([[0, 0], [2, 1]], np.uint32)),),
        worded,
        FittedDomains("domain", ("law", "news/sport"), ("language_model", "words")),
        {2: WordClassMaps({"das": 1, "a b": 2}, {"the": 2})},
    )
    made.check()
    return made


def facts(induction: Induction) -> tuple[object, ...]:
    return (
        induction.operators,
        induction.binned,
        [(each.sets, each.bins.tolist()) for each in induction.conjoined],
        [(each.operator, each.words) for each in induction.worded],
        induction.domains,
        {size: (dict(maps.source), dict(maps.target)) for size, maps in induction.classes.items()},
    )


def test_opened_as_it_was_saved(tmp_path: Path) -> None:
    save_induction(example(), tmp_path / "one")
    opened = open_induction(tmp_path / "one")
    assert facts(opened) == facts(example())
    assert list(opened.names()) == list(example().names())
    save_induction(opened, tmp_path / "two")
    for file in (tmp_path / "one").iterdir():
        assert (tmp_path / "two" / file.name).read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("operators.toml", "format = 1", "format = 7", "format 7"),
        ("operators.toml", 'operator = "pairs"', 'operator = "pears"', "no operator 'pears'"),
        ("operators.toml", 'quantity = "coherent"', 'quantity = "distortion"', "looks across rules"),
        ("operators.toml", "-1.0,", "-3.0,", "must rise"),
        ("operators.toml", "-1.0,", "nan,", "not a usable number"),
        ("operators.toml", 'kind = "apart"', 'kind = "odd"', "'kind' cannot be 'odd'"),
        ("operators.toml", '"pair_count",\n', '"words",\n', "not cut into bins"),
        ("operators.toml", 'metadata = "domain"', "metadata = 3", "'metadata' is not a name"),
        ("conjoined-1.txt", "2 1", "2 2", "a bin is conjoined that does not exist"),
        ("conjoined-1.txt", "2 1", "0 0", "same bins twice"),
        ("conjoined-1.txt", "2 1", "2 -1", "conjoined-1.txt:2"),
        ("pair.txt", "das>the\n", "das>the>x\n", "pair.txt:1"),
        ("pair.txt", "das>the\n", "das\n", "pair.txt:1"),
        ("pair.txt", "das>the\n", "das>the\ndas>the\n", "pair.txt:2"),
        ("pair.txt", "%20", "%z", "pair.txt:2"),
        ("pair.txt", "das>the\n", "das>the\\\n", "pair.txt:1"),
        ("rule.txt", "ja>", "ja", "rule.txt:2"),
        ("ngram(2).txt", "1>2", "1>x", "is not the number of a class"),
        ("classes-2.source.txt", "das 1", "das 3", "classes-2.source.txt:1"),
    ],
)
def test_damage_is_named(tmp_path: Path, file: str, old: str, new: str, message: str) -> None:
    save_induction(example(), tmp_path / "one")
    place = tmp_path / "one" / file
    text = place.read_text("utf-8")
    assert old in text
    place.write_text(text.replace(old, new, 1), "utf-8")
    vocabularies = encode([["das", "a"]])[1], encode([["the"]])[1]
    with pytest.raises(PentaglotError) as error:
        opened = open_induction(tmp_path / "one")
        space = FeatureSpace()
        opened.compiled(space, opened.ids(space), vocabularies)
    assert message in str(error.value)


def test_missing_files_and_links(tmp_path: Path) -> None:
    save_induction(example(), tmp_path / "one")
    (tmp_path / "one" / "rule.txt").unlink()
    with pytest.raises(PentaglotError, match=r"rule\.txt"):
        open_induction(tmp_path / "one")
    (tmp_path / "one" / "rule.txt").symlink_to("/etc/passwd")
    with pytest.raises(PentaglotError, match="symbolic link"):
        open_induction(tmp_path / "one")


def test_hostile_bytes(tmp_path: Path) -> None:
    """Whatever is changed, there is a good induction or one clear error, and never anything else."""
    draw = random.Random(7)
    save_induction(example(), tmp_path / "one")
    files = {file: file.read_bytes() for file in sorted((tmp_path / "one").iterdir())}
    vocabularies = encode([["das", "a"]])[1], encode([["the"]])[1]
    refused, said = 0, list[str]()
    for _ in range(400):
        file = draw.choice(list(files))
        data = bytearray(files[file])
        for _ in range(draw.randint(1, 4)):
            at = draw.randrange(len(data))
            choice = draw.randrange(3)
            if choice == 0:
                data[at] = draw.randrange(256)
            elif choice == 1:
                del data[at : at + draw.randint(1, 9)]
            else:
                data[at:at] = draw.choice([b"[[", b"\xff", b"999999999999", b"-", b">", b"\\", b"\n", b"%zz", b"\0"])
            if not data:
                data = bytearray(b"\n")
        file.write_bytes(bytes(data))
        try:
            opened = open_induction(tmp_path / "one")
            space = FeatureSpace()
            opened.compiled(space, opened.ids(space), vocabularies)
        except PentaglotError as error:
            refused += 1
            said.append(error.message)
        file.write_bytes(files[file])
    assert refused > 100 and all(message and "\n" not in message for message in said)


def test_structure_for_penalties() -> None:
    induction = example()
    space = FeatureSpace(["language_model", "words"])
    induction.ids(space)
    structure = induction.structure(space)
    names = structure.names
    triples = [tuple(names[each] for each in row) for row in structure.neighbours.tolist()]
    assert ("coherent=..0.37", "coherent=0.37..1", "coherent=1..") in triples and len(triples) == 1
    orders = dict(zip(names, structure.orders.tolist(), strict=True))
    assert orders["pair=das>the"] == 2 and orders["rule=das>[1]>>the>[1]"] == 4 and orders["ngram(2)=<s\\>>1>1"] == 3
    assert orders["domain=law^words"] == 2 and orders["coherent=..0.37^pair_count=1-2"] == 2
    groups = {name: [names[each] for each in ids.tolist()] for name, ids in structure.groups.items()}
    assert groups["pair_count"] == ["pair_count=1-2", "pair_count=3+"] and len(groups["pair"]) == 3
    assert "domain=law^words" in groups["domain=law"]
    assert len(groups["rules"]) == 2
    every = [each for ids in structure.groups.values() for each in ids.tolist()]
    assert len(set(every)) == len(every)
    some = structure.over(["words", "coherent=1..", "coherent=..0.37", "coherent=0.37..1", "pair=das>the"])
    assert some.neighbours.tolist() == [[2, 3, 1]] and some.orders.tolist() == [1, 1, 1, 1, 2]


def test_no_operator_takes_the_group_of_other_features() -> None:
    """`rule` are the features that every rule has; those of whole rules are `rules`."""
    space = feature_space()
    before = {name: ids.tolist() for name, ids in space.groups().items()}
    named = {WholeRules: ("das>>the",), WordPairs: ("das>the",)}
    worded = tuple(WordFeatures(kind(classes=size), words) for kind, words in named.items() for size in (0, 2))
    induction = Induction((), worded=worded)
    induction.ids(space)
    groups = {name: ids.tolist() for name, ids in induction.structure(space).groups.items()}
    assert {name: groups[name] for name in before} == before
    assert set(groups) - set(before) == {"rules", "rules(2)", "pair", "pair(2)"}


def test_names_that_hold_the_signs_of_names() -> None:
    """`a b`, `b a`, `a a`, and one word on both sides are different features."""
    pairs = WordFeatures(WordPairs(), ("a>b", "b>a", "a>a", "a\\>b>c", "a>b\\>c"))
    rules = WordFeatures(WholeRules(), ("a>>a", "a>a>", "\\[1]>>a", "[1]>a>>a>[1]"))
    space = FeatureSpace()
    Induction((), (), (), (pairs, rules)).ids(space)
    assert len(space) == 9
