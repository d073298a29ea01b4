"""The unit of amounts in a passage, if a heading above states it once: "in thousands"."""

from collections.abc import Iterator, Sequence
from typing import Final
from uuid import UUID

from sightline.reading.money import sums_in
from sightline.reading.tables import CELL, notes_unit, table_context, unit_words
from sightline.store.assistant import plain_texts
from sightline.store.database import Connection
from sightline.store.passages import StoredPassage

NOTES: Final = "Amounts of these notes are "
_LETTERS: Final = 3  # of a scale or a currency's name; "US$" has fewer


def unscaled(text: str) -> Iterator[float]:
    """The sums of a text that give no scale: "$25,000"."""
    for each in sums_in(text):
        written = text[each.start : each.end]
        if "," in written and sum(map(str.isalpha, written)) < _LETTERS:
            yield each.amount


def unit_above(before: str, text: str) -> str:
    """'Amounts of these notes are in thousands', for a text with sums that give no scale and what stands
    before it in its document; "" where nothing says so."""
    has_sums = CELL not in text and any(unscaled(text))
    unit = notes_unit(before) if has_sums else ""
    return f"{NOTES}{unit}" if unit else ""


async def units_above(connection: Connection, passages: Sequence[StoredPassage]) -> dict[UUID, str]:
    """The same for the passages of filings, by their ids."""
    asked = [
        (each, each.document_id) for each in passages
        if each.kind == "filing" and each.document_id and each.start and any(unscaled(each.body))
    ]  # fmt: skip
    texts = await plain_texts(connection, {document_id for _, document_id in asked})
    return {
        each.passage_id: unit
        for each, document_id in asked
        if (unit := unit_above(texts[document_id][: each.start], each.body))
    }


def unit_beside(quote: str, passage: StoredPassage, above: str) -> str:
    """The unit that a reader of a quote alone would miss: of its notes, or of the table of its rows."""
    if CELL in quote:
        upto = passage.body[: passage.body.find(quote)]
        head = table_context(f"{passage.context}\n{upto}", quote)
        found = unit_words(head) or unit_words(passage.context)
    else:
        found = above.removeprefix(NOTES) if any(unscaled(quote)) else ""
    return "" if found in quote else found
