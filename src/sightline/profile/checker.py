"""Proof: every quote is verbatim in its document, and every figure and name is in quotes or facts.

Statements that fail are left out before anything is written; `sightline verify` runs the same
check over what is stored. What a statement says beyond its quotes is found by `reading/proof.py`.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final
from uuid import UUID

from sightline.profile.contract import EXTRACTIVE, SectionBody, Statement
from sightline.profile.evidence import Evidence, Quote
from sightline.reading.dates import days_in, iso_day
from sightline.reading.prose import WORD
from sightline.reading.stated import fault, normalized

TextOf = Callable[[UUID], str | None]

_PROSE: Final = ("name", "description", "summary", "division_summary", "answer")
_NO_TITLES: Final[Mapping[UUID, str]] = {}
_NO_FIELDS: Final = ("sources", *_PROSE)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many statements were looked at, and which failed with the reason."""

    checked: int
    failures: tuple[str, ...]


class Checker:
    """Checks statements against the texts of documents, each normalized once."""

    def __init__(
        self,
        text_of: TextOf,
        *,
        facts: Mapping[tuple[UUID, str], Any],
        titles: Mapping[UUID, str] = _NO_TITLES,
        known: str = "",
    ) -> None:
        """`facts` are the values by (document, pointer), `titles` those of documents, which a statement may
        name; `known` the organization's own words."""
        self._text_of = text_of
        self._texts: dict[UUID, str | None] = {}
        self._facts = facts
        self._titles = titles
        self._known = known

    def quote_fault(self, quote: Quote) -> str | None:
        """Why a quote proves nothing; None when it holds."""
        held = self._held(quote)
        if quote.text is None:
            place = "a source without quote and pointer"
            place = f"no fact at {quote.pointer[:80]}" if quote.pointer is not None else place
            return None if held else place
        said = normalized(quote.text)
        posted = [value["text"] for value in held if isinstance(value, Mapping) and "text" in value]
        if posted:  # a posting of a board
            is_said = any(said in normalized(str(each)) for each in posted)
            return None if is_said else f"not in its posting: {said[:80]}"
        text = self._text(quote.document_id)
        if text is None:
            return "its document is not stored"
        return None if held or said in text else f"not in its document: {said[:80]}"

    def statement_fault(self, statement: Statement) -> str | None:
        """Why a statement is not proven: a quote that is none, or something that no source has."""
        quotes: Sequence[Quote] = statement.get("sources") or ()
        for quote in quotes:
            if reason := self.quote_fault(quote):
                return reason
        if not quotes:
            return "written without a source" if is_written(statement) else None
        prose, known = _prose(statement), self._known
        if not is_written(statement):
            # Our own frames say what the fields beside them say, and names of the cited documents.
            for text in sorted(
                (normalized(q.text) for q in quotes if q.text), key=len, reverse=True
            ):
                prose = prose.replace(text, " .")
            known += f" {self._named(prose, quotes)}"
        day = statement.get("as_of") or statement.get("date")
        proof = "\n".join((*self._proof(quotes), _spelled(day)))
        prose = self._without_days(prose, quotes)
        return fault(prose, proof, known=known, results=self._results(statement, quotes))

    def _without_days(self, prose: str, quotes: Sequence[Quote]) -> str:
        """A text without the days that the titles of cited documents name: the last ones of the periods that
        reports are about."""
        titles = " ".join(self._titles.get(each.document_id, "") for each in quotes)
        proven = {each.day for each in days_in(titles)}
        for each in reversed(days_in(prose)):
            if each.day in proven:
                prose = f"{prose[: each.start]} {prose[each.end :]}"
        return prose

    def _results(self, statement: Statement, quotes: Sequence[Quote]) -> list[float]:
        """The amounts of a statement's fields and data, and as they are said in thousands and millions; of a
        model only those of data that it cites, whose fields it keeps."""
        if is_written(statement) and not any(quote.pointer for quote in quotes):
            return []
        held = (value for quote in statement["sources"] for value in self._held(quote))
        fields = (value for key, value in statement.items() if key not in _NO_FIELDS)
        amounts = [amount for value in (*fields, *held) for amount in _amounts(value)]
        return amounts + [amount / scale for amount in amounts for scale in _SCALES]

    def prove(self, body: SectionBody) -> tuple[SectionBody, Verdict]:
        """A section without its unproven statements, at whatever depth, and what was found."""
        failures: list[str] = []
        checked = 0

        def keep(statement: Statement) -> Statement | None:
            nonlocal checked
            if "sources" in statement:
                checked += 1
                if reason := self.statement_fault(statement):
                    failures.append(f"{label(statement)}: {reason}")
                    return None
            return {
                key: [kept for each in value if (kept := keep(each)) is not None]
                if _is_rows(value)
                else value
                for key, value in statement.items()
            }

        if isinstance(body, dict):
            proven: SectionBody = (keep(body) or {}) if body else {}
        else:
            proven = [kept for each in body if (kept := keep(each)) is not None]
        return proven, Verdict(checked, tuple(failures))

    def _proof(self, quotes: Sequence[Quote]) -> Iterator[str]:
        """The words of quotes and the titles of their documents, and of data what they say and how they are
        called."""
        for quote in quotes:
            yield normalized(quote.text or "")
            yield _by_year(self._titles.get(quote.document_id, ""))
            if quote.pointer is not None:
                yield quote.pointer
                yield from (str(value) for value in self._held(quote))

    def _held(self, quote: Quote) -> Sequence[Any]:
        found: Sequence[Any] = self._facts.get((quote.document_id, quote.pointer or ""), ())
        return found

    def _named(self, text: str, quotes: Sequence[Quote]) -> str:
        """The words of a text that a cited document has."""
        texts = [self._text(each.document_id) or "" for each in quotes]
        words = dict.fromkeys(WORD.findall(text))
        return " ".join(word for word in words if any(word in each for each in texts))

    def _text(self, document_id: UUID) -> str | None:
        if document_id not in self._texts:
            text = self._text_of(document_id)
            self._texts[document_id] = normalized(text) if text is not None else None
        return self._texts[document_id]


def checker_of(evidence: Evidence, text_of: TextOf, *, known: str = "") -> Checker:
    """A checker over the evidence's facts and postings; `known` are words that need no source."""
    facts: dict[tuple[UUID, str], list[Any]] = defaultdict(list)
    for fact in evidence.facts:
        if fact.pointer is not None:
            facts[(fact.document_id, fact.pointer)].append(fact.value)
    for job in evidence.jobs:
        if job.document_id is not None:
            facts[(job.document_id, job.pointer)].append(job.said)
    titles = {each.document_id: each.title or "" for each in evidence.documents}
    return Checker(text_of, facts=dict(facts), titles=titles, known=f"{evidence.name} {known}")


def _by_year(title: str) -> str:
    """A title with the year alone of a day in it, whose other numbers would prove any."""
    return " ".join(word[:4] if iso_day(word) else word for word in title.split())


_SCALES: Final = (1e3, 1e6, 1e9, 1e12)


def is_written(statement: Statement) -> bool:
    """Whether a model wrote the statement."""
    return statement.get("method") not in (None, EXTRACTIVE)


def label(statement: Statement) -> str:
    """How a statement is called in a report."""
    for part in ("name", "division_name", "event_title"):
        if statement.get(part):
            return str(statement[part])
    return "overview"


def _spelled(day: object) -> str:
    """The day of a statement as its text may give it: "26 February 2025"."""
    return f"{date.fromisoformat(str(day)):%d %B %Y}" if day else ""


def _prose(statement: Statement) -> str:
    return "\n".join(str(statement.get(part) or "") for part in _PROSE)


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _amounts(value: Any) -> Iterator[float]:
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _amounts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _amounts(each)
