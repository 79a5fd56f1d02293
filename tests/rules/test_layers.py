"""What a rule source reads of the words that it found: their layers, and those of its own sentence."""

from __future__ import annotations

from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, Sentence
from pentaglot.index import Additions, Index
from pentaglot.rules import IndexRules, RuleOptions, feature_space

PAIRS = [
    (Sentence(["das", "Haus"], {"upos": ["DET", "NOUN"]}, {"domain": "estate"}), ["the", "house"]),
    (Sentence(["das", "ist"], {"upos": ["PRON", "AUX"]}, {"domain": "news"}), ["that", "is"]),
]


def test_sightings_lead_to_layers() -> None:
    bitext = Bitext.from_sentences([source for source, _ in PAIRS], [target for _, target in PAIRS])
    additions = Additions(Index.build(bitext, Alignment.from_links([[(0, 0), (1, 1)]] * 2)))
    additions.add(Sentence(["das"], {"upos": ["DET"]}, {"domain": "estate"}), ["it"], [(0, 0)])
    source = IndexRules(additions, feature_space(), RuleOptions(max_gaps=0))
    found = source.rules(Sentence(["das"], {"upos": ["DET"]}))
    assert found.sentence.layers["upos"] == ("DET",) and found.view is not None
    seen = set()
    for rule in range(found.table.rules):
        for corpus, sentence, place in found.table.sightings(rule):
            index = found.view.indexes[corpus]
            begin = int(index.bitext.source.offsets[sentence]) + place
            [tag] = index.layer("upos", "source").spelt(begin, begin + 1)
            [domain] = index.metadata("domain").spelt(sentence, sentence + 1)
            seen.add((" ".join(found.target_side(rule)), tag, domain))
    assert seen == {("the", "DET", "estate"), ("that", "PRON", "news"), ("it", "DET", "estate")}


def test_plain_words_are_sentences_too() -> None:
    bitext = Bitext.from_sentences([["das"]], [["the"]])
    source = IndexRules(Index.build(bitext, Alignment.from_links([[(0, 0)]])), feature_space())
    assert source.rules(["das"]).sentence == Sentence(["das"]) and source.rules(("das",)).words == ("das",)
