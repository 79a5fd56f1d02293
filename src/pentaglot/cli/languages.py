"""Language models on the command line."""

from __future__ import annotations

import re
from pathlib import Path

from pentaglot.errors import OptionError
from pentaglot.systems.languages import GivenLanguage, TargetLayer, check_language_name

__all__ = ["main_language", "named_languages"]

_LAYER = "layer:"
_NAMED = re.compile(r"[^/=]+=.*", re.DOTALL)


def named_languages(given: tuple[str, ...]) -> dict[str, GivenLanguage]:
    """Reads `NAME=PATH`, `NAME=PATH,CLASSES`, `NAME=PATH,layer:LAYER` and `NAME=layer:LAYER`.

    >>> found = named_languages(("news=news.arpa", "tags=tags.arpa,tags.tsv", "lemmas=layer:lemma"))
    >>> found["tags"].classes.name, found["lemmas"].layer
    ('tags.tsv', 'lemma')
    """
    found: dict[str, GivenLanguage] = {}
    for each in given:
        name, _, files = each.partition("=")
        path, comma, classes = files.partition(",")
        if path.startswith(_LAYER) and not comma:
            path, classes = "", path
        if not name or not (path or classes) or (comma and not (path and classes)) or classes == _LAYER:
            hint = "write --lm NAME=PATH, --lm NAME=PATH,CLASSES or --lm NAME=layer:LAYER"
            raise OptionError(f"'{each}' is not a named language model", hint=hint)
        check_language_name(name)
        if name in found:
            raise OptionError(f"two language models are called '{name}'", hint="give them different names")
        found[name] = GivenLanguage(Path(path) if path else None, _classes(classes))
    return found


def _classes(given: str) -> Path | TargetLayer | None:
    if given.startswith(_LAYER):
        return TargetLayer(given.removeprefix(_LAYER))
    return Path(given) if given else None


def main_language(given: tuple[str, ...]) -> tuple[Path | None, tuple[str, ...]]:
    """The model without a name, which replaces the main one, if there is one; and the others.

    >>> main_language(("news=news.arpa", "./a=b.arpa"))
    (PosixPath('a=b.arpa'), ('news=news.arpa',))
    """
    plain = [each for each in given if not _NAMED.fullmatch(each)]
    for each in plain:
        if each.startswith(_LAYER):
            raise OptionError(f"the language model '{each}' has no name", hint=f"write --lm NAME={each}")
    if len(plain) > 1:
        raise OptionError(
            f"'{plain[0]}' and '{plain[1]}' have no names", hint="at most one can be the main language model"
        )
    return (Path(plain[0]) if plain else None), tuple(each for each in given if each not in plain)
