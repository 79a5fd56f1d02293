"""The index room: sorting suffixes against pydivsufsort, the ladder of lookups with gaps, opening and size."""

from __future__ import annotations

import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from bench.harness import REPEATS, THESIS, Row, data
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Text, Tokenizer, encode, read_lines
from pentaglot.index import GrammarLimits, Index, LookupOptions, PrecomputationOptions, suffix_array

CORPORA = ("multi30k.de-en", "newstest.de-en", "tatoeba.de-en", "libreoffice.de-en")
LARGE = 30_000_000
SENTENCES = 6  # of each test set, for the slow steps of the ladder
THRESHOLDS = (0.2, 0.5, 1, 2, 5)
TOKENIZER = Tokenizer("conservative", "lowercase")
# Lopez 2008, table 4.1: what each step took of the baseline's 221.4 s.
LADDER = (
    ("prefix tree", LookupOptions("merge", False, False, False), 177.0),
    ("+ double binary search", LookupOptions("double_binary", False, False, False), 174.1),
    ("+ sequences", LookupOptions("merge", True, False, False), 47.2),
    ("+ collocations", LookupOptions("merge", False, True, False), 8.3),
    ("+ double binary, sequences", LookupOptions("double_binary", True, False, False), 43.6),
    ("+ double binary, collocations", LookupOptions("double_binary", False, True, False), 7.0),
    ("+ collocations, sequences", LookupOptions("merge", True, True, False), 2.3),
    ("+ double binary, collocations, sequences", LookupOptions("double_binary", True, True, False), 0.97),
    ("+ galloping, collocations, sequences", LookupOptions("gallop", True, True, False), None),
    ("all, and scanning the text", LookupOptions(), None),
)

NOTES = """
The ladder of lookups is that of Lopez 2008, table 4.1: all patterns of a sentence within Hiero limits, in all
German-English training data together; the baseline looks up every licensed pattern on its own by a hash table of
sentences. Every addition makes it faster. Double binary search and precomputed sequences help about equally here; in
the thesis sequences help much more, because they save sorting the occurrences of frequent words, which took most of
the time there; here radix sort makes that cheap. The index that is opened has the same data three times over.
"""


def rows() -> list[Row]:
    """All measurements."""
    folders = [data(name) for name in CORPORA]
    if any(folder is None for folder in folders):
        return []
    bitext = _bitext([folder for folder in folders if folder is not None])
    inputs = [_test(folder, bitext, SENTENCES) for folder in folders if folder is not None]
    index, built = _built(bitext)
    ladder = _ladder(index, inputs)
    settings = [_by_threshold(index, inputs), _by_frequent(bitext, index, inputs)]
    return [*_sorting(bitext.source), *ladder, built, *settings, *_multi30k(), *_opening(bitext)]


def _lines(path: Path) -> list[list[str]]:
    return TOKENIZER.tokenise_all(list(read_lines(path)))


def _bitext(folders: list[Path]) -> Bitext:
    sides = [[line for folder in folders for line in _lines(folder / f"train.{side}.gz")] for side in ("de", "en")]
    return Bitext.from_sentences(*sides)


def _test(folder: Path, bitext: Bitext, most: int | None = None) -> Text:
    return encode(_lines(folder / "test.de.gz")[:most], bitext.source_vocabulary)[0]


def _links(bitext: Bitext) -> Alignment:
    """Links along the diagonal: as many as an aligner would give, which is all that matters here."""
    lengths = zip(np.diff(bitext.source.offsets).tolist(), np.diff(bitext.target.offsets).tolist(), strict=True)
    return Alignment.from_links([[(at, at) for at in range(min(pair) - 1)] for pair in lengths])


def _user_seconds(function: Callable[[], object]) -> float:
    begun = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    function()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - begun


def _in_turn(functions: list[Callable[[], object]], repeats: int) -> list[float]:
    """Median user seconds of each, run alternately."""
    seen = [[_user_seconds(function) for function in functions] for _ in range(repeats)]
    return [statistics.median(times) for times in zip(*seen, strict=True)]


def _sorting(text: Text) -> list[Row]:
    from pydivsufsort import divsufsort

    found = []
    small = np.asarray(text.tokens)
    large = np.tile(small, LARGE // len(small) + 1)[:LARGE]
    for tokens, repeats in ((small, REPEATS), (large, min(REPEATS, 3))):
        ours, theirs = _in_turn([partial(suffix_array, tokens), partial(divsufsort, tokens)], repeats)
        found.append(
            Row(
                f"suffix sort of {len(tokens) / 1e6:.1f} M tokens",
                f"{ours:.2f} s",
                "pydivsufsort",
                f"{theirs:.2f} s",
                theirs / ours,
                "2x",
                theirs / ours >= 2,
            )
        )
    return found


def _built(bitext: Bitext) -> tuple[Index, Row]:
    links = _links(bitext)
    begun = time.process_time()
    index = Index.build(bitext, links, PrecomputationOptions())
    spent = time.process_time() - begun
    return index, Row("index build with precomputation", f"{spent:.1f} s", "", "", None, "recorded", True)


def _ladder(index: Index, inputs: list[Text]) -> list[Row]:
    sentences = sum(len(text) for text in inputs)
    limits = GrammarLimits().compiled()
    truth: list[np.ndarray] = []
    baseline = _user_seconds(lambda: truth.extend(index.source.count_by(text, limits, "sentences") for text in inputs))
    found = []
    for name, options, thesis in LADDER:
        seconds, results = _timed(index, options, inputs)
        assert all(np.array_equal(one, other) for one, other in zip(results, truth, strict=False))
        ratio = baseline / seconds
        wanted = 100.0 if name == LADDER[-1][0] else 1.0
        found.append(
            Row(
                f"lookup: {name}",
                f"{1000 * seconds / sentences:.2f} ms",
                "sentence-hash join",
                f"{1000 * baseline / sentences:.0f} ms",
                ratio,
                f"{wanted:.0f}x" + ("" if thesis is None else f" (thesis {221.4 / thesis:.1f}x)"),
                ratio >= wanted,
            )
        )
    return found


def _timed(index: Index, options: LookupOptions, inputs: list[Text]) -> tuple[float, list[np.ndarray]]:
    """User seconds of looking up all inputs, and what was found."""
    finder = index.finder(options=options)
    results: list[np.ndarray] = []
    [seconds] = _in_turn([lambda: results.extend(finder.count_in(text) for text in inputs)], 3)
    return seconds, results


def _by_threshold(index: Index, inputs: list[Text]) -> Row:
    sentences = sum(len(text) for text in inputs)
    spent = {
        threshold: 1000 * _timed(index, LookupOptions("double_binary", scan=False, threshold=threshold), inputs)[0]
        for threshold in THRESHOLDS
    }
    shown = ", ".join(f"{threshold}: {each / sentences:.2f}" for threshold, each in spent.items())
    theirs = "0.2: 1.00, 1: 0.97, 2: 1.02, 5: 1.10 s"
    # As in the thesis: hardly any difference, and none where 1 would be a bad choice.
    near = spent[1] <= 1.25 * min(spent.values())
    what = "lookup by threshold of double binary search, ms"
    return Row(what, shown, "thesis, table 4.2", theirs, None, "flat at 1", near, THESIS)


def _by_frequent(bitext: Bitext, index: Index, inputs: list[Text]) -> Row:
    fewer = Index.build(bitext, _links(bitext), PrecomputationOptions(frequent=100))
    sentences = sum(len(text) for text in inputs)
    times = [1000 * _timed(each, LookupOptions("double_binary", scan=False), inputs)[0] for each in (fewer, index)]
    sizes = [sum(array.nbytes for array in each.arrays["precomputation"].values()) / 1e6 for each in (fewer, index)]
    shown = ", ".join(
        f"{k}: {spent / sentences:.2f} ms and {size:.0f} MB"
        for k, spent, size in zip((100, 1000), times, sizes, strict=True)
    )
    theirs = "100: 1.62 s and 1.1 GB, 1000: 0.97 s and 2.1 GB (whole system)"
    what = "lookup and size of lists by number of frequent sequences"
    return Row(what, shown, "thesis, table 4.3", theirs, None, "more lists, less time", times[1] < times[0], THESIS)


def _multi30k() -> list[Row]:
    folder = data("multi30k.de-en")
    if folder is None:
        return []
    bitext = _bitext([folder])
    index = Index.build(bitext, _links(bitext), PrecomputationOptions())
    text = _test(folder, bitext)
    found = []
    for name, cache in (("", 0), (", 64 MB cache", 64 << 20)):
        finder = index.finder(cache_bytes=cache)
        [seconds] = _in_turn([partial(finder.count_in, text)], REPEATS)
        milliseconds = 1000 * seconds / len(text)
        what = f"lookup of a sentence of multi30k, Hiero limits{name}"
        found.append(Row(what, f"{milliseconds:.2f} ms", "", "", None, "at most 2 ms", milliseconds <= 2))
    return found


def _opening(bitext: Bitext) -> list[Row]:
    large = Bitext(
        _repeated(bitext.source, 3), _repeated(bitext.target, 3), bitext.source_vocabulary, bitext.target_vocabulary
    )
    index = Index.build(large, _links(large), PrecomputationOptions())
    size = sum(side.tokens.nbytes + side.offsets.nbytes for side in (large.source, large.target))
    size += sum(array.nbytes for part in ("suffixes", "alignment") for array in index.arrays[part].values())
    bytes_a_token = size / large.source.words
    with tempfile.TemporaryDirectory() as folder:
        index.save(Path(folder) / "index")
        times = []
        for _ in range(REPEATS):
            begun = time.process_time()
            Index.open(Path(folder) / "index")
            times.append(time.process_time() - begun)
    spent = 1000 * statistics.median(times)
    tokens = f"{large.source.words / 1e6:.1f} M tokens"
    return [
        Row(f"opening an index of {tokens}", f"{spent:.0f} ms", "", "", None, "below 100 ms", spent < 100),
        Row("bytes a source token", f"{bytes_a_token:.1f}", "", "", None, "at most 24", bytes_a_token <= 24),
    ]


def _repeated(text: Text, times: int) -> Text:
    lengths = np.tile(np.diff(text.offsets), times)
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint64)
    return Text(np.tile(text.tokens, times), offsets)
