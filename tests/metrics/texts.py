"""Random segments of many scripts, for metrics that must count what sacrebleu counts: with entities, marks, odd spaces,
shifted words, empty lines and several references."""

from __future__ import annotations

from random import Random

WORDS = [
    *("the", "The", "house", "a", "b", "c", "is", "Haus", "Straße", "ΟΔΟΣ", "İstanbul", "é", "e\u0301", "𝟘"),
    *("猫", "は", "カタカナ", "ひらがな", "。", "、", "「", "」", "！", "，", "㍿", "﹏", "\u3200", "䶿", "𠀀", "・"),
    *("it's", "dog's", "'s", "5-3", "1,000", "3.5", "...", "(hi)", "&quot;", "&amp;lt;", "<", "!", ".", "-", "“x”"),
    *("..5", "\u00a0", "x\u2003y", "\n", "\n-", "\x1c", "한국어", "עברית", "ع", "हिन्दी"),
]  # fmt: skip


def segment(draw: Random, references: int, longest: int) -> tuple[str, list[str]]:
    """A hypothesis and its references, of up to so many words."""
    pool = draw.sample(WORDS, draw.choice([3, 8, 30]))
    wanted = [draw.choice(pool) for _ in range(draw.choice([0, 1, 2, longest // 4, longest // 2, longest]))]
    texts = [altered(draw, wanted, pool) for _ in range(references)]
    if draw.random() < 0.1:
        return " ".join(draw.choice(pool) for _ in range(draw.choice([0, 1, longest]))), texts
    return altered(draw, wanted, pool), texts


def altered(draw: Random, words: list[str], pool: list[str]) -> str:
    """A text after some edits and shifts."""
    found = list(words)
    for _ in range(draw.randrange(7)):
        at, way = draw.randrange(len(found) + 1), draw.random()
        if way < 0.3:
            moved = found[at : at + 5]
            del found[at : at + 5]
            to = draw.randrange(len(found) + 1)
            found[to:to] = moved
        elif way < 0.6:
            found[at : at + 1] = [draw.choice(pool)]
        elif way < 0.8:
            del found[at : at + 1]
        else:
            found.insert(at, draw.choice(pool))
    return draw.choice([" ", " ", " ", "  "]).join(found)


def segments(seed: int, count: int, references: int, longest: int = 20) -> tuple[list[str], list[list[str]]]:
    """Hypotheses, and whole references."""
    draw = Random(seed)
    drawn = [segment(draw, references, longest) for _ in range(count)]
    return [hypothesis for hypothesis, _ in drawn], [[texts[at] for _, texts in drawn] for at in range(references)]
