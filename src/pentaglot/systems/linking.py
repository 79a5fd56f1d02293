"""Links of new pairs by an aligner that may not know all of their words."""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.align import Aligner

__all__ = ["Links", "aligned_words"]

Links = list[tuple[int, int]]

# In longer pairs, words that the aligner cannot place stay unlinked.
_MOST_UNLINKED = 8


def aligned_words(aligner: Aligner, source: Sequence[str], target: Sequence[str]) -> Links:
    """The links of a new pair. Words of a short pair that the aligner leaves unlinked on both sides are linked to each
    other: that is what adding a word and its translation means. If one word of a side is new to the aligner, it is
    linked to the unlinked words of the other side, if those are new, too, or a single word."""
    links = aligner.align_pair(source, target, **aligner.options.joining)
    left = {*range(len(source))} - {link[0] for link in links}
    over = {*range(len(target))} - {link[1] for link in links}
    if not links and max(len(left), len(over)) <= _MOST_UNLINKED:
        return [(one, other) for one in sorted(left) for other in sorted(over)]
    new_source, new_target = aligner.new_words(source, target)
    if len(new_source) == 1:
        single = len(over) == 1 and left.issuperset(new_source)
        links += [(new_source[0], place) for place in (over if single else over.intersection(new_target))]
    if len(new_target) == 1:
        links += [(place, new_target[0]) for place in left.intersection(new_source)]
    return sorted(set(links))
