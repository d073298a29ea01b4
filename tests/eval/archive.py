"""Passages of recorded filings for the judged set, cut here so that judgements outlive any parser.

A passage is named by the address of its document, its characters in the text made below, and the
SHA-256 of that text; the words themselves stay in the recorded data.
"""

import csv
import gzip
import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import lxml.html

LONGEST = 1_100  # characters
SHORTEST = 250
_BLOCKS = {"p", "div", "tr", "li", "h1", "h2", "h3", "h4", "h5", "h6", "table", "title", "br"}
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class ArchivePassage:
    url: str
    form: str
    date: str
    start: int
    end: int
    heading: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.url}#{self.start}-{self.end}"

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def filing_lines(body: bytes) -> list[str]:
    """The text of a filing, one block a line, white space as single spaces."""
    root = lxml.html.document_fromstring(body)
    parts: list[str] = []
    for event, element in lxml.etree.iterwalk(root, events=("start", "end")):
        tag = element.tag if isinstance(element.tag, str) else ""
        local = tag.rpartition("}")[2].rpartition(":")[2]
        if local in {"script", "style", "header", "hidden"} and event == "start":
            element.clear(keep_tail=True)
        if local in _BLOCKS:
            parts.append("\n")
        if local in {"td", "th"} and event == "end":
            parts.append(" ")
        if event == "start" and isinstance(element.tag, str):
            parts.append(element.text or "")
        if event == "end":
            parts.append(element.tail or "")
    lines = (_SPACE.sub(" ", line).strip() for line in "".join(parts).split("\n"))
    return [line for line in lines if line]


def cut(url: str, form: str, date: str, lines: list[str]) -> Iterator[ArchivePassage]:
    """Runs of lines; a short line without a full stop begins a passage and is its heading."""
    heading, start, place = "", 0, 0
    held: list[str] = []
    for line in [*lines, ""]:
        title = (
            3 < len(line) < 90
            and line[0].isupper()
            and line[-1] not in ".;:,%)"
            and not re.search(r"\d", line)
        )
        full = sum(map(len, held)) + len(line) > LONGEST
        if held and (not line or full or (title and sum(map(len, held)) > SHORTEST)):
            text = "\n".join(held)
            if len(text) >= 120:
                yield ArchivePassage(url, form, date, start, start + len(text), heading, text)
            held = []
        if title:
            heading = line
        if not held:
            start = place
        held.append(line)
        place += len(line) + 1


def company_passages(data: Path, cik: str) -> list[ArchivePassage]:
    """All passages of a company's recorded filings, by address; the same text is kept once."""
    found: list[ArchivePassage] = []
    seen: set[str] = set()
    with (data / "web" / "filings.csv").open(newline="", encoding="utf-8") as rows:
        listed = sorted(
            (row["url"], row["form"], row["filing_date"], row["file"])
            for row in csv.DictReader(rows)
            if row["cik"] == cik and row["form"] in {"10-K", "10-Q", "8-K"} and ".htm" in row["url"]
        )
    for url, form, date, name in listed:
        body = (data / "web" / name).read_bytes()
        if name.endswith(".gz"):
            body = gzip.decompress(body)
        for passage in cut(url, form, date, filing_lines(body)):
            if passage.digest not in seen:
                seen.add(passage.digest)
                found.append(passage)
    return found
