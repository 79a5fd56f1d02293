"""The room of word order: permutations and their trees and forests, the reordering grammar, and the preorderer.

Hands to the next rooms `Permutation`, and text in another order. Measures of word order are in `order.measures`.
"""

from pentaglot.order.drawing import OrderPicture, crossings
from pentaglot.order.forest import permutation_forest
from pentaglot.order.grammar import ReorderingGrammar
from pentaglot.order.learning import train_grammar
from pentaglot.order.links import Units, gold_orders, minimal_phrases, word_orders
from pentaglot.order.options import GrammarOptions, OrderOptions
from pentaglot.order.order_tree import OrderTree
from pentaglot.order.parse import Parse, RankedOrder
from pentaglot.order.permutation import Permutation, Permutations
from pentaglot.order.preorderer import Preordered, Preorderer
from pentaglot.order.tree import PermutationTree, largest_operator, tree_count, tree_of

__all__ = [
    "GrammarOptions",
    "OrderOptions",
    "OrderPicture",
    "OrderTree",
    "Parse",
    "Permutation",
    "PermutationTree",
    "Permutations",
    "Preordered",
    "Preorderer",
    "RankedOrder",
    "ReorderingGrammar",
    "Units",
    "crossings",
    "gold_orders",
    "largest_operator",
    "minimal_phrases",
    "permutation_forest",
    "train_grammar",
    "tree_count",
    "tree_of",
    "word_orders",
]
