"""Modified Kneser-Ney written down as in Chen and Goodman (1998), with dictionaries; the twin that the native code is
compared with. It shares nothing with it but the formulas."""

from __future__ import annotations

from collections import Counter, defaultdict

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
FALLBACK = (0.5, 1.0, 1.5)
NGram = tuple[str, ...]


class Twin:
    """p(word | context) by recursion; contexts are tuples of words, the last one nearest."""

    def __init__(self, sentences: list[list[str]], order: int, limits: list[int] | None = None) -> None:
        self.order = order
        self.limits = limits or [0] * order
        self.plain: Counter[NGram] = Counter()
        for sentence in sentences:
            words = [START, *sentence, END]
            for end in range(2, len(words) + 1):
                for begin in range(max(0, end - order), end):
                    self.plain[tuple(words[begin:end])] += 1
        self.counts = [self._adjusted(length) for length in range(1, order + 1)]
        self.discounts = [self._discounts(counts) for counts in self.counts]
        self.words = {word for (word,) in self.counts[0]} | {END, UNKNOWN}
        self.following: list[dict[NGram, dict[str, int]]] = []
        for counts in self.counts:
            table: dict[NGram, dict[str, int]] = defaultdict(dict)
            for ngram, count in counts.items():
                table[ngram[:-1]][ngram[-1]] = count
            self.following.append(table)

    def _adjusted(self, length: int) -> dict[NGram, int]:
        ngrams = [ngram for ngram in self.plain if len(ngram) == length]
        if length == self.order:
            return {ngram: self.plain[ngram] for ngram in ngrams}
        before: dict[NGram, set[str]] = defaultdict(set)
        for longer in self.plain:
            if len(longer) == length + 1:
                before[longer[1:]].add(longer[0])
        return {ngram: self.plain[ngram] if ngram[0] == START else len(before[ngram]) for ngram in ngrams}

    @staticmethod
    def _discounts(counts: dict[NGram, int]) -> tuple[float, ...]:
        n = Counter(counts.values())
        if not (n[1] and n[2] and n[3]):
            return FALLBACK
        y = n[1] / (n[1] + 2 * n[2])
        found = tuple(j - (j + 1) * y * n[j + 1] / n[j] for j in (1, 2, 3))
        return found if all(0 < each <= j for j, each in enumerate(found, 1)) else FALLBACK

    def kept(self, ngram: NGram) -> bool:
        return self.plain[ngram] > self.limits[len(ngram) - 1]

    def probability(self, context: NGram, word: str) -> float:
        context = context[max(0, len(context) - self.order + 1) :]
        length = len(context)
        following = self.following[length].get(context, {})
        lower = 1 / len(self.words) if length == 0 else self.probability(context[1:], word)
        total = sum(following.values())
        if total == 0:
            return lower
        discounts = self.discounts[length]
        kept = {each: count for each, count in following.items() if length == 0 or self.kept((*context, each))}
        left = sum(discounts[min(count, 3) - 1] for count in kept.values())
        left += sum(count for each, count in following.items() if each not in kept)
        own = kept[word] - discounts[min(kept[word], 3) - 1] if word in kept else 0.0
        return own / total + left / total * lower
