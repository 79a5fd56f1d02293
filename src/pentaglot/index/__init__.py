"""The room of the index: a suffix array over the source text, and all occurrences of patterns with gaps in it.

Hands to the next rooms the occurrences of every pattern of an input sentence, with the aligned target words.
"""

from pentaglot.index.added_pair import AddedPair
from pentaglot.index.additions import Additions
from pentaglot.index.find import Concordance, FindOptions, FoundTranslation, Hit, find, literal
from pentaglot.index.folding import fold_in
from pentaglot.index.index import Index
from pentaglot.index.layers import annotate
from pentaglot.index.limits import GrammarLimits, LookupOptions, PrecomputationOptions
from pentaglot.index.replacing import add_layers, replace_alignment, replace_precomputation, replace_target_suffixes
from pentaglot.index.snapshot import Snapshot
from pentaglot.index.suffix_array import common_prefixes, suffix_array

__all__ = [
    "AddedPair",
    "Additions",
    "Concordance",
    "FindOptions",
    "FoundTranslation",
    "GrammarLimits",
    "Hit",
    "Index",
    "LookupOptions",
    "PrecomputationOptions",
    "Snapshot",
    "add_layers",
    "annotate",
    "common_prefixes",
    "find",
    "fold_in",
    "literal",
    "replace_alignment",
    "replace_precomputation",
    "replace_target_suffixes",
    "suffix_array",
]
