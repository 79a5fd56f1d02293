"""The room of word order: permutations and their trees and forests, the reordering grammar, and the preorderer.

Hands to the next rooms `Permutation`, and text in another order.
"""

from pentaglot.order.forest import permutation_forest
from pentaglot.order.grammar import ReorderingGrammar
from pentaglot.order.learning import train_grammar
from pentaglot.order.links import Units, gold_orders, minimal_phrases, word_orders
from pentaglot.order.options import GrammarOptions, OrderOptions
from pentaglot.order.parse import OrderTree, Parse, RankedOrder
from pentaglot.order.permutation import Permutation, Permutations
from pentaglot.order.tree import PermutationTree, largest_operator, tree_count, tree_of

__all__ = [
    "GrammarOptions",
    "OrderOptions",
    "OrderTree",
    "Parse",
    "Permutation",
    "PermutationTree",
    "Permutations",
    "RankedOrder",
    "ReorderingGrammar",
    "Units",
    "gold_orders",
    "largest_operator",
    "minimal_phrases",
    "permutation_forest",
    "train_grammar",
    "tree_count",
    "tree_of",
    "word_orders",
]
