"""`pentaglot lm`: build, score, perplexity, convert, interpolate."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, cast

import click

from pentaglot.cli.options import quiet_option, threads_option, with_options
from pentaglot.cli.outputs import check_directory, check_files
from pentaglot.cli.progress import shown_progress
from pentaglot.cli.usage import Group
from pentaglot.corpus import Text, Tokenizer, Vocabulary, learn_tokenizer
from pentaglot.corpus.outputs import open_binary_output
from pentaglot.corpus.tokenizer import Casing
from pentaglot.errors import InputError, OptionError
from pentaglot.lm import (
    BuildOptions,
    LanguageModel,
    Perplexity,
    Scores,
    TextFiles,
    build,
    interpolate,
    tune_weights,
)
from pentaglot.lm.arpa import is_arpa

Function = Callable[..., Any]

# The columns of scores.
_SENTENCE = ("log_probability", "tokens", "unknown")
_WORD = ("sentence", "token", "log_probability", "length", "unknown")

_output = click.option(
    "-o",
    "--output",
    required=True,
    help="Where to write: an ARPA file (.arpa, .arpa.gz, - for standard output), or a directory (any other name).",
)


@click.group(cls=Group)
def command() -> None:
    """Estimate language models and score text with them.

    A model is an ARPA file (.arpa, .arpa.gz), which every other tool reads, or a directory, which opens at once.
    """


def _tokenizer_options(function: Function) -> Function:
    for name, text in (
        ("--casing", "keep or lowercase.  [default: that of the model, else keep]"),
        ("--tokenizer", "How lines are cut into words; none: at spaces.  [default: that of the model, else none]"),
    ):
        function = click.option(name, default=None, help=text)(function)
    return function


@command.command("build")
@click.argument("texts", nargs=-1, required=True, metavar="TEXT...")
@_output
@with_options(BuildOptions, table="lm")
@_tokenizer_options
@threads_option
@quiet_option
def build_command(
    texts: tuple[str, ...],
    output: str,
    options: BuildOptions,
    tokenizer: str | None,
    casing: str | None,
    threads: int,
    quiet: bool,
) -> None:
    """Estimate a model from text, one sentence per line, by interpolated modified Kneser-Ney.

    TEXT may be packed (.gz, .zst); - is standard input.
    """
    _check_place(output)
    facts = {"tokenizer": tokenizer or "none", "casing": casing or "keep"}
    vocabulary = Vocabulary()
    with shown_progress(quiet=quiet) as progress:
        if tokenizer == "auto":
            facts["tokenizer"] = learn_tokenizer(Tokenizer("auto"), texts[0], progress).mode
        files = TextFiles(texts, vocabulary, _tokenizer(facts), threads=threads, progress=progress)
        try:
            model = build(files, vocabulary, options, threads=threads, progress=progress)
        except InputError as error:
            # The library does not know where its texts come from; here, all files together have no text.
            raise error if error.path else InputError(error.message, path=", ".join(texts), hint=error.hint) from error
        model.facts.update(facts)
        model.save(output, threads=threads, progress=progress)
    _say_what_is_there(model, output, quiet)


@command.command("score")
@click.argument("model")
@click.argument("text", default="-")
@click.option("--words", is_flag=True, help="One row per word instead of one per sentence.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["tsv", "json"]),
    default="tsv",
    show_default=True,
    help="Tab-separated rows, or one JSON object per line.",
)
@click.option("-o", "--output", default="-", help="Where to write.  [default: standard output]")
@_tokenizer_options
@threads_option
def score_command(
    model: str,
    text: str,
    words: bool,
    form: str,
    output: str,
    tokenizer: str | None,
    casing: str | None,
    threads: int,
) -> None:
    """Print the log-probability (base 10) of each sentence of TEXT, between <s> and </s>.

    Columns: log-probability, tokens (</s> counted), unknown words. With --words: sentence, token, log-probability,
    length of the n-gram that was found, 1 if the word is unknown. JSON has one object per line with the same names.
    """
    opened = LanguageModel.open(model)
    spelling = Vocabulary() if words else None  # so that unknown words are shown as they are written
    with open_binary_output(output) as out:
        for first, piece, scores in _scored(opened, [text], tokenizer, casing, threads, spelling):
            rows = scores.sentence_rows(piece) if spelling is None else scores.word_rows(piece, spelling, first)
            out.write(_as_json(rows) if form == "json" else rows)


@command.command("perplexity")
@click.argument("model")
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_tokenizer_options
@threads_option
def perplexity_command(
    model: str,
    texts: tuple[str, ...],
    as_json: bool,
    tokenizer: str | None,
    casing: str | None,
    threads: int,
) -> None:
    """Print the perplexity of texts, with and without the words that the model does not know."""
    opened = LanguageModel.open(model)
    total = Perplexity()
    for _, _, scores in _scored(opened, texts or ("-",), tokenizer, casing, threads):
        total += Perplexity.of(scores)
    if as_json:
        numbers = {
            "including_unknown": _finite(total.including_unknown),
            "excluding_unknown": _finite(total.excluding_unknown),
            "sentences": total.sentences,
            "tokens": total.tokens,
            "unknown": total.unknown,
            "log_probability": total.log_probability,
        }
        click.echo(json.dumps(numbers))
        return
    share = 100 * total.unknown / total.tokens if total.tokens else 0.0
    click.echo(f"perplexity                  {total.including_unknown:.4f}")
    click.echo(f"without unknown words       {total.excluding_unknown:.4f}")
    click.echo(f"tokens (with </s>)          {total.tokens}")
    click.echo(f"unknown words               {total.unknown} ({share:.2f} %)")
    click.echo(f"sentences                   {total.sentences}")
    click.echo(f"log-probability (base 10)   {total.log_probability:.4f}")


@command.command("convert")
@click.argument("model")
@click.argument("output")
@threads_option
@quiet_option
def convert_command(model: str, output: str, threads: int, quiet: bool) -> None:
    """Convert a model from an ARPA file to a directory, or back; the name of OUTPUT sets the format."""
    _check_place(output)
    with shown_progress(quiet=quiet) as progress:
        opened = LanguageModel.open(model, progress=progress)
        opened.save(output, threads=threads, progress=progress)
    _say_what_is_there(opened, output, quiet)


@command.command("interpolate")
@click.argument("models", nargs=-1, required=True, metavar="MODEL...")
@_output
@click.option("--weights", help="Weights of the models, like '0.3 0.7'.  [default: equal]")
@click.option("--tune", metavar="TEXT", help="Find the weights under which this text is most likely.")
@_tokenizer_options
@threads_option
@quiet_option
def interpolate_command(
    models: tuple[str, ...],
    output: str,
    weights: str | None,
    tune: str | None,
    tokenizer: str | None,
    casing: str | None,
    threads: int,
    quiet: bool,
) -> None:
    """Mix models into one: its n-grams are those of all of them, its probabilities their weighted means.

    The result is an ordinary model; its back-off weights are recomputed, so that its probabilities sum to one.
    """
    if weights is not None and tune is not None:
        raise OptionError("--weights and --tune exclude each other", hint="give one of them")
    _check_place(output)
    shares = [1.0] * len(models) if weights is None else _numbers(weights)
    with shown_progress(quiet=quiet) as progress:
        opened = [LanguageModel.open(path, progress=progress) for path in models]
        facts = _chosen(opened[0], tokenizer, casing)
        if tune is not None:
            vocabulary = Vocabulary()
            files = TextFiles([tune], vocabulary, _tokenizer(facts), threads=threads, progress=progress)
            shares = tune_weights(opened, files.read_all(), vocabulary, threads=threads)
        with progress.task("mixing"):
            mixed = interpolate(opened, shares, threads=threads)
        mixed.facts.update(facts)
        mixed.save(output, threads=threads, progress=progress)
    if not quiet:
        click.echo("weights: " + " ".join(f"{share:.4f}" for share in mixed.facts["mixture"]), err=True)
    _say_what_is_there(mixed, output, quiet)


def _tokenizer(facts: dict[str, str]) -> Tokenizer | None:
    """None where words are simply separated by spaces, which is faster to read."""
    chosen = Tokenizer(facts["tokenizer"], cast(Casing, facts["casing"]))
    if chosen.needs_training:
        raise OptionError("casing cannot be 'truecase' here", hint="truecase the text with 'pentaglot corpus prepare'")
    return None if (chosen.mode, chosen.casing) == ("none", "keep") else chosen


def _chosen(model: LanguageModel, tokenizer: str | None, casing: str | None) -> dict[str, str]:
    return {
        "tokenizer": model.facts.get("tokenizer", "none") if tokenizer in (None, "auto") else tokenizer,
        "casing": casing or model.facts.get("casing", "keep"),
    }


def _scored(
    model: LanguageModel,
    paths: tuple[str, ...] | list[str],
    tokenizer: str | None,
    casing: str | None,
    threads: int,
    spelling: Vocabulary | None = None,
) -> Iterator[tuple[int, Text, Scores]]:
    """Pieces of text with their scores, and the number of the first sentence of each. The ids are the model's, or those
    of `spelling`, to which new words are added."""
    cut = _tokenizer(_chosen(model, tokenizer, casing))
    words = model.vocabulary if spelling is None else spelling
    first = 1
    for piece in TextFiles(paths, words, cut, closed=spelling is None, threads=threads):
        yield first, piece, model.score(piece, spelling, threads=threads)
        first += len(piece)


def _as_json(rows: bytes) -> bytes:
    """Rows of sentences or of words as JSON objects."""
    names = _SENTENCE if rows.partition(b"\n")[0].count(b"\t") < len(_WORD) - 1 else _WORD
    lines = []
    for row in rows.decode("utf-8").split("\n")[:-1]:
        values = row.split("\t")
        kinds: dict[str, Any] = {"token": str, "log_probability": float}
        record = {name: kinds.get(name, int)(value) for name, value in zip(names, values, strict=True)}
        lines.append(json.dumps(record, ensure_ascii=False) + "\n")
    return "".join(lines).encode("utf-8")


def _numbers(text: str) -> list[float]:
    try:
        return [float(each) for each in text.replace(",", " ").split()]
    except ValueError:
        raise OptionError(f"--weights is '{text}'", hint="give one number for each model, like '0.3 0.7'") from None


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def _check_place(output: str) -> None:
    if is_arpa(output):
        check_files(output)
    else:
        check_directory(output)


def _say_what_is_there(model: LanguageModel, output: str, quiet: bool) -> None:
    if not quiet:
        sizes = ", ".join(f"{count:,} {length}-grams" for length, count in enumerate(model.counts, 1))
        click.echo(f"{output}: {sizes}", err=True)
