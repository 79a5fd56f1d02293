"""Translations as lines of output: plain text, n-best lists in Moses format, JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from pentaglot.systems import Forced, Hypothesis, Translation

__all__ = ["forced_line", "records"]


def records(translations: Iterator[Translation], nbest: int | None, as_json: bool) -> Iterator[str]:
    """The lines of all translations; says at the end how many met a limit."""
    limited = total = 0
    for translation in translations:
        limited += translation.limited
        for line in _lines(total, translation, nbest, as_json):
            yield line + "\n"
        total += 1
    if limited:
        of = "the line" if total == 1 else f"{limited} of {total} lines"
        click.echo(f"{of} met a limit and got the best translation found so far", err=True)


def _lines(number: int, translation: Translation, nbest: int | None, as_json: bool) -> Iterator[str]:
    if as_json:
        listed = [{"text": text, "score": each.score, "features": each.features} for text, each in translation.nbest]
        record = {"source": translation.source, "text": translation.text, "nbest": listed}
        yield json.dumps(record | {"limited": translation.limited}, ensure_ascii=False)
    elif nbest is None:
        yield translation.text
    elif not translation.nbest:
        yield f"{number} ||| {_safe(translation.text)} |||  ||| 0"
    else:
        for text, each in translation.nbest:
            yield _moses(number, text, each, " limited= 1" if translation.limited else "")


def forced_line(number: int, reference: str, forced: Forced, as_json: bool) -> str:
    """The score of a given translation, or how far the rules reach."""
    best = forced.hypothesis
    if as_json:
        record: dict[str, Any] = {"source": forced.source, "reference": reference, "reachable": forced.reachable}
        if best is not None and forced.forest is not None:
            record |= {"score": best.score, "features": best.features, "derivations": forced.forest.count()}
        record |= {"words": len(forced.words), "reached": " ".join(forced.reached), "limited": forced.limited}
        return json.dumps(record, ensure_ascii=False)
    if best is not None:
        return _moses(number, reference, best)
    return f"{number} ||| {_safe(' '.join(forced.reached))} ||| reached= {len(forced.reached)} ||| -inf"


def _moses(number: int, text: str, hypothesis: Hypothesis, more: str = "") -> str:
    features = " ".join(f"{name}= {value:.6g}" for name, value in hypothesis.features.items())
    return f"{number} ||| {_safe(text)} ||| {features}{more} ||| {hypothesis.score:.6g}"


def _safe(text: str) -> str:
    """Replaces the field separator in a field."""
    return text.replace("|||", "| | |")
