"""The training steps for language models: those that training estimates, and those that are given."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pentaglot import lm
from pentaglot.corpus import Bitext, Text, Tokenizer, Vocabulary, copy_vocabulary
from pentaglot.errors import InputError, PentaglotError
from pentaglot.index import origin
from pentaglot.rules.features import CLASSES
from pentaglot.seals import file_key, seal
from pentaglot.steps import Result, Step
from pentaglot.systems.further_parts import language_paths
from pentaglot.systems.languages import GivenLanguage
from pentaglot.systems.model import Model

if TYPE_CHECKING:
    from pentaglot.systems.recipe import Recipe

__all__ = ["LanguageSteps"]


class LanguageSteps:
    """A step for each language model of a recipe. Models are estimated from the target side and the monolingual texts,
    which are tokenised and cased like it."""

    def __init__(self, recipe: Recipe) -> None:
        self._recipe, self._given = recipe, recipe.materials
        self._work: dict[str, Any] = {"threads": recipe.threads, "progress": recipe.progress}

    def __iter__(self) -> Iterator[Step]:
        yield self.main
        if self.classes is not None:
            yield self.classes
        yield from self.named.values()

    @functools.cached_property
    def main(self) -> Step:
        """The model whose feature is `language_model`."""
        given, makes = self._given.language_model, (Result("lm"),)
        if given is not None:
            files = {"model": _key(given)}
            return Step("language model", lambda: self._take("lm", GivenLanguage(given)), files=files, makes=makes)
        return self._estimated("language model", self._build_main, {"order": self._given.options.order}, makes)

    @functools.cached_property
    def classes(self) -> Step | None:
        """The model over classes of words."""
        if not self._given.options.word_classes:
            return None
        options = {"word_classes": self._given.options.word_classes}
        return self._estimated("word classes", self._build_classes, options, (Result(f"languages/{CLASSES}"),))

    @functools.cached_property
    def named(self) -> dict[str, Step]:
        """The named models."""
        found = {}
        for name, given in sorted(self._given.languages.items()):
            files = {} if given.path is None else {"model": _key(given.path)}
            if isinstance(given.classes, Path):
                files["classes"] = file_key(given.classes)
            place, called = f"languages/{name}", f"language model {name}"
            if given.layer is None:
                work = functools.partial(self._take, place, given)
                found[name] = Step(called, work, files=files, makes=(Result(place),))
            else:
                found[name] = self._over_layer(called, place, given, files)
        return found

    def _over_layer(self, name: str, place: str, given: GivenLanguage, files: dict[str, str]) -> Step:
        recipe = self._recipe
        assert recipe.layers is not None and given.layer is not None  # see Materials.check
        if given.path is None:
            files = files | self._monolingual_keys()
        return Step(
            name,
            functools.partial(self._take_over_layer, place, given),
            {"layer": given.layer},
            files,
            needs=(recipe.prepare, recipe.layers),
            makes=(Result(place),),
            takes=("corpus", "layers"),
        )

    @functools.cached_property
    def others(self) -> list[str]:
        """The names of models that were added to the trained model later."""
        recipe = self._recipe
        return [
            path.name
            for path in language_paths(recipe.output)
            if path.name not in (CLASSES, *self._given.languages)
            and not recipe.former.are_there(f"language model {path.name}")
        ]

    def estimated_again(self, model: Model, bitext: Bitext) -> Model:
        """The model with its estimated language models replaced by ones of another text."""
        main, further = model.language, dict(model.languages)
        if self._given.language_model is None:
            main = main.estimated_from(*self._texts(bitext, model.target_tokenizer), **self._work)
        estimated = [name for name, given in self._given.languages.items() if given.path is None]
        for name in {CLASSES, *estimated}.intersection(further):
            again = further[name].estimated_from(*self._texts(bitext, model.target_tokenizer), **self._work)
            further[name] = again
        return dataclasses.replace(model, language=main, languages=further)

    def _estimated(self, name: str, work: Any, options: dict[str, Any], makes: tuple[Result, ...]) -> Step:
        files, takes = self._monolingual_keys(), (self._recipe.orders.corpus,)
        return Step(name, work, options, files, needs=(self._recipe.prepare,), makes=makes, takes=takes)

    def _monolingual_keys(self) -> dict[str, str]:
        return {f"monolingual text {at}": file_key(path) for at, path in enumerate(self._given.monolingual, 1)}

    def _take(self, place: str, given: GivenLanguage) -> None:
        given.open(progress=self._recipe.progress).save(self._recipe.shop.to(place))

    def _take_over_layer(self, place: str, given: GivenLanguage) -> None:
        shop, (bitext, tokenizer) = self._recipe.shop, self._target_side()
        bitext = dataclasses.replace(bitext, annotation=origin.original_layers(shop.at("layers"), bitext))
        try:
            model = given.open(bitext, **self._work)
        except PentaglotError as error:
            if error.path is not None:
                raise
            raise InputError(error.message, path=self._given.target, hint=error.hint) from error
        if given.path is None and self._given.monolingual:
            model = model.estimated_from(*self._texts(bitext, tokenizer), **self._work)
        model.save(shop.to(place))

    def _build_main(self) -> None:
        options = lm.BuildOptions(order=self._given.options.order)
        model = lm.build(*self._texts(*self._target_side()), options, **self._work)
        model.save(self._recipe.shop.to("lm"))

    def _build_classes(self) -> None:
        options = lm.ClassOptions(classes=self._given.options.word_classes)
        texts, vocabulary = self._texts(*self._target_side())
        text = texts if isinstance(texts, Text) else lm.join_texts(texts)
        model = lm.ClassModel.build(text, vocabulary, options, **self._work)
        model.save(self._recipe.shop.to(f"languages/{CLASSES}"))

    def _target_side(self) -> tuple[Bitext, Tokenizer]:
        shop = self._recipe.shop
        return origin.original_text(shop.at(self._recipe.orders.corpus)), Tokenizer.open(shop.at("target.tokenizer"))

    def _texts(self, bitext: Bitext, tokenizer: Tokenizer) -> tuple[Text | Iterable[Text], Vocabulary]:
        """All text that models are estimated from. Words that are only in monolingual text get no ids in the bitext."""
        if not self._given.monolingual:
            return bitext.target, bitext.target_vocabulary
        vocabulary = copy_vocabulary(bitext.target_vocabulary)
        files = lm.TextFiles(self._given.monolingual, vocabulary, tokenizer, **self._work)
        return itertools.chain([bitext.target], files), vocabulary


def _key(path: Path) -> str:
    return seal(path) if path.is_dir() else file_key(path)
