"""Language models on the command line."""

from __future__ import annotations

import re
from pathlib import Path

from pentaglot.errors import OptionError
from pentaglot.systems.languages import GivenLanguage, check_language_name

__all__ = ["main_language", "named_languages"]

_NAMED = re.compile(r"[^/=]+=.*", re.DOTALL)


def named_languages(given: tuple[str, ...]) -> dict[str, GivenLanguage]:
    """Reads `NAME=PATH` and `NAME=PATH,CLASSES`.

    >>> named_languages(("news=news.arpa", "tags=tags.arpa,tags.tsv"))["tags"].classes.name
    'tags.tsv'
    """
    found: dict[str, GivenLanguage] = {}
    for each in given:
        name, _, files = each.partition("=")
        path, comma, classes = files.partition(",")
        if not (name and path) or (comma and not classes):
            hint = "write --lm NAME=PATH or --lm NAME=PATH,CLASSES"
            raise OptionError(f"'{each}' is not a named language model", hint=hint)
        check_language_name(name)
        if name in found:
            raise OptionError(f"two language models are called '{name}'", hint="give them different names")
        found[name] = GivenLanguage(Path(path), Path(classes) if classes else None)
    return found


def main_language(given: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """The model without a name, which replaces the main one, if there is one; and the others.

    >>> main_language(("news=news.arpa", "./a=b.arpa"))
    (PosixPath('a=b.arpa'), ('news=news.arpa',))
    """
    plain = [each for each in given if not _NAMED.fullmatch(each)]
    if len(plain) > 1:
        raise OptionError(
            f"'{plain[0]}' and '{plain[1]}' have no names", hint="at most one can be the main language model"
        )
    return (Path(plain[0]) if plain else None), tuple(each for each in given if each not in plain)
