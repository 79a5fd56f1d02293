"""The room of text: reading and writing it, checking, normalising, tokenising, and turning words into ids.

Hands to the next rooms a `Bitext`: id arrays with sentence offsets, memory-mapped.
"""

from pentaglot.corpus.bitext import Bitext, Text, encode, sentence_ids
from pentaglot.corpus.casing import Truecaser, recase
from pentaglot.corpus.check import CheckOptions, check
from pentaglot.corpus.lines import open_output, read_lines
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.pairs import Pair, read_pairs, write_pairs
from pentaglot.corpus.placeables import Placeable, Placeables
from pentaglot.corpus.prepare import PreparedCorpus, PrepareOptions, prepare
from pentaglot.corpus.reading import learn_tokenizer, read_bitext, read_text
from pentaglot.corpus.segmenters import register_segmenter
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.corpus.vocabulary import Vocabulary, copy_vocabulary, open_vocabulary, save_vocabulary
from pentaglot.corpus.written import Written, word_spans

__all__ = [
    "Bitext",
    "CheckOptions",
    "Pair",
    "Placeable",
    "Placeables",
    "PrepareOptions",
    "PreparedCorpus",
    "Text",
    "Tokenizer",
    "Truecaser",
    "Vocabulary",
    "Written",
    "check",
    "copy_vocabulary",
    "encode",
    "learn_tokenizer",
    "normalise",
    "open_output",
    "open_vocabulary",
    "prepare",
    "read_bitext",
    "read_lines",
    "read_pairs",
    "read_text",
    "recase",
    "register_segmenter",
    "save_vocabulary",
    "sentence_ids",
    "word_spans",
    "write_pairs",
]
