"""Text files as lines. A line ends at '\\n' only; Unicode's other separators are characters like any other.

>>> import gzip, tempfile
>>> from pathlib import Path
>>> path = Path(tempfile.mkdtemp()) / "verses.de.gz"
>>> _ = path.write_bytes(gzip.compress(b"Im Anfang\\nwar das Wort\\n"))
>>> list(read_lines(path))
['Im Anfang', 'war das Wort']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING

from pentaglot._core.base import is_utf8
from pentaglot.corpus.compression import StrPath, read_blocks, shown
from pentaglot.corpus.formats import format_of, is_undecided, refuse_foreign
from pentaglot.errors import InputError

if TYPE_CHECKING:
    from pentaglot.corpus.conllu import NumberedSentence
    from pentaglot.corpus.sentence import Sentence

__all__ = [
    "decode_line",
    "read_line_batches",
    "read_line_blocks",
    "read_lines",
    "read_lines_or_sentences",
    "read_raw_batches",
    "read_treebank_lines",
]

_BATCH = 4096  # sentences
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_lines(path: StrPath) -> Iterator[str]:
    """The lines of a UTF-8 file, without their ends; `-` is standard input, `.gz` and `.zst` are unpacked. The lines of
    a treebank (CoNLL-U) are its sentences as they were written.

    A byte-order mark at the beginning and a '\\r' before the line's end are dropped. Lines that cannot be read raise
    `InputError` with file and line.
    """
    for batch in read_line_batches(path):
        yield from batch


def read_line_batches(path: StrPath, *, spaced: bool = False) -> Iterator[list[str]]:
    """The same lines, many at a time. If `spaced`, those of a treebank are its words separated by spaces."""
    yield from _decoded(_whole_lines(path, spaced), path)


def read_lines_or_sentences(path: StrPath) -> Iterator[tuple[int, str | Sentence]]:
    """The lines of a text, or the annotated sentences of a treebank, with the numbers of their (first) lines. A pipe is
    read only once."""
    whole, treebank = _opened(path)
    lines = chain.from_iterable(_decoded(whole, path))
    yield from _annotated(lines, path) if treebank else enumerate(lines, 1)


def read_treebank_lines(path: StrPath) -> Iterator[str]:
    """The lines of a treebank just as they stand in the file."""
    for batch in _decoded(_joined(read_blocks(path)), path):
        yield from batch


def _decoded(texts: Iterable[bytes], path: StrPath) -> Iterator[list[str]]:
    done = 0
    for text in texts:
        try:
            decoded = text.decode("utf-8")
        except UnicodeDecodeError:
            raise _first_undecodable(text, path, done) from None
        lines = decoded.split("\n")
        if "\r" in decoded:
            lines = [line[:-1] if line.endswith("\r") else line for line in lines]
        done += len(lines)
        yield lines


def read_line_blocks(path: StrPath, *, spaced: bool = False) -> Iterator[bytes]:
    """The same lines as UTF-8, each with its '\\n', many in one piece; for native code that looks for lines itself."""
    done = 0
    for text in _whole_lines(path, spaced):
        if not is_utf8(text):
            raise _first_undecodable(text, path, done)
        done += text.count(b"\n") + 1
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").removesuffix(b"\r")
        yield text + b"\n"


def read_raw_batches(path: StrPath) -> Iterator[list[bytes]]:
    """The same lines as bytes that may not be valid UTF-8, many at a time."""
    for text in _whole_lines(path):
        lines = text.split(b"\n")
        if b"\r" in text:
            lines = [line[:-1] if line.endswith(b"\r") else line for line in lines]
        yield lines


def decode_line(line: bytes, path: StrPath, number: int) -> str:
    """One line as text, or an `InputError` that says where it is not UTF-8."""
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        hint = "convert the file to UTF-8"
        if number == 1 and line[:2] in (b"\xff\xfe", b"\xfe\xff"):
            hint = "it looks like UTF-16; " + hint
        raise InputError(
            f"not valid UTF-8 (byte 0x{line[error.start]:02x} at column {error.start + 1})",
            path=shown(path),
            line=number,
            hint=hint,
        ) from None


def _whole_lines(path: StrPath, spaced: bool = False) -> Iterator[bytes]:
    """Blocks of whole lines, each without its last '\\n'; those of a treebank are its sentences."""
    whole, treebank = _opened(path)
    return _sentences(whole, path, spaced) if treebank else whole


def _opened(path: StrPath) -> tuple[Iterator[bytes], bool]:
    """Blocks of whole lines as they stand in the file, and whether it is a treebank."""
    blocks = read_blocks(path)
    first = next(blocks, b"")
    while is_undecided(first) and (more := next(blocks, b"")):
        first += more
    whole, treebank = _joined(chain([first], blocks)), format_of(path, first) == "CoNLL-U"
    if first and not treebank:
        refuse_foreign(path, first)
    return whole, treebank


def _annotated(lines: Iterable[str], path: StrPath) -> Iterator[NumberedSentence]:
    from pentaglot.corpus.conllu import sentences_of_lines

    return sentences_of_lines(lines, path)


def _sentences(treebank: Iterator[bytes], path: StrPath, spaced: bool) -> Iterator[bytes]:
    """The sentences of a treebank as lines."""
    sentences = (sentence for _, sentence in _annotated(chain.from_iterable(_decoded(treebank, path)), path))
    while batch := list(islice(sentences, _BATCH)):
        yield "\n".join(sentence.spaced().line if spaced else sentence.line for sentence in batch).encode()


def _joined(blocks: Iterable[bytes]) -> Iterator[bytes]:
    pending: list[bytes] = []
    ended = False
    for block in blocks:
        end = block.rfind(b"\n")
        if end < 0:
            pending.append(block)
            continue
        pending.append(block[:end])
        whole = b"".join(pending)
        yield whole if ended else whole.removeprefix(_BYTE_ORDER_MARK)
        ended = True
        pending = [block[end + 1 :]]
    rest = b"".join(pending)
    if rest := rest if ended else rest.removeprefix(_BYTE_ORDER_MARK):
        yield rest


def _first_undecodable(text: bytes, path: StrPath, done: int) -> InputError:
    for number, line in enumerate(text.split(b"\n"), done + 1):
        try:
            decode_line(line, path, number)
        except InputError as error:
            return error
    raise AssertionError("a block that cannot be decoded has a line that cannot be decoded")
