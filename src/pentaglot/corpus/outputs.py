"""Files to write: each appears under its name only when it is complete.

>>> import gzip, tempfile
>>> path = Path(tempfile.mkdtemp()) / "verses.de.gz"
>>> with open_output(path) as out:
...     _ = out.write("Im Anfang\\n")
>>> gzip.decompress(path.read_bytes())
b'Im Anfang\\n'
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TextIO

from pentaglot import placing
from pentaglot.corpus.compression import StrPath, compressing, is_standard, shown
from pentaglot.errors import OutputError, writing

__all__ = ["open_binary_output", "open_output"]


@contextlib.contextmanager
def open_output(path: StrPath) -> Iterator[TextIO]:
    """A UTF-8 text file that appears under its name only if the block succeeds; `-` is standard output.

    The extension chooses the compression, as in reading. If the block fails, what was there before stays as it was.
    """
    with open_binary_output(path) as out:
        text = io.TextIOWrapper(out, encoding="utf-8", newline="\n", write_through=False)
        try:
            yield text
            text.flush()
        except UnicodeEncodeError as error:
            raise OutputError(
                f"the text holds U+{ord(error.object[error.start]):04X}, half of a surrogate pair, "
                "which UTF-8 cannot express",
                path=shown(path, "standard output"),
            ) from error
        finally:
            with contextlib.suppress(Exception):
                text.detach()


@contextlib.contextmanager
def open_binary_output(path: StrPath) -> Iterator[IO[bytes]]:
    """The same for bytes."""
    if is_standard(path):
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    final = Path(path)
    with writing(final):
        final = final.resolve()  # a symbolic link stays one
        if final.exists() and not final.is_file() and not final.is_dir():
            with final.open("wb") as device, compressing(device, path) as out:  # a pipe or /dev/null
                yield out
            return
        if final.is_dir():
            raise OutputError("is a directory; a file would be written here", path=path, hint="choose another name")
        with placing.new_file(final) as file, compressing(file, path) as out:
            yield out
