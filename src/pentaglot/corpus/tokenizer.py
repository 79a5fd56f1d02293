"""From lines to words and exactly back, with settings that are stored with a model.

>>> tokenizer = Tokenizer()
>>> tokenizer.tokenise("»Halt!«, rief er (z.B. um 10.30 Uhr).")
['»￭', 'Halt', '￭!', '￭«', '￭,', 'rief', 'er', '(￭', 'z.B', '￭.', 'um', '10.30', 'Uhr', '￭)', '￭.']
>>> tokenizer.detokenise(_)
'»Halt!«, rief er (z.B. um 10.30 Uhr).'
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice
from typing import Literal, cast

from pentaglot import storage
from pentaglot.corpus.case_mapping import CaseMapping, guess_dotted, letters_of
from pentaglot.corpus.casing import recase
from pentaglot.corpus.edges import Edges
from pentaglot.corpus.joints import Joints
from pentaglot.corpus.placeables import Placeables
from pentaglot.corpus.scripts import chosen_mode
from pentaglot.corpus.segmenters import known_segmenters, load_segmenter
from pentaglot.corpus.spaceless import SpacelessSplitter, characters
from pentaglot.corpus.splitters import Change, SpaceSplitter, Splitter, Touching
from pentaglot.corpus.truecaser import Truecaser
from pentaglot.corpus.word_splitter import WordSplitter
from pentaglot.errors import OptionError
from pentaglot.options import suggestion
from pentaglot.steady import opens

__all__ = ["Casing", "Tokenizer", "check_mode", "modes"]

Casing = Literal["keep", "lowercase", "truecase"]
_KIND, _VERSION = "tokenizer", 1
_GLANCE = 10_000  # lines that are looked at to guess a language
_CASINGS = ("keep", "lowercase", "truecase")
_MODES = ("conservative", "aggressive", "none", "characters")
# What may stand before a part of a line and affect its case: nothing, a word, the end of a sentence.
_BEFORE = ("", "x ", ".")
# Whether a capital sigma ends a word is seen beyond an apostrophe.
_BESIDE_SIGMA = ("", "α'"), ("", "'α")
# What is a placeable by itself may be none beside these.
_BESIDE_PLACEABLES = ("x", "x.", "x-", "x/", "x%", "x$"), ("x", "/x", ".5")


def modes() -> list[str]:
    """The ways to tokenise: `conservative` (keeps 1,234.56, e-mail and z.B whole), `aggressive` (cuts at every change
    between letters or digits and other signs), `none` (cuts only at spaces), `characters` (for scripts
    without spaces), and the names of the segmenters."""
    return [*_MODES, *known_segmenters()]


def check_mode(mode: str) -> None:
    """Raises an error if there is no such way to tokenise."""
    if mode not in (known := ["auto", *modes()]):
        raise OptionError(f"there is no tokenizer '{mode}'", hint=suggestion(mode, known))


@dataclass(frozen=True)
class Tokenizer:
    """How the text of one language is cut into words, and what is done about capitals.

    `detokenise(tokenise(line)) == normalise(line)` holds for every line. The mode `auto` is chosen by `train`.
    """

    mode: str = "conservative"
    casing: Casing = "keep"
    truecaser: Truecaser | None = None
    protect: tuple[str, ...] = ()  # regular expressions for what is left whole and never translated
    placeables: bool = True  # whether numbers, addresses, placeholders and the like are left whole
    language: str | None = None  # a code such as tr, for languages with special letters
    edges: Edges | None = None  # how lines begin and end, given the lines that they translate
    odd_words: bool = True  # whether words with invisible joiners or letters for private use are left whole

    def __post_init__(self) -> None:
        check_mode(self.mode)
        if self.casing not in _CASINGS:
            raise OptionError(f"casing cannot be '{self.casing}'", hint=suggestion(self.casing, _CASINGS))
        Placeables(self.protect)  # raises an error if one is invalid

    def tokenise(self, line: str) -> list[str]:
        """The words of one line."""
        return self.tokenise_all([line])[0]

    def tokenise_all(self, lines: list[str]) -> list[list[str]]:
        """The words of many lines, faster than one by one; a few hundred at a time are best."""
        return self._splitter.split(lines, self._change)

    def detokenise(self, words: list[str]) -> str:
        """The line that has these words."""
        return self._splitter.join(words)

    def normalise(self, line: str) -> str:
        """The line as its words keep it: composed characters, single spaces, the chosen casing."""
        line = self._splitter.normalise(line)
        return line if self._change is None else self._splitter.normalise(self._change(line))

    @property
    def touching(self) -> Touching:
        """How the words of a line say where they touch."""
        return self._splitter.touching

    def spellings(self, part: str) -> list[str]:
        """A part of a line with single spaces and in the very characters that its words have, joiners aside. Casing
        looks at the line around it, so there may be several.

        >>> tokenizer = Tokenizer(casing="truecase").train(["Ja, wir gehen.", "Und wir?", "Was wir so tun."])
        >>> tokenizer.spellings("Wir  gehen")
        ['wir gehen', 'Wir gehen']
        """
        change = self._change
        if change is None:
            return [self._splitter.spelt(part, None)]
        part = self._splitter.normalise(part)
        befores: tuple[str, ...] = _BEFORE if self.casing == "truecase" else ("",)
        afters: tuple[str, ...] = ("",)
        if "Σ" in part and self.casing == "lowercase":
            befores, afters = _BESIDE_SIGMA
        if self.recogniser is not None:
            befores, afters = (*befores, *_BESIDE_PLACEABLES[0]), (*afters, *_BESIDE_PLACEABLES[1])
        sides = [(before, after) for before in befores for after in afters]
        # What stands beside is in lower case and stays as it is.
        cased = [change(before + part + after)[len(before) :] for before, after in sides]
        cased = [each.removesuffix(after) for each, (_, after) in zip(cased, sides, strict=True)]
        return list(dict.fromkeys(self._splitter.spelt(each, None) for each in cased))

    def recase(self, line: str, like: str | None = None) -> str:
        """Gives a line of output its capitals; `like` is the line of input that it translates."""
        if self.casing == "keep":
            return line
        restore = self.truecaser.restore if self.casing == "lowercase" and self.truecaser is not None else None
        if self.recogniser is None:
            return self._recased(line if restore is None else restore(line), like)
        if restore is not None:
            line = self.recogniser.changed(line, restore)
        like = None if like is None else self.recogniser.hidden(like)
        return self.recogniser.changed(line, lambda text: self._recased(text, like))

    def _recased(self, line: str, like: str | None) -> str:
        capitals = self.truecaser is None or self.truecaser.capitals
        if self.edges is None:
            return recase(line, like, self.letters, capitals=capitals)
        inner = {} if like is None else self.edges.joints.capital(line, like)
        return recase(line, like, self.letters, capitals=capitals, begins=self.edges.begins, inner=inner)

    @property
    def letters(self) -> CaseMapping:
        """Lower and upper case in the language."""
        return letters_of(self.language)

    @cached_property
    def recogniser(self) -> Placeables | None:
        """The finder of placeables; None if they are ignored."""
        return Placeables(self.protect, inner_spaces=self.mode != "none") if self.placeables else None

    @property
    def by_pieces(self) -> bool:
        """Whether a plain line has just the words of its pieces between spaces, so that each needs to be tokenised
        only once. Truecasing has to see where a sentence begins."""
        return self._splitter.by_pieces and self.casing != "truecase" and not self.protect

    @property
    def needs_training(self) -> bool:
        """Whether the tokenizer must be trained before use."""
        return self.mode == "auto" or (self.casing == "truecase" and self.truecaser is None)

    def train(self, lines: Iterable[str]) -> Tokenizer:
        """The tokenizer trained on text: how to cut (`auto`), the casings, and, if no language is given, whether it has
        a dotless i. Returns itself if there is nothing to learn."""
        if self.casing == "keep" and self.mode != "auto":
            return self
        text = iter(lines)
        beginning = list(islice(text, _GLANCE))
        chosen = replace(self, mode=chosen_mode(beginning)) if self.mode == "auto" else self
        if self.casing == "keep":
            return chosen
        if self.language is None and guess_dotted(beginning):
            chosen = replace(chosen, language="tr")
        text = map(chosen._splitter.normalise, chain(beginning, text))
        if self.recogniser is not None:
            text = map(self.recogniser.hidden, text)
        return replace(chosen, truecaser=Truecaser.train(text, chosen.letters))

    def with_edges(self, pairs: Iterable[tuple[str, str]]) -> Tokenizer:
        """The same tokenizer with the edges of lines learnt from pairs: a line of the other language and its
        translation into this one."""
        hidden = (lambda line: line) if self.recogniser is None else self.recogniser.hidden
        usual = None if self.truecaser is None else self.truecaser.inside
        return replace(self, edges=Edges.learn(((hidden(source), hidden(target)) for source, target in pairs), usual))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes settings and what was learnt as one directory."""
        with storage.create(path, kind=_KIND, version=_VERSION) as new:
            new.facts.update(mode=self.mode, casing=self.casing, truecaser=self.truecaser is not None)
            new.facts.update(placeables=self.placeables, protect=list(self.protect), language=self.language or "")
            new.facts.update(odd_words=self.odd_words)
            new.facts.update(capitals=self.truecaser is None or self.truecaser.capitals)
            if self.edges is not None:
                new.facts.update(begins=self.edges.begins, ends=self.edges.ends)
                joints = self.edges.joints
                new.facts.update(joints=joints.capitals, abbreviations=list(joints.abbreviations))
            if self.truecaser is not None:
                self.truecaser.save(new.path / "casing.vocab")

    @classmethod
    @opens
    def open(cls, path: str | os.PathLike[str]) -> Tokenizer:
        """Reads what `save` wrote."""
        stored = storage.open_directory(path, kind=_KIND, version=_VERSION)
        # Models from before placeables lack these facts, and older ones odd words.
        language = stored.fact("language", str, "") or None
        placeables, protect = stored.fact("placeables", bool, False), stored.list_fact("protect", str, [])
        learnt = None
        if stored.fact("truecaser", bool):
            file = stored.path / "casing.vocab"
            learnt = Truecaser.open(file, letters_of(language), stored.fact("capitals", bool, True))
        mode, casing = stored.fact("mode", str), cast(Casing, stored.fact("casing", str))
        edges = None
        if "ends" in stored.facts:  # older models know nothing of them
            joints = Joints()
            if "joints" in stored.facts:
                abbreviations = tuple(stored.list_fact("abbreviations", str))
                joints = Joints(stored.table_fact("joints", bool), abbreviations)
            edges = Edges(stored.table_fact("begins", bool), stored.table_fact("ends", str), joints)
        with storage.damage_at(stored.path):
            odd_words = stored.fact("odd_words", bool, False)
            return cls(mode, casing, learnt, tuple(protect), placeables, language, edges, odd_words)

    @cached_property
    def _change(self) -> Change | None:
        if self.casing == "truecase" and self.truecaser is None:
            raise OptionError("truecasing must be learnt from text first", hint="call train() with the training text")
        if self.casing == "keep":
            return None
        learnt = self.truecaser is not None and self.casing == "truecase"
        change: Change = self.truecaser.truecase if learnt and self.truecaser is not None else self.letters.lower
        recogniser = self.recogniser
        return change if recogniser is None else lambda line: recogniser.changed(line, change)

    def _spans(self, line: str) -> list[tuple[int, int]]:
        return [(each.start, each.end) for each in self.recogniser.find(line)] if self.recogniser else []

    @cached_property
    def _splitter(self) -> Splitter:
        if self.mode == "auto":
            raise OptionError("how to cut words must be learnt from text first", hint="call train() with the text")
        if self.mode == "none":
            return SpaceSplitter()
        if self.mode == "characters":
            return SpacelessSplitter(lambda: characters, self._spans)
        if self.mode in ("conservative", "aggressive"):
            return WordSplitter(self.mode, self._spans if self.placeables else None, odd_words=self.odd_words)
        return SpacelessSplitter(lambda: load_segmenter(self.mode), self._spans)
