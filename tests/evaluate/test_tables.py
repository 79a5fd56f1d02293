"""Reports as text: all numbers are there, and nothing that a name holds breaks the form."""

from __future__ import annotations

import html
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from tests.evaluate.conftest import MakeSystems

from pentaglot.evaluate import CompareOptions, Report, compare, comparison_page, to_latex, to_markdown
from pentaglot.evaluate.tables import caption, difference_rows, markdown_table, range_rows, score_rows, shown_p

AWKWARD = "50%_a|b&<c>"


@pytest.fixture
def report(made_up: MakeSystems) -> Report:
    systems, references = made_up({"old": 45, AWKWARD: 20})
    return compare(systems, references, CompareOptions(metrics="bleu,ter", shuffles=200, simulate=(1,), draws=4))


def test_rows_hold_all_numbers(report: Report) -> None:
    heading, old, new = score_rows(report)
    assert heading == ["system", "n", "BLEU ↑", "TER ↓"] and old[:2] == ["old", "3"]
    bleu = report.metrics[0]
    found = bleu.systems[1]
    assert new[2] == f"{found.mean:.1f} ({found.s_sel:.1f}/{found.s_test:.1f}/{shown_p(bleu.verdicts[0].p)})"
    assert old[2].endswith("/–)")
    rows = difference_rows(report)
    assert [row[0] for row in rows] == ["metric", "BLEU", "TER"]
    assert rows[2][3].startswith("−") and float(rows[2][3].replace("−", "-")) == pytest.approx(
        report.metrics[1].verdicts[0].difference, abs=0.006
    )
    assert len(range_rows(report)) == 3 and range_rows(report)[1][3] == "1"
    assert any("n = 3 runs" in line for line in caption(report))


def test_markdown(report: Report) -> None:
    text = to_markdown(report)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        widths = {len(re.split(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(widths) == 1, "a bar in a name is no border"
    assert all(f"{metric.name}: `{metric.signature}`" in text for metric in report.metrics)


def test_latex(report: Report) -> None:
    text = to_latex(report)
    assert r"50\%\_a\textbar{}b\&$<$c$>$" in text and r"\textbf{" in text
    assert text.count("{") == text.count("}")
    rows = re.findall(r"^.* \\\\$", text, re.MULTILINE)
    assert len(rows) == 3 and all(len(re.split(r"(?<!\\)&", row)) == 4 for row in rows)


def test_how_ranges_were_made_is_told_where_they_are_shown(report: Report) -> None:
    told = "Ranges of p: the middle 95 % of 4 draws of runs, 1000 shuffles each."
    assert told in to_markdown(report) and told in comparison_page(report) and caption(report).count(told) == 1
    assert "Ranges of p" not in to_latex(report), "which has none"
    assert {each.shuffles for metric in report.metrics for each in metric.simulated} == {1000}


def test_names_that_would_be_markup(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "[x]\n\n\x1b\u202ey": 20, "*": 20, "<unk>": 30})
    report = compare(systems, references, CompareOptions(metrics="ter", shuffles=10, resamples=40))
    markdown = to_markdown(report).splitlines()
    assert [line.split(" | 3 | ")[0] for line in markdown[2:6]] == ["| old", "| [x] \x1b\u202ey", "| *", r"| \<unk>"]
    rows = re.findall(r"^(.*) & 3 & .* \\\\$", to_latex(report), re.MULTILINE)
    assert rows == ["old", "{[}x]    y", "{*}", "$<$unk$>$"], "a row may not begin like an argument of the one before"


@given(st.lists(st.sampled_from([*"ab_*`~[]()<>&|\\!# 5", "&amp;", "<b>", "](", "__", "**"]), min_size=1).map("".join))
def test_markdown_shows_what_names_are(name: str) -> None:
    name = " ".join(name.split()) or "x"
    page = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(markdown_table([["system"], [name]], 1))
    cell = re.search(r"<td>(.*?)</td>", page)
    assert cell is not None and html.unescape(cell[1]) == name


def test_latex_keeps_hyphens_and_quotation_marks(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "a--b ''c` 1---2": 20})
    text = to_latex(compare(systems, references, CompareOptions(metrics="ter", shuffles=10, resamples=40)))
    assert r"a-{}-b '{}'c\textasciigrave{} 1-{}-{}-2 & 3" in text


def test_json(report: Report) -> None:
    found = json.loads(json.dumps(report.as_dictionary()))
    assert found["systems"] == ["old", AWKWARD] and found["runs"] == 3 and "gains" not in found
    verdict = found["metrics"][0]["verdicts"][0]
    wanted = report.metrics[0].verdicts[0]
    assert verdict["difference"] == pytest.approx(wanted.difference)
    assert (verdict["p"], verdict["corrected"], verdict["p_bootstrap"]) == (
        wanted.p,
        wanted.corrected,
        wanted.bootstrap.p,
    )
    assert found["metrics"][0]["simulated"][0]["draws"] == 4


def test_spread_on_the_development_set_is_told(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "new": 20})
    report = compare(
        systems, references, CompareOptions(metrics="ter", shuffles=10), dev=systems, dev_references=references
    )
    wanted = report.metrics[0].systems[0].s_test
    assert f"TER old {wanted:.2f}" in "\n".join(caption(report))
