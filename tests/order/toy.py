"""A language whose words come in another order, and grammars that are learnt from it."""

from __future__ import annotations

from random import Random

from pentaglot._core.corpus import Text, Vocabulary
from pentaglot.align import Alignment
from pentaglot.corpus import encode
from pentaglot.order import GrammarOptions, Permutation, ReorderingGrammar, train_grammar

NOUNS, VERBS, ADJECTIVES = ("dog", "cat", "tree", "house", "child"), ("sees", "likes", "finds"), ("old", "red", "small")
Example = tuple[list[str], Permutation]


def example(random: Random) -> Example:
    """A sentence with the verb in the middle, which goes to the end; with a clause, which goes before its verb and its
    conjunction to the clause's end; and its order."""

    def noun_phrase() -> list[str]:
        words = ["the"] if random.random() < 0.7 else []
        return [*words, *random.sample(ADJECTIVES, random.choice((0, 0, 1, 2))), random.choice(NOUNS)]

    def clause(depth: int) -> tuple[list[str], list[int]]:
        """Words, and their order."""
        subject, verb, rest = noun_phrase(), random.choice(VERBS), noun_phrase()
        words = [*subject, verb, *rest]
        order = [*range(len(subject)), *range(len(subject) + 1, len(words)), len(subject)]
        if depth and random.random() < 0.4:
            inner, inner_order = clause(depth - 1)
            start = len(words) + 1
            words += ["because", *inner]
            order = [*(start + each for each in inner_order), start - 1, *order]
        return words, order

    words, order = clause(1)
    return words, Permutation.from_order(order)


def examples(number: int, seed: int = 0) -> list[Example]:
    random = Random(seed)
    return [example(random) for _ in range(number)]


def encoded(given: list[Example]) -> tuple[Text, Vocabulary, Alignment]:
    """The sentences, with each word linked to the place where it goes."""
    text, words = encode(sentence for sentence, _ in given)
    return text, words, Alignment.from_links([list(enumerate(each.ranks)) for _, each in given])


def grammar(given: list[Example], threads: int = 1, **options: object) -> ReorderingGrammar:
    return train_grammar(*encoded(given), GrammarOptions(**options), threads=threads)  # type: ignore[arg-type]


# Sentences with phrases, words without links, and operators of four children.
TANGLED = [
    ("a b c d", [(0, 1), (1, 3), (2, 0), (3, 2)]),
    ("a b c d", [(0, 0), (1, 1), (2, 2), (3, 3)]),
    ("b a d", [(0, 1), (1, 0), (2, 2)]),
    ("a x b", [(0, 1), (2, 0)]),
    ("c a b x", [(0, 0), (1, 2), (2, 1)]),
    ("x d c", [(1, 1), (2, 0)]),
    ("a b c", [(0, 1), (1, 1), (2, 0)]),
    ("d a b", [(0, 0), (1, 2), (2, 2)]),
    ("a", [(0, 0)]),
    ("b c d a b", [(0, 2), (1, 4), (2, 1), (3, 3), (4, 0)]),
    ("d c b a", [(0, 1), (1, 2), (2, 0), (3, 3)]),
    ("e c", [(0, 1), (1, 0)]),
]


def tangled(**options: object) -> ReorderingGrammar:
    text, words = encode(sentence.split() for sentence, _ in TANGLED)
    links = Alignment.from_links([links for _, links in TANGLED])
    given = {"least_words": 1, "binary_states": 2, "other_states": 2, "cutoff": 1, "phrase_cutoff": 0, "noise": 0.9}
    given |= options
    return train_grammar(text, words, links, GrammarOptions(**given))  # type: ignore[arg-type]
