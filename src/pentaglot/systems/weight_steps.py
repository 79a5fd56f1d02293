"""The training steps that choose weights: initial ones, and better ones by tuning.

Weights that were tuned, or changed by a user, are valuable: they stay as long as they fit the features of the model,
and are kept under another name if they have to be replaced.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from pentaglot._core import base
from pentaglot.corpus.lines import read_line_blocks
from pentaglot.errors import OptionError, PentaglotError
from pentaglot.forest import Weights
from pentaglot.learn import History, Tuning, history_path
from pentaglot.learn.checkpoint import remove_rounds
from pentaglot.order.places import typed_sentence
from pentaglot.rules import Induction
from pentaglot.rules.features import features_of_corpus
from pentaglot.rules.operator_tables import operators_to
from pentaglot.seals import file_key
from pentaglot.search import language_features
from pentaglot.steps import Result, Step
from pentaglot.systems.development import read_development, read_references
from pentaglot.systems.holding_out import choose_pairs, drafted, usual_number
from pentaglot.systems.inducing import induce, save_tuned, used_weights
from pentaglot.systems.length_weight import set_length
from pentaglot.systems.model import Model
from pentaglot.systems.recipe import Recipe
from pentaglot.systems.translator import Translator
from pentaglot.systems.tuning import tune

__all__ = ["CHOOSE", "Weighing"]

_FILE = "weights.txt"
CHOOSE = "choose weights"

# Rule options that do not change a translation.
_IDLE = ("cache_megabytes", "sightings")


class Weighing:
    """Chooses the weights of the model of a recipe; `tuning` is set when they have been tuned."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._given = recipe, recipe.materials
        self._file = recipe.output / _FILE
        languages = [*self._given.languages, *recipe.languages.others]
        self.start = self._given.start_weights([*self._given.corpora, *recipe.others], languages)
        self.tuning: Tuning | None = None
        self.held_out = 0
        self._unsettled = recipe.shop.unsettled()

    def first(self) -> Step:
        """Initial weights: the usual or given ones."""
        rules = self._given.rules
        options = {
            "system": self._given.options.system,
            "rules": {"source": rules.source, "inverse": rules.inverse, "reordering": rules.reordering},
            "corpora": sorted(self._given.corpora),
            "word_classes": bool(self._given.options.word_classes),
            "word_choice": self._given.options.word_choice,
        }
        if self._given.options.preorder is not None and self._given.options.reorder_by in ("auto", "search"):
            options["reorder_by"] = self._given.options.reorder_by
        if self._given.languages:
            options["languages"] = sorted(self._given.languages)
        files = {} if self._given.weights is None else {"weights to begin with": file_key(self._given.weights)}
        return Step("weights", self._begin, options, files, makes=(Result(_FILE, _readable),))

    def tuned(self) -> Iterator[Step]:
        """Better weights, if there is text to tune on."""
        given, recipe = self._given, self._recipe
        if given.dev is None and not self._held_out_is_wanted():
            return
        rules = {name: value for name, value in dataclasses.asdict(given.rules).items() if name not in _IDLE}
        options = {"tuning": given.tuning.values, "seed": given.options.seed}
        options |= {"rules": rules, "search": dataclasses.asdict(given.search)}
        if given.induce:
            options["induce"] = operators_to(given.induce)
        files = {"weights to begin with": _text_key(self.start)}
        if (beer := given.tuning.beer_model) is not None:
            files["model of BEER"] = file_key(Path(beer))
        needs = (recipe.prepare, recipe.align, recipe.languages.main, recipe.index, *recipe.in_place.corpora.values())
        further = [recipe.table, recipe.languages.classes, recipe.choice, *recipe.own, *recipe.languages.named.values()]
        if given.options.preorder is not None:
            further += [recipe.orders.links, recipe.orders.grammar]
            options["order"] = dataclasses.asdict(given.order)
        needs += tuple(step for step in further if step is not None)
        if given.dev is None:
            options |= {"hold_out": given.options.hold_out, "tune": given.options.tune}
            makes = (Result(_FILE, _readable),)
            yield Step(CHOOSE, self._choose, options, files, needs=needs, makes=makes, in_place=True)
            return
        for side, path in zip(("source", "target"), given.dev, strict=True):
            files[f"{side} of the development text"] = file_key(path)
        for number, path in enumerate(given.dev_references, 2):
            files[f"reference {number} of the development text"] = file_key(path)
        for name, each in given.dev_beside.files().items():
            files[f"{name} of the development text"] = file_key(each)
        if given.dev_beside.domain:
            options["dev_domain"] = given.dev_beside.domain
        yield Step("tune", self._tune, options, files, needs=needs, makes=(Result(_FILE),), in_place=True)

    def _held_out_is_wanted(self) -> bool:
        """Not if weights are given, were tuned on a development text, or were changed by a user: those are better."""
        asked = self._given.options.hold_out
        if asked == 0 or self._given.weights is not None or self._too_few:
            return False
        _check_share(asked or 0, self._pairs)
        if not self._file.exists():
            return True
        return file_key(self._file) in self._left_by("weights", CHOOSE)

    @cached_property
    def _pairs(self) -> int:
        return sum(block.count(b"\n") for block in read_line_blocks(self._given.source))

    @property
    def _too_few(self) -> bool:
        """Whether nothing is held out because the text is small."""
        given = self._given
        return given.dev is None and given.options.hold_out is None and not usual_number(self._pairs)

    def kept(self) -> bool:
        """Whether the model has other weights than the initial ones."""
        return self._file.exists() and file_key(self._file) not in self._left_by("weights")

    def _begin(self) -> dict[str, Any]:
        found = self._fitting()
        if found is None:
            self._keep_aside()
            found = self.start
            if self._too_few and self._given.options.tune and self._given.weights is None:
                text = "too few pairs to hold some out and tune on them; the usual weights are taken"
                self._recipe.progress.say(f"{text} (--dev or --hold-out tunes them)")
        place = self._recipe.shop.to(_FILE)
        found.save(place)
        return {"wrote": file_key(place) if found == self.start else ""}

    def _fitting(self) -> Weights | None:
        """The existing weights, if they were made for the same features, completed for all corpora and language models
        of the new model, and without those of others."""
        old = self._recipe.shop.done.record("weights")
        wanted = self.first().inputs
        if old is None or not self._file.exists() or _lasting(old["inputs"]) != _lasting(wanted):
            return None
        try:
            present = Weights.open(self._file)
        except PentaglotError:
            return None
        before, given = old["inputs"]["options"], self._given
        corpora = {*before["corpora"]} - {*given.corpora, *self._recipe.others}
        languages = {*before.get("languages", ())} - {*given.languages, *self._recipe.languages.others}
        gone = {feature for name in corpora for feature in features_of_corpus(name)}
        gone |= {feature for name in languages for feature in language_features(name)}
        stays = {name: value for name, value in present.items() if name not in gone}
        new = {name: value for name, value in self.start.items() if "@" in name and name not in stays}
        return Weights(stays | new)

    def _tune(self) -> None:
        given, recipe = self._given, self._recipe
        assert given.dev is not None
        sources, first = read_development(given.dev, given.dev_beside)
        references = [first, *read_references(given.dev_references, sources, given.dev[0])]
        translator = Translator(Model.open(recipe.output), weights=self.start, induction=Induction(()))
        work: dict[str, Any] = {"threads": recipe.threads, "progress": recipe.progress}
        if given.induce:
            translator = induce(translator, sources, given.induce, **work)
        self.tuning = tune(
            translator,
            sources,
            references,
            given.tuning,
            seed=given.options.seed,
            checkpoint=recipe.shop.marks / "tuning",
            **work,
        )
        self._keep_aside()
        translator.save_features(recipe.output / "features")
        self._save("tune", translator, self.tuning.weights)

    def _choose(self) -> dict[str, Any]:
        """Weights tuned on held-out pairs, with a model that has not seen them."""
        given, recipe = self._given, self._recipe
        model = Model.open(recipe.output)
        asked = given.options.hold_out
        number = usual_number(len(model.index)) if asked is None else asked
        _check_share(number, len(model.index))  # a treebank has more lines than pairs
        held_out = choose_pairs(model.index.bitext, number)
        self.held_out = len(held_out)
        if not self.held_out:
            why = "each is empty, too long, or shares a side with another" if number else "there are too few"
            recipe.progress.say(f"no pair can be held out: {why}; the usual weights are taken")
            return {"wrote": next(self._recorded("weights"), "")}
        recipe.progress.say(f"{len(held_out)} pairs are held out to choose weights on; the final model uses all pairs")
        bitext = model.index.bitext
        sources = [typed_sentence(bitext.sentence(number, "source")) for number in held_out.tolist()]
        references = [" ".join(bitext.pair(number)[1]) for number in held_out.tolist()]
        work: dict[str, Any] = {"threads": recipe.threads, "progress": recipe.progress}
        place, estimate = recipe.shop.marks / "draft", recipe.languages.estimated_again
        with drafted(model, held_out, given.lists, place=place, estimate=estimate, **work) as draft:
            translator = Translator(draft, weights=self.start, induction=Induction(()))
            if given.options.tune:
                if given.induce:
                    translator = induce(translator, sources, given.induce, tokenised=True, **work)
                self.tuning = tune(
                    translator,
                    sources,
                    references,
                    given.tuning,
                    tokenised=True,
                    seed=given.options.seed,
                    checkpoint=recipe.shop.marks / "tuning",
                    **work,
                )
                weights = Weights({**self.start, **self.tuning.weights})
            else:
                weights = set_length(translator, sources, references, **work)
        self._keep_aside()
        names = [*self.start, *(name for name in translator.induced_names if name in weights)]
        chosen = Weights({name: weights[name] for name in names if name not in translator.induction.replaced})
        self._save(CHOOSE, translator, chosen)
        return {"wrote": file_key(self._file)}

    def _save(self, step: str, translator: Translator, weights: Weights) -> None:
        """Writes what tuning found into the model. A copy goes first: a kill before the step has left its mark must not
        make the weights look like those of a user."""
        used_weights(translator, weights).save(self._announced(step))
        save_tuned(translator, weights, self._recipe.output)
        if self.tuning is not None:
            History.of(self.tuning, self._given.options.seed).save(history_path(self._file))

    def remove_scratch(self) -> None:
        """Removes what tuning uses until it is done."""
        remove_rounds(self._recipe.shop.marks / "tuning")
        for step in ("tune", CHOOSE):
            self._announced(step).unlink(missing_ok=True)

    def _keep_aside(self) -> None:
        self._recipe.keep_aside(_FILE, *self._left_by("weights", "tune", CHOOSE))
        history_path(self._file).unlink(missing_ok=True)

    def _left_by(self, *steps: str) -> set[str]:
        """Keys of the weights that steps have left in the model, or were about to leave there."""
        found = {key for step in steps for key in self._recorded(step)}
        return found | {file_key(file) for file in map(self._announced, steps) if file.exists()}

    def _recorded(self, step: str) -> Iterator[str]:
        """Keys of the weights that a step has left, by its marks."""
        for record in (self._recipe.shop.done.record(step), self._unsettled.get(step)):
            if record is not None:
                yield str(record["makes"].get(_FILE) if step == "tune" else record["facts"].get("wrote"))

    def _announced(self, step: str) -> Path:
        """A copy of the weights that a step is about to leave."""
        return self._recipe.shop.marks / f"{step}.weights"


def _check_share(number: int, pairs: int) -> None:
    """Raises an error if so many pairs cannot be held out."""
    if 2 * number > pairs:
        hint = "at most half of the text can be held out; --hold-out 0 holds out none"
        raise OptionError(f"{number:,} pairs cannot be held out of {pairs:,}", hint=hint)


def _readable(path: Path) -> str:
    """Accepts any weights that can be read: they may have been tuned, or changed by a user."""
    Weights.open(path)
    return "weights"


def _lasting(inputs: dict[str, Any]) -> dict[str, Any]:
    """The inputs of a step without its corpora and language models."""
    options = {name: value for name, value in inputs["options"].items() if name not in ("corpora", "languages")}
    return {**inputs, "options": options}


def _text_key(weights: Weights) -> str:
    return f"{base.checksum(repr(list(weights.items())).encode()):016x}"
