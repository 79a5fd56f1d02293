"""From files to ids: what the other rooms call to get a text or a bitext."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from threading import Event, Thread

from pentaglot._core.corpus import PieceBuilder, Text, TextBuilder, Vocabulary
from pentaglot.corpus.bitext import Bitext, finish
from pentaglot.corpus.compression import StrPath, shown
from pentaglot.corpus.formats import refuse_tables
from pentaglot.corpus.kept_lines import LineKeeper
from pentaglot.corpus.lines import read_line_batches, read_line_blocks, read_lines
from pentaglot.corpus.tokenizer import Tokenizer
from pentaglot.corpus.written import Written, file_name
from pentaglot.errors import InputError
from pentaglot.parallel import in_order
from pentaglot.progress import SILENT, Progress
from pentaglot.wording import number_of

__all__ = ["append_file", "in_batches", "read_bitext", "read_text", "tokenise_stream"]

# Small enough that a batch's words may stay in the processor's cache until they have their ids. In one run over 281,619
# German lines, tokenising alone took 1.66 s with 64 lines per batch, 1.68 s with 512 and 2.19 s with 4096.
_BATCH = 512
_PATIENCE = 0.5  # seconds in which a thread should notice that its work is no longer wanted


def read_text(
    path: StrPath,
    *,
    tokenizer: Tokenizer,
    vocabulary: Vocabulary | None = None,
    threads: int = 1,
    progress: Progress = SILENT,
) -> tuple[Text, Vocabulary]:
    """Reads, tokenises and encodes a file with one sentence per line.

    A given vocabulary is used as it is, and other words become unknown; otherwise one is made, with small ids for
    frequent words, and an empty file is an error. The result is the same with any number of threads.
    """
    return _read(path, tokenizer, None, vocabulary, threads, progress)


def read_bitext(
    source_path: StrPath,
    target_path: StrPath,
    *,
    source_tokenizer: Tokenizer,
    target_tokenizer: Tokenizer,
    keep_lines: bool = False,
    threads: int = 1,
    progress: Progress = SILENT,
) -> Bitext:
    """Reads two files whose lines translate each other; unequal numbers of lines are an `InputError`. With `keep_lines`
    the lines are kept, packed, to be shown as they were written.

    With several threads both files are read at the same time, unless one is standard input: waiting for it could delay
    errors in the other.
    """
    refuse_tables(source_path, target_path)
    keepers = (LineKeeper(), LineKeeper()) if keep_lines else (None, None)
    sides = [(source_path, source_tokenizer, keepers[0]), (target_path, target_tokenizer, keepers[1])]
    if threads <= 1 or "-" in map(str, (source_path, target_path)):
        source, target = (_read(*side, None, threads, progress) for side in sides)
    else:
        source, target = _read_both(sides, -(-threads // 2), progress)
    if len(source[0]) != len(target[0]):
        raise InputError(
            f"has {number_of(len(source[0]), 'line')}, but {shown(target_path)} has {len(target[0]):,}",
            path=shown(source_path),
            hint="each line needs its translation on the same line of the other file; "
            "'pentaglot corpus check' helps to find where they part",
        )
    bitext = Bitext.from_texts(source, target)
    if keepers[0] is None or keepers[1] is None:
        return bitext
    files = file_name(source_path), file_name(target_path)
    return replace(bitext, written=Written(keepers[0].finish(), keepers[1].finish(), files))


def learn_tokenizer(tokenizer: Tokenizer, path: StrPath, progress: Progress = SILENT) -> Tokenizer:
    """The tokenizer after it has learnt what it needs from a file. Standard input, which can be read only once, is
    assumed to have spaces between words."""
    if not tokenizer.needs_training and tokenizer.casing == "keep":
        return tokenizer
    if tokenizer.mode == "auto" and str(path) == "-":
        tokenizer = replace(tokenizer, mode="conservative")
        return tokenizer if tokenizer.casing == "keep" else tokenizer.train(read_lines(path))
    learnt = tokenizer.train(read_lines(path))
    if tokenizer.mode == "auto" and learnt.mode != "conservative":
        with progress.task(f"{shown(path)} has no spaces between words") as task:
            task.note(f"tokenizer '{learnt.mode}'")
    return learnt


def _read(
    path: StrPath,
    tokenizer: Tokenizer,
    keeper: LineKeeper | None,
    vocabulary: Vocabulary | None,
    threads: int,
    progress: Progress,
    given_up: Event | None = None,
) -> tuple[Text, Vocabulary]:
    words = Vocabulary() if vocabulary is None else vocabulary
    builder = TextBuilder(words, closed=vocabulary is not None)
    lines = 0
    with progress.task(f"reading {shown(path)}", unit="lines") as task:
        for added in append_file(builder, path, tokenizer, threads, keeper):
            lines += added
            task.advance(added)
            if given_up is not None and given_up.is_set():
                break  # nobody waits for this text any more
    if lines == 0 and vocabulary is None:
        raise InputError("is empty", path=shown(path), hint="a corpus needs at least one line")
    return finish(builder, words, renumber=vocabulary is None)


def _read_both(
    sides: list[tuple[StrPath, Tokenizer, LineKeeper | None]], threads: int, progress: Progress
) -> list[tuple[Text, Vocabulary]]:
    """Two texts, the second read on its own thread. Errors in the first are reported first."""
    given_up = Event()
    second: Future[tuple[Text, Vocabulary]] = Future()

    def read() -> None:
        try:
            second.set_result(_read(*sides[1], None, threads, progress, given_up))
        except BaseException as error:
            second.set_exception(error)

    reader = Thread(target=read, daemon=True)
    reader.start()
    try:
        return [_read(*sides[0], None, threads, progress), second.result()]
    except BaseException:
        given_up.set()
        reader.join(_PATIENCE)  # no longer: it may be waiting for a pipe into which nobody writes
        raise


def append_file(
    builder: TextBuilder,
    path: StrPath,
    tokenizer: Tokenizer | None,
    threads: int = 1,
    keeper: LineKeeper | None = None,
) -> Iterator[int]:
    """Adds the sentences of a file to `builder`, and yields the number of lines of each block. Without a tokenizer,
    words are separated by spaces. A `keeper` gets the lines as they are."""
    if tokenizer is None or (tokenizer.mode, tokenizer.casing) == ("none", "keep"):
        for block in _kept_blocks(path, keeper, spaced=True):
            builder.append_lines(block)
            yield block.count(b"\n")
    elif tokenizer.by_pieces:
        pieces = PieceBuilder(builder)
        for block in _kept_blocks(path, keeper):
            new, lines = pieces.read(block)
            pieces.answer(tokenizer.tokenise_all(new), tokenizer.tokenise_all(lines))
            yield block.count(b"\n")
    else:
        batches = _batches(path, keeper, spaced=tokenizer.mode == "none")
        for sentences in tokenise_stream(batches, tokenizer, threads):
            builder.append_sentences(sentences)
            yield len(sentences)


def tokenise_stream(batches: Iterable[list[str]], tokenizer: Tokenizer, threads: int = 1) -> Iterator[list[list[str]]]:
    """Tokenises batches of lines, in order, on several threads if asked to."""
    return in_order(tokenizer.tokenise_all, batches, threads)


def in_batches(lines: list[str]) -> Iterator[list[str]]:
    """Lines in batches of the size that is fastest to tokenise."""
    for begin in range(0, len(lines), _BATCH):
        yield lines[begin : begin + _BATCH]


def _kept_blocks(path: StrPath, keeper: LineKeeper | None, *, spaced: bool = False) -> Iterator[bytes]:
    for block in read_line_blocks(path, spaced=spaced):
        if keeper is not None:
            keeper.add(block)
        yield block


def _batches(path: StrPath, keeper: LineKeeper | None, *, spaced: bool = False) -> Iterator[list[str]]:
    for lines in read_line_batches(path, spaced=spaced):
        if keeper is not None:
            keeper.add("".join(f"{line}\n" for line in lines).encode())
        yield from in_batches(lines)
