"""`inspect signals`: the events at a company in each sentence of a file."""

import json
import re
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import typer

from sightline.cli.exits import FAILURE, PARTIAL, CommandFailed, one_line_errors
from sightline.cli.output import note
from sightline.domain.signals import family_of
from sightline.kit.clock import now

if TYPE_CHECKING:
    from sightline.domain.mentions import Mention

MAX_LINE_BYTES: Final = 1_000_000
# Half of a character, which JSON can hold and UTF-8 cannot.
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class LineIsBad(ValueError):
    """A line holds no sentence; the message says why."""


def signals(
    file: Annotated[
        Path,
        typer.Argument(
            help='JSON Lines: {"text": "...", "date": "2025-06-15", "company": "..."}; text is required.'
        ),
    ],
) -> None:
    """Detect signals in sentences, one JSON object per line, and print one JSON line for each.

    `signals` lists the events, most certain first; `family`, `type`, `confidence` and `evidence`
    repeat the first one, or are null if there is none. Offsets count characters of the text.
    `company` is a name or a list of names. Bad lines get an `error`, and the exit code is 5.
    """
    with one_line_errors():
        if not file.is_file():
            raise CommandFailed(f"There is no file {file}.")
        good = bad = 0
        for number, raw in _lines(file):
            try:
                answer = _answer(number, raw)
                good += 1
            except LineIsBad as error:
                answer = {"line": number, "error": str(error), "signals": []}
                bad += 1
            sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
        if not good:
            reason = "None of its lines can be read." if bad else "The file is empty."
            raise CommandFailed(reason, code=FAILURE)
        if bad:
            note(f"{bad} of {good + bad} lines are bad.")
            raise typer.Exit(PARTIAL)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """Numbered lines without blank ones; one that is too long is cut, and so no JSON."""
    with file.open("rb") as stream:
        number = 0
        while raw := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            while len(raw) > MAX_LINE_BYTES and not raw.endswith(b"\n"):
                rest = stream.readline(MAX_LINE_BYTES)
                raw = raw[: MAX_LINE_BYTES + 1]
                if not rest or rest.endswith(b"\n"):
                    break
            if raw.strip():
                yield number, raw


def _answer(number: int, raw: bytes) -> dict[str, Any]:
    row = _read_line(raw)
    text = _SURROGATE.sub("\ufffd", row["text"])
    day, warnings = _day(row.get("date"))
    found = [_as_json(each) for each in _mentions(text, day, _names(row.get("company")))]
    first = found[0] if found else None
    answer = {
        "line": number,
        "family": first and first["family"],
        "type": first and first["type"],
        "confidence": first and first["confidence"],
        "evidence": first
        and {"start": first["start"], "end": first["end"], "quote": first["quote"]},
        "signals": found,
    }
    return answer | ({"warnings": warnings} if warnings else {})


def _mentions(text: str, day: date | None, names: tuple[str, ...]) -> "list[Mention]":
    """What the local reader finds in a text as a piece of news about a company."""
    # Loaded when needed: `sightline --help` should not wait for it.
    from sightline.domain.mentions import EvidenceDocument, NamedCompany
    from sightline.reading.encoder import EncoderConfig, open_encoder
    from sightline.reading.heads import head_encoder
    from sightline.signals.documents import read_document
    from sightline.signals.local_reader import LocalReader

    said = datetime.combine(day, time(12), tzinfo=UTC) if day else now()
    document = EvidenceDocument(UUID(int=0), "", "inspect", "news", None, said, said, 1, text, ())
    company = NamedCompany(UUID(int=0), names[0] if names else "", names)
    reader = LocalReader(head_encoder(open_encoder(EncoderConfig())))
    found = read_document(document, company, reader, everyone=not names)
    return sorted(found, key=lambda each: -each.confidence)


def _as_json(found: "Mention") -> dict[str, Any]:
    return {
        "family": str(family_of(found.type)),
        "type": str(found.type),
        "confidence": found.confidence,
        "start": found.start,
        "end": found.end,
        "quote": found.quote,
        "title": found.title,
        "planned": found.planned,
        "realis": found.realis,
        "parties": [{"role": each.role, "name": each.name} for each in found.parties],
        "amount": found.amount and {"value": found.amount.value, "currency": found.amount.currency},
        "location": found.location,
    }


def _read_line(raw: bytes) -> dict[str, Any]:
    """The object of a line, with a text in it."""
    if len(raw) > MAX_LINE_BYTES:
        raise LineIsBad(f"The line is longer than {MAX_LINE_BYTES:,} bytes.")
    try:
        row = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise LineIsBad("The line is not UTF-8.") from None
    except (ValueError, RecursionError):
        raise LineIsBad("The line is not JSON.") from None
    if not isinstance(row, dict):
        raise LineIsBad("The line is not a JSON object.")
    if not isinstance(row.get("text"), str):
        raise LineIsBad("The text field is missing or not text.")
    return row


def _day(value: object) -> tuple[date | None, list[str]]:
    """The day of a text, and a warning when one was given that cannot be read."""
    if value is None or value == "":
        return None, []
    if isinstance(value, str):
        for read in (datetime.fromisoformat, parsedate_to_datetime):
            try:
                return read(value.strip()).date(), []
            except ValueError:
                continue
    return None, ["The date is not like 2025-06-15 and was not used."]


def _names(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    names = value if isinstance(value, list) else [value]
    if isinstance(value, dict):
        names = [value.get("name")]
    return tuple(name for name in names if isinstance(name, str))
