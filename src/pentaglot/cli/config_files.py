"""Files of options: one may serve several commands, which each read their own tables of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from pentaglot.errors import OptionError
from pentaglot.options import nearest, read_toml
from pentaglot.toml_lines import located

__all__ = ["COMMAND_TABLES", "check_tables", "read_table"]

# The tables of all commands; a test compares them with the commands, which are not all imported to read a file.
COMMAND_TABLES = frozenset(
    (
        "align", "beer", "check", "compare", "evaluate", "extract", "find", "index", "lm", "metric-eval",
        "order", "preorder", "prepare", "rules", "search", "table", "train", "tune",
    )
)  # fmt: skip
# What files of models, of experiments and for `beer evaluate --settings` have besides.
_OTHERS = frozenset(["data", "experiment", "format", "induce", "made", "pentaglot", "settings", "system", "systems"])


def read_table(config: Path, name: str, own: Collection[str]) -> dict[str, Any]:
    """The table of a file that is called `name`, out of all that a command reads, its `own`; the others may be missing
    if there is one of them."""
    contents = read_toml(config)
    check_tables(config, contents, own)
    if name not in contents and any(each in contents for each in own):
        return {}
    if name not in contents:
        tables = [f"[{each}]" for each in own]
        listed = " or ".join(filter(None, [", ".join(tables[:-1]), tables[-1]]))
        raise OptionError(f"has no table {listed}", path=config, hint="write it before the options of this command")
    with located(config):
        if not isinstance(contents[name], dict):
            hint = f"write [{name}] on a line before its options"
            raise OptionError(f"has a value '{name}' where a table should be", path=config, hint=hint)
    return {key if isinstance(value, dict) else key.replace("-", "_"): value for key, value in contents[name].items()}


def check_tables(config: Path, contents: Mapping[str, Any], own: Collection[str]) -> None:
    """Raises an error if a file has a table that no command reads, or options outside of all tables."""
    reads = "this command reads " + ", ".join(f"[{each}]" for each in own)
    with located(config):
        for name, value in contents.items():
            if name in own or name in COMMAND_TABLES or name in _OTHERS:
                continue
            if not isinstance(value[0] if isinstance(value, list) and value else value, dict):
                raise OptionError(f"has an option '{name}' outside of all tables", path=config, hint=reads)
            near = nearest(name, [*own, *COMMAND_TABLES])
            hint = f"did you mean [{near}]?" if near else reads
            raise OptionError(f"has an unknown table [{name}]", path=config, hint=hint)
