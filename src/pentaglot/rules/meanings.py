"""What features mean, in words: declared ones and induced ones."""

from __future__ import annotations

import re

from pentaglot.corpus.splitters import plain
from pentaglot.rules.features import meaning_of
from pentaglot.rules.induced import WordFeatures
from pentaglot.rules.induction import Induction
from pentaglot.rules.word_names import SIDES, split_words

__all__ = ["meaning_in"]

_SAID = {
    "source_words": "source word {}",
    "target_words": "target word {}",
    "linked_pairs": "{} translated as {}",
    "all_pairs": "{} in one phrase with {}",
    "triggers": "{} somewhere before {}",
    "source_ngrams": "source words {}",
    "target_ngrams": "target words {}",
    "rules": "the rule {} → {}",
}
_PART = re.compile(r"(?:\\.|[^\\^])+", re.DOTALL)


def meaning_in(induction: Induction, name: str) -> str:
    """The meaning of an induced feature in words; empty if it is none.

    >>> from pentaglot.rules.induced import FittedDomains
    >>> from pentaglot.rules.operators import WordPairs
    >>> words = WordFeatures(WordPairs(), ("Haus>house",))
    >>> induction = Induction((), (), (), (words,), FittedDomains("domain", ("news",), ("language_model",)))
    >>> meaning_in(induction, "pair=Haus>house"), meaning_in(induction, "domain=news^language_model")
    ("'Haus' translated as 'house'", 'how well the translation reads, in the domain news')
    """
    if name in induction.meanings:
        return induction.meanings[name]
    prefix, _, words = name.partition("=")
    for each in induction.worded:
        if each.operator.prefix == prefix:
            return _of_words(each, words)
    parts = [re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL) for part in _PART.findall(name)]
    if len(parts) < 2:
        return ""
    domains = induction.domains
    where = [] if domains is None else [part for part in parts if part in map(domains.indicator, domains.names)]
    rest = [part for part in parts if part not in where]
    said = " and ".join(induction.meanings.get(part) or meaning_of(part) or part for part in rest)
    if not where:
        return said if all(part in induction.meanings for part in rest) else ""
    assert domains is not None
    return f"{said}, in the {domains.metadata} {where[0].removeprefix(f'{domains.metadata}=')}"


def _of_words(features: WordFeatures, joined: str) -> str:
    words, gaps = split_words(joined)
    template = features.operator.template

    def shown(chosen: list[str], marks: list[bool]) -> str:
        if features.operator.classes:
            return " ".join(
                f"X{word[1:-1]}" if gap else f"class {word}" if word.isdigit() else word
                for word, gap in zip(chosen, marks, strict=True)
            )
        spelt = [f"X{word[1:-1]}" if gap else plain(word) for word, gap in zip(chosen, marks, strict=True)]
        return f"'{' '.join(spelt)}'"

    if template == "rules":
        between = words.index(SIDES)
        sides = (slice(0, between), slice(between + 1, None))
    elif template in ("linked_pairs", "all_pairs", "triggers"):
        sides = (slice(0, 1), slice(1, 2))
    else:
        said = "{} in the translation" if features.operator.crosses else _SAID[template]
        return said.format(shown(words, gaps))
    return _SAID[template].format(*(shown(words[side], gaps[side]) for side in sides))
