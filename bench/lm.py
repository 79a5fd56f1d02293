"""Language models: queries, compared with the kenlm package, and estimation.

Text: the English sides of all data sets, lower-cased, split at spaces. The package loads an ARPA file into its probing
tables and cannot save them, so loading (and starting Python) is measured separately and subtracted on both sides: what
is compared is reading the text, splitting it into words, looking them up, and scoring.

`lm score` is compared with KenLM's own `query -v sentence` on its own binary file, whole processes, if KENLM_BIN names
the directory of its programs (their source is in the package's archive; `compile_query_only.sh` builds them). If not,
with a loop over lines in Python, without loading.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bench.harness import DATA, Cost, Row, data, measure

# Whole documents a line at a time, as the package's own examples do it.
_KENLM = """
import sys, kenlm
model = kenlm.Model(sys.argv[1])
total = 0.0
if len(sys.argv) > 2:
    with open(sys.argv[2], encoding="utf-8") as text:
        for line in text:
            total += model.score(line)
print(total)
"""
# The same with a row for each sentence.
_KENLM_SCORE = """
import sys, kenlm
model = kenlm.Model(sys.argv[1])
if len(sys.argv) > 2:
    with open(sys.argv[2], encoding="utf-8") as text:
        for line in text:
            print(f"{model.score(line):.6f}")
"""
_PENTAGLOT = [sys.executable, "-m", "pentaglot", "lm"]


def rows() -> list[Row]:
    """Queries (time and memory) and estimation (tokens per second and memory)."""
    if data() is None:
        return []
    with tempfile.TemporaryDirectory(prefix="pentaglot-bench-") as directory:
        text = Path(directory) / "all.en"
        tokens = _collect(text)
        return [*_estimating(text, tokens), *_asking(text, tokens), _scoring(text), _starting()]


def _collect(path: Path) -> int:
    """Write the text; return its number of tokens, including ends of sentences."""
    tokens = 0
    with path.open("w", encoding="utf-8") as out:
        for source in sorted(DATA.glob("*-en/*.en.gz")):
            with gzip.open(source, "rt", encoding="utf-8", newline="\n") as lines:
                for line in lines:
                    words = line.lower().split()
                    tokens += len(words) + 1
                    out.write(" ".join(words) + "\n")
    return tokens


def _estimating(text: Path, tokens: int) -> list[Row]:
    build = [*_PENTAGLOT, "build", str(text), "-q", "--order", "5"]
    model = str(text.with_name("model"))
    costs = measure(
        {
            "one": [*build, "--threads", "1", "-o", model],
            "two": [*build, "--threads", "2", "-o", model],
            "spilling": [*build, "--threads", "1", "--memory", "64M", "-o", model],
        }
    )
    one = costs["one"]
    speed = tokens / one.user / 1e6
    found = [
        Row(
            f"LM estimation, order 5, {tokens / 1e6:.2f} M tokens, to a directory, one thread",
            _shown(one),
            "(recorded)",
            f"{speed:.2f} M tokens/s",
            None,
            "1 M tokens/s",
            speed >= 1.0,
        )
    ]
    for name, title in (("two", "two threads, wall time"), ("spilling", "counts on disk (--memory 64M), user time")):
        ratio = one.wall / costs[name].wall if name == "two" else one.user / costs[name].user
        found.append(Row(f"LM estimation, {title}", _shown(costs[name]), "itself", _shown(one), ratio, "", True))
    return found


def _asking(text: Path, tokens: int) -> list[Row]:
    model, arpa = text.with_name("model"), text.with_name("model.arpa")
    subprocess.run([*_PENTAGLOT, "convert", str(model), str(arpa), "-q"], check=True)
    _assert_equal([*_kenlm(arpa), str(text)], [*_perplexity(model), str(text)])
    longer = _repeated(text, 3)  # so that loading, which is subtracted, does not dominate the queries
    small_model, small_arpa = _small_models(text.parent)
    nothing = text.with_name("nothing")
    nothing.write_text("")
    costs = measure(
        {
            "ours": [*_perplexity(model), longer],
            "open": [*_perplexity(model), str(nothing)],
            "kenlm": [*_kenlm(arpa), longer],
            "load": _kenlm(arpa),
            "read": [*_perplexity(arpa), str(nothing)],
            "ours without model": [*_perplexity(small_model), longer],
            "kenlm without model": [*_kenlm(small_arpa), longer],
        }
    )
    return [_query_time(costs, 3 * tokens), *_query_memory(costs), *_loading(costs)]


def _scoring(text: Path) -> Row:
    """Whole commands that print the score of each sentence of 3.5 million words."""
    model, arpa, part = text.with_name("model"), text.with_name("model.arpa"), text.with_name("part")
    with text.open("rb") as lines, part.open("wb") as out:
        words = 0
        for line in lines:
            words += len(line.split())
            out.write(line)
            if words > 3_500_000:
                break
    ours = [*_PENTAGLOT, "score", str(model), str(part), "--threads", "1"]
    programs = os.environ.get("KENLM_BIN")
    if programs is None:
        loop = [sys.executable, "-c", _KENLM_SCORE, str(arpa)]
        costs = measure({"ours": ours, "theirs": [*loop, str(part)], "load": loop})
        theirs, against = (
            costs["theirs"].user - costs["load"].user,
            "kenlm package, a loop in Python, loading taken off",
        )
    else:
        binary = text.with_name("model.bin")
        subprocess.run([f"{programs}/build_binary", str(arpa), str(binary)], check=True, capture_output=True)
        query = f"{programs}/query -v sentence {binary} < {part}"
        costs = measure({"ours": ours, "theirs": ["sh", "-c", f"exec {query}"]})
        theirs, against = costs["theirs"].user, "KenLM's query -v sentence"
    mine = costs["ours"].user
    memory = tuple(f"{costs[name].peak_megabytes:.0f} MB" for name in ("ours", "theirs"))
    return Row(
        f"`lm score`, 5-gram, {words / 1e6:.2f} M words, whole process, user time",
        f"{mine:.2f} s, {memory[0]}",
        against,
        f"{theirs:.2f} s, {memory[1]}",
        theirs / mine,
        "1.0x",
        theirs >= mine,
    )


def _starting() -> Row:
    cost = measure({"version": [sys.executable, "-m", "pentaglot", "--version"]})["version"]
    ours = f"{1000 * cost.user:.0f} ms"
    return Row("`pentaglot --version`, user time", ours, "", "", None, "80 ms", cost.user < 0.08)


def _kenlm(arpa: Path) -> list[str]:
    return [sys.executable, "-c", _KENLM, str(arpa)]


def _perplexity(model: Path) -> list[str]:
    return [*_PENTAGLOT, "perplexity", "--json", "--threads", "1", str(model)]


def _repeated(text: Path, times: int) -> str:
    """The name of a file with the text several times over."""
    longer = text.with_name("longer")
    with longer.open("wb") as out:  # in pieces: what this process holds would count as its children's
        for _ in range(times):
            with text.open("rb") as piece:
                shutil.copyfileobj(piece, out)
    return str(longer)


def _small_models(directory: Path) -> tuple[Path, Path]:
    """A tiny model as a directory and as an ARPA file, to see what a process takes without a model."""
    small = directory / "small"
    small.write_text("a b\n")
    model, arpa = directory / "small.model", directory / "small.arpa"
    for output in (model, arpa):
        subprocess.run([*_PENTAGLOT, "build", str(small), "-q", "-o", str(output)], check=True, capture_output=True)
    return model, arpa


def _query_time(costs: Mapping[str, Cost], tokens: int) -> Row:
    ours = costs["ours"].user - costs["open"].user
    theirs = costs["kenlm"].user - costs["load"].user
    return Row(
        f"LM query from a text file, 5-gram, {tokens / 1e6:.2f} M tokens, user time",
        f"{ours:.2f} s",
        "kenlm package (probing)",
        f"{theirs:.2f} s",
        theirs / ours,
        "1.0x",
        theirs >= ours,
    )


def _query_memory(costs: Mapping[str, Cost]) -> list[Row]:
    # Pages of the mapped file count as ours although all processes that use the model share them.
    ours, theirs = costs["ours"].peak_megabytes, costs["kenlm"].peak_megabytes
    model = ours - costs["ours without model"].peak_megabytes
    their_model = theirs - costs["kenlm without model"].peak_megabytes
    return [
        Row(
            what, f"{mine:.0f} MB", "kenlm package (probing)", f"{other:.0f} MB", other / mine, "no more", mine <= other
        )
        for what, mine, other in (
            ("LM query, memory of the model (beyond that of a process with a tiny model)", model, their_model),
            ("LM query, peak memory of the process, NumPy and all", ours, theirs),
        )
    ]


def _loading(costs: Mapping[str, Cost]) -> list[Row]:
    read, opened, load = costs["read"].user, costs["open"].user, costs["load"].user
    theirs = f"{load:.2f} s"
    return [
        Row(
            "LM reading an ARPA file, whole process, user time",
            f"{read:.2f} s",
            "kenlm package",
            theirs,
            load / read,
            "1.0x",
            load >= read,
        ),
        Row(
            "LM opening, whole process, user time",
            f"{opened:.2f} s",
            "kenlm package (ARPA)",
            theirs,
            load / opened,
            "",
            True,
        ),
    ]


def _assert_equal(kenlm: list[str], ours: list[str]) -> None:
    expected = float(subprocess.run(kenlm, check=True, capture_output=True, text=True).stdout)
    found = json.loads(subprocess.run(ours, check=True, capture_output=True, text=True).stdout)["log_probability"]
    if abs(found - expected) > 1e-6 * abs(expected):
        raise SystemExit(f"bench: our score of the text is {found}, kenlm's is {expected}")


def _shown(cost: Cost) -> str:
    return f"{cost.user:.2f} s user, {cost.wall:.2f} s wall, {cost.peak_megabytes:.0f} MB"
