"""Rules: an index with rules on demand compared with a table of all rules, and the cost of the rules of a sentence."""

from __future__ import annotations

import resource
import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench.harness import OTHER_MACHINE, REPEATS, THESIS, Row, data
from pentaglot.align import Alignment
from pentaglot.align import train as train_aligner
from pentaglot.corpus import Bitext, Tokenizer, read_bitext, read_lines
from pentaglot.index import Index, PrecomputationOptions
from pentaglot.rules import ExtractionOptions, IndexRules, RuleOptions, RuleSource, Table, TableRules, extract_table
from pentaglot.rules import feature_space as space

# The best existing C++ extractor of rules on demand, on the same test set and a machine like this one.
EXTRACTOR_MILLISECONDS = 96.0
FREQUENT = 100  # as `pentaglot train` has it
TABLE_REPEATS = 3
SAMPLES = (10, 100, 300, 1000)

NOTES = """
Text of multi30k, tokenised and lower-cased, 29,000 pairs, links of the HMM aligner. Index and table are made from the
same text and links in memory and written to disk, by one thread; the index has precomputed lists for 100 frequent
sequences and suffix arrays of both sides. The table has all rules within Hiero limits (Chiang 2007), counted by phrase
pairs, with probabilities and lexical weights in both directions. For the coherence of source sides every occurrence of
each has to be tried; tables are usually extracted without it. Rules on demand are looked up, extracted
and scored for the 1,000 sentences of the test set. Indexes are built six times and tables three times, alternately;
none of these figures include reading and aligning the text.
"""


def rows() -> list[Row]:
    """All figures of this room that the data at hand allows."""
    folder = data("multi30k.de-en")
    if folder is None:
        return []
    cut = Tokenizer("conservative", "lowercase")
    sides = [folder / f"train.{side}.gz" for side in ("de", "en")]
    bitext = read_bitext(*sides, source_tokenizer=cut, target_tokenizer=cut)
    links = train_aligner(bitext).align(bitext)
    sentences = cut.tokenise_all(list(read_lines(folder / "test.de.gz")))
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        return [*_making(place, bitext, links), *_sentences(place, sentences)]


def _making(place: Path, bitext: Bitext, links: Alignment) -> list[Row]:
    def index() -> None:
        options = PrecomputationOptions(frequent=FREQUENT)
        Index.build(bitext, links, options, both_sides=True).save(place / "index")

    def table(coherence: bool) -> Callable[[], object]:
        options = ExtractionOptions(coherence=coherence)
        name = "table" if coherence else "plain"
        return lambda: extract_table((bitext, links), place / name, RuleOptions(), options)

    jobs = {"index": index, "plain": table(coherence=False), "table": table(coherence=True)}
    spent: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(min(REPEATS, TABLE_REPEATS)):
        for name in ("index", "plain", "index", "table"):
            spent[name].append(_user_seconds(jobs[name]))
    seconds = {name: statistics.median(each) for name, each in spent.items()}
    size = {name: _bytes(place / name) for name in jobs}
    found = []
    for name, what in (("plain", "table of all rules"), ("table", "table of all rules, with coherence")):
        ratio = seconds[name] / seconds["index"]
        times = f"{seconds['index']:.2f} s", what, f"{seconds[name]:.2f} s"
        found.append(Row("index with precomputation, CPU", *times, ratio, "50x", ratio >= 50))
        ratio = size[name] / size["index"]
        disk = f"{size['index'] / 1e6:.1f} MB", what, f"{size[name] / 1e6:.0f} MB"
        found.append(Row("index with precomputation, disk", *disk, ratio, "5x", ratio >= 5))
    return found


def _sentences(place: Path, sentences: list[list[str]]) -> list[Row]:
    found = []
    index = Index.open(place / "index")
    for cache, what in ((64, ""), (0, ", no cache")):
        source = IndexRules(index, space(), RuleOptions(sample=300, cache_megabytes=cache))
        spent = _milliseconds(source, sentences)
        found.append(
            Row(
                f"rules of a sentence on demand, sample 300{what}",
                f"{spent:.2f} ms",
                "best existing C++ extractor",
                f"{EXTRACTOR_MILLISECONDS:.0f} ms",
                EXTRACTOR_MILLISECONDS / spent,
                "under 10 ms",
                spent < 10,
                OTHER_MACHINE,
            )
        )
    found.append(_by_sample(index, sentences))
    spent = _milliseconds(TableRules(Table.open(place / "table"), space(), RuleOptions()), sentences)
    found.append(Row("rules of a sentence from the table", f"{spent:.2f} ms", "", "", None, "(recorded)", True))
    return found


def _by_sample(index: Index, sentences: list[list[str]]) -> Row:
    shown, times = [], []
    for size in SAMPLES:
        source = IndexRules(index, space(), RuleOptions(sample=size, cache_megabytes=0))
        tables = [source.rules(words).table for words in sentences]
        patterns = sum(table.patterns for table in tables)
        sampled = sum(int((table.occurrences > size).sum()) for table in tables)
        times.append(_milliseconds(source, sentences))
        shown.append(f"{size}: {times[-1]:.2f} ms, {100 * sampled / patterns:.0f} %")
    theirs = "10: 1.19 s, 100: 2.04 s, 300: 3.27 s, 1000: 6.25 s"
    what = "rules of a sentence by sample size, and patterns that have more occurrences; no cache"
    wanted, reached = "grows less than the sample", _slowly(times)
    return Row(what, "; ".join(shown), "thesis, table 4.5", theirs, None, wanted, reached, THESIS)


def _slowly(times: list[float]) -> bool:
    return times[0] < times[-1] < times[0] * SAMPLES[-1] / SAMPLES[0]


def _milliseconds(source: RuleSource, sentences: list[list[str]]) -> float:
    def all_rules() -> None:
        for words in sentences:
            source.rules(words)

    return 1000 * statistics.median(_user_seconds(all_rules) for _ in range(REPEATS)) / len(sentences)


def _user_seconds(function: Callable[[], object]) -> float:
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    function()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun


def _bytes(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
