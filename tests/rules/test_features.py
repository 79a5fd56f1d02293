"""The names that rules and searches share."""

from pentaglot.rules.features import (
    CLASSES,
    COPY_FEATURES,
    FALLBACK_FEATURES,
    FEATURES,
    FOUND,
    INVERSE_ESTIMATE,
    LETTER_SCORE,
    MEMORY_FEATURES,
    ORDER,
    PRECEDENCE,
    REORDERING_FEATURES,
    RULE_FEATURES,
    SPELLING_DISTANCE,
    TABLE_FEATURES,
    WORD_CHOICE,
    feature_space,
    features_of,
    meaning_of,
)
from pentaglot.search import language_features


def test_every_name_has_one_id() -> None:
    space = feature_space()
    further = {name for each in (language_features(CLASSES), ("language_model_unknown",)) for name in each}
    names = {*FEATURES} - {FOUND, ORDER, PRECEDENCE, *WORD_CHOICE, *further, "repeated_words", "phrase_gaps"}
    makers = (RULE_FEATURES, (INVERSE_ESTIMATE,), TABLE_FEATURES, COPY_FEATURES, FALLBACK_FEATURES.values())
    makers += (
        (SPELLING_DISTANCE, LETTER_SCORE),
        MEMORY_FEATURES,
        [each.name for each in features_of("search") if each.always],
        REORDERING_FEATURES,
    )
    assert {name for each in makers for name in each} == names
    assert set(space.names) == names
    assert len(space) == len(names)
    assert [space.id(name) for name in RULE_FEATURES] == list(range(len(RULE_FEATURES)))
    assert set(space.groups()) == {"rule", "copy", "fallback", "memory", "search", "reordering"}


def test_every_feature_is_declared_for_people() -> None:
    assert len({each.meaning for each in FEATURES.values()}) == len(FEATURES)
    for name, each in FEATURES.items():
        assert each.name == name and each.room in ("rules", "search")
        assert each.meaning and each.meaning == each.meaning.strip(" .") and not set(each.meaning) & set("<>&|\n")
        assert meaning_of(name) == each.meaning
        if "@" not in name:
            assert meaning_of(f"{name}@news") == (f"{each.meaning} (news)" if each.per else "")
