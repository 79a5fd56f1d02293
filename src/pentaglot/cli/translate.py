"""`pentaglot translate`: lines in, translations out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import click

from pentaglot.cli.options import threads_option
from pentaglot.corpus import open_output, read_lines
from pentaglot.systems import Translation, Translator

_PATH = click.Path(path_type=Path)


@click.command()
@click.argument("model", type=_PATH)
@click.argument("input_file", metavar="[INPUT]", type=_PATH, default="-")
@click.option("-o", "--output", type=_PATH, default="-", help="Where to write; standard output if not given.")
@click.option("--nbest", type=click.IntRange(min=1), help="Give so many different translations, in Moses format.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, with scores and features.")
@threads_option
def command(model: Path, input_file: Path, output: Path, nbest: int | None, as_json: bool, threads: int) -> None:
    """Translate a text, one sentence a line, with the MODEL that `pentaglot train` made.

    The output has one line for each line of input, in the same order, whatever the number of threads. With --nbest
    each line of output is: number of the input line ||| translation ||| features ||| score.
    """
    translator = Translator.open(model)
    with open_output(output) as out:
        translations = translator.translate_all(read_lines(input_file), nbest=nbest or 1, threads=threads)
        for number, translation in enumerate(translations):
            for line in _lines(number, translation, nbest, as_json):
                out.write(line + "\n")
            if str(output) == "-":
                out.flush()


def _lines(number: int, translation: Translation, nbest: int | None, as_json: bool) -> Iterator[str]:
    if as_json:
        listed = [{"text": text, "score": each.score, "features": each.features} for text, each in translation.nbest]
        record = {"source": translation.source, "text": translation.text, "nbest": listed}
        yield json.dumps(record | {"limited": translation.limited}, ensure_ascii=False)
    elif nbest is None:
        yield translation.text
    elif not translation.nbest:
        yield f"{number} ||| {_safe(translation.text)} |||  ||| {translation.score:.6g}"
    else:
        for text, each in translation.nbest:
            features = " ".join(f"{name}= {value:.6g}" for name, value in each.features.items())
            yield f"{number} ||| {_safe(text)} ||| {features} ||| {each.score:.6g}"


def _safe(text: str) -> str:
    """Keeps the separator of fields out of them."""
    return text.replace("|||", "| | |")
