"""The room of text: reading and writing it, checking, normalising, tokenising, and turning words into ids.

Hands to the next rooms a `Bitext`: id arrays with sentence offsets, memory-mapped.
"""

from pentaglot.corpus.bitext import Bitext, Text, encode, sentence_ids
from pentaglot.corpus.casing import Truecaser, recase
from pentaglot.corpus.lines import open_output, read_lines
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.reading import read_bitext, read_text
from pentaglot.corpus.segmenters import register_segmenter
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.corpus.vocabulary import Vocabulary, open_vocabulary, save_vocabulary

__all__ = [
    "Bitext",
    "Text",
    "Tokenizer",
    "Truecaser",
    "Vocabulary",
    "encode",
    "normalise",
    "open_output",
    "open_vocabulary",
    "read_bitext",
    "read_lines",
    "read_text",
    "recase",
    "register_segmenter",
    "save_vocabulary",
    "sentence_ids",
]
