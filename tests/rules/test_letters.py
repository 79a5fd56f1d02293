"""Words in another script: learnt from pairs of both kinds, stored, and used where words have no rule."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pentaglot import storage
from pentaglot.align import Alignment
from pentaglot.corpus import Bitext, encode
from pentaglot.errors import StorageError
from pentaglot.index import Additions, Index
from pentaglot.lm import BuildOptions, build
from pentaglot.rules import IndexRules, Letters, RuleOptions, SentenceRules, TableRules, extract_table, feature_space
from pentaglot.rules.letter_pairs import linked_words, mined_pairs
from pentaglot.rules.letter_words import chances_of_words, folded, is_spelt, kind_of_word, letters_of, scripts_of

SOUNDS = {
    "α": "a", "β": "b", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "θ": "th", "ι": "i", "κ": "c", "λ": "l", "μ": "m",
    "ν": "n", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "τ": "t", "φ": "ph", "χ": "ch", "ξ": "x", "ω": "o", "η": "e",
}  # fmt: skip


def name(random: np.random.Generator) -> str:
    """A word that could be a name."""
    consonants, vowels = "βγδζθκλμνπρστφχξ", "αειοωη"
    places = range(int(random.integers(2, 4)))
    return "".join(str(random.choice(list(consonants))) + str(random.choice(list(vowels))) for _ in places)


def sounded(word: str) -> str:
    return "".join(SOUNDS[letter] for letter in word)


def pairs_of(names: int, others: int, seed: int = 0) -> list[tuple[str, str]]:
    """Names, with capitals, and small words that have nothing to do with each other."""
    random = np.random.default_rng(seed)
    found = [(word, sounded(word)) for word in (name(random) for _ in range(names))]
    return [(one.capitalize(), other.capitalize()) for one, other in found] + [
        (name(random), sounded(name(random))) for _ in range(others)
    ]


PAIRS = pairs_of(200, 400)
LETTERS = Letters.from_pairs(PAIRS)


def test_names_are_told_from_other_words() -> None:
    mined, shares = mined_pairs(PAIRS)
    assert {pair.source for pair in mined} >= {source for source, _ in PAIRS[:200]}
    assert len(mined) < 210
    assert shares["GREEK capital"] > 0.99 and shares["GREEK"] < 0.05
    for pair in mined:
        assert "".join(one for one, _ in pair.units) == folded(pair.source)
        assert "".join(other for _, other in pair.units) == pair.target.lower()


def test_kinds_of_words_that_are_translated_are_left_alone() -> None:
    """A share of almost nothing says that a spelling would be wrong."""
    word = next(source for source, _ in PAIRS if kind_of_word(source) == "GREEK capital")
    small = replace(LETTERS, kinds={"GREEK capital": replace(LETTERS.kinds["GREEK capital"], share=0.04)})
    assert LETTERS.spellings(word) and not small.spellings(word)


def test_names_that_were_never_seen_are_spelt() -> None:
    known = {source for source, _ in PAIRS}
    new = [source for source, _ in pairs_of(60, 0, seed=1) if source not in known]
    found = [LETTERS.spellings(source) for source in new]
    assert (
        np.mean([each[0].text == sounded(word.lower()).capitalize() for each, word in zip(found, new, strict=True)])
        > 0.9
    )
    for each in found:
        scores = [spelling.score for spelling in each]
        assert scores == sorted(scores, reverse=True) and len({spelling.text for spelling in each}) == len(each) <= 5
        assert np.exp(scores).sum() == pytest.approx(LETTERS.kinds["GREEK capital"].share)


def test_words_of_other_kinds_are_not_spelt() -> None:
    for word in ("Abraham", "Щука", "Ἀβ7", "7", "", "ガ", "Γατος!", "Α" * 50):
        assert LETTERS.spellings(word) == []
    assert LETTERS.spellings("Ὰβα")[0].text == LETTERS.spellings("Αβα")[0].text, "whatever its accents"
    assert LETTERS.kinds["GREEK capital"].capital


def test_too_few_pairs_teach_nothing() -> None:
    assert Letters.from_pairs(PAIRS[:29]).units is None
    assert Letters.from_pairs(PAIRS[200:]).units is None, "nor do words that have nothing to do with each other"
    assert Letters.from_pairs([]).spellings("Αβα") == []


def test_accents_of_the_other_language_are_written() -> None:
    random = np.random.default_rng(5)
    words = [name(random) for _ in range(120)]
    letters = Letters.from_pairs([(sounded(word), word.replace("α", "ά")) for word in words])
    assert letters.spellings("bana")[0].text == "βάνά"


def test_kana_keep_their_marks_and_syllables_come_apart() -> None:
    assert folded("ガラ") == "ガラ" and folded("カラ") == "カラ" and folded("ｶﾞ") == "ガ"
    assert len(folded("한")) == 3 and "".join(written for _, written in letters_of("한")) != "한"
    random = np.random.default_rng(6)
    jamo = (
        {"g": 0, "n": 2, "d": 3, "r": 5, "m": 6, "b": 7, "s": 9},
        {"a": 0, "e": 5, "o": 8, "u": 13, "i": 20},
        {"": 0, "n": 4, "m": 16, "l": 8},
    )

    def syllable() -> tuple[str, str]:
        start, vowel, end = (str(random.choice(list(each))) for each in jamo)
        return chr(0xAC00 + (jamo[0][start] * 21 + jamo[1][vowel]) * 28 + jamo[2][end]), start + vowel + end

    words = [[syllable() for _ in range(int(random.integers(2, 4)))] for _ in range(400)]
    pairs = sorted({("".join(one for one, _ in word), "".join(other for _, other in word)) for word in words})
    there, back = Letters.from_pairs(pairs), Letters.from_pairs([(other, one) for one, other in pairs])
    assert there.spellings("산다맘가")[0].text == "sandamamga"
    assert back.spellings("gadosuri")[0].text == "가도수리"


def test_letters_scripts_and_kinds() -> None:
    assert scripts_of("Ἀβραάμ") == {"GREEK"} and scripts_of("メアリー") == {"KATAKANA"}
    assert scripts_of("ｃｄ") == scripts_of("cd") == {"LATIN"} and scripts_of("食べ") == {"CJK", "HIRAGANA"}
    assert kind_of_word("ЩУКА") == "CYRILLIC capital" and kind_of_word("щука") == "CYRILLIC"
    assert (
        is_spelt("שָׁלוֹם") and is_spelt("メアリー") and not is_spelt("a1") and not is_spelt("") and not is_spelt("\u0301")
    )
    assert letters_of("Ǻa") == [("a", "ǻ"), ("a", "a")]


def test_the_chance_of_a_word_is_by_the_others() -> None:
    words = ["aa", "ab", "bb", "zz"]
    chances = chances_of_words(words)
    assert (chances > 0).all() and (chances < 1).all()
    assert chances[3] < chances[1], "nobody else has a z"
    assert chances_of_words(["ab", "ab"])[0] == chances_of_words(["ab"])[0], "each word counts once"
    assert chances_of_words([]).shape == (0,)


def bitext() -> tuple[Bitext, Alignment]:
    source = [["και", one] for one, _ in PAIRS[:200]] + [["και", "μου"], ["η", "π"]]
    target = [["and", other] for _, other in PAIRS[:200]] + [["my", "and"], ["and", "or"]]
    links = [[(0, 0), (1, 1)]] * 200 + [[(0, 0), (0, 1), (1, 0)], [(0, 0)]]
    return Bitext.from_sentences(source, target), Alignment.from_links(links)


BITEXT, LINKS = bitext()
INDEX = Index.build(BITEXT, LINKS)


def test_pairs_that_are_linked_to_each_other_alone() -> None:
    pairs = linked_words(BITEXT, INDEX.arrays["alignment"])
    seen = {(folded(one), folded(other)) for one, other in PAIRS[:200]}
    assert {(folded(one), folded(other)) for one, other in pairs} == seen | {("και", "and")}
    same = Bitext.from_sentences([["Haus", "x1"]], [["house", "x1"]])
    assert linked_words(same, Index.build(same, Alignment.from_links([[(0, 0), (1, 1)]])).arrays["alignment"]) == []
    empty = Bitext.from_sentences([], [])
    assert linked_words(empty, Index.build(empty, Alignment.from_links([])).arrays["alignment"]) == []


def found_for(words: str, **options: object) -> SentenceRules:
    rules = IndexRules(INDEX, feature_space(), RuleOptions(max_gaps=0, **options), letters=LETTERS)  # type: ignore[arg-type]
    return rules.rules(words.split())


def spelt_out(found: SentenceRules) -> dict[str, list[str]]:
    return {
        found.source_side(pattern)[0]: [
            " ".join(found.target_side(rule))
            for rule in range(*found.table.rule_offsets[pattern : pattern + 2].tolist())
        ]
        for pattern, stand_in in found.stand_ins.items()
        if stand_in.kind == "letters"
    }


def test_words_without_a_rule_are_spelt() -> None:
    space = feature_space()
    rules = IndexRules(INDEX, space, RuleOptions(max_gaps=0), letters=LETTERS)
    found = rules.rules(["και", "￭Μανα", "Μανα"])
    assert {word: spellings[0] for word, spellings in spelt_out(found).items()} == {"￭Μανα": "￭Mana", "Μανα": "Mana"}
    found.table.check()
    score = found.table.feature(space.id("letter_score"))
    for rule in np.flatnonzero(found.table.feature(space.id("transliterated"))).tolist():
        assert score[rule] <= 0 and found.table.links(rule) == [(0, 0)] and found.table.sightings(rule) == []
        for one in ("rules", "words"):
            assert found.table.feature(space.id(one))[rule] == 1
    assert ["Μανα"] in [found.target_side(rule) for rule in range(found.table.rules)], "a copy remains possible"
    assert found.copies[:3] == ("και", "￭Μανα", "Μανα")


def test_only_if_it_is_wanted() -> None:
    assert spelt_out(found_for("Μανα", fallbacks=("forms", "lexicon"))) == {}
    assert list(spelt_out(found_for("Μανα", fallbacks=("letters",)))) == ["Μανα"]
    without = IndexRules(INDEX, feature_space(), RuleOptions()).rules(["Μανα"])
    assert spelt_out(without) == {} and without.copies == ("Μανα",)


def test_a_spelling_that_is_a_word_is_that_word() -> None:
    known = PAIRS[0][1]
    unknown = PAIRS[0][0].upper()
    found = found_for(unknown, fallbacks=("letters",))
    assert spelt_out(found)[unknown][0] == known
    pattern = next(iter(found.stand_ins))
    first = int(found.table.target(int(found.table.rule_offsets[pattern]))[0])
    assert first == found.target_vocabulary.find(known)


def test_pairs_may_be_added() -> None:
    additions = Additions(INDEX)
    rules = IndexRules(additions, feature_space(), RuleOptions(max_gaps=0), letters=LETTERS)
    assert spelt_out(rules.rules(["Μανα"]))["Μανα"][0] == "Mana"
    additions.add(["Μανα"], ["Manna"], [(0, 0)])
    found = rules.rules(["Μανα", "Μανω"])
    assert list(spelt_out(found)) == ["Μανω"], "what has a rule now is not spelt"


def test_tables_have_them_too(tmp_path: Path) -> None:
    options = RuleOptions(max_gaps=0, reordering=True)
    table = extract_table(INDEX, tmp_path / "table", options)
    found = TableRules(table, feature_space(), options, letters=LETTERS).rules(["Μανα", "και"])
    assert spelt_out(found)["Μανα"][0] == "Mana"
    found.table.check()


def test_the_same_with_any_number_of_threads() -> None:
    assert [each.text for each in Letters.from_pairs(PAIRS, threads=5).spellings("Μανα")] == [
        each.text for each in LETTERS.spellings("Μανα")
    ]
    words = [source for source, _ in pairs_of(40, 0, seed=3)]
    with ThreadPoolExecutor(8) as pool:
        many = list(pool.map(LETTERS.spellings, words))
    assert many == [LETTERS.spellings(word) for word in words]


def test_what_was_saved_is_opened(tmp_path: Path) -> None:
    LETTERS.save(tmp_path / "letters")
    opened = Letters.open(tmp_path / "letters")
    assert opened.kinds == LETTERS.kinds
    assert opened.spellings("Μανα") == LETTERS.spellings("Μανα")
    Letters().save(tmp_path / "none")
    assert Letters.open(tmp_path / "none").spellings("Μανα") == []


def test_saved_twice_the_bytes_are_the_same(tmp_path: Path) -> None:
    for threads in (1, 3):
        Letters.from_pairs(PAIRS, threads=threads).save(tmp_path / str(threads))
    files = [
        {str(file.relative_to(place)): file.read_bytes() for file in place.rglob("*") if file.is_file()}
        for place in (tmp_path / "1", tmp_path / "3")
    ]
    assert files[0] == files[1] != {}


@pytest.mark.parametrize(
    "facts",
    [
        {"shares": [0.5]},
        {"shares": [0.5, 2.0]},
        {"shares": [0.5, float("nan")]},
        {"shares": ["a", "b"]},
        {"kinds": [1, 2]},
        {"capitals": [1, 0]},
        {"capitals": []},
    ],
)
def test_facts_that_are_damaged(tmp_path: Path, facts: dict[str, object]) -> None:
    with storage.create(tmp_path / "letters", kind="letters", version=1) as new:
        new.facts.update({"kinds": ["A", "B"], "shares": [0.5, 0.5], "capitals": [True, False]} | facts)
    with pytest.raises(StorageError, match="is damaged"):
        Letters.open(tmp_path / "letters")


def test_units_that_are_none(tmp_path: Path) -> None:
    for number, words in enumerate((["αβγ→a"], ["→a"], ["a"], ["α→a", "→"], [f"α→{'a' * 17}"])):
        place = tmp_path / str(number)
        with storage.create(place, kind="letters", version=1) as new:
            new.facts.update(kinds=["GREEK"], shares=[0.5], capitals=[False])
            build(*encode([words]), BuildOptions(order=1)).save(new.path / "units")
        if words == ["a"]:
            assert Letters.open(place).spellings("a") == [], "without a side it spells nothing"
            continue
        with pytest.raises(StorageError, match="is damaged: a unit of letters is empty, too long"):
            Letters.open(place)


def test_parts_that_are_gone(tmp_path: Path) -> None:
    LETTERS.save(tmp_path / "letters")
    shutil.rmtree(tmp_path / "letters" / "units")
    assert Letters.open(tmp_path / "letters").spellings("Μανα") == []
    LETTERS.save(tmp_path / "more")
    next((tmp_path / "more" / "units").glob("*.npy")).unlink()
    with pytest.raises(StorageError):
        Letters.open(tmp_path / "more")
