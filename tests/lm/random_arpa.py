"""ARPA files that no text would give."""

from __future__ import annotations

import itertools
import random


def random_arpa(seed: int, order: int, *, closed: bool = True) -> str:
    """Contexts are always complete; `closed` says whether the ends of n-grams are, too (SRILM leaves some out)."""
    chance = random.Random(seed)
    words = ["<unk>", "<s>", "</s>", *"abcdef"]
    levels: list[list[tuple[str, ...]]] = [[(word,) for word in words]]
    for _ in range(1, order):
        contexts = [ngram for ngram in levels[-1] if ngram[-1] != "</s>"]
        ends = set(levels[-1])
        candidates = [
            (*context, word)
            for context, word in itertools.product(contexts, words)
            if word != "<s>" and (not closed or (*context[1:], word) in ends)
        ]
        levels.append(chance.sample(candidates, min(len(candidates), chance.randrange(1, 40))))
    lines = ["\\data\\", *(f"ngram {n}={len(level)}" for n, level in enumerate(levels, 1)), ""]
    for n, level in enumerate(levels, 1):
        lines.append(f"\\{n}-grams:")
        for ngram in level:
            line = f"{-3 * chance.random():.6g}\t{' '.join(ngram)}"
            if n < order and chance.random() < 0.8:
                line += f"\t{(1 if closed else 0) - 2 * chance.random():.6g}"
            lines.append(line)
        lines.append("")
    return "\n".join([*lines, "\\end\\", ""])


def back_off_scores(arpa: str, sentences: list[list[str]]) -> list[float]:
    """The log-probabilities of all words and sentence ends, by the definition of back-off."""
    table: dict[tuple[str, ...], tuple[float, float]] = {}
    for line in arpa.split("\n"):
        fields = line.split("\t")
        if len(fields) > 1:
            table[tuple(fields[1].split(" "))] = (float(fields[0]), float(fields[2]) if len(fields) > 2 else 0.0)

    def score(context: tuple[str, ...], word: str) -> float:
        if (*context, word) in table:
            return table[(*context, word)][0]
        return table.get(context, (0.0, 0.0))[1] + score(context[1:], word)

    order = arpa.count("\nngram ")
    scores = []
    for sentence in sentences:
        words = ["<s>", *(word if (word,) in table else "<unk>" for word in sentence), "</s>"]
        for end in range(1, len(words)):
            scores.append(score(tuple(words[max(0, end - order + 1) : end]), words[end]))
    return scores
