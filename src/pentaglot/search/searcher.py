"""`Searcher`: from a sentence's rules to a forest of translations, by chart or by stacks."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pentaglot._core import search as native
from pentaglot._core.base import Cancellation
from pentaglot._core.corpus import UNKNOWN
from pentaglot.errors import PentaglotError
from pentaglot.forest import FeatureSpace, Forest, Weights, fixed_weights
from pentaglot.lm import LanguageModel
from pentaglot.options import checked, setting
from pentaglot.rules import SentenceRules
from pentaglot.rules.features import features_of
from pentaglot.rules.sentence_rules import SENTENCE_WORDS
from pentaglot.search.languages import LanguageUse, check_names, language_features
from pentaglot.search.ngrams import NgramUse, TriggerUse
from pentaglot.search.weight_vector import WeightVector
from pentaglot.search.word_classes import WordClasses

__all__ = [
    "USUAL_DISTORTION_LIMIT",
    "Cancellation",
    "Found",
    "SearchOptions",
    "Searcher",
]

USUAL_DISTORTION_LIMIT = 6  # of models that do not say
_ALL = 2**31 - 1


@dataclass(frozen=True)
class SearchOptions:
    """How translations are searched for."""

    search: Literal["chart", "stack"] = setting("chart", "search a chart of rules with gaps, or stacks of phrases")
    pop_limit: int = setting(
        200, "hypotheses made in each cell or stack; more is slower and better", minimum=1, maximum=_ALL
    )
    growing: bool = setting(False, "let the chart search make hypotheses only when needed (cube growing)")
    stack_size: int = setting(100, "hypotheses kept in each stack", minimum=1, maximum=_ALL)
    threshold: float = setting(0.0, "how much worse than the best of its stack a hypothesis may be; 0: any", minimum=0)
    distortion_limit: int | None = setting(
        None,
        "how many words the stack search may jump over; if not given, as many as words move in the training text",
        minimum=0,
        maximum=256,
    )
    translations: int = setting(20, "translations tried for the same words; 0: all", minimum=0, maximum=_ALL)
    seconds: float = setting(0.0, "time per sentence, after which the best so far is taken; 0: no limit", minimum=0)
    hypotheses: int = setting(
        0, "hypotheses per sentence, after which the best so far is taken; 0: no limit", minimum=0, maximum=2**63 - 1
    )
    input_span: int | None = setting(
        None,
        "most words that a rule may cover in the input; if not given, as in the training text (max_span), or as many "
        "as words move there",
        minimum=1,
        maximum=1000,
    )
    input_gap: int | None = setting(
        None,
        "fewest words that a gap may cover in the input, if not as in the training text (min_gap)",
        minimum=1,
        maximum=1000,
    )

    rescore: int = setting(
        0,
        "count n-grams across rules and triggers only in what the search without them has found, with this many "
        "hypotheses for each of its nodes (cube pruning); 0: in the search",
        minimum=0,
        maximum=_ALL,
    )

    glue_labels: tuple[int, ...] = setting(
        (0,),
        "labels of parts that may be put side by side; 0: parts of rules without labels",
        minimum=0,
        maximum=_ALL,
    )
    start_labels: tuple[int, ...] = setting(
        (), "labels of parts that alone make a translation if they cover the whole input", minimum=0, maximum=_ALL
    )

    def unpruned(self) -> SearchOptions:
        """The same options without pruning; limits on time and hypotheses stay."""
        rescore = _ALL if self.rescore else 0
        return replace(self, pop_limit=_ALL, stack_size=_ALL, threshold=0.0, translations=0, rescore=rescore)


# The features of the searches themselves; see core/search/features. Optional ones are used if they have a weight, even
# 0; those that no tuner changes always have a weight.
_OWN = tuple(each for each in features_of("search", "reordering") if each.always or not each.per)

_NO_FEATURE = 2**32 - 1
_NO_IDS = np.empty(0, np.uint32)


@dataclass(frozen=True)
class Found:
    """The result of a search: a forest scored by the weights, and whether a limit cut the search short. Under a
    constraint there may be `nothing`; `reached` is how many of its words a translation of part of the input can begin
    with."""

    found: Forest | None
    limited: bool
    hypotheses: int
    reached: int = 0

    @property
    def nothing(self) -> bool:
        """Whether no translation of the whole input obeys the constraint."""
        return self.found is None

    @property
    def forest(self) -> Forest:
        """The translations found; raises an error if there are none."""
        if self.found is None:
            raise PentaglotError("the search found nothing")
        return self.found


class Searcher:
    """Weights, language models and options, ready to search; any number of threads may use it."""

    def __init__(
        self,
        weights: Mapping[str, float],
        features: FeatureSpace,
        language: LanguageModel | None,
        vocabulary_ids: NDArray[np.uint32] | None = None,
        options: SearchOptions | None = None,
        *,
        further: Sequence[LanguageUse] = (),
        classes: WordClasses | None = None,
        ngrams: Sequence[NgramUse | TriggerUse] = (),
    ) -> None:
        """`language` is the model whose feature is `language_model`, and `vocabulary_ids` are the ids of target words
        in it. Each of the `further` models has its own two features (see `language_features`). With `classes` there is
        a feature for every pair of neighbouring word classes, with `ngrams` one for each of them, or each trigger."""
        check_names(further)
        self.weights = fixed_weights(_OWN) | Weights(weights)
        self.options = checked(options or SearchOptions())
        own = [each.name for each in _OWN if each.always or each.name in self.weights]
        features.add_all([*own, *(name for use in further for name in language_features(use.name))])
        pairs = None if classes is None else classes.features(features)
        self._languages = () if language is None else (language,)
        self._further = tuple(further)
        self._ids = ids = _NO_IDS if vocabulary_ids is None else vocabulary_ids
        uses = [(each.native, ids, features.id("language_model"), _NO_FEATURE) for each in self._languages]
        for use in further:
            score, unknown = (features.id(name) for name in language_features(use.name))
            uses.append((use.model.native, use.ids, score, unknown))
        named = {name: features.id(name) for name in own}
        grid = None if classes is None or pairs is None else (classes.numbers, pairs.reshape(-1), len(pairs))
        counted = [each.native for each in ngrams if isinstance(each, NgramUse)]
        triggers = [each.native for each in ngrams if isinstance(each, TriggerUse)]
        self._crosses = bool(ngrams)
        self._vector = WeightVector(
            self.weights,
            features,
            lambda dense, conjoined: native.SearchModel(dense, named, uses, grid, conjoined, counted, triggers),
        )

    def search(
        self,
        rules: SentenceRules,
        *,
        whole_forest: bool = False,
        cancellation: Cancellation | None = None,
        lattice: native.Input | None = None,
        constraint: native.TargetConstraint | None = None,
        options: SearchOptions | None = None,
        begun: float | None = None,
    ) -> Found:
        """Searches for translations of the sentence that the rules belong to, or of another input, a `lattice`; only
        for those that obey a `constraint` (see `reference_constraint`, `prefix_constraint`) if there is one. Only the
        best is kept unless `whole_forest`. Other `options` than the searcher's may be given. A limit on time counts
        from `begun` (by `time.monotonic`), if that is given, else from now."""
        how = self.options if options is None else checked(options)
        return Found(*self._run(rules, how, whole_forest, cancellation, lattice, constraint, begun))

    def _ids_of_copies(self, rules: SentenceRules) -> list[NDArray[np.uint32]]:
        """The ids that each language model has for the sentence's own target words."""
        first = _NO_IDS if rules.language_ids is None else rules.language_ids
        found = [(first, self._ids) for _ in self._languages]
        found += [(use.model.find_all(rules.copies), use.ids) for use in self._further]
        return [_with_loans(rules, *each) if rules.loans.target else each[0] for each in found]

    def _run(
        self,
        rules: SentenceRules,
        options: SearchOptions,
        whole_forest: bool,
        cancellation: Cancellation | None,
        lattice: native.Input | None,
        constraint: native.TargetConstraint | None,
        begun: float | None,
    ) -> tuple[Forest | None, bool, int, int]:
        dense, model = self._vector.now(rules.conjoined)
        if lattice is None and rules.lattice is not None and rules.lattice.words:
            # Orders are chosen in the lattice, not by jumping over parts of it.
            pops = rules.lattice.share(options.pop_limit, options.search == "chart")
            options = replace(options, pop_limit=pops, distortion_limit=0)
        where = _input_of(rules) if lattice is None else lattice
        seconds = options.seconds
        if seconds > 0 and begun is not None:
            seconds = max(seconds - (time.monotonic() - begun), 1e-9)
        later = self._crosses and options.rescore > 0
        keep_all = whole_forest or later
        limits = (seconds, options.hypotheses, cancellation, constraint, self._ids_of_copies(rules), not later)
        if options.search == "chart":
            found = native.search_chart(where, rules.table, model, _chart(rules, options, keep_all), *limits)
        else:
            found = native.search_stacks(where, rules.table, model, _stacks(rules, options, keep_all), *limits)
        packed, limited, made, reached = found
        if packed is None:
            return None, limited, made, reached
        if later:
            packed = native.rescored(packed, packed.scores(dense), model, options.rescore, cancellation)
        forest = Forest.from_packed(packed, dense)
        return forest if whole_forest or not later else _best_of(forest), limited, made, reached


def _with_loans(rules: SentenceRules, own: NDArray[np.uint32], known: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The ids of the sentence's own target words, where those treated like known words have the ids of these."""
    ids = np.full(len(rules.copies), UNKNOWN, np.uint32)
    ids[: len(own)] = own
    for symbol, like in rules.loans.target.items():
        if symbol >= SENTENCE_WORDS and like < len(known) and ids[symbol - SENTENCE_WORDS] == UNKNOWN:
            ids[symbol - SENTENCE_WORDS] = known[like]
    return ids


def _span(rules: SentenceRules, options: SearchOptions) -> int:
    return rules.limits.max_span if options.input_span is None else options.input_span


def _chart(rules: SentenceRules, options: SearchOptions, whole_forest: bool) -> native.ChartOptions:
    return native.ChartOptions(
        _span(rules, options),
        rules.limits.min_gap if options.input_gap is None else options.input_gap,
        options.pop_limit,
        options.translations,
        options.growing,
        whole_forest,
        options.glue_labels,
        options.start_labels,
    )


def _stacks(rules: SentenceRules, options: SearchOptions, whole_forest: bool) -> native.StackOptions:
    return native.StackOptions(
        _span(rules, options),
        USUAL_DISTORTION_LIMIT if options.distortion_limit is None else options.distortion_limit,
        options.pop_limit,
        options.stack_size,
        options.threshold,
        options.translations,
        whole_forest,
        options.glue_labels,
        options.start_labels,
    )


def _best_of(forest: Forest) -> Forest:
    """The best derivation alone."""
    marks = np.zeros(forest.edges, np.bool_)
    marks[forest.viterbi().edges] = True
    return forest.keep(marks)


def _input_of(rules: SentenceRules) -> native.Input:
    """The sentence of the rules, with its structure if there is one; or the lattice that they are of."""
    if (given := rules.lattice) is not None:
        return native.lattice(given.nodes, given.arcs, given.scores, score_feature=given.feature)
    known = rules.structure
    if known is None:
        return native.sentence(rules.source)
    layers = known.columns, known.edges, known.spans, known.span_labels, known.precedence
    return native.sentence(rules.source, *layers)
