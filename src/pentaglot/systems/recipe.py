"""The steps from raw text to a model directory, and what each depends on."""

from __future__ import annotations

import dataclasses
import functools
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pentaglot.align import Alignment
from pentaglot.align import train as train_aligner
from pentaglot.align.alignment import read_links_of
from pentaglot.corpus import Annotation, Bitext, learn_tokenizer, read_bitext
from pentaglot.errors import InputError, StorageError, writing
from pentaglot.index import Index, origin, parts
from pentaglot.progress import Progress
from pentaglot.rules import LIMITS, Letters, WordChoice, extract_table
from pentaglot.rules.operator_tables import operators_to
from pentaglot.seals import file_key
from pentaglot.search import USUAL_DISTORTION_LIMIT, SearchOptions
from pentaglot.steps import Result, Step
from pentaglot.systems.adding import with_folded_pairs
from pentaglot.systems.description import Description
from pentaglot.systems.former_steps import FormerSteps
from pentaglot.systems.further_parts import corpus_paths
from pentaglot.systems.in_place_steps import InPlaceSteps
from pentaglot.systems.language_steps import LanguageSteps
from pentaglot.systems.materials import Materials
from pentaglot.systems.order_steps import OrderSteps
from pentaglot.systems.settling import is_settled, settled
from pentaglot.workshop import Workshop

__all__ = ["Recipe"]

_SOME = 20_000  # pairs; reading them takes a fifth of a second


class Recipe:
    """Makes a model in the directory `output`: one step for each of its parts."""

    def __init__(self, materials: Materials, output: Path, threads: int, progress: Progress) -> None:
        self.materials, self.output = materials, output
        self.threads, self.progress = threads, progress
        self.shop = Workshop(output, ".train")
        self.former = FormerSteps(self.shop.done)
        self.orders = OrderSteps(self)
        self.languages = LanguageSteps(self)
        self.in_place = InPlaceSteps(self)

    def steps(self) -> Iterator[Step]:
        """All steps except those that choose weights; the last ones change the model in place."""
        yield self.prepare
        if self.layers is not None:
            yield self.layers
        yield from (*self.orders, self.align, *self.languages)
        if self.choice is not None:
            yield self.choice
        yield from (self.letters, self.index)
        if self.table is not None:
            yield self.table
        yield from self.own
        yield self.description
        yield from self.in_place

    @functools.cached_property
    def others(self) -> list[str]:
        """Further corpora that were added to the model after training."""
        return [
            path.name
            for path in corpus_paths(self.output)
            if path.name not in self.materials.corpora and not self.former.are_there(f"corpus {path.name}")
        ]

    # Text and links.

    @functools.cached_property
    def prepare(self) -> Step:
        files = {"source text": file_key(self.materials.source), "target text": file_key(self.materials.target)}
        chosen: dict[str, Any] = {"protect": self.materials.options.protect}
        for side, tokenizer in zip(("source", "target"), self.materials.options.tokenizers, strict=True):
            chosen |= {f"{side}_tokenizer": tokenizer.mode, f"{side}_casing": tokenizer.casing}
            chosen[f"{side}_language"] = tokenizer.language
        text = Result("corpus", origin.text_seal, lent=True, also_in=("index",))
        makes = (Result("source.tokenizer"), Result("target.tokenizer"), text)
        return Step("prepare", self._prepare, chosen, files, makes=makes)

    def _prepare(self) -> None:
        """Tokenizers and encoded text."""
        given = self.materials
        tokenizers = []
        for path, tokenizer in zip((given.source, given.target), given.options.tokenizers, strict=True):
            tokenizers.append(learn_tokenizer(tokenizer, path, self.progress))
        bitext = read_bitext(
            given.source,
            given.target,
            source_tokenizer=tokenizers[0],
            target_tokenizer=tokenizers[1],
            keep_lines=True,
            threads=self.threads,
            progress=self.progress,
        )
        if bitext.is_wordless:
            raise InputError(
                "there is nothing to learn from: every pair has an empty side",
                path=given.source,
                hint="check the text with 'pentaglot corpus check'",
            )
        tokenizers[0].save(self.shop.to("source.tokenizer"))
        tokenizers[1].with_edges(_some_lines(bitext)).save(self.shop.to("target.tokenizer"))
        bitext.save(self.shop.to("corpus"))

    @functools.cached_property
    def align(self) -> Step:
        links = Result("links", origin.links_seal, lent=True, also_in=("index",))
        shared: dict[str, Any] = {"needs": (self.orders.last,), "takes": (self.orders.corpus,)}
        given = self.materials.alignment
        if given is not None and self.materials.options.preorder is not None:
            step = Step("align", lambda: self._save_links(self.orders.moved_links()), makes=(links,), **shared)
            return dataclasses.replace(step, takes=(*step.takes, *(each.name for each in self.orders.links.makes)))
        if given is not None:
            files = {"links": file_key(given)}
            return Step("align", lambda: self._read_links(given), files=files, makes=(links,), **shared)
        options = dataclasses.asdict(self.materials.align)
        return Step("align", self._align, options, makes=(Result("aligner"), links), **shared)

    def _align(self) -> None:
        self._save_links(self.aligned(origin.original_text(self.shop.at(self.orders.corpus)), "aligner"))

    def aligned(self, bitext: Bitext, name: str) -> Alignment:
        """The links of a text by an aligner trained on it, which is saved under a name."""
        options = self.materials.align
        aligner = train_aligner(bitext, options, threads=self.threads, progress=self.progress)
        aligner.save(self.shop.to(name))
        return aligner.align(bitext, **options.joining, threads=self.threads, progress=self.progress)

    def _read_links(self, path: Path) -> None:
        self._save_links(self.given_links(origin.original_text(self.shop.at("corpus")), path))

    def given_links(self, bitext: Bitext, path: Path) -> Alignment:
        """The links of a text that a file has."""
        return read_links_of(bitext, path)

    def _save_links(self, alignment: Alignment) -> None:
        bitext = origin.original_text(self.shop.at(self.orders.corpus))
        facts = parts.facts_of(parts.fingerprint(bitext.source), None)
        parts.save_part(self.shop.to("links"), "alignment", parts.build_alignment(bitext, alignment), facts)

    # What is made of them.

    @functools.cached_property
    def choice(self) -> Step | None:
        """Which words the input calls for, if wanted."""
        if not self.materials.options.word_choice:
            return None
        takes, made = (self.orders.corpus,), (Result("choice"),)
        return Step("word choice", self._learn_choice, needs=(self.orders.last,), takes=takes, makes=made)

    def _learn_choice(self) -> None:
        bitext = origin.original_text(self.shop.at(self.orders.corpus))
        WordChoice.learn(bitext, threads=self.threads, progress=self.progress).save(self.shop.to("choice"))

    @functools.cached_property
    def letters(self) -> Step:
        takes = (self.orders.corpus, "links")
        step = Step("letters", self._learn_letters, needs=(self.orders.last, self.align), takes=takes)
        return dataclasses.replace(step, makes=(Result("letters"),))

    def _learn_letters(self) -> None:
        bitext = origin.original_text(self.shop.at(self.orders.corpus))
        links = origin.original_links(self.shop.at("links"))
        Letters.learn(bitext, links, threads=self.threads, progress=self.progress).save(self.shop.to("letters"))

    @functools.cached_property
    def layers(self) -> Step | None:
        """Layers and metadata, if there are any."""
        given = self.materials
        if not given.beside.annotates(given.source, given.target):
            return None
        files = {name: file_key(path) for name, path in given.beside.files().items()}
        made = Result("layers", origin.layers_seal, lent=True, also_in=("index",))
        step = Step("layers", self._read_layers, {"domain": given.beside.domain}, files, needs=(self.prepare,))
        return dataclasses.replace(step, takes=("corpus",), makes=(made,))

    def _read_layers(self) -> None:
        given, bitext = self.materials, origin.original_text(self.shop.at("corpus"))
        with self.progress.task("reading layers", total=1):
            annotation = given.beside.annotation(bitext, (given.source, given.target))
        for name in given.system.needs:
            if name not in annotation.source:
                problem = f"has no layer '{name}', which the system '{given.system.name}' needs"
                raise InputError(problem, path=given.source, hint=f"give --source-layer {name}=FILE")
        annotation.save(self.shop.to("layers"))

    @functools.cached_property
    def index(self) -> Step:
        takes = (self.orders.corpus, "links")
        step = Step("index", self._build_index, needs=(self.orders.last, self.align), takes=takes)
        if self.layers is not None and self.materials.options.preorder is None:
            step = dataclasses.replace(step, needs=(*step.needs, self.layers), takes=(*step.takes, "layers"))
        return dataclasses.replace(step, makes=(Result("index", origin.index_seal),))

    def _build_index(self) -> None:
        bitext = origin.original_text(self.shop.at(self.orders.corpus))
        if self.materials.options.preorder is None:  # else it has them already
            annotation = Annotation()
            if self.layers is not None:
                annotation = origin.original_layers(self.shop.at("layers"), bitext)
            bitext = dataclasses.replace(bitext, annotation=annotation)
        links = origin.original_links(self.shop.at("links"))
        index = Index.build_linked(bitext, links, threads=self.threads, progress=self.progress)
        index = with_folded_pairs(index, self.output, self.others, threads=self.threads, progress=self.progress)
        index.save(self.shop.to("index"))

    @functools.cached_property
    def table(self) -> Step | None:
        rules = self.materials.rules
        if rules.source != "table":
            return None
        limits = {name: getattr(rules, name) for name in (*LIMITS, "reordering")}
        return Step("table", self._extract_table, limits, needs=(self.index,), makes=(Result("table"),))

    def _extract_table(self) -> None:
        index, rules = Index.open(self.shop.at("index")), self.materials.rules
        extract_table(index, self.shop.to("table"), rules, threads=self.threads, progress=self.progress)

    @functools.cached_property
    def own(self) -> tuple[Step, ...]:
        """The steps that only this system has."""
        return tuple(self.materials.system.steps(self))

    @functools.cached_property
    def description(self) -> Step:
        given = self.materials
        options = {name: value for name, value in dataclasses.asdict(given.options).items() if value is not None}
        files = {"source": given.source.name, "target": given.target.name}
        names = {f"name of the {side} text": name for side, name in files.items()}
        chosen = {"rules": dataclasses.asdict(given.rules), "search": dataclasses.asdict(given.search)}
        if given.induce:
            chosen["induce"] = {"operators": operators_to(given.induce)}
        made = {**files, "options": options}
        described = Description(
            given.options.system, given.rules, given.search, made, given.induce, given.options.preorder, given.order
        )
        if given.options.preorder is not None:
            chosen["order"] = dataclasses.asdict(given.order)
        unsettled = self.shop.unsettled().get("describe")

        def write() -> None:
            records = filter(None, (self.shop.done.record("describe"), unsettled))
            self.keep_aside("pentaglot.toml", *(record["makes"].get("pentaglot.toml") for record in records))
            search = given.search if is_settled(given.search) else self._settled_search()
            dataclasses.replace(described, search=search).save(self.shop.to("pentaglot.toml").parent)

        step = Step("describe", write, options | chosen | names, makes=(Result("pentaglot.toml"),))
        if is_settled(given.search):
            return step
        return dataclasses.replace(step, needs=(self.orders.last, self.align), takes=(self.orders.corpus, "links"))

    def _settled_search(self) -> SearchOptions:
        links = origin.original_links(self.shop.at("links"))
        offsets = origin.original_text(self.shop.at(self.orders.corpus)).source.offsets
        found = settled(self.materials.search, self.materials.rules, links, offsets)
        if found.input_span is not None:
            self.progress.say(f"words move far in this text: a rule may cover {found.input_span} words of the input")
        elif (found.distortion_limit or 0) > USUAL_DISTORTION_LIMIT:
            self.progress.say(f"words move far in this text: the search may jump over {found.distortion_limit} of them")
        return found

    def keep_aside(self, name: str, *known: str | None) -> None:
        """Before a text file of the model is replaced: if a user has changed it, keeps it under another name."""
        file = self.output / name
        if file.exists() and file_key(file) not in known:
            copy = self.shop.new.path(f".{name}")
            with writing(file):
                shutil.copyfile(file, copy)
                copy.replace(file.with_name(f"{file.stem}.before{file.suffix}"))

    def check_others(self, changed: bool) -> None:
        """Corpora added later use the word ids of the model, which change with its text."""
        if changed and self.others:
            raise StorageError(
                f"has a further corpus '{self.others[0]}' that was added later and does not fit the new text",
                path=self.output,
                hint=f"remove it (pentaglot add --remove-corpus {self.others[0]}), or train in another directory",
            )


def _some_lines(bitext: Bitext) -> Iterator[tuple[str, str]]:
    """Pairs from all over a text, as they were written: enough to learn how lines begin and end."""
    if bitext.written is not None:
        for number in range(0, len(bitext), -(-len(bitext) // _SOME)):
            yield bitext.written.pair(number)
