"""Examples of gapped rules are laid where the rule really is."""

from __future__ import annotations

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext
from pentaglot.explain.examples import Examples
from pentaglot.index import Index
from pentaglot.rules import IndexRules, RuleOptions, feature_space


def test_a_gapped_rule() -> None:
    source = ["nicht", "nur", "das", "Haus", "sondern", "auch", "das", "Buch", "nur"]
    target = ["not", "only", "the", "house", "but", "also", "the", "book"]
    bitext = Bitext.from_sentences([source], [target])
    links = [[(at, at) for at in range(8)]]
    index = Index.build(bitext, Alignment.from_links(links))
    options = RuleOptions(sightings=5)
    source = IndexRules(index, feature_space(), options)
    rules = source.rules(["nur", "das", "alte", "Haus", "sondern"])
    table = rules.table
    for pattern in range(table.patterns):
        if rules.source_side(pattern) != ["nur", "X1", "sondern"]:
            continue
        (rule,) = range(*table.rule_offsets[pattern : pattern + 2].tolist())
        (example,) = Examples(rules, source).of(pattern, rule)
        assert rules.target_side(rule) == ["only", "X1", "but"]
        assert example.source_places == (1, 4)
        assert example.target_places == (1, 4)
        return
    raise AssertionError("the rule was not found")
