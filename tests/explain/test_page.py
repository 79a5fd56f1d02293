"""The page: complete in itself, harmless whatever the texts hold, and saying what the explanation says."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest
from lxml import html
from tests.systems.conftest import EXAMPLES

from pentaglot.explain import Explanation, explain, explanation_page
from pentaglot.rules.features import FEATURES
from pentaglot.systems import TrainOptions, Translator, train

LINES = (EXAMPLES / "test.de").read_text("utf-8").splitlines()
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style></svg><script>1</script>",
    "&lt;b&gt; ' javascript:alert(1) ]]> <!-- x",
    "\u202eabc\u0000\u001b[31m \u2028 \ufdd0",
]


def parsed(page: str) -> html.HtmlElement:
    """The page as a browser reads it, after a look at what must hold for every page."""
    tree = html.document_fromstring(page)
    (script,), (style,) = tree.findall(".//script"), tree.findall(".//style")
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    for kind, text in (("script", script.text), ("style", style.text)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ")
    for element in tree.iter(html.etree.Element):
        assert not [name for name in element.attrib if name.startswith("on") or name in ("src", "style")], element.tag
        assert element.tag not in ("img", "iframe", "object", "link", "base", "form")
        assert element.get("href", "#").startswith("#")
    identities = tree.xpath("//@id")
    assert len(set(identities)) == len(identities)
    assert {link[1:] for link in tree.xpath("//@href")} <= set(identities)
    return tree


def texts(tree: html.HtmlElement) -> list[str]:
    return ["".join(each.itertext()) for each in tree.find_class("text")]


def explained(trained: Path, lines: list[str]) -> list[Explanation]:
    translator = Translator.open(trained)
    return [explain(translator, line) for line in lines]


def test_everything_is_there(trained: Path) -> None:
    explanations = explained(trained, LINES[:7])
    tree = parsed(explanation_page(explanations, title="A & B"))
    assert tree.findtext(".//h1") == "A & B"
    assert [each.text for each in tree.findall(".//dt")] == [name.replace("_", " ") for name in FEATURES]
    expected = [text for each in explanations for text in (each.translation.source, each.translation.text)]
    assert texts(tree) == expected
    for number, explanation in enumerate(explanations, 1):
        section = tree.get_element_by_id(f"line-{number}")
        rules = [node for root in explanation.roots for node in root.walk() if node.kind != "joined"]
        assert len(section.xpath(".//li[@id]")) == len(rules)
        assert len(section.find_class("example")) == sum(len(node.examples) for node in rules)
        assert f"score {explanation.translation.score:.2f}".replace("-", "−") in "".join(section.itertext())
        # Every word of both sides leads to its rule, once in the text and once in the pictures.
        (part,) = explanation.translation.parts
        words = len(part.rules.words) + len(part.hypotheses[0].words)
        assert len(section.xpath(".//*[contains(concat(' ', @class, ' '), ' word ')]")) == words
    assert explanation_page(explanations[:1]) == explanations[0].to_html()
    assert len(parsed(explanation_page(explanations, examples=0)).find_class("example")) == 0


@pytest.mark.parametrize("line", HOSTILE)
def test_hostile_input(trained: Path, line: str) -> None:
    tree = parsed(explanation_page(explained(trained, [line, LINES[0]]), title=line))
    if line.isprintable():
        assert texts(tree)[0] == line
        assert tree.findtext(".//h1") == line


def test_hostile_training_text(tmp_path: Path) -> None:
    for side, word in (("de", "Haus"), ("en", "house")):
        lines = [f"{word} {line}\n" for line in HOSTILE[:4]] + [f"{word} .\n"] * 3
        (tmp_path / f"train.{side}").write_text("".join(lines), "utf-8")
    train(tmp_path / "train.de", tmp_path / "train.en", tmp_path / "model", options=TrainOptions(order=2))
    explanations = explained(tmp_path / "model", [f"Haus {line}" for line in HOSTILE[:4]])
    tree = parsed(explanation_page(explanations))
    assert "alert" in "".join("".join(each.itertext()) for each in tree.find_class("example"))


def test_long_lines_and_odd_ones(trained: Path) -> None:
    long = " ".join(LINES[:40])
    explanations = explained(trained, [long, "", "y" * 100_000, "Unbekanntes Wort 4711"])
    assert len(explanations[0].roots) > 1
    page = explanation_page(explanations)
    tree = parsed(page)
    assert texts(tree)[0] == long
    assert "Part 2 of " in page and "An empty line." in page
    assert len(tree.get_element_by_id("line-3").text_content()) < 3_000
    assert tree.get_element_by_id("line-4").find_class("unknown")
    # The numbers of words go on from part to part.
    last = explanations[0].roots[-1].children[-1]
    words = sum(len(part.rules.words) for part in explanations[0].translation.parts)
    assert last.span[1] == len(explanations[0].translation.parts[-1].rules.words)
    assert re.search(rf"[\d–]*\b{words} → ", tree.get_element_by_id("line-1").text_content())


def test_same_page_every_time(trained: Path) -> None:
    assert explanation_page(explained(trained, LINES[:3])) == explanation_page(explained(trained, LINES[:3]))
