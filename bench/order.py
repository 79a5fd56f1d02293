"""Word order: the cost of a reordering grammar and of reordering new text, and its distance from manual links."""

from __future__ import annotations

import gzip
import random
import statistics
import sys
import tempfile
from itertools import islice
from pathlib import Path

from bench.harness import THESIS, Row, data, measure
from pentaglot.align import Alignment, read_gold, read_links
from pentaglot.corpus import read_lines
from pentaglot.order import Permutation, Preorderer, gold_orders
from pentaglot.order.trial import agreement

NOTES = """The grammar is learnt from the words and links of `tanaka.ja-en`, English as the source, as `pentaglot align`
leaves them; permutation forests of all trees, 30 and 3 states, 10 rounds, one thread. Sentences of 40 words are
neighbours joined. Kendall's measure compares orders with those of the links of `gold-alignments/ja-en`, by average
position; these are encyclopaedia articles, far from the training text;
intervals are of 95 % by resampling sentences; the paired difference is that of the two measures of each sentence.
The thesis gives hours for 5,000 sentences on 32 processors, and 0.7655 without
preordering, 0.8255 with, on patents."""

_PENTAGLOT = [sys.executable, "-m", "pentaglot"]


def rows() -> list[Row]:
    """All figures of this room that the data at hand allows."""
    given = [data("tanaka.ja-en", f"{part}.gz") for part in ("train.en", "train.ja", "test.en")]
    if None in given:
        return []
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        english, japanese, test = (str(path) for path in given)
        align = ["align", english, japanese, "-q", "-o", place / "links", "--tokens", place / "en", place / "ja"]
        measure({"align": [*_PENTAGLOT, *map(str, align)]}, repeats=1)
        return [*_learning(place), *_ordering(place, Path(test)), *_lattices(place, Path(test)), *_nearness(place)]


def _learning(place: Path) -> list[Row]:
    command = ["preorder", "train", place / "en", place / "ja", "--links", place / "links", "-o", place / "grammar"]
    cost = measure({"train": [*_PENTAGLOT, *map(str, command), "-q", "--threads", "1"]}, repeats=1)["train"]
    ours = f"{cost.user:.0f} s, {cost.peak_megabytes:.0f} MB"
    reached = cost.user <= 20 * 60 and cost.peak_megabytes <= 2048
    return [Row("PET grammar, 30/3 states, 10 rounds, tanaka", ours, "", "", None, "1200 s, 2048 MB", reached)]


def _ordering(place: Path, test: Path) -> list[Row]:
    lines = list(read_lines(place / "en"))[:4000]
    words = " ".join(lines).split()
    (place / "long").write_text("".join(" ".join(words[i : i + 40]) + "\n" for i in range(0, 8000, 40)), "utf-8")
    with gzip.open(test, "rt", encoding="utf-8") as file:
        short = file.read().splitlines()
    (place / "short").write_text("".join(line + "\n" for line in short), "utf-8")
    found = []
    for name, what, wanted in (("long", "sentences of 40 words", 20.0), ("short", "tanaka test", 200.0)):
        count = len((place / name).read_text("utf-8").splitlines())
        apply = [*_PENTAGLOT, "preorder", "apply", str(place / "grammar"), str(place / name), "--threads", "1"]
        none = [*_PENTAGLOT, "preorder", "apply", str(place / "grammar"), "/dev/null", "--threads", "1"]
        costs = measure({"apply": apply, "none": none}, repeats=3)
        speed = count / max(costs["apply"].user - costs["none"].user, 1e-3)
        ours = f"{speed:.0f}/s"
        row = Row(f"parse, exact expectation, order: {what}, unpruned", ours, "hours", "", None, f"{wanted:.0f}/s",
                  speed >= wanted, THESIS)  # fmt: skip
        found.append(row)
    return found


def _lattices(place: Path, test: Path) -> list[Row]:
    """Systems of 10,000 pairs translate 300 lines: 100 orders of each as a lattice, against the best order."""
    for side in ("en", "ja"):
        lines = list(read_lines(place / side))[:10_000]
        (place / f"some.{side}").write_text("".join(line + "\n" for line in lines), "utf-8")
    with gzip.open(test, "rt", encoding="utf-8") as file:
        (place / "lines").write_text("".join(islice(file, 300)), "utf-8")
    return [_lattice(place, system) for system in ("phrase", "hiero")]


def _lattice(place: Path, system: str) -> Row:
    model, texts = str(place / f"{system} model"), [str(place / "some.en"), str(place / "some.ja")]
    options = [
        "--system",
        system,
        "--preorder",
        "pet",
        "--reorder-by",
        "grammar",
        "--tokenizer",
        "none",
        "--hold-out",
        "0",
        "-q",
    ]
    measure({"train": [*_PENTAGLOT, "train", *texts, "-o", model, *options]}, repeats=1)
    common = [*_PENTAGLOT, "translate", model, "--threads", "1", "-q"]
    costs = measure(
        {
            "lattice": [*common, str(place / "lines"), "-o", "/dev/null", "--orders", "100"],
            "one": [*common, str(place / "lines"), "-o", "/dev/null", "--orders", "1"],
            "none": [*common, "/dev/null", "--orders", "1"],
        },
        repeats=1,
    )
    lattice, one = (max(costs[name].user - costs["none"].user, 1e-3) for name in ("lattice", "one"))
    what = f"{system}: translating a lattice of 100 orders, 300 lines of tanaka test"
    told = f"{lattice:.1f} s", "one order", f"{one:.1f} s"
    return Row(what, *told, one / lattice, "at most 3x time", lattice <= 3 * one)


def _nearness(place: Path) -> list[Row]:
    """How near orders come to those of manual links, for English and for Japanese as the source."""
    paths = [data("gold-alignments", "ja-en", f"gold.{part}.gz") for part in ("en", "ja", "align")]
    if None in paths:
        return []
    english, japanese = ([line.split() for line in read_lines(path)] for path in paths[:2] if path)
    assert paths[2] is not None
    links = read_gold(paths[2]).possible
    pairs = [
        sorted((en, ja) for ja, en in links.links(i) if ja < len(japanese[i]) and en < len(english[i]))
        for i in range(len(english))
    ]
    turned = [sorted((ja, en) for en, ja in each) for each in pairs]
    back = read_links(place / "links")
    (place / "back").write_text(
        "".join(" ".join(f"{j}-{i}" for i, j in back.links(n)) + "\n" for n in range(len(back))), "utf-8"
    )
    texts = {"en": str(place / "en"), "ja": str(place / "ja")}
    found = []
    for source, target, sentences, gold, given in (
        ("en", "ja", english, pairs, "links"),
        ("ja", "en", japanese, turned, "back"),
    ):
        for trees in ("pet", "itg"):
            grammar = place / f"{source} {trees}"
            command = ["preorder", "train", texts[source], texts[target], "--links", str(place / given), "-q"]
            measure({"train": [*_PENTAGLOT, *command, "-o", str(grammar), "--trees", trees]}, repeats=1)
            found += _near(f"{source}-{target}, {trees}", grammar, sentences, Alignment.from_links(gold))
    return found


def _near(name: str, grammar: Path, sentences: list[list[str]], links: Alignment) -> list[Row]:
    """Two rows: the mean with and without preordering, and the mean difference, sentence by sentence."""
    gold = gold_orders(links, [len(words) for words in sentences])
    orders = [each.permutation for each in Preorderer.open(grammar).order(sentences)]
    plain = [Permutation.identity(len(words)) for words in sentences]
    ours, theirs = (
        [agreement(one, other) for one, other in zip(each, gold, strict=True) if len(other) > 1]
        for each in (orders, plain)
    )
    what = f"Kendall's measure against gold links, {name}"
    apart = _interval(ours)[0] > _interval(theirs)[1]
    paired = [one - other for one, other in zip(ours, theirs, strict=True)]
    return [
        Row(what, _told(ours), "no preordering", _told(theirs), None, "better, intervals apart", apart),
        Row(f"{what}: difference, paired", _told(paired), "", "", None, "above 0", _interval(paired)[0] > 0),
    ]


def _interval(values: list[float]) -> tuple[float, float]:
    drawn = random.Random(0)
    means = sorted(statistics.fmean(drawn.choices(values, k=len(values))) for _ in range(1000))
    return means[25], means[974]


def _told(values: list[float]) -> str:
    low, high = _interval(values)
    return f"{statistics.fmean(values):.4f} ({low:.4f} to {high:.4f})"


if __name__ == "__main__":
    for each in rows():
        print(each)
