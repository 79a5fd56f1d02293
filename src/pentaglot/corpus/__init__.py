"""The room of text: reading and writing it, checking, normalising, tokenising, and turning words into ids.

Hands to the next rooms a `Bitext`: id arrays with sentence offsets, layers and metadata, memory-mapped; and `Sentence`:
words with layers and metadata.
"""

from pentaglot.corpus.annotation import Annotation, Side
from pentaglot.corpus.beside import Beside
from pentaglot.corpus.bitext import Bitext, Text, encode, sentence_ids
from pentaglot.corpus.casing import recase
from pentaglot.corpus.check import CheckOptions, check
from pentaglot.corpus.columns import Column
from pentaglot.corpus.conllu import read_conllu
from pentaglot.corpus.layer_files import read_sentences
from pentaglot.corpus.lines import read_lines
from pentaglot.corpus.normalisation import normalise
from pentaglot.corpus.outputs import open_output
from pentaglot.corpus.pair import Pair
from pentaglot.corpus.pairs import read_pairs, write_pairs
from pentaglot.corpus.placeables import Placeable, Placeables
from pentaglot.corpus.prepare import PrepareOptions, prepare
from pentaglot.corpus.prepared_corpus import PreparedCorpus
from pentaglot.corpus.reading import learn_tokenizer, read_bitext, read_text
from pentaglot.corpus.retokenising import tokenised
from pentaglot.corpus.segmenters import register_segmenter
from pentaglot.corpus.sentence import Sentence
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.corpus.truecaser import Truecaser
from pentaglot.corpus.vocabulary import Vocabulary, copy_vocabulary, open_vocabulary, save_vocabulary
from pentaglot.corpus.word_places import word_spans
from pentaglot.corpus.written import Written

__all__ = [
    "Annotation",
    "Beside",
    "Bitext",
    "CheckOptions",
    "Column",
    "Pair",
    "Placeable",
    "Placeables",
    "PrepareOptions",
    "PreparedCorpus",
    "Sentence",
    "Side",
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
    "read_conllu",
    "read_lines",
    "read_pairs",
    "read_sentences",
    "read_text",
    "recase",
    "register_segmenter",
    "save_vocabulary",
    "sentence_ids",
    "tokenised",
    "word_spans",
    "write_pairs",
]
