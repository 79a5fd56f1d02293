"""The training steps for another word order: the text is aligned as it was typed, a reordering grammar is learnt from
the links, and the source sentences are put into the order of their translations (Stanojević 2017, §3.4)."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.index import origin
from pentaglot.order import (
    GrammarOptions,
    Permutation,
    Permutations,
    Preorderer,
    ReorderingGrammar,
    gold_orders,
    train_grammar,
)
from pentaglot.order.places import places_in_sentence, reordered_bitext
from pentaglot.order.trial import Trial, held_out_pairs, without_links
from pentaglot.seals import file_key
from pentaglot.steps import Result, Step
from pentaglot.systems.ordering import GRAMMAR, TRIAL, TYPED_ALIGNER

if TYPE_CHECKING:
    from pentaglot.systems.recipe import Recipe

__all__ = ["OrderSteps"]

_LINKS = "order/links"  # of the text as typed


class OrderSteps:
    """The steps of a recipe whose text is put into another order; none if it is not."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._given = recipe, recipe.materials

    def __iter__(self) -> Iterator[Step]:
        if self._given.options.preorder is not None:
            yield self.links
            if self.grammar is not None:
                yield self.grammar
            yield self.text

    @property
    def last(self) -> Step:
        """The step that makes the text that everything else is made from."""
        return self._recipe.prepare if self._given.options.preorder is None else self.text

    @property
    def corpus(self) -> str:
        """The name of that text."""
        return "corpus" if self._given.options.preorder is None else "reordered"

    @functools.cached_property
    def links(self) -> Step:
        """Links of the text as it was typed: given, or by an aligner, which is kept for pairs that are added later."""
        made = Result(_LINKS, lent=True)
        shared: dict[str, Any] = {"needs": (self._recipe.prepare,), "takes": ("corpus",)}
        if (given := self._given.alignment) is not None:
            work = functools.partial(self._read_links, given)
            return Step("links as typed", work, files={"links": file_key(given)}, makes=(made,), **shared)
        options, makes = dataclasses.asdict(self._given.align), (Result(TYPED_ALIGNER), made)
        return Step("links as typed", self._align, options, makes=makes, **shared)

    def _align(self) -> None:
        bitext = origin.original_text(self._recipe.shop.at("corpus"))
        self._recipe.aligned(bitext, TYPED_ALIGNER).save(self._recipe.shop.to(_LINKS), bitext)

    def _read_links(self, path: Path) -> None:
        bitext = origin.original_text(self._recipe.shop.at("corpus"))
        self._recipe.given_links(bitext, path).save(self._recipe.shop.to(_LINKS), bitext)

    @functools.cached_property
    def grammar(self) -> Step | None:
        """The grammar that orders new text; none for the gold order."""
        kind = self._given.options.preorder
        if kind is None or kind == "gold":
            return None
        options = dataclasses.asdict(self._options)
        options["order"] = dataclasses.asdict(self._given.order)
        if self._given.options.reorder_by in ("auto", "search"):
            options["reorder_by"] = self._given.options.reorder_by
        takes, needs = ("corpus", _LINKS), (self._recipe.prepare, self.links)
        step = Step("reordering grammar", self._learn, options, needs=needs, takes=takes)
        return dataclasses.replace(step, makes=(Result(GRAMMAR), Result(TRIAL)))

    @property
    def _options(self) -> GrammarOptions:
        kind, given = self._given.options.preorder, self._given.grammar
        return given if kind is None or kind == "gold" else dataclasses.replace(given, trees=kind)

    def _learn(self) -> None:
        shop, recipe = self._recipe.shop, self._recipe
        bitext, links = origin.original_text(shop.at("corpus")), Alignment.open(shop.at(_LINKS))
        held_out = held_out_pairs(bitext, links)
        grammar = self._grammar(bitext, without_links(links, held_out))
        grammar.save(shop.to(GRAMMAR))
        preorderer = Preorderer(grammar, self._given.order)
        trial = Trial.of(preorderer, bitext, links, held_out.tolist(), threads=recipe.threads)
        order, by = self._given.order, self._given.options.reorder_by
        worthwhile = trial.is_worthwhile(order.worthwhile)
        searched = worthwhile and (by == "search" or (by == "auto" and not trial.is_worthwhile(order.much)))
        trial = dataclasses.replace(trial, kept=not worthwhile or searched, searched=searched)
        trial.save(shop.to(TRIAL))
        figures = f"{trial.typed:.3f} of all pairs of words stand right as typed, {trial.ordered:.3f} ordered"
        if not worthwhile:
            recipe.progress.say(f"the text is kept as typed: {figures}")
        elif searched and by == "auto":
            recipe.progress.say(f"the text is kept as typed, and the search weighs orders: {figures}")

    def _grammar(self, bitext: Bitext, links: Alignment) -> ReorderingGrammar:
        recipe = self._recipe
        return train_grammar(
            bitext.source,
            bitext.source_vocabulary,
            links,
            self._options,
            tokenizer=Tokenizer.open(recipe.shop.at("source.tokenizer")),
            threads=recipe.threads,
            progress=recipe.progress,
        )

    @functools.cached_property
    def text(self) -> Step:
        """The text with its source sentences in the order of their translations, and its layers."""
        recipe = self._recipe
        needs: tuple[Step, ...] = (recipe.prepare, self.links)
        takes: tuple[str, ...] = ("corpus", _LINKS)
        if self.grammar is not None:
            needs = (*needs, self.grammar)
        if recipe.layers is not None:
            needs, takes = (*needs, recipe.layers), (*takes, "layers")
        made = Result("reordered", origin.text_seal, lent=True, also_in=("index",))
        options = {"reorder_by": self._given.options.reorder_by} if self._jackknifes else {}
        return Step("reorder", self._reorder, options, needs=needs, takes=takes, makes=(made,))

    @property
    def _jackknifes(self) -> bool:
        return self.grammar is not None and self._given.options.reorder_by in ("auto", "grammar")

    def moved_links(self) -> Alignment:
        """The links as typed, after the words have moved."""
        shop = self._recipe.shop
        bitext, links = origin.original_text(shop.at("reordered")), Alignment.open(shop.at(_LINKS))
        orders = [Permutation.from_order(places_in_sentence(bitext, pair)) for pair in range(len(bitext))]
        return Alignment.from_links([each.move(links.links(pair)) for pair, each in enumerate(orders)])

    def _keeps(self) -> bool:
        """Whether the text stays as it was typed."""
        return self.grammar is not None and Trial.open(self._recipe.shop.at(TRIAL)).kept

    def _reorder(self) -> None:
        shop, recipe = self._recipe.shop, self._recipe
        bitext = origin.original_text(shop.at("corpus"))
        if recipe.layers is not None:
            annotation = origin.original_layers(shop.at("layers"), bitext)
            bitext = dataclasses.replace(bitext, annotation=annotation)
        with recipe.progress.task("reordering the text", total=1):
            links = Alignment.open(shop.at(_LINKS))
            if self._keeps():  # without links, every word stays where it is
                links = Alignment.from_links([[]] * len(bitext))
            orders = gold_orders(links, bitext.source, threads=recipe.threads)
        if self._jackknifes and not self._keeps():
            orders = self._orders_by_grammar(bitext, links)
        reordered_bitext(bitext, orders).save(shop.to("reordered"))

    def _orders_by_grammar(self, bitext: Bitext, links: Alignment) -> Permutations:
        """The orders that grammars find in sentences that they were not learnt from: each of one half of the text."""
        recipe = self._recipe
        found: dict[int, Permutation] = {}
        for half in (0, 1):
            pairs = np.arange(half, len(bitext), 2)
            grammar = self._grammar(bitext, without_links(links, pairs))
            sentences = [bitext.pair(pair)[0] for pair in pairs.tolist()]
            with recipe.progress.task("ordering the text", total=len(pairs), unit="sentences") as task:
                ordered = Preorderer(grammar, self._given.order).order(sentences, threads=recipe.threads)
                for pair, each in zip(pairs.tolist(), ordered, strict=True):
                    found[pair] = each.permutation
                    task.advance()
        return Permutations.join(found[pair] for pair in range(len(bitext)))
