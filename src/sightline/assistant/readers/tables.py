"""Figures of tables in documents: the row that is asked for, with the head of its column and its unit."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sightline.assistant.contract import Draft, Source, Statement
from sightline.assistant.held import HeldText
from sightline.assistant.question import Question
from sightline.assistant.readers.scanning import Line
from sightline.assistant.words import asked_terms, covers, said_in, terms_of

_SEPARATOR: Final = " | "
_NUMBER = re.compile(r"^[($€£\s-]*\d[\d,.]*\s?[%)]*$")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNIT = re.compile(
    r"\b(?:dollars |amounts |shares |u\.s\. dollars )*in (millions|thousands|billions)\b"
)
_FOOTNOTE = re.compile(r"\s*\(?\d\)?\s*$")
_FOOTNOTE_MARK = re.compile(r"([A-Za-z)]) \(?\d\)?$")
_HEAD_WITHIN: Final = 30
_BARE = re.compile(r"\$(\d{1,3}(?:,\d{3})+)(?!\d|\.\d|\s*(?:million|billion|thousand))")
_UNIT_WITHIN: Final = 6_000  # characters; amounts of money are in one unit throughout a document
_LONGEST_LABEL: Final = 120
_OWN: Final = 0.5  # of the terms of a label that must be asked for
_PART = re.compile(r"\b(?:non-?)?current\b|\bother\b", re.I)
_TOTALS: Final = terms_of("net total")


@dataclass(frozen=True, slots=True)
class _Cell:
    line: Line
    label: str
    value: str
    column: str
    score: float


def read(question: Question, lines: Sequence[Line], *, whole: bool = False) -> Draft | None:
    """The figure of the row whose label and column speak of everything asked.

    With `whole` the label must say all of it and hardly anything else.
    """
    cells = [cell for line in lines if (cell := _cell(question, line)) is not None]
    if whole:
        cells = [cell for cell in cells if _is_called(question, cell.label)]
    if not cells:
        return None
    best = max(cells, key=lambda cell: cell.score)
    held = best.line.document.held
    unit = _unit(best)
    column = f", {best.column}" if best.column else ""
    source = Source(
        held.document_id, held.url, held.title, best.line.text.strip(), held.published_at
    )
    return Draft((Statement(f"{best.label}{column}: {best.value}{unit}.", (source,)),))


def _cell(question: Question, line: Line) -> _Cell | None:
    cells = [cell.strip() for cell in line.text.split(_SEPARATOR)]
    label = _FOOTNOTE.sub("", cells[0])
    values = cells[1:]
    at = [n for n, value in enumerate(values) if _NUMBER.match(value)]
    if not at or not 2 < len(label) <= _LONGEST_LABEL:
        return None
    heads = _heads(line, len(values))
    stems = said_in(label)
    own = {term for term in question.every if covers(term, stems)}
    rest = [term for term in question.every if term not in own]
    year = str(question.period.year) if question.period and question.period.year else ""
    chosen = _column(at, heads, rest, year)
    if not own or chosen is None:
        return None
    if not rest and len(own) < _OWN * len(asked_terms(label)):  # a word of a longer name
        return None
    others = len([word for word in label.split() if word.isalpha()]) - len(own)
    score = line.weight - 0.1 * others
    score += 0.5 if label.lower().startswith("total") else 0.0
    return _Cell(line, label, values[chosen], _FOOTNOTE_MARK.sub(r"\1", heads[chosen]), score)


def _is_called(question: Question, label: str) -> bool:
    """Whether a label has all terms of a question and no others."""
    part = _PART.search(label)
    if part and not question.asks(re.escape(part[0])):
        return False
    stems = {term for term in asked_terms(label) if term not in _TOTALS}
    said = said_in(label)
    return all(covers(term, said) for term in question.every) and len(stems) <= len(question.every)


def _column(at: Sequence[int], heads: Sequence[str], rest: Sequence[str], year: str) -> int | None:
    """The column that speaks of the terms that the label does not; of several the first."""
    for number in at:
        stems = said_in(heads[number])
        if all(covers(term, stems) for term in rest) and (not year or year in heads[number]):
            return number
    return None


def _heads(line: Line, count: int) -> list[str]:
    """What stands above each of the columns, as far as the table says."""
    for near, text in enumerate(line.document.before(line.number)):
        if near == _HEAD_WITHIN:
            break
        cells = [cell.strip() for cell in text.split(_SEPARATOR)]
        named = [cell for cell in cells if cell and (_YEAR.search(cell) or not _NUMBER.match(cell))]
        if _SEPARATOR in text and len(cells) >= count and len(named) >= len(cells) - 1:
            return cells[-count:]
    return [""] * count


def _unit(cell: _Cell) -> str:
    """ " (in millions)" where the document says so above the table; "" for shares of a hundred."""
    if "%" in cell.value:
        return ""
    held = cell.line.document.held
    place = held.text.find(cell.line.text)
    return _unit_above(held, place, anywhere="$" in cell.value)


def _unit_above(held: HeldText, place: int, *, anywhere: bool) -> str:
    above = held.low[0 if anywhere else max(0, place - _UNIT_WITHIN) : place]
    units = _UNIT.findall(above)
    return f" (in {units[-1]})" if units else ""


def unit_of(words: str, held: HeldText) -> str:
    """The unit of a bare amount in a sentence, " (in millions)", where a table has the same amount."""
    amount = _BARE.search(words)
    if amount is None:
        return ""
    rows = re.compile(
        rf"^.* \| \$?{re.escape(amount[1])}\b.*$|^.* \| \$?{re.escape(amount[1])}$", re.M
    )
    row = rows.search(held.text)
    return _unit_above(held, row.start(), anywhere=True) if row else ""
