"""Lists of rules in HTML: nested as the derivation is, with bars in proportion and training sentences marked."""

from __future__ import annotations

import re

from lxml import html
from tests.explain.nodes import phrase, rule

from pentaglot.explain import Contribution, Evidence, Example, Node
from pentaglot.explain.rule_list import RuleList, feature_table

EXAMPLE = Example("", 7, ("das", "<b>Haus", "￭,", "alt"), ("the", "house"), (1, 2), (1,))


def listed(root: Node, examples: int = 3) -> html.HtmlElement:
    numbers = {id(node): number for number, node in enumerate(root.walk())}
    return html.fragment_fromstring(
        RuleList(4, numbers, 2.0, examples).html(root, range(10, 100), 20), create_parent="div"
    )


def joined(*pieces: Node) -> Node:
    return Node("joined", (0, 9), (0, 9), (), (), (), (), (), None, (), pieces)


def test_nesting() -> None:
    inner = phrase((1, 3), (0, 2))
    outer = rule((0, 4), (0, 3), ["nicht", 1, "￭,"], [1, "not"], inner)
    page = listed(joined(outer, phrase((4, 5), (3, 3))))
    assert [each.get("id") for each in page.findall("./ol/li")] == ["rule-4-1", "rule-4-3"]
    assert [each.get("id") for each in page.findall("./ol/li/ol/li")] == ["rule-4-2"]
    summaries = ["".join(each.itertext()) for each in page.iter("summary")]
    assert summaries[0].startswith("1nicht 2 ,→2 not11–14 → 21–23")
    assert summaries[1].startswith("2s1 s2→t0 t112–13 → 21–22")
    assert "s4→∅15 → ∅" in summaries[2]


def test_examples() -> None:
    node = rule((0, 1), (0, 1), ["a"], ["b"], examples=(EXAMPLE, EXAMPLE))
    page = listed(joined(node))
    shown = page.find_class("example")
    assert len(shown) == 2
    assert ["".join(each.itertext()) for each in shown[0]] == ["training pair 7", "das <b>Haus, alt", "the house"]
    assert [each.text for each in shown[0].iter("mark")] == ["<b>Haus,", "house"]
    assert len(listed(joined(node), 1).find_class("example")) == 1


def test_what_is_known_of_a_rule() -> None:
    def said(kind: str, evidence: Evidence | None, target: tuple[str, ...] = ("b",)) -> str:
        node = rule((0, 1), (0, 1), ["a"], [*target], kind=kind, evidence=evidence)  # type: ignore[arg-type]
        page = listed(joined(node))
        return " ".join("".join(each.itertext()) for each in (*page.iter("p"), *page.find_class("tag")))

    assert "1,200 times. Of 300 places looked at, 142 could be" in said("rule", Evidence(1200, 300, 142, 30.0))
    assert "8 times. Of these places, 5 could be translated as a whole, 2 of" in said("rule", Evidence(8, 8, 5, 2.0))
    assert "once, and were translated this way there" in said("rule", Evidence(1, 1, 1, 1.0))
    assert "no translation of this word" in said("unknown", Evidence(0, 0, 0, 0.0))
    assert "left out" in said("unknown", None, ())
    assert "Copied" in said("copied", Evidence(0, 0, 0, 0.0))
    assert "table of rules" in said("rule", Evidence(0, 0, 0, 0.0))


def test_bars_are_in_proportion() -> None:
    table = html.fragment_fromstring(
        feature_table([Contribution("small", 1.0, 0.5), Contribution("seen_once", -4.0, 0.5)], 2.0)
    )
    rows = table.findall("./tr")
    assert ["".join(row.itertext()) for row in rows] == ["seen once−2.00−4 × 0.5", "small+0.501 × 0.5"]
    sizes = [float(row.xpath(".//rect[2]/@width")[0]) for row in rows]
    assert sizes[0] == 74 and abs(sizes[1] - 74 / 4) < 0.1
    assert [row.xpath(".//rect[2]/@class")[0] for row in rows] == ["minus", "plus"]
    assert re.findall(r'width="0.0"', feature_table([Contribution("none", 0.0, 0.0)], 0.0))
