"""What a model is made from: texts, options, and ready parts that replace steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pentaglot.align import AlignOptions
from pentaglot.align.options import MOST_CLASSES, check_classes
from pentaglot.corpus import Beside, Tokenizer
from pentaglot.corpus.layer_files import is_treebank
from pentaglot.corpus.pair import check_language
from pentaglot.corpus.placeables import Placeables
from pentaglot.corpus.tokenizer import Casing, check_mode
from pentaglot.errors import OptionError
from pentaglot.forest import Weights, read_weights
from pentaglot.index import PrecomputationOptions
from pentaglot.learn import TuneOptions, chosen_metric, chosen_tuner
from pentaglot.options import setting
from pentaglot.order import GrammarOptions, OrderOptions
from pentaglot.rules import RuleOptions
from pentaglot.rules.features import FEATURES, ORDER, PRECEDENCE, WORD_CHOICE
from pentaglot.rules.operators import Operator
from pentaglot.search import SearchOptions, language_features
from pentaglot.systems.corpora import check_corpus_name, corpus_weights
from pentaglot.systems.development import read_development, read_references
from pentaglot.systems.languages import GivenLanguage, check_language_name
from pentaglot.systems.ordering import PreorderName
from pentaglot.systems.registry import find_system, own_systems, system_names
from pentaglot.systems.system import System
from pentaglot.systems.weighing import CLASS_WEIGHTS, WITHOUT_CLASSES

__all__ = ["Materials", "TrainOptions"]


@dataclass(frozen=True)
class TrainOptions:
    """Options of training. Text that is already tokenised keeps its case unless another casing is chosen.

    >>> [(each.mode, each.casing) for each in TrainOptions(source_tokenizer="none").tokenizers]
    [('none', 'keep'), ('auto', 'truecase')]
    """

    system: str = setting("hiero", own_systems(), known=system_names)
    tokenizer: str = setting(
        "auto", "how text is cut into words; auto: by looking at it; none: already tokenised", check=check_mode
    )
    source_tokenizer: str | None = setting(None, "the same for the source side only", check=check_mode)
    target_tokenizer: str | None = setting(None, "the same for the target side only", check=check_mode)
    casing: Casing | None = setting(
        None, "what to do with capitals; by default truecase, or keep if the tokenizer is none"
    )
    source_casing: Casing | None = setting(None, "the same for the source side only")
    target_casing: Casing | None = setting(None, "the same for the target side only")
    source_language: str | None = setting(
        None, "code of the source language, such as tr; guessed by default", check=check_language
    )
    target_language: str | None = setting(None, "code of the target language", check=check_language)
    protect: tuple[str, ...] = setting(
        (), "regular expression for text that stays whole and is never translated", check=Placeables
    )
    preorder: PreorderName | None = setting(
        None,
        "put the source words into the order of the target language, which is learnt from all trees of an order (pet), "
        "from all binary ones (itg), or from one (left, right); gold: by known translations, for experiments",
    )
    reorder_by: Literal["auto", "grammar", "links", "search"] = setting(
        "auto",
        "with --preorder, order training text like new text, by a grammar learnt from the other half, or by its links; "
        "search: keep all text as typed, and let the search weigh the orders that the grammar expects; auto: grammar "
        "where that puts many more words right in held-out sentences, else search",
    )
    order: int = setting(5, "order of the language model", minimum=1, maximum=7)
    word_classes: int = setting(
        100,
        "classes of target words, for a second language model that sees further; 0: no such model",
        minimum=0,
        maximum=MOST_CLASSES,
        check=check_classes,
    )
    word_choice: bool = setting(True, "learn which words of a translation the words of the input call for")
    frequent: int = setting(100, "number of frequent word sequences to precompute", minimum=0, maximum=10_000)
    hold_out: int | None = setting(
        None,
        "pairs held out to choose weights on if there is no development text; 0: none; by default one in 20, at most "
        "500, and none of fewer than 2,000",
        minimum=0,
        maximum=100_000,
    )
    tune: bool = setting(True, "tune all weights on the held-out pairs, not only the length")
    seed: int = setting(0, "seed of everything that is random", minimum=0)

    @property
    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """The tokenizers of both sides, before they have seen text."""
        return (
            self._tokenizer(self.source_tokenizer, self.source_casing, self.source_language),
            self._tokenizer(self.target_tokenizer, self.target_casing, self.target_language),
        )

    def _tokenizer(self, mode: str | None, casing: Casing | None, language: str | None) -> Tokenizer:
        mode = mode or self.tokenizer
        casing = casing or self.casing or ("keep" if mode == "none" else "truecase")
        return Tokenizer(mode, casing, protect=self.protect, language=language)


@dataclass(frozen=True)
class Materials:
    """Everything that `train` was given."""

    source: Path
    target: Path
    options: TrainOptions
    align: AlignOptions
    rules: RuleOptions
    search: SearchOptions
    tuning: TuneOptions
    dev: tuple[Path, Path] | None
    alignment: Path | None
    language_model: Path | None
    weights: Path | None
    corpora: dict[str, tuple[Path, Path]]
    languages: dict[str, GivenLanguage]
    monolingual: tuple[Path, ...]
    beside: Beside = field(default_factory=Beside)
    dev_beside: Beside = field(default_factory=Beside)
    grammar: GrammarOptions = field(default_factory=GrammarOptions)
    order: OrderOptions = field(default_factory=OrderOptions)
    dev_references: tuple[Path, ...] = ()  # further translations of the development text
    induce: tuple[Operator, ...] = ()

    @property
    def system(self) -> System:
        """The system to train."""
        return find_system(self.options.system)

    @property
    def lists(self) -> PrecomputationOptions | None:
        """What to precompute for lookups with gaps; nothing if there are no gaps."""
        rules = self.rules
        if rules.max_gaps == 0:
            return None
        return PrecomputationOptions(
            frequent=self.options.frequent,
            max_length=rules.max_symbols,
            max_span=rules.max_span,
            min_gap=rules.min_gap,
        )

    def start_weights(self, corpora: Iterable[str], languages: Iterable[str] = ()) -> Weights:
        """The weights before tuning, with those of further corpora and language models."""
        usual = self.system.weights
        if not self.options.word_classes and CLASS_WEIGHTS.keys() & usual.keys():
            usual = {name: value for name, value in usual.items() if name not in CLASS_WEIGHTS} | WITHOUT_CLASSES
        if not self.options.word_choice:
            usual = {name: value for name, value in usual.items() if name not in WORD_CHOICE}
        found = dict(usual if self.weights is None else Weights.open(self.weights))
        if self.options.preorder not in (None, "gold"):
            either = {"search": (PRECEDENCE,), "auto": (ORDER, PRECEDENCE)}
            for name in either.get(self.options.reorder_by, (ORDER,)):
                found.setdefault(name, FEATURES[name].weight)
        for name in sorted(corpora):
            found |= {each: value for each, value in corpus_weights(Weights(found), name).items() if each not in found}
        for name in sorted(languages):
            found = dict.fromkeys(language_features(name), 0.0) | found
        return Weights(found)

    def check(self) -> None:
        """Raises an error if something is known to be unusable before the work begins."""
        for side, tokenizer in zip(("source", "target"), self.options.tokenizers, strict=True):
            if tokenizer.casing == "truecase" and tokenizer.mode == "none":
                hint = f"use --casing keep or lowercase, or --{side}-casing for this side"
                raise OptionError(f"{side} text that is already tokenised cannot be truecased", hint=hint)
        if self.options.preorder == "gold" and self.options.reorder_by == "search":
            raise OptionError("--reorder-by search needs a reordering grammar", hint="train with --preorder pet or itg")
        self.grammar.check()
        for name in self.corpora:
            check_corpus_name(name)
        for name, given in self.languages.items():
            check_language_name(name)
            given.check()
            if given.layer is not None:
                self._check_layer(given.layer)
        if self.monolingual and self.language_model is not None and not self.options.word_classes:
            hint = "leave out --monolingual, or give the language model a name"
            raise OptionError("there is no language model to add monolingual text to", hint=hint)
        if self.corpora and self.rules.source == "table":
            raise OptionError("a table cannot have further corpora", hint="leave out --rules table or --corpus")
        if self.search.search == "stack" and self.rules.max_gaps > 0:
            hint = "leave out --max-gaps or use --system hiero"
            raise OptionError("the stack search uses no rules with gaps", hint=hint)
        self.system.check_labels(self.search)
        if self.dev is not None or self.options.hold_out != 0:  # not after all the work
            chosen_metric(self.tuning)
            chosen_tuner(self.tuning)
        if self.weights is not None:
            read_weights(self.weights)
        if self.dev_references and self.dev is None:
            hint = "give it with --dev, or leave out --reference"
            raise OptionError("there are further references but no development text", hint=hint)
        if self.dev is not None:
            sources, _ = read_development(self.dev, self.dev_beside)
            read_references(self.dev_references, sources, self.dev[0])
            self._check_needs(self.dev[0], self.dev_beside, "dev-")
        self._check_needs(self.source, self.beside, "")

    def _check_layer(self, name: str) -> None:
        """Raises an error if the target side cannot have a layer."""
        if name in self.beside.target_layers or is_treebank(self.target):
            return
        hint = f"give a .conllu file, or --target-layer {name}=FILE"
        elsewhere = "; only the source side has it" if name in self.beside.source_layers else ""
        raise OptionError(f"a language model needs the layer '{name}' of {self.target}{elsewhere}", hint=hint)

    def _check_needs(self, path: Path, beside: Beside, flag: str) -> None:
        """Raises an error if a text lacks a layer that the system needs."""
        for name in self.system.needs if not is_treebank(path) else ():
            if name not in beside.source_layers:
                hint = f"give a .conllu file, or --{flag}source-layer {name}=FILE"
                raise OptionError(f"the system '{self.system.name}' needs the layer '{name}' of {path}", hint=hint)
