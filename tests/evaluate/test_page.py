"""The page: whole, harmless, and with all that changed."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from tests.evaluate.conftest import MakeSystems

from pentaglot.evaluate import CompareOptions, Report, compare, comparison_page
from pentaglot.evaluate.plots import difference_plot, gain_plot, score_plot

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def report(made_up: MakeSystems) -> Report:
    systems, references = made_up({"old": 45, EVIL: 20, "same": 45})
    systems["same"] = systems["old"]
    systems[EVIL] = [[f"{line} {EVIL} \x00" for line in run] for run in systems[EVIL]]
    options = CompareOptions(metrics="chrf,ter,length", shuffles=100, sentences=3, simulate=(1,), draws=3)
    return compare(systems, references, options, sources=[EVIL] * 60)


class _Balance(HTMLParser):
    """Notices what is not closed, or loads something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "style", "onload", "onclick"}
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)


def test_page_is_whole_and_harmless(report: Report) -> None:
    page = comparison_page(report, title=EVIL)
    parser = _Balance()
    parser.feed(page)
    assert parser.open == [] and "script" not in parser.seen and "\x00" not in page
    assert "default-src 'none'" in page and "http:" not in page and "https:" not in page
    assert parser.seen.count("svg") == 2 * 3 + 2 and "mark" in parser.seen
    for metric in report.metrics:
        assert metric.signature in page
    assert page.count("<article>") == len(report.changes) > 0
    assert comparison_page(report).count("How many runs are enough?") == 1


def test_names_keep_their_letters(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "new": 20})
    page = comparison_page(compare(systems, references, CompareOptions(metrics="chrf", shuffles=10, sentences=0)))
    assert '<h3>Differences from <span class="name">old</span>' in page and "h3 .name { text-transform: none" in page


def test_systems_that_do_not_differ_are_not_called_better(report: Report) -> None:
    page = comparison_page(report)
    assert '<li class="unclear"><b>same</b> has the same chrF as <b>old</b>' in page


def test_a_length_is_neither_better_nor_the_same(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "new": 20})
    systems["new"] = [[f"{line} and more" for line in run] for run in systems["new"]]
    report = compare(systems, references, CompareOptions(metrics="length", shuffles=100))
    assert "<b>new</b> is longer than <b>old</b>" in comparison_page(report)
    assert report.as_dictionary()["metrics"][0]["verdicts"][0]["better"] is None


def test_tabs_are_spaces(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "new": 20})
    references = [[line.replace(" ", "\t") for line in references[0]]]
    report = compare(systems, references, CompareOptions(metrics="chrf", shuffles=10), sources=["ein\tWort"] * 60)
    page = comparison_page(report)
    assert '<td dir="auto">ein Wort</td>' in page and "\ufffd" not in page


def test_what_intervals_are_over(made_up: MakeSystems) -> None:
    systems, references = made_up({"old": 45, "new": 20})
    for bootstrap, over in (("segments", "over sentences</h3>"), ("hierarchical", "over sentences and runs</h3>")):
        options = CompareOptions(metrics="chrf", shuffles=10, resamples=40, bootstrap=bootstrap)  # type: ignore[arg-type]
        assert over in comparison_page(compare(systems, references, options))


def test_differences_of_long_names_are_told_apart(made_up: MakeSystems) -> None:
    names = ["phrases tuned by mert", "phrases tuned by mira", "phrases tuned by pro"]
    systems, references = made_up(dict.fromkeys(names, 10), runs=1)
    report = compare(systems, references, CompareOptions(metrics="ter", shuffles=10, pairs="all"))
    picture = ElementTree.fromstring(difference_plot(report.metrics[0]))
    labels = [(each.text, each.get("x")) for each in picture.iter() if each.tag.endswith("text")]
    rows = [labels[at : at + 2] for at, (text, _) in enumerate(labels) if text in names]
    assert [(first[0], second[0]) for first, second in rows] == [
        (names[1], f"− {names[0]}"),
        (names[2], f"− {names[0]}"),
        (names[2], f"− {names[1]}"),
    ]


def test_pictures_are_xml_with_all_runs(report: Report) -> None:
    for metric in report.metrics:
        picture = ElementTree.fromstring(score_plot(metric))
        assert len(picture.findall("circle")) == 9
        wide = float(picture.attrib["viewBox"].split()[2])
        assert all(0 <= float(each.attrib["cx"]) <= wide for each in picture.findall("circle"))
        assert len(ElementTree.fromstring(difference_plot(metric)).findall("circle")) == 2


def test_bars_of_gains_count_all_segments() -> None:
    for gains in ([], [0.0, 0.0], [1.0] * 5, [-200.0, *[0.5] * 300, 3.0], [1e-12, -1e-12]):
        counts = [int(each) for each in re.findall(r": (\d+) segments", gain_plot(gains))]
        assert sum(counts) == sum(gain != 0 for gain in gains)
        ElementTree.fromstring(gain_plot(gains))
