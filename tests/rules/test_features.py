"""The names that rules and searches share."""

from pentaglot.rules.features import (
    COPY_FEATURES,
    FALLBACK_FEATURES,
    INVERSE_ESTIMATE,
    LETTER_SCORE,
    MEMORY_FEATURES,
    REORDERING_FEATURES,
    RULE_FEATURES,
    SEARCH_FEATURES,
    SPELLING_DISTANCE,
    TABLE_FEATURES,
    feature_space,
)


def test_every_name_has_one_id() -> None:
    space = feature_space()
    names = {
        *RULE_FEATURES,
        INVERSE_ESTIMATE,
        *TABLE_FEATURES,
        *COPY_FEATURES,
        *FALLBACK_FEATURES.values(),
        SPELLING_DISTANCE,
        LETTER_SCORE,
        *MEMORY_FEATURES,
        *SEARCH_FEATURES,
        *REORDERING_FEATURES,
    }
    assert set(space.names) == names
    assert len(space) == len(names)
    assert [space.id(name) for name in RULE_FEATURES] == list(range(len(RULE_FEATURES)))
    assert set(space.groups()) == {"rule", "copy", "fallback", "memory", "search", "reordering"}
