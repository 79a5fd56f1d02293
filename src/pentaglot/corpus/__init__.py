"""The room of text: reading and writing it, checking, normalising, tokenising, and turning words into ids.

Hands to the next rooms a `Bitext`: id arrays with sentence offsets, memory-mapped.
"""

from pentaglot.corpus.bitext import Bitext, Text, encode, sentence_ids
from pentaglot.corpus.vocabulary import Vocabulary, open_vocabulary, save_vocabulary

__all__ = ["Bitext", "Text", "Vocabulary", "encode", "open_vocabulary", "save_vocabulary", "sentence_ids"]
