"""Bytes to text: gzip, byte order marks and encodings."""

import codecs
import gzip
import io
from pathlib import Path
from typing import BinaryIO, Literal, TextIO, cast

from charset_normalizer import from_bytes

from sightline.imports.code_pages import LATIN_PAGES, code_page_of
from sightline.imports.rows import READ_ERRORS, FileIsNotReadable

SAMPLE_BYTES = 1 << 18
_GUESS_BYTES = 1 << 16
_GUESS_ROWS = 500
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# The longer mark first: UTF-32 begins with the mark of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FOREIGN_FILES = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"PAR1": "a Parquet file",
    b"Rar!": "a RAR archive",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"BZh": "a bzip2 archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"\xfd7zXZ": "an xz archive",
}

Container = Literal["text", "workbook"]


def open_bytes(path: Path) -> BinaryIO:
    """The content of a file, unpacked when it is gzipped, whatever its name ends with."""
    try:
        with path.open("rb") as stream:
            packed = stream.read(2) == _GZIP
        return cast(BinaryIO, gzip.open(path, "rb")) if packed else path.open("rb")
    except OSError as error:
        raise FileIsNotReadable(f"{path} cannot be opened: {error.strerror or error}.") from error


def sample_of(path: Path) -> bytes:
    """The first 256 KB of the unpacked content."""
    with open_bytes(path) as stream:
        try:
            sample = stream.read(SAMPLE_BYTES)
        except READ_ERRORS as error:
            raise FileIsNotReadable(f"{path.name} is a damaged gzip file: {error}.") from error
    if not sample.strip(b" \t\r\n\0\xef\xbb\xbf\xff\xfe"):
        raise FileIsNotReadable(f"{path.name} is empty.")
    return sample


def container_of(sample: bytes, name: str) -> Container:
    """Whether a file is text or a workbook; other known kinds of file are refused by name."""
    if sample.startswith(_ZIP):
        return "workbook"
    if sample.startswith(_OLE):
        raise FileIsNotReadable(
            f"{name} is an old binary Office file; save it as .xlsx or CSV first."
        )
    for magic, kind in _FOREIGN_FILES.items():
        if sample.startswith(magic):
            raise FileIsNotReadable(f"{name} is {kind}, not a list.")
    return "text"


def encoding_of(sample: bytes) -> str:
    """The encoding of a text, from its byte order mark, its validity as UTF-8, or its letters."""
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding
    wide = _utf16_without_mark(sample)
    if wide:
        return wide
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return _guess(sample)
    return "utf-8"


def _utf16_without_mark(sample: bytes) -> str | None:
    """UTF-16 of mostly Latin text has a zero in every second byte."""
    head = sample[:4096]
    if len(head) < 4:
        return None
    even, odd = head[0::2].count(0) / len(head[0::2]), head[1::2].count(0) / len(head[1::2])
    if odd > 0.4 and even < 0.1:
        return "utf-16-le"
    if even > 0.4 and odd < 0.1:
        return "utf-16-be"
    return None


def _guess(sample: bytes) -> str:
    # Stray bytes in a file that is UTF-8 otherwise: read it as such, and those bytes one by one.
    valid = sample.decode("utf-8", "ignore")
    foreign = len(sample) - len(valid.encode("utf-8"))
    beyond_ascii = sum(character > "\x7f" for character in valid)
    if beyond_ascii > 4 * foreign:
        return "utf-8"
    # Whole lines that hold bytes beyond ASCII: the only ones that tell encodings apart.
    foreign_lines = [line for line in sample.split(b"\n") if not line.isascii()]
    best = from_bytes(b"\n".join(foreign_lines)[:_GUESS_BYTES]).best()
    if best is None or best.encoding in LATIN_PAGES or best.encoding.startswith(("utf", "ascii")):
        return code_page_of(foreign_lines[:_GUESS_ROWS])
    return best.encoding


def named_encoding(name: str) -> str:
    """An encoding that a person named. Raises FileIsNotReadable."""
    try:
        b"".decode(name)
        "".encode(name)
    except (LookupError, UnicodeError) as error:
        raise FileIsNotReadable(
            f"{name!r} is not an encoding; examples: cp1252, cp1250, mac_roman, utf-16."
        ) from error
    return codecs.lookup(name).name


def open_text(path: Path, encoding: str) -> TextIO:
    """A text stream with line ends as they are; bytes that are not valid become lone surrogates."""
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    return io.TextIOWrapper(open_bytes(path), encoding=encoding, errors=errors, newline="")
