"""Reads any list file as rows: its format is found from its content; its name is only a hint."""

import codecs
from pathlib import Path

from sightline.imports.delimited import open_delimited
from sightline.imports.excel import open_excel
from sightline.imports.json_rows import Judge, is_json_lines, open_json, open_json_lines
from sightline.imports.opening import (
    SAMPLE_BYTES,
    container_of,
    encoding_of,
    named_encoding,
    sample_of,
)
from sightline.imports.rows import FileIsNotReadable, RecordList

_TEXT_ENDINGS = frozenset({".csv", ".tsv", ".txt", ".tab", ".psv"})
_UNWANTED = ("<!doctype", "<html", "<?xml")


def open_list(
    path: Path, *, judge: Judge, sheet: str | None = None, encoding: str | None = None
) -> RecordList:
    """Open a list of companies for reading, as often as wanted.

    `judge` gives a sample of rows a number, higher the more they look like companies; a JSON document
    may hold several lists. `encoding` is what a person says of a text.
    Raises FileIsNotReadable with a sentence for a person.
    """
    if path.is_dir():
        raise FileIsNotReadable(f"{path} is a folder; name one file in it.")
    sample = sample_of(path)
    if container_of(sample, path.name) == "workbook":
        return open_excel(path, sheet)
    if sheet is not None:
        raise FileIsNotReadable(f"{path.name} is not a workbook, so it has no sheet {sheet!r}.")
    encoding = named_encoding(encoding) if encoding else encoding_of(sample)
    text = _decoded(sample, encoding)
    head = text.lstrip("\ufeff \t\r\n")
    if head[:200].lower().startswith(_UNWANTED):
        raise FileIsNotReadable(f"{path.name} is a web page or XML, not a list.")
    _refuse_binary(head, path.name)
    endings = {ending.lower() for ending in path.suffixes[-2:]}
    if head[:1] in ("[", "{"):
        if is_json_lines(text):
            return open_json_lines(path, encoding)
        try:
            return open_json(path, encoding, judge)
        except FileIsNotReadable:
            if not endings & _TEXT_ENDINGS:
                raise
    return open_delimited(path, text, encoding)


def _decoded(sample: bytes, encoding: str) -> str:
    errors = "surrogateescape" if encoding.startswith("utf-8") else "replace"
    decoder = codecs.getincrementaldecoder(encoding)(errors)
    text = decoder.decode(sample)
    if len(sample) < SAMPLE_BYTES:
        return text
    # The sample ends anywhere; its last line is likely cut.
    return text[: text.rfind("\n") + 1] or text


def _refuse_binary(text: str, name: str) -> None:
    head = text[:4096]
    odd = sum(character < " " and character not in "\t\r\n\f\0" for character in head)
    if head.count("\0") * 3 > len(head) or odd * 10 > len(head):
        raise FileIsNotReadable(f"{name} is a binary file, not a list.")
