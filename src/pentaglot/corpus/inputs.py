"""What the names of files say: which of them belong together, and in which languages they are."""

from __future__ import annotations

from collections.abc import Sequence

from pentaglot.corpus.compression import StrPath, shown, stem_and_format
from pentaglot.corpus.pair import Languages
from pentaglot.corpus.pairs import READERS
from pentaglot.errors import OptionError

__all__ = ["group_inputs", "languages_of"]


def group_inputs(paths: Sequence[StrPath]) -> list[tuple[StrPath, ...]]:
    """Which files belong together: those whose ending has a reader (`.tsv`, `.tmx`, `.po`) stand alone, others are
    taken two by two, and a last one that is left over stands alone.

    >>> group_inputs(["a.de", "a.en", "memory.tmx", "b.de.gz", "b.en.gz"])
    [('a.de', 'a.en'), ('memory.tmx',), ('b.de.gz', 'b.en.gz')]
    """
    groups: list[tuple[StrPath, ...]] = []
    waiting: StrPath | None = None
    for path in paths:
        if stem_and_format(path)[1][1:] in READERS:
            if waiting is not None:
                raise OptionError(
                    f"{shown(waiting)} has no partner: the next file, {shown(path)}, holds both sides itself",
                    hint="name the source and the target file one after the other",
                )
            groups.append((path,))
        elif waiting is None:
            waiting = path
        else:
            groups.append((waiting, path))
            waiting = None
    if waiting is not None:
        groups.append((waiting,))
    return groups


def languages_of(paths: Sequence[StrPath]) -> Languages | None:
    """The languages that the names of two plain files give, if they do.

    >>> languages_of(["corpus/train.de.gz", "corpus/train.en.gz"])
    ('de', 'en')
    >>> languages_of(["source.txt", "target.txt"])
    """
    if len(paths) != 2:
        return None
    codes = [stem_and_format(path)[1][1:] for path in paths]
    looks_right = all(code.replace("-", "").replace("_", "").isalpha() and 2 <= len(code) <= 8 for code in codes)
    return (codes[0], codes[1]) if codes[0] != codes[1] and looks_right else None
