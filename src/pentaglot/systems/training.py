"""`train`: from raw parallel text to a tuned model directory, in steps that survive a kill."""

from __future__ import annotations

import dataclasses
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pentaglot import lm
from pentaglot.align import Alignment, AlignOptions, read_links
from pentaglot.align import train as train_aligner
from pentaglot.corpus import Bitext, Tokenizer, learn_tokenizer, read_bitext, read_pairs
from pentaglot.corpus.tokenizer import Casing
from pentaglot.errors import InputError, OptionError, PentaglotError, StorageError, writing
from pentaglot.forest import Weights
from pentaglot.index import Index, PrecomputationOptions
from pentaglot.learn import TuneOptions, Tuning
from pentaglot.lm import LanguageModel
from pentaglot.options import setting
from pentaglot.progress import SILENT, Progress
from pentaglot.rules import LIMITS, RuleOptions, extract_table
from pentaglot.search import SearchOptions
from pentaglot.systems.corpora import add_corpus, check_corpus_name
from pentaglot.systems.model import SYSTEMS, Description, Model
from pentaglot.systems.steps import Step, file_key, run_steps
from pentaglot.systems.translator import Translator
from pentaglot.systems.tuning import tune

__all__ = ["TrainOptions", "Trained", "train"]

StrPath = str | os.PathLike[str]

# Of the probability of the source side given the target side, which tables have, before tuning.
_INVERSE_WEIGHT = 0.1


@dataclass(frozen=True)
class TrainOptions:
    """What is trained, and how."""

    system: Literal["hiero", "phrase"] = setting("hiero", "rules with gaps (hiero) or phrases (phrase)")
    rules: Literal["index", "table"] = setting(
        "index", "whether rules are found on demand in the index, or in a table of all rules that is made beforehand"
    )
    tokenizer: str = setting("auto", "how text is cut into words; auto looks at it; none if it is tokenised already")
    source_tokenizer: str | None = setting(None, "the same for the source side only")
    target_tokenizer: str | None = setting(None, "the same for the target side only")
    casing: Casing = setting("truecase", "what is done about capitals")
    source_casing: Casing | None = setting(None, "the same for the source side only")
    target_casing: Casing | None = setting(None, "the same for the target side only")
    source_language: str | None = setting(None, "code of the source language, such as tr; guessed from the text")
    target_language: str | None = setting(None, "code of the target language")
    protect: tuple[str, ...] = setting((), "regular expression for text that stays whole and is never translated")
    order: int = setting(5, "order of the language model", minimum=1, maximum=7)
    frequent: int = setting(100, "how many frequent word sequences are precomputed", minimum=0, maximum=10_000)
    seed: int = setting(0, "seed of everything that is random")

    @property
    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """Those of both sides, before they have seen text."""
        return (
            Tokenizer(
                self.source_tokenizer or self.tokenizer,
                self.source_casing or self.casing,
                protect=self.protect,
                language=self.source_language,
            ),
            Tokenizer(
                self.target_tokenizer or self.tokenizer,
                self.target_casing or self.casing,
                protect=self.protect,
                language=self.target_language,
            ),
        )


@dataclass(frozen=True)
class Trained:
    """What training came to."""

    path: Path
    seconds: dict[str, float]  # of the steps that were done now
    pairs: int
    tuning: Tuning | None


@dataclass(frozen=True)
class _Job:
    """What all steps need to know."""

    source: Path
    target: Path
    output: Path
    options: TrainOptions
    align: AlignOptions
    rules: RuleOptions
    search: SearchOptions
    threads: int
    progress: Progress

    @property
    def work(self) -> Path:
        return self.output / ".train"

    def bitext(self) -> Bitext:
        return Bitext.open(self.work / "corpus")

    def prepare(self) -> None:
        """Tokenizers and encoded text."""
        tokenizers = []
        sides = zip(("source", "target"), (self.source, self.target), self.options.tokenizers, strict=True)
        for side, path, tokenizer in sides:
            tokenizers.append(learn_tokenizer(tokenizer, path, self.progress))
            tokenizers[-1].save(self.output / f"{side}.tokenizer")
        bitext = read_bitext(
            self.source,
            self.target,
            source_tokenizer=tokenizers[0],
            target_tokenizer=tokenizers[1],
            threads=self.threads,
            progress=self.progress,
        )
        bitext.save(self.work / "corpus")

    def train_aligner(self) -> None:
        bitext = self.bitext()
        aligner = train_aligner(bitext, self.align, threads=self.threads, progress=self.progress)
        aligner.save(self.output / "aligner")
        chosen = {"symmetrise": self.align.symmetrise, "threshold": self.align.threshold}
        alignment = aligner.align(bitext, **chosen, threads=self.threads, progress=self.progress)  # type: ignore[arg-type]
        alignment.save(self.work / "alignment", bitext)

    def read_alignment(self, path: StrPath) -> None:
        bitext = self.bitext()
        alignment = read_links(path)
        if len(alignment) != len(bitext):
            problem = f"has {len(alignment)} lines of links for {len(bitext)} sentence pairs"
            raise InputError(problem, path=path, hint="it needs one for each pair")
        alignment.save(self.work / "alignment", bitext)

    @property
    def precomputed(self) -> PrecomputationOptions | None:
        if self.rules.max_gaps == 0:
            return None
        rules = self.rules
        return PrecomputationOptions(
            frequent=self.options.frequent,
            max_length=rules.max_symbols,
            max_span=rules.max_span,
            min_gap=rules.min_gap,
        )

    def build_index(self) -> None:
        index = Index.build(
            self.bitext(),
            Alignment.open(self.work / "alignment"),
            self.precomputed,
            both_sides=self.rules.inverse,
            threads=self.threads,
            progress=self.progress,
        )
        index.save(self.output / "index")

    def extract_table(self) -> None:
        index = Index.open(self.output / "index")
        extract_table(index, self.output / "table", self.rules, threads=self.threads, progress=self.progress)

    def build_language_model(self) -> None:
        bitext = self.bitext()
        model = lm.build(
            bitext.target,
            bitext.target_vocabulary,
            lm.BuildOptions(order=self.options.order),
            threads=self.threads,
            progress=self.progress,
        )
        model.save(self.output / "lm")

    def describe(self, weights: StrPath | None) -> None:
        """Default weights and the description: from here on the directory is a model that translates."""
        usual = SYSTEMS[self.options.system].weights
        if self.rules.source == "table":
            usual = {"inverse": _INVERSE_WEIGHT} | usual
        start = Weights(usual) if weights is None else Weights.open(weights)
        start.save(self.output / "weights.txt")
        # Those of another training do not belong here; a step of their own makes the new ones.
        shutil.rmtree(self.output / "corpora", ignore_errors=True)
        options = {name: value for name, value in dataclasses.asdict(self.options).items() if value is not None}
        made = {"source": self.source.name, "target": self.target.name, "options": options}
        Description(self.options.system, self.rules, self.search, made).save(self.output)


def train(
    source: StrPath,
    target: StrPath,
    output: StrPath,
    *,
    dev: tuple[StrPath, StrPath] | None = None,
    options: TrainOptions | None = None,
    align: AlignOptions | None = None,
    rules: RuleOptions | None = None,
    search: SearchOptions | None = None,
    tuning: TuneOptions | None = None,
    alignment: StrPath | None = None,
    language_model: StrPath | None = None,
    weights: StrPath | None = None,
    corpora: Mapping[str, tuple[StrPath, StrPath]] | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Trained:
    """Trains a system on two files whose lines translate each other. A run that was killed goes on where it was.

    `rules` and `search` are those of the system (`SYSTEMS`) if they are not given; where rules come from, `options`
    say. `alignment` (links in Pharaoh format), `language_model` (ARPA or a model directory) and `weights` are used in
    place of the steps that would make them. `corpora` are further ones by name, each two files: what they teach is
    kept apart, with features of its own.
    """
    options = options or TrainOptions()
    defaults = SYSTEMS[options.system]
    rules = dataclasses.replace(rules or defaults.rules, source=options.rules)
    search = search or dataclasses.replace(defaults.search, max_span=rules.max_span)
    files = Path(source), Path(target), Path(output)
    job = _Job(*files, options, align or AlignOptions(), rules, search, threads, progress)
    if corpora and options.rules == "table":
        raise OptionError("a table has no further corpora", hint="leave out --rules table or --corpus")
    if search.search == "stack" and rules.max_gaps > 0:
        raise OptionError("the stack search uses no rules with gaps", hint="leave out --max-gaps or use --system hiero")
    _check_place(job)
    tuned: list[Tuning] = []
    steps = [
        _prepare_step(job),
        _align_step(job, alignment),
        _language_step(job, language_model),
        *_rule_steps(job),
        _describe_step(job, weights, sorted(corpora or {})),
    ]
    steps += [_corpus_step(job, name, files) for name, files in sorted((corpora or {}).items())]
    if dev is not None:
        key = {"dev": [file_key(path) for path in dev], "tuning": dataclasses.asdict(tuning or TuneOptions())}
        steps.append(Step("tune", key | {"seed": options.seed}, lambda: tuned.append(_tune(job, dev, tuning))))
    seconds = _run(job, steps)
    for leftover in ("corpus", "alignment", "tuning"):
        shutil.rmtree(job.work / leftover, ignore_errors=True)
    return Trained(job.output, seconds, len(Index.open(job.output / "index")), tuned[0] if tuned else None)


def _prepare_step(job: _Job) -> Step:
    key = {
        "source": file_key(job.source),
        "target": file_key(job.target),
        "tokenizers": [(each.mode, each.casing, each.protect, each.language) for each in job.options.tokenizers],
    }
    makes = (job.work / "corpus", job.output / "source.tokenizer", job.output / "target.tokenizer")
    return Step("prepare", key, job.prepare, makes)


def _align_step(job: _Job, alignment: StrPath | None) -> Step:
    if alignment is not None:
        key = {"links": file_key(alignment)}
        return Step("align", key, lambda: job.read_alignment(alignment), (job.work / "alignment",))
    makes = (job.work / "alignment", job.output / "aligner")
    return Step("align", dataclasses.asdict(job.align), job.train_aligner, makes)


def _language_step(job: _Job, given: StrPath | None) -> Step:
    place = job.output / "lm"
    if given is not None:
        return Step("language model", {"given": str(given)}, lambda: LanguageModel.open(given).save(place), (place,))
    return Step("language model", {"order": job.options.order}, job.build_language_model, (place,))


def _rule_steps(job: _Job) -> Iterator[Step]:
    """What rules are found in."""
    lists = job.precomputed and dataclasses.asdict(job.precomputed)
    key = {"precomputed": lists, "both_sides": job.rules.inverse}
    yield Step("index", key, job.build_index, (job.output / "index",))
    if job.rules.source == "table":
        limits = {name: getattr(job.rules, name) for name in (*LIMITS, "reordering")}
        yield Step("table", limits, job.extract_table, (job.output / "table",))


def _describe_step(job: _Job, weights: StrPath | None, corpora: list[str]) -> Step:
    key = {
        "system": job.options.system,
        "rules": dataclasses.asdict(job.rules),
        "search": dataclasses.asdict(job.search),
        "weights": weights and file_key(weights),
        "corpora": corpora,
    }
    return Step("describe", key, lambda: job.describe(weights))


def _corpus_step(job: _Job, name: str, files: tuple[StrPath, StrPath]) -> Step:
    check_corpus_name(name)

    def work() -> None:
        add_corpus(job.output, name, *files, threads=job.threads, progress=job.progress)

    key = {"files": [file_key(path) for path in files]}
    return Step(f"corpus {name}", key, work, (job.output / "corpora" / name,))


def _check_place(job: _Job) -> None:
    """Says why the output directory or the options cannot be used, if they cannot."""
    if job.output.exists() and not job.output.is_dir():
        raise StorageError("is a file; a model is a directory", path=job.output, hint="choose another name")
    ours = job.work.exists() or (job.output / "pentaglot.toml").exists()
    if job.output.is_dir() and any(job.output.iterdir()) and not ours:
        raise StorageError(
            "is a directory with other things in it", path=job.output, hint="choose another name or empty it"
        )
    for side, tokenizer in zip(("source", "target"), job.options.tokenizers, strict=True):
        if tokenizer.casing == "truecase" and tokenizer.mode == "none":
            hint = f"use --casing keep or lowercase, or --{side}-casing for this side"
            raise OptionError(f"{side} text that is tokenised already cannot be truecased", hint=hint)


def _run(job: _Job, steps: list[Step]) -> dict[str, float]:
    """Does the steps; a directory that the first of them cannot do anything for does not stay."""
    fresh = not job.output.exists()
    with writing(job.work):
        job.work.mkdir(parents=True, exist_ok=True)
    try:
        return run_steps(job.work, steps)
    except PentaglotError:
        if fresh and not any(job.work.glob("*.done")):
            shutil.rmtree(job.output, ignore_errors=True)
        raise


def _tune(job: _Job, dev: tuple[StrPath, StrPath], options: TuneOptions | None) -> Tuning:
    pairs = list(read_pairs(dev))
    result = tune(
        Translator(Model.open(job.output)),
        [pair.source for pair in pairs],
        [pair.target for pair in pairs],
        options,
        seed=job.options.seed,
        threads=job.threads,
        checkpoint=job.work / "tuning",
        progress=job.progress,
    )
    result.weights.save(job.output / "weights.txt")
    return result
