"""Learning a reordering grammar by expectation-maximisation over permutation forests (Stanojević 2017, §3.3.2)."""

from __future__ import annotations

import dataclasses
import logging
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pentaglot import storage
from pentaglot._core import align as align_core
from pentaglot._core import base
from pentaglot._core import order as core
from pentaglot._core.corpus import FIRST_WORD, Text, Vocabulary
from pentaglot.align import Alignment
from pentaglot.corpus import Tokenizer
from pentaglot.errors import InputError, PentaglotError, StorageError
from pentaglot.options import checked
from pentaglot.order.boundaries import Boundaries
from pentaglot.order.forest import attachments_of
from pentaglot.order.grammar import ReorderingGrammar, Rules, Terminals
from pentaglot.order.links import sentence_lengths
from pentaglot.order.options import GrammarOptions
from pentaglot.order.splitting import Start, normalised, totals
from pentaglot.progress import SILENT, Progress
from pentaglot.steps import Place, Result, Step, beside, remove_scratch, scratch
from pentaglot.wording import number_of

__all__ = ["remove_rounds", "train_grammar"]

_JOB = "grammar"
_LOG = logging.getLogger(__name__)
_CLASS_ROUNDS = 5
_REACHED = 0.9  # of the sentences have at most `reach` words
_TREES = {"pet": core.Trees.all, "itg": core.Trees.all, "left": core.Trees.left, "right": core.Trees.right}


def train_grammar(
    text: Text,
    vocabulary: Vocabulary,
    alignment: Alignment,
    options: GrammarOptions | None = None,
    *,
    keep: str | os.PathLike[str] | None = None,
    tokenizer: Tokenizer | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> ReorderingGrammar:
    """Learns a grammar from source sentences and their links. The result does not depend on `threads`. A tokenizer is
    kept with the grammar.

    With `keep`, the name under which the grammar will be saved, every round is kept beside it, and a run that was
    stopped goes on with the next round.
    """
    options = checked(options or GrammarOptions())
    options.check()
    if len(text) != len(alignment):
        raise PentaglotError(f"there are {number_of(len(text), 'sentence')}, but links for {len(alignment):,}")
    with progress.task("finding permutations", total=len(text), unit="sentences") as task:
        sentences = core.TrainingSentences(
            text,
            alignment.offsets,
            alignment.source,
            alignment.target,
            options.least_words,
            options.most_words,
            options.most_children,
            options.tangled == "opaque",
            _TREES[options.trees],
            attachments_of(options.attach),
            threads,
        )
        task.advance(len(text))
        task.note(f"{len(sentences)} can be learnt from")
    _tell(sentences, options)
    if not len(sentences):
        raise InputError(
            "there is no sentence to learn an order from: all are too short, too long, without links or too tangled",
            hint="check the links, or allow other lengths",
        )
    terminals = _terminals(sentences, text, vocabulary, options, progress)
    start = Start.of(sentences, terminals, options, threads)
    rounds: list[_Round] = []
    place = None if keep is None else _place(Path(keep), text, alignment, options)
    with progress.task("learning the grammar", total=_rounds(options), unit="rounds") as task:
        for each in _iterations(sentences, start, terminals, options, place, threads):
            rounds.append(each)
            task.advance()
            task.note(f"log-likelihood per sentence {each.likelihood / len(sentences):.3f}")
    log, rules = tuple(each.likelihood for each in rounds), rounds[-1].rules
    return ReorderingGrammar(
        vocabulary,
        options,
        terminals,
        start.lexicon,
        rules,
        start.unsplit,
        log,
        len(sentences),
        tokenizer,
        boundaries=Boundaries.learn(text, vocabulary, alignment, terminals.words, options.cutoff),
        reach=int(np.quantile(sentence_lengths(text)[sentences.kept], _REACHED, method="higher")),
    )


def _tell(sentences: core.TrainingSentences, options: GrammarOptions) -> None:
    _LOG.info(
        "%d sentences to learn from, %d of them with phrases in place of larger operators; left out: %d with fewer "
        "than %d or more than %d words, %d without links, %d with operators of more than %d children",
        len(sentences),
        sentences.opaque,
        sentences.too_short_or_long,
        options.least_words,
        options.most_words,
        sentences.without_links,
        sentences.too_complex,
        options.most_children,
    )


def _terminals(
    sentences: core.TrainingSentences, text: Text, vocabulary: Vocabulary, options: GrammarOptions, progress: Progress
) -> Terminals:
    """A number for every word that is frequent enough and was seen by itself, or for its class, and for phrases."""
    total = sentences.word_counts(len(vocabulary), False)
    alone = sentences.word_counts(len(vocabulary), True)
    known = (total > options.cutoff) & (alone > 0)
    known[:FIRST_WORD] = False
    words, factors = np.zeros(len(vocabulary), np.uint32), np.ones(len(vocabulary), np.float32)
    if options.classes:
        with progress.task("finding word classes"):
            found = align_core.exchange_classes(text, len(vocabulary), options.classes, _CLASS_ROUNDS)
        words[known] = found[known] + 1
        sums = np.bincount(words[known], alone[known], options.classes + 1)
        factors[known] = (alone[known] / sums[words[known]]).astype(np.float32)
        first = options.classes + 1
    else:
        words[known] = np.arange(1, int(known.sum()) + 1)
        first = int(known.sum()) + 1
    return Terminals(words, factors, *sentences.assign(words, factors, first, options.phrase_cutoff), first=first)


def _rounds(options: GrammarOptions) -> int:
    return options.iterations + options.hard


def _iterations(
    sentences: core.TrainingSentences,
    start: Start,
    terminals: Terminals,
    options: GrammarOptions,
    place: tuple[Place, Step] | None,
    threads: int,
) -> Iterator[_Round]:
    """Every round, kept earlier or done now."""
    state = _Round(start.rules, 0.0)
    before = None if place is None else place[1]
    for number in range(1, _rounds(options) + 1):
        hard = number > options.iterations
        if place is None or before is None:
            state = _round(sentences, start, terminals, options, state, hard, threads)
            yield state
            continue
        path = place[0].path(_round_name(number))
        made: list[_Round] = []

        def work(state: _Round = state, hard: bool = hard, path: Path = path, made: list[_Round] = made) -> None:
            made.append(_round(sentences, start, terminals, options, state, hard, threads))
            made[0].save(path)

        step = Step(path.name, work, {"hard": hard}, needs=(before,), makes=(Result(path.name),))
        if place[0].trouble(step):
            place[0].do(step)
        else:
            made.append(_Round.open(path, state.rules))
        state, before = made[0], step
        yield state


def _round_name(number: int) -> str:
    return f"round-{number:03d}"


Sums = tuple[NDArray[np.float64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class _Round:
    """The result of a round: rules, log-likelihood, and for learning in batches the sums of counts and their number."""

    rules: Rules
    likelihood: float
    sums: Sums | None = None
    updates: int = 0

    def save(self, path: Path) -> None:
        with storage.create(path, kind="round of a reordering grammar", version=1) as new:
            new.add("slots", self.rules.slots)
            new.add("words", self.rules.words)
            for name, array in zip(("slot_sums", "word_sums"), self.sums or (), strict=False):
                new.add(name, array)
            new.facts.update(likelihood=self.likelihood, updates=self.updates)

    @classmethod
    def open(cls, path: Path, like: Rules) -> _Round:
        stored = storage.open_directory(path, kind="round of a reordering grammar", version=1)
        rules = Rules(like.states, stored.array("slots", np.float32, 2), stored.array("words", np.float32))
        if rules.slots.shape != like.slots.shape or rules.words.shape != like.words.shape:
            raise StorageError("is damaged: it belongs to another grammar", path=path, hint="remove it to start again")
        sums = None
        if "slot_sums" in stored:
            sums = stored.array("slot_sums", np.float64, 2), stored.array("word_sums", np.float64)
        return cls(rules, stored.fact("likelihood", float), sums, stored.fact("updates", int))


def _round(
    sentences: core.TrainingSentences,
    start: Start,
    terminals: Terminals,
    options: GrammarOptions,
    state: _Round,
    hard: bool,
    threads: int,
) -> _Round:
    """One pass over all sentences, with the grammar renewed in the end or after every batch."""
    size = min(options.batch, len(sentences)) if options.batch and not hard else len(sentences)
    rules, sums, updates, likelihood = state.rules, state.sums, state.updates, 0.0
    for first in range(0, len(sentences), size):
        last = min(first + size, len(sentences))
        native = rules.native(start.lexicon, terminals)
        slots, words, added, impossible = sentences.expected_counts(native, first, last, hard, threads)
        if impossible:
            _LOG.warning("%s: no tree has a probability above 0 any longer", number_of(impossible, "sentence"))
        likelihood += added
        counts = slots.reshape(rules.slots.shape), words
        if size == len(sentences):
            rules = normalised(rules.states, *counts, start.columns)
            continue
        # Stepwise EM (Liang and Klein 2009): old counts fade away. The first ones are those of the rules at the start,
        # so that what is not in the first batch stays possible.
        sizes = np.maximum(totals(*counts, start.columns), 1e-6)
        old = sums or (rules.slots * sizes, rules.words * sizes[start.columns])
        share = (updates + 2) ** -options.step
        sums = (1 - share) * old[0] + share * counts[0], (1 - share) * old[1] + share * counts[1]
        updates += 1
        rules = normalised(rules.states, *sums, start.columns)
    if not math.isfinite(likelihood):
        raise PentaglotError("the log-likelihood of the sentences is no longer a number")
    return _Round(rules, likelihood, sums, updates)


def remove_rounds(path: Path) -> None:
    """Removes the rounds that were kept for a grammar that is saved."""
    remove_scratch(beside(path), _JOB)


def _place(path: Path, text: Text, alignment: Alignment, options: GrammarOptions) -> tuple[Place, Step]:
    """Where rounds are kept, and what all of them depend on."""
    arrays = {"text": text.tokens, "sentences": text.offsets, "links of words": alignment.source}
    arrays |= {"links to words": alignment.target, "links of sentences": alignment.offsets}
    keys = {name: f"{base.checksum(np.ascontiguousarray(array)):016x}" for name, array in arrays.items()}
    settings = dataclasses.asdict(options) | {"iterations": None, "hard": None}
    job = Step(_JOB, options=settings, files=keys)
    return scratch(beside(path), job), job
