"""A corpus that was prepared for training, in one directory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pentaglot import storage
from pentaglot.corpus.bitext import Bitext
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.errors import StorageError
from pentaglot.guarded import inside
from pentaglot.steady import opens

__all__ = ["KIND", "PARTS", "VERSION", "PreparedCorpus"]

PARTS = ("train", "dev", "test")
KIND, VERSION = "corpus", 1


@dataclass(frozen=True)
class PreparedCorpus:
    """A directory that `prepare` has written."""

    path: Path
    facts: dict[str, Any]

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> PreparedCorpus:
        """Opens and checks the directory."""
        stored = storage.open_directory(path, kind=KIND, version=VERSION)
        sides = stored.list_fact("sides", str)
        if len(sides) != 2 or any("/" in side for side in sides):
            raise StorageError("is damaged: it does not say which languages it has", path=path, hint="prepare it again")
        return cls(stored.path, stored.facts)

    @property
    def bitext(self) -> Bitext:
        """The tokenised training part, mapped."""
        return Bitext.open(inside(self.path, "bitext"))

    @property
    def tokenizers(self) -> tuple[Tokenizer, Tokenizer]:
        """How source and target were tokenised."""
        source, target = (Tokenizer.open(inside(self.path, f"{side}.tokenizer")) for side in ("source", "target"))
        return source, target

    def files(self, part: str, *, tokenised: bool = False) -> tuple[Path, Path]:
        """The two plain files of `train`, `dev` or `test`."""
        if part not in PARTS:
            raise StorageError(f"has no part '{part}'", path=self.path, hint="there are train, dev and test")
        source, target = (f"{part}{'.tokens' if tokenised else ''}.{side}" for side in self.facts["sides"])
        return inside(self.path, source), inside(self.path, target)
