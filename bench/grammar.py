"""What limits and features of rules do to translation: the experiments of Lopez 2008, tables 3.1, 4.4, 5.3 to 5.6."""

from __future__ import annotations

from bench.harness import THESIS, Row
from bench.replicas import Replica, mean, run_all, text_of

SPANS = (1, 2, 3, 4, 6, 8, 10, 12, 15)
SYMBOLS = (1, 2, 3, 4, 5, 7, 10)
# Most runs of words on a side, most gaps, and the largest pattern.
SHAPES = (
    (1, 0, "u"),
    (1, 1, "uX, Xu"),
    (1, 2, "XuX"),
    (2, 1, "uXv"),
    (2, 2, "uXvX, XuXv"),
    (3, 2, "uXvXw"),
    (4, 3, "uXvXwXy"),
    (5, 4, "uXvXwXyXz"),
)
WITHOUT = ("-inverse_estimate", "-inverse_estimate,-rules", "-rules", "-coherence")

NOTES = """
BLEU on the test set of multi30k, lower-cased as in the table of systems; every variant was tuned separately, once.
The thesis translates newswire from Chinese, where word order differs more: only the shapes of the curves can be
compared. Two scores that differ by less than about 0.7 do not differ significantly (see `pentaglot evaluate
--baseline`).
"""


def rows() -> list[Row]:
    """All replicas, two at a time, the slowest first."""
    if text_of("multi30k.de-en", "train", "de") is None:
        return []
    shapes = [_shape(*shape) for shape in SHAPES]
    curves = [_limit("max_span", each) for each in SPANS] + [_limit("max_symbols", each) for each in SYMBOLS]
    ablated = [Replica("multi30k.de-en", system, variant=each) for system in ("phrase", "hiero") for each in WITHOUT]
    changed = [_hiero("extraction=loose"), _hiero("symmetrise=grow-diag-final-and"), _hiero("sampling=context")]
    run_all([*shapes, *curves, *ablated, *changed, Replica("multi30k.de-en", "phrase")])
    return [
        _curve("most words that a rule covers", "max_span", SPANS, "30.9 from 10 words on, 16.1 with 1"),
        _curve("most words and gaps in a rule", "max_symbols", SYMBOLS, "30.9 from 5 on, 16.9 with 1"),
        *(_shape_row(*shape) for shape in SHAPES),
        *(_without(system, each) for system in ("phrase", "hiero") for each in WITHOUT),
        *(_changed(each) for each in changed),
    ]


def _hiero(variant: str = "") -> Replica:
    return Replica("multi30k.de-en", "hiero", variant=variant)


def _limit(name: str, value: int) -> Replica:
    usual = {"max_span": 10, "max_symbols": 5}
    return _hiero("" if usual[name] == value else f"{name}={value}")


def _shape(chunks: int, gaps: int, largest: str) -> Replica:
    if (chunks, gaps) == (3, 2):
        return _hiero()
    symbols = f",max_symbols={chunks + gaps}" if chunks + gaps > 5 else ""
    return _hiero(f"max_chunks={chunks},max_gaps={gaps}{symbols}")


def _bleu(replica: Replica) -> float:
    return mean([replica])[0]


def _curve(what: str, name: str, values: tuple[int, ...], theirs: str) -> Row:
    found = {value: _bleu(_limit(name, value)) for value in values}
    shown = ", ".join(f"{value}: {score:.2f}" for value, score in found.items())
    usual = _bleu(_hiero())
    reached = usual > found[values[0]] + 2 and max(found.values()) < usual + 0.5
    wanted = "rises, flat at the default"
    return Row(f"BLEU, hiero, by {what}", shown, "thesis, table 5.3", theirs, None, wanted, reached, THESIS)


THESIS_SHAPES = (26.3, 30.2, 30.0, 30.5, 30.8, 30.9, 30.9, 30.8)


def _shape_row(chunks: int, gaps: int, largest: str) -> Row:
    score = _bleu(_shape(chunks, gaps, largest))
    theirs = THESIS_SHAPES[SHAPES.index((chunks, gaps, largest))]
    what = f"BLEU, at most {chunks} runs of words and {gaps} gaps ({largest})"
    if (chunks, gaps) == (1, 0):
        wanted, reached = "worst", score < min(_bleu(_shape(*shape)) for shape in SHAPES[1:])
    elif gaps > 2:
        wanted, reached = "no gain over two gaps", score < _bleu(_hiero()) + 0.5
    else:
        wanted, reached = "(recorded)", True
    return Row(what, f"{score:.2f}", "thesis, table 5.4", f"{theirs}", None, wanted, reached, THESIS)


def _without(system: str, variant: str) -> Row:
    names = variant.replace("-", "").replace(",", " and ")
    ours, whole = _bleu(Replica("multi30k.de-en", system, variant=variant)), _bleu(Replica("multi30k.de-en", system))
    return Row(f"BLEU, {system}, without {names}", f"{ours:.2f}", "with it", f"{whole:.2f}", None, "(recorded)", True)


def _changed(replica: Replica) -> Row:
    ours = _bleu(replica)
    return Row(
        f"BLEU, hiero, {replica.variant}",
        f"{ours:.2f}",
        "as it comes",
        f"{_bleu(_hiero()):.2f}",
        None,
        "(recorded)",
        True,
    )
