"""Word alignment: speed against eflomal and sil-thot, accuracy against gold links, scaling with threads.

`python -m bench.align thot MODEL SOURCE TARGET LINKS` runs sil-thot as a command of its own, so that it is measured
like the others.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bench.bibles import linked_testament
from bench.harness import Cost, Row, data, measure
from pentaglot.align import evaluate, read_gold, read_links, symmetrise, write_links
from pentaglot.corpus import Tokenizer, read_lines

NOTES = """All aligners read the same text, tokenised (letters and digits apart from other characters) and lower-cased.
The error rate is that of the gold sentences, which are aligned together with the training text; in the Greek New
Testament all verses have gold links (package bible-alignments, without punctuation), and there is no other text. Theirs
is the best of eflomal's two directions, both joined by grow-diag-final-and, and sil-thot's HMM (5 iterations after 5 of
IBM 1), joined in the same way."""

_PENTAGLOT = [sys.executable, "-m", "pentaglot", "align", "--tokenizer", "none", "--quiet"]


def rows() -> list[Row]:
    """All figures of this room that the data at hand allows."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        return [
            *_speed(place),
            *_scaling(place),
            *_accuracy(place, "en-fr", "tatoeba.fr-en"),
            *_accuracy(place, "ja-en", "tanaka.ja-en"),
            *_testament(place),
        ]


def _speed(place: Path) -> list[Row]:
    given = [data("multi30k.de-en", f"train.{side}.gz") for side in ("de", "en")]
    if None in given:
        return []
    files = [_prepare([each], place / f"m.{side}") for each, side in zip(given, ("de", "en"), strict=True) if each]
    commands = {
        "hmm": [*_PENTAGLOT, *files, "-o", str(place / "hmm"), "--threads", "1"],
        "fast": [*_PENTAGLOT, *files, "-o", str(place / "fast"), "--model", "fast", "--threads", "1"],
        **_rival_commands(files, place, thot="fast"),
    }
    costs = measure(commands)
    found = [
        _speed_row("HMM, both ways and symmetrised, multi30k, 1 thread", costs, "hmm", "eflomal"),
        _speed_row("fast model, both ways and symmetrised, multi30k, 1 thread", costs, "fast", "thot"),
    ]
    return [row for row in found if row is not None]


def _scaling(place: Path) -> list[Row]:
    return [row for corpus in ("multi30k", "newstest") if (row := _scaling_row(place, corpus)) is not None]


def _scaling_row(place: Path, corpus: str) -> Row | None:
    given = [data(f"{corpus}.de-en", f"train.{side}.gz") for side in ("de", "en")]
    if None in given:
        return None
    sides = zip(given, ("de", "en"), strict=True)
    files = [_prepare([each], place / f"{corpus}.{side}") for each, side in sides if each]
    costs = measure({n: [*_PENTAGLOT, *files, "-o", str(place / n), "--threads", n] for n in ("1", "2")})
    if (place / "1").read_bytes() != (place / "2").read_bytes():
        raise SystemExit("bench: the links differ with the number of threads")
    one, two = costs["1"].wall, costs["2"].wall
    what = f"HMM, {corpus}, 2 threads, wall clock"
    return Row(what, f"{two:.2f} s", "1 thread", f"{one:.2f} s", one / two, "1.7x", one / two >= 1.7)


def _speed_row(what: str, costs: dict[str, Cost], ours: str, theirs: str) -> Row | None:
    if theirs not in costs:
        return None
    ratio = costs[theirs].user / costs[ours].user
    names = {"eflomal": "eflomal, both ways", "thot": "sil-thot fast_align, both ways"}
    return Row(what, f"{costs[ours].user:.2f} s", names[theirs], f"{costs[theirs].user:.2f} s", ratio, "3x", ratio >= 3)


def _accuracy(place: Path, gold: str, corpus: str) -> list[Row]:
    sides = gold.split("-")
    training = [data(corpus, f"train.{side}.gz") for side in sides]
    sentences = [data("gold-alignments", gold, f"gold.{side}.gz") for side in sides]
    links = data("gold-alignments", gold, "gold.align.gz")
    if links is None or None in training or None in sentences:
        return []
    files = [
        _prepare([text, more], place / f"{gold}.{side}")
        for text, more, side in zip(training, sentences, sides, strict=True)
        if text and more
    ]
    return [_accuracy_row(place, f"{gold} gold, trained on {corpus}", files, links)]


def _testament(place: Path) -> list[Row]:
    """The Greek New Testament, all of which was linked by hand."""
    found = linked_testament(place)
    if found is None:
        return []
    files, links = found
    return [_accuracy_row(place, "Greek New Testament, linked by hand", [str(file) for file in files], links)]


def _accuracy_row(place: Path, text: str, files: list[str], links: Path) -> Row:
    ours = place / "ours.links"
    measure({"ours": [*_PENTAGLOT, *files, "-o", str(ours)]}, repeats=1)
    rivals = _rival_commands(files, place, thot="hmm")
    measure(rivals, repeats=1)
    error = _error_rate(ours, links)
    if "eflomal" in rivals:
        ways = [read_links(place / f"rival.eflomal-{way}") for way in ("forward", "reverse")]
        write_links(symmetrise(ways[0], ways[1], "grow-diag-final-and"), place / "rival.eflomal-joined")
    theirs = {path.name: _error_rate(path, links) for path in sorted(place.glob("rival.*"))}
    for path in place.glob("rival.*"):
        path.unlink()
    what = f"alignment error rate, {text}"
    if not theirs:
        return Row(what, f"{error:.2f} %", "eflomal, sil-thot", "not installed", None, "1 point lower", False)
    best = min(theirs, key=lambda name: theirs[name])
    listed = ", ".join(f"{name.removeprefix('rival.')} {value:.2f}" for name, value in theirs.items())
    reached = error <= theirs[best] - 1
    return Row(what, f"{error:.2f} %", listed, f"{theirs[best]:.2f} %", None, "1 point lower", reached)


def _rival_commands(files: list[str], place: Path, *, thot: str) -> dict[str, list[str]]:
    commands = {}
    program = shutil.which("eflomal-align", path=str(Path(sys.executable).parent)) or shutil.which("eflomal-align")
    if program is None:
        print("bench: eflomal is missing; 'pip install eflomal'", file=sys.stderr)
    else:
        ways = ["-f", str(place / "rival.eflomal-forward"), "-r", str(place / "rival.eflomal-reverse")]
        commands["eflomal"] = [program, "-s", files[0], "-t", files[1], *ways, "--overwrite"]
    if importlib.util.find_spec("thot") is None:
        print("bench: sil-thot is missing; 'pip install sil-thot'", file=sys.stderr)
    else:
        out = "-" if thot == "fast" else str(place / f"rival.thot-{thot}")
        commands["thot"] = [sys.executable, "-m", "bench.align", "thot", thot, *files, out]
    return commands


def _error_rate(links: Path, gold: Path) -> float:
    wanted, found = read_gold(gold), read_links(links)
    return 100 * evaluate(found.part(len(found) - len(wanted), len(found)), wanted).error_rate


def _prepare(texts: Iterable[Path], out: Path) -> str:
    """One file with the words of all texts, lower-cased, for every aligner the same."""
    cut = Tokenizer("aggressive", "lowercase")
    with out.open("w", encoding="utf-8") as file:
        for text in texts:
            lines = list(read_lines(text))
            tokenised = "gold-alignments" in text.parts or "tanaka.ja-en" in text.parts
            for line, words in zip(lines, cut.tokenise_all(lines), strict=True):
                kept = line.lower() if tokenised else " ".join(word.strip("￭") or word for word in words)
                file.write(kept + "\n")
    return str(out)


def _run_thot(kind: str, source: str, target: str, output: str) -> None:
    from thot import alignment

    aligners = []
    for one, other in ((source, target), (target, source)):
        models: list[Any] = [alignment.FastAlignModel()] if kind == "fast" else [alignment.Ibm1AlignmentModel()]
        for step in range(1 if kind == "fast" else 2):
            model = models[-1] if step == 0 else alignment.HmmAlignmentModel(models[-1])
            models.append(model)
            if step == 0:
                model.read_sentence_pairs(one, other)
            model.start_training()
            for _ in range(5):
                model.train()
            model.end_training()
        aligners.append((models, models[-1]))
    both = alignment.SymmetrizedAligner(aligners[0][1], aligners[1][1])
    both.heuristic = alignment.SymmetrizationHeuristic.GROW_DIAG_FINAL_AND
    sides = [[line.split() for line in Path(path).read_text("utf-8").splitlines()] for path in (source, target)]
    aligned = both.get_best_alignments(*sides)
    if output == "-":  # its links can only be read one by one from Python, which should not count against it
        return
    with Path(output).open("w", encoding="utf-8") as out:
        for _, matrix in aligned:
            rows, columns = matrix.row_length, matrix.column_length
            links = (f"{i}-{j}" for i in range(rows) for j in range(columns) if matrix[i, j])
            out.write(" ".join(links) + "\n")


if __name__ == "__main__":
    _run_thot(*sys.argv[2:])
