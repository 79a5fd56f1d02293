"""The room of forests: the packed hypergraph that every search builds, and all that is done with one; lattices are a
special case. Features and weights live here too, as search and learning share them.

Hands to the next rooms `Forest`, `Lattice`, `FeatureSpace` and `Weights`.
"""

from pentaglot.forest.derivation import Derivation
from pentaglot.forest.features import Feature, FeatureSpace
from pentaglot.forest.forest import Forest, ForestBuilder, example_forest, tail
from pentaglot.forest.weights import Weights

__all__ = ["Derivation", "Feature", "FeatureSpace", "Forest", "ForestBuilder", "Weights", "example_forest", "tail"]
