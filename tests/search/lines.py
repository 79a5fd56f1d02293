"""Random sentences with heads, edges, and spans that may be constituents; rules that know of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from hypothesis import strategies as st
from tests.search.grammars import WORDS, Rule, grammars, labelled_grammars
from tests.search.twins import Edge, Labels, Line

LABELS = st.builds(Labels, st.frozensets(st.integers(0, 2)), st.frozensets(st.integers(0, 2)))


@st.composite
def lines(draw: st.DrawFn, most: int = 4, structured: bool = False) -> Line:
    """`structured`: with heads or with other edges."""
    words = tuple(draw(st.lists(st.sampled_from(WORDS), max_size=most)))
    size = len(words)
    spans = [(begin, end) for begin in range(size) for end in range(begin + 1, size + 1)]
    allowed = labels = None
    if spans and draw(st.booleans()):  # most are allowed, so that something can be derived
        allowed = frozenset(spans) - draw(st.frozensets(st.sampled_from(spans), max_size=4))
    if spans and draw(st.booleans()):
        every = [(*span, label) for span in spans for label in range(3)]
        labels = frozenset(every) - draw(st.frozensets(st.sampled_from(every), max_size=10))
    line = Line(words, allowed=allowed, labels=labels)
    if not structured:
        return line
    if draw(st.booleans()):
        pairs = [(*pair, kind) for pair in permutations(range(size), 2) for kind in (0, 1)]
        edges = draw(st.lists(st.sampled_from(pairs), max_size=5, unique=True)) if pairs else []
        return replace(line, edges=tuple(edges))
    return replace(line, heads=draw(heads(size)))


@st.composite
def heads(draw: st.DrawFn, size: int) -> tuple[int, ...]:
    """Any trees, also several, and such as cross."""
    order, found = draw(st.permutations(range(size))), [-1] * size
    for number, word in enumerate(order):
        found[word] = draw(st.sampled_from([-1, *order[:number]]))
    return tuple(found)


@st.composite
def signatures(draw: st.DrawFn, size: int, kinds: int) -> tuple[Edge, ...] | None:
    if draw(st.booleans()):
        return None
    pairs = [(*pair, kind) for pair in permutations(range(size), 2) for kind in range(kinds)]
    return tuple(draw(st.lists(st.sampled_from(pairs), max_size=2, unique=True))) if pairs else ()


@st.composite
def chart_cases(draw: st.DrawFn) -> tuple[list[Rule], Line, Labels]:
    """Rules with labels; perhaps with signatures and places."""
    structured = draw(st.booleans())
    line = draw(lines(structured=structured))
    rules = draw(labelled_grammars())
    if structured:
        kinds = 1 if line.heads is not None else 2
        rules = [replace(rule, signature=draw(signatures(len(rule.source), kinds))) for rule in rules]
    for begin in draw(st.lists(st.integers(0, len(line.words) - 1), max_size=3)) if line.words else ():
        end = draw(st.integers(begin + 1, len(line.words)))
        target = (draw(st.sampled_from(WORDS)),)
        label, places = draw(st.integers(0, 2)), tuple(range(begin, end))
        rules.append(Rule(line.words[begin:end], target, -0.25, label=label, places=places))
    return list({(rule.pattern, rule.target): rule for rule in rules}.values()), line, draw(LABELS)


@st.composite
def stack_cases(draw: st.DrawFn) -> tuple[list[Rule], Line, Labels]:
    """Phrases, also such whose words are not adjacent, with labels; perhaps with signatures."""
    structured, labelled = draw(st.booleans()), draw(st.booleans())
    line = draw(lines(structured=structured))
    if draw(st.booleans()):
        line = replace(line, allowed=None, labels=None)
    rules = draw(grammars(gaps=0, reordering=draw(st.booleans())))
    for _ in range(draw(st.integers(1, 4)) if line.words else 0):
        places = tuple(sorted(draw(st.sets(st.integers(0, len(line.words) - 1), min_size=1, max_size=3))))
        source = tuple(line.words[at] for at in places)
        if draw(st.integers(0, 9)) == 0:  # of a sentence with another word there
            source = (WORDS[0], *source[1:])
        target = tuple(draw(st.lists(st.sampled_from(WORDS), max_size=2)))
        like = draw(st.sampled_from(rules))
        rules.append(replace(like, source=source, target=target, places=places, any_length=draw(st.booleans())))
    if len(rules) > len(WORDS) and draw(st.booleans()):  # some word may have no rule of its own
        rules = rules[draw(st.integers(1, 2)) :]
    if labelled:
        rules = [replace(rule, label=draw(st.sampled_from([0, 0, 0, 1]))) for rule in rules]
    if structured:
        kinds = 1 if line.heads is not None else 2
        rules = [replace(rule, signature=draw(signatures(len(rule.source), kinds))) for rule in rules]
    unique = {(rule.pattern, rule.target): rule for rule in rules}
    return list(unique.values()), line, draw(LABELS) if labelled else Labels()
