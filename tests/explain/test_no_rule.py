"""Why a phrase that stands in the text has no rule."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pentaglot.index import literal
from pentaglot.systems import Translator


@pytest.fixture
def translator(trained: Path, tmp_path: Path) -> Translator:
    opened = Translator.open(shutil.copytree(trained, tmp_path / "model"))
    long = [f"w{number}" for number in range(20)]
    for source, target, links in (
        (["Quark", "hier", "so"], ["here", "so"], [(1, 0), (2, 1)]),
        (["Alpha", "Beta", "so"], ["gamma", "so"], [(0, 0), (1, 0), (2, 1)]),
        (["weit", "ab", "so"], [*long, "so"], [(0, 0), (0, 19), (1, 5), (2, 20)]),
        (["sehr", *long], ["very"], [(0, 0), (20, 0)]),
    ):
        opened.model.additions.add(source, target, links)
    return opened


def test_reasons(translator: Translator) -> None:
    tight = translator.rules.options.extraction == "tight"
    for phrase, reason in (
        ("Quark", "unlinked"),
        ("Alpha", "crossing"),
        ("weit ab", "target"),
        ("ab", None),
        ("Alpha Beta", None),
        ("Quark hier", "edges" if tight else None),
        (" ".join(f"w{number}" for number in range(20)), "symbols"),
    ):
        why = translator.why_no_rule(phrase)
        assert (why.occurrences, why.looked_at, why.complete) == (1, 1, True)
        assert why.reasons == ({} if reason is None else {reason: 1})
        rules = [rule for rule in translator.look_up(phrase) if "unknown" not in rule.features]
        assert bool(rules) == (reason is None)
    nowhere = translator.why_no_rule("gibtesnicht")
    assert nowhere.as_json() == {"occurrences": 0, "looked_at": 0, "reasons": {}}


def test_a_word_that_was_seen_in_vain_says_so(translator: Translator) -> None:
    (rule,) = translator.look_up("Quark")
    assert (rule.occurrences, rule.sample, rule.translated, rule.features["unknown"]) == (1, 1, 0, 1)
    (rule,) = translator.look_up("gibtesnicht")
    assert (rule.occurrences, rule.sample) == (0, 0)


def test_whatever_has_no_rule_has_a_reason(translator: Translator) -> None:
    """For runs of words all over the text: rules are found just where not every place is in the way."""
    index = translator.model.index
    tokenizer = translator.model.source_tokenizer
    seen = {True: 0, False: 0}
    for pair in range(0, len(index), 3):
        words = index.bitext.pair(pair)[0]
        for begin, end in ((0, 1), (1, 3), (2, 6), (len(words) - 2, len(words))):
            text = tokenizer.detokenise(words[begin:end])
            why = translator.why_no_rule(literal(text))
            rules = [rule for rule in translator.look_up(literal(text)) if "unknown" not in rule.features]
            assert why.looked_at > 0
            assert bool(rules) == (sum(why.reasons.values()) < why.looked_at), text
            seen[bool(rules)] += 1
    assert seen[True] and seen[False]
