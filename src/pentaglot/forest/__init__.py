"""The room of forests: the packed hypergraph that every search builds, and everything done with it; lattices are a
special case. Features and weights live here too, as search and learning share them.

Hands to the next rooms `Forest`, `Lattice`, `FeatureSpace` and `Weights`.
"""

from pentaglot.forest.builder import ForestBuilder, example_forest, tail
from pentaglot.forest.costs import HopeAndFear, Matches, fear, hope, hope_and_fear, linear_bleu, matches
from pentaglot.forest.declared import DeclaredFeature, fixed_weights, usual_weights
from pentaglot.forest.derivation import Derivation, DerivationArrays
from pentaglot.forest.drawing import to_svg
from pentaglot.forest.exchange import (
    forest_from_json,
    forest_to_json,
    lattice_from_json,
    lattice_from_plf,
    lattice_to_json,
)
from pentaglot.forest.features import Feature, FeatureSpace
from pentaglot.forest.forest import Forest
from pentaglot.forest.joining import one_after_the_other
from pentaglot.forest.lattice import Arc, Lattice, Path
from pentaglot.forest.linear import to_lattice
from pentaglot.forest.risk import linear_gain, minimum_bayes_risk, string_posteriors
from pentaglot.forest.structure import FeatureStructure
from pentaglot.forest.weights import Weights, read_weights

__all__ = [
    "Arc",
    "DeclaredFeature",
    "Derivation",
    "DerivationArrays",
    "Feature",
    "FeatureSpace",
    "FeatureStructure",
    "Forest",
    "ForestBuilder",
    "HopeAndFear",
    "Lattice",
    "Matches",
    "Path",
    "Weights",
    "example_forest",
    "fear",
    "fixed_weights",
    "forest_from_json",
    "forest_to_json",
    "hope",
    "hope_and_fear",
    "lattice_from_json",
    "lattice_from_plf",
    "lattice_to_json",
    "linear_bleu",
    "linear_gain",
    "matches",
    "minimum_bayes_risk",
    "one_after_the_other",
    "read_weights",
    "string_posteriors",
    "tail",
    "to_lattice",
    "to_svg",
    "usual_weights",
]
