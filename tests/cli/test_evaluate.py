"""`pentaglot evaluate` as a user runs it; its numbers are sacrebleu's own."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import sacrebleu
from tests.cli.conftest import Run

HYPOTHESES = ["The house is small.", "He does not sleep.", "A cat sat on mat", ""]
FIRST = ["The house is tiny.", "He is not sleeping.", "A cat sat on the mat.", "So be it."]
SECOND = ["The building is small.", "He does not sleep.", "The cat sat on a mat.", "Amen."]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, lines in (("hyp", HYPOTHESES), ("one", FIRST), ("two", SECOND)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def test_table(pentaglot: Run, files: Path) -> None:
    shown = pentaglot("evaluate", "hyp", "one", "two")
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    bleu = sacrebleu.BLEU()
    wanted = bleu.corpus_score(HYPOTHESES, [FIRST, SECOND], n_bootstrap=1000)
    assert lines[0].split() == ["metric", "score", "95", "%", "interval"]
    assert lines[1].startswith("BLEU") and "higher is better" in lines[1] and f" {wanted.score:.2f} " in lines[1]
    assert lines[3].startswith("TER") and "lower is better" in lines[3]
    assert f"BLEU|{bleu.get_signature()}" in lines
    assert "nrefs:2|bs:1000|seed:12345|" in lines[-1]


def test_json(pentaglot: Run, files: Path) -> None:
    shown = pentaglot("evaluate", "hyp", "one", "--json", "--metrics", "chrf++,ter", "--lowercase", "-q")
    assert shown.stderr == ""
    found = {entry["metric"]: entry for entry in json.loads(shown.stdout)}
    theirs = sacrebleu.CHRF(word_order=2, lowercase=True)
    wanted = theirs.corpus_score(HYPOTHESES, [FIRST])
    assert found["chrF++"]["score"] == pytest.approx(wanted.score, abs=1e-9)
    interval = found["chrF++"]["interval"]
    assert interval["low"] < interval["mean"] < interval["high"]
    assert found["chrF++"]["signature"] == str(theirs.get_signature()).replace("|case", "|bs:1000|seed:12345|case")
    assert found["TER"]["score"] == pytest.approx(sacrebleu.TER().corpus_score(HYPOTHESES, [FIRST]).score, abs=1e-9)
    plain = json.loads(pentaglot("evaluate", "hyp", "one", "--json", "--no-confidence", "--tokenize", "none").stdout)
    assert all("interval" not in entry and "bs:" not in entry["signature"] for entry in plain)
    assert "tok:none" in plain[0]["signature"]


def test_baselines(pentaglot: Run, files: Path) -> None:
    worse = ["A house", "He sleeps.", "cat mat", "x"]
    (files / "worse").write_text("".join(f"{line}\n" for line in worse))
    shown = pentaglot("evaluate", "hyp", "one", "two", "--baseline", "worse", "--baseline", "hyp")
    assert shown.returncode == 0, shown.stderr
    lines = shown.stdout.splitlines()
    at = lines.index("compared with worse")
    assert lines[at + 1].split() == [
        "metric",
        "baseline",
        "difference",
        "95",
        "%",
        "interval",
        "better",
        "in",
        "p",
        "p",
        "(bootstrap)",
    ]
    same = lines[lines.index("compared with hyp") + 2].split()
    assert same[2:] == ["+0.00", "+0.00", "–", "+0.00", "0.0", "%", "1.00", "1.00"]
    record = json.loads(pentaglot("evaluate", "hyp", "one", "two", "--baseline", "worse", "--json").stdout)
    for entry, theirs in zip(record, (sacrebleu.BLEU(), sacrebleu.CHRF(), sacrebleu.TER()), strict=True):
        [compared] = entry["baselines"]
        assert compared["file"] == "worse"
        assert compared["score"] == pytest.approx(theirs.corpus_score(worse, [FIRST, SECOND]).score)
        assert compared["difference"] == pytest.approx(entry["score"] - compared["score"])
        assert compared["better"] > 0.9 and 0 < compared["p"] <= 1
    given = ("evaluate", "hyp", "one", "--baseline", "worse", "--metrics", "length")
    assert pentaglot(*given).stdout.splitlines()[5].split()[-3] == "–", "longer is not better"
    assert json.loads(pentaglot(*given, "--json").stdout)[0]["baselines"][0]["better"] is None
    done = pentaglot("evaluate", "hyp", "one", "--baseline", "none")
    assert done.returncode == 2 and "none: no such file" in done.stderr


def test_the_shortest_reference(pentaglot: Run, files: Path) -> None:
    (files / "long").write_text("a b c d e\n")
    (files / "short").write_text("a b\n")
    (files / "out").write_text("a b c d\n")
    arguments = ["evaluate", "out", "long", "short", "--metrics", "bleu", "--json"]
    [closest] = json.loads(pentaglot(*arguments).stdout)
    [shortest] = json.loads(pentaglot(*arguments, "--reference-length", "shortest").stdout)
    assert closest["score"] < shortest["score"] == pytest.approx(100)
    assert shortest["signature"] == closest["signature"] + "|length:shortest"


def test_same_seed_same_bytes(pentaglot: Run, files: Path) -> None:
    runs = [pentaglot("evaluate", "hyp", "one", "--seed", "7", OMP_NUM_THREADS=str(n)).stdout for n in (1, 8)]
    assert runs[0] == runs[1] != pentaglot("evaluate", "hyp", "one").stdout


def test_standard_input_compression_and_odd_lines(pentaglot: Run, files: Path) -> None:
    (files / "one.gz").write_bytes(gzip.compress((files / "one").read_bytes()))
    wanted = pentaglot("evaluate", "hyp", "one").stdout
    assert pentaglot("evaluate", "-", "one.gz", stdin=(files / "hyp").read_text()).stdout == wanted
    odd = "A\u2028line \x85 with\x0bseparators \x00 " + "word " * 5000 + "\n"
    (files / "odd").write_text(odd)
    shown = pentaglot("evaluate", "odd", "odd", "--metrics", "bleu,chrf", "--json")
    assert [round(entry["score"], 6) for entry in json.loads(shown.stdout)] == [100.0, 100.0]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["hyp", "short"], "short:2: has 1 line but hyp has 4; line n of all files must translate"),
        (["hyp", "none"], "none: no such file; check the path"),
        (["hyp", "."], ".: this is a directory"),
        (["hyp", "broken"], "broken:2: not valid UTF-8"),
        (["empty", "empty"], "empty: is empty: there is nothing to evaluate"),
        (["hyp", "cut.gz"], "cut.gz: "),
        (["-", "-"], "standard input (-) can be read only once"),
        (["hyp", "one", "--metrics", "bleu,meteror"], "there is no metric 'meteror'; "),
        (["hyp", "one", "--resamples", "3"], "option 'resamples' is 3; it must be at least 40"),
        (["hyp", "one", "--metrics", "bleu", "--beer-model", "none.toml"], "none.toml: no such file"),
        (["hyp", "one", "--beer-model", "broken"], "broken: is not a model of BEER: it is not text in UTF-8"),
        (["hyp", "one", "--config", "broken"], "broken:2: is not valid TOML: it is not text in UTF-8"),
        (["hyp", "one", "--config", "none.toml"], "none.toml: no such file"),
        ([], "missing argument 'HYPOTHESES'; see 'pentaglot evaluate --help'"),
        (["hyp", "one", "--links", "no/links"], "no/links: there is no such directory to write to; make it first"),
        (["hyp", "one", "--seed", "x"], "option '--seed' must be a whole number; see 'pentaglot evaluate --help'"),
    ],
)
def test_mistakes(pentaglot: Run, files: Path, arguments: list[str], complaint: str) -> None:
    (files / "short").write_text("only one\n")
    (files / "broken").write_bytes(b"good\nb\xffd\n")
    (files / "empty").write_text("")
    (files / "cut.gz").write_bytes(gzip.compress(bytes(range(256)) * 50)[:-20])
    done = pentaglot("evaluate", *arguments, "--quiet")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"pentaglot: {complaint}") and done.stderr.count("\n") == 1


def test_lengths_and_empty_translations(pentaglot: Run, files: Path) -> None:
    shown = pentaglot("evaluate", "hyp", "one", "--metrics", "length,chrf", "--no-confidence")
    assert shown.stdout.splitlines()[1].endswith("100 is as long as the reference")
    assert "hyp: of 4 translations, 1 is empty (line 4)\n" in shown.stderr
    (files / "nothing").write_text("\n" * 4)
    shown = pentaglot("evaluate", "nothing", "one", "--metrics", "beer,recpef,ribes,meteor,bleu,ter", "--no-confidence")
    assert shown.returncode == 0 and "nothing: of 4 translations, 4 are empty (lines 1, 2, 3, 4)\n" in shown.stderr


def test_word_order(pentaglot: Run, files: Path) -> None:
    (files / "said").write_text("he walks home\n\nb a\n")
    (files / "wanted").write_text("home he walked\na\na b\n")
    metrics = "recpef,kendall,ribes,meteor"
    done = pentaglot("evaluate", "said", "wanted", "--metrics", metrics, "--no-confidence", "--json", "--alpha", "0",
                     "--links", "links", "--quiet")  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {row["metric"]: row for row in json.loads(done.stdout)}
    assert found["Kendall"]["score"] == pytest.approx(100 * (3 * 1 / 3 + 0 + 0) / 6)
    assert "match:similar|unmatched:ignore|lex:f1|alpha:0|beta:0.6" in found["RecPEF"]["signature"]
    assert (files / "links").read_text() == "0-1 1-2 2-0\n\n0-1 1-0\n"
    done = pentaglot("evaluate", "said", "wanted", "--metrics", "recpef", "--matching", "stem", "--quiet")
    assert done.returncode == 2 and "needs the language of the stemmer" in done.stderr
    done = pentaglot("evaluate", "said", "wanted", "--metrics", "recpef", "--alpha", "2", "--quiet")
    assert done.returncode == 2 and "option 'alpha' is 2.0; it must be from 0.0 to 1.0" in done.stderr


def test_text_without_spaces(pentaglot: Run, tmp_path: Path) -> None:
    (tmp_path / "zh").write_text("我们去学校。今天天气很好。\n他们昨天没有来学校上课。\n", "utf-8")
    shown = pentaglot("evaluate", "zh", "zh")
    assert shown.returncode == 0 and "zh: BLEU and TER take text without spaces for one word a line" in shown.stderr
    cut = pentaglot("evaluate", "zh", "zh", "--tokenize", "zh", "--metrics", "bleu,chrf")
    assert cut.returncode == 0 and "without spaces" not in cut.stderr
