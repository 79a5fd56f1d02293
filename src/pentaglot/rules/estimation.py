"""The size of a table: rules counted without storing them, and bytes estimated from samples (Lopez 2008, §3.3 and
§5.4)."""

from __future__ import annotations

import math
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from pentaglot import placing
from pentaglot._core import index as native
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Text
from pentaglot.index import Index, suffix_array
from pentaglot.progress import SILENT, Progress
from pentaglot.rules.extraction import count_instances, extract_table
from pentaglot.rules.extraction_options import ExtractionOptions
from pentaglot.rules.options import RuleOptions

__all__ = ["Estimate", "complete_table_bytes", "distinct_phrases", "estimate_table"]

# As the thesis counts: a node of 12 bytes, a target phrase as long as the source phrase and its end mark, four
# scores, all of four bytes.
_NODE, _SCORES, _WORD = 12, 16, 4
# Samples are taken from the whole text, in stretches of this many sentence pairs.
_STRETCH = 50


@dataclass(frozen=True)
class Estimate:
    """The contents and size of a table. Rules and bytes are extrapolated from two samples."""

    pairs: int
    instances: int  # rules found, counting repeats
    rules: int
    bytes: int
    sampled_pairs: int
    complete_bytes: int  # a table of all contiguous phrases with one translation each, as the thesis counts


def distinct_phrases(text: Text, longest: int) -> list[int]:
    """The number of distinct runs of 1, 2, ... words.

    >>> from pentaglot.corpus import encode
    >>> distinct_phrases(encode([["a", "b", "a", "b"], ["b"]])[0], 3)
    [2, 2, 2]
    """
    tokens = np.asarray(text.tokens)
    suffixes = suffix_array(tokens)
    shared = native.common_prefixes(tokens, suffixes)
    ends = np.asarray(text.offsets)[1:].astype(np.int64) - 1
    left = ends[np.searchsorted(ends, np.arange(len(tokens)))] - np.arange(
        len(tokens)
    )  # words up to the sentence's end
    left = left[suffixes]
    return [int(np.count_nonzero((shared < length) & (left >= length))) for length in range(1, longest + 1)]


def complete_table_bytes(text: Text, longest: int) -> int:
    """The size of a table of all phrases up to a length, each with one translation (Lopez 2008, §3.1.2).

    >>> from pentaglot.corpus import encode
    >>> complete_table_bytes(encode([["a", "b", "c"]])[0], 3)  # 3 words, 2 pairs, 1 of three words: 36, 40 and 44 bytes
    232
    """
    return sum(
        phrases * (_NODE + _WORD * length + _WORD + _SCORES)
        for length, phrases in enumerate(distinct_phrases(text, longest), 1)
    )


def estimate_table(
    text: Index | tuple[Bitext, Alignment],
    rules: RuleOptions | None = None,
    options: ExtractionOptions | None = None,
    *,
    share: float = 0.1,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Estimate:
    """Counts the rules of a text without storing them, and estimates how many are distinct and how large their table
    is. For this it makes tables of a `share` of the sentence pairs and of half that share, and extrapolates by a power
    law."""
    rules = rules or RuleOptions()
    bitext, alignment = (text.bitext, _links(text)) if isinstance(text, Index) else text
    with progress.task("counting rules", total=1):
        instances = count_instances(text, rules, options, threads=threads)
    sizes = []
    temporary = Path(tempfile.gettempdir()) / "pentaglot-estimate"
    with placing.new_directory(temporary, private=True) as folder, progress.task("making samples", total=2) as task:
        for part in (share, share / 2):
            place = folder / "sample"
            sampled = _sample(bitext, alignment, part)
            table = extract_table(sampled, place, rules, options, threads=threads)
            used = sum(file.stat().st_size for file in place.rglob("*") if file.is_file())
            sizes.append((table.facts["instances"], len(table), used, len(sampled[0])))
            task.advance()
    (found, distinct, size, pairs), smaller = sizes
    return Estimate(
        len(bitext),
        instances,
        _extrapolated(instances, (found, distinct), (smaller[0], smaller[1])),
        _extrapolated(instances, (found, size), (smaller[0], smaller[2])),
        pairs,
        complete_table_bytes(bitext.source, rules.max_symbols),
    )


def _extrapolated(wanted: int, large: tuple[int, int], small: tuple[int, int]) -> int:
    """The value at `wanted` of the power law through two points."""
    if wanted == 0 or min(*large, *small) == 0 or large[0] == small[0]:
        return large[1]
    power = math.log(large[1] / small[1]) / math.log(large[0] / small[0])
    return int(large[1] * (wanted / large[0]) ** min(power, 1.0))


def _sample(bitext: Bitext, alignment: Alignment, share: float) -> tuple[Bitext, Alignment]:
    """Stretches of sentence pairs spread evenly over the text; the words keep their ids."""
    stretches = max(1, round(len(bitext) * min(share, 1.0) / _STRETCH))
    edges = [number * len(bitext) // stretches for number in range(stretches + 1)]
    chosen = [at for begin, end in pairwise(edges) for at in range(begin, min(begin + _STRETCH, end))]
    texts = []
    for side in (bitext.source, bitext.target):
        sentences = [side.tokens[int(side.offsets[at]) : int(side.offsets[at + 1])] for at in chosen]
        lengths = np.cumsum([0, *(len(each) for each in sentences)])
        texts.append(Text(np.concatenate([np.empty(0, np.uint32), *sentences]), lengths.astype(np.uint64)))
    links = Alignment.from_links([alignment.links(at) for at in chosen])
    return Bitext(texts[0], texts[1], bitext.source_vocabulary, bitext.target_vocabulary), links


def _links(index: Index) -> Alignment:
    return Alignment.from_links([index.aligned.links(sentence) for sentence in range(len(index))])
