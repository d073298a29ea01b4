"""Proof: every quote stands word for word in its document, every figure and name in quotes or facts.

Statements that fail are left out before anything is written; `sightline verify` runs the same
check over what is stored.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from sightline.profile import written_proof
from sightline.profile.contract import EXTRACTIVE, SectionBody, Statement
from sightline.profile.evidence import Quote
from sightline.profile.sentences import spaced

TextOf = Callable[[UUID], str | None]

_NUMBER = re.compile(r"(?<![^\W_])\d+(?:[.,]\d+)*")
# Capitals in the middle of a sentence: "of Larkspur", "our ColdPilot".
_PROPER = re.compile(r"(?<=[a-z,;] )[A-Z][A-Za-zÀ-ÿ’'&-]+\b(?!\d)")
_PROSE = ("name", "description", "summary", "division_summary", "answer")


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many statements were looked at, and which failed with the reason."""

    checked: int
    failures: tuple[str, ...]

    @property
    def rate(self) -> float:
        """The share that is proven; 1.0 for none."""
        return 1.0 if not self.checked else 1 - len(self.failures) / self.checked


class Checker:
    """Checks statements against the texts of documents, each normalised once."""

    def __init__(
        self, text_of: TextOf, *, facts: Mapping[tuple[UUID, str], Any], known: str = ""
    ) -> None:
        """`facts` are the values by (document, pointer); `known` the organization's own words."""
        self._text_of = text_of
        self._texts: dict[UUID, str | None] = {}
        self._folded: dict[UUID, str] = {}
        self._facts = facts
        self._known = known

    def quote_fault(self, quote: Quote) -> str | None:
        """Why a quote proves nothing; None when it holds."""
        if quote.text is None:
            if quote.pointer is None:
                return "a source without quote and pointer"
            if (quote.document_id, quote.pointer) not in self._facts:
                return f"no fact at {quote.pointer[:80]}"
            return None
        text = self._text(quote.document_id)
        if text is None:
            return "its document is not stored"
        if spaced(quote.text) in text:
            return None
        if quote.pointer is not None and (quote.document_id, quote.pointer) in self._facts:
            return None
        return f"not in its document: {spaced(quote.text)[:80]}"

    def statement_fault(self, statement: Statement) -> str | None:
        """Why a statement is not proven: a quote that is none, or a figure that no source has."""
        quotes: Sequence[Quote] = statement.get("sources") or ()
        for quote in quotes:
            if fault := self.quote_fault(quote):
                return fault
        if not quotes:
            return "written without a source" if is_written(statement) else None
        told = "\n".join(str(statement.get(part) or "") for part in _PROSE)
        proven = spaced(" ".join(quote.text or "" for quote in quotes)) + " " + self._known
        rest = told
        for quote in sorted(quotes, key=lambda q: -len(q.text or "")):
            if quote.text:
                rest = rest.replace(spaced(quote.text), " ")
        allowed = {*_NUMBER.findall(proven), *self._figures(quotes)}
        loose = [n for n in _NUMBER.findall(rest) if n not in allowed]
        if loose and not self._derived(loose, statement, quotes):
            return f"figure without a source: {loose[0]}"
        unknown = next((n for n in _PROPER.findall(rest) if not self._is_named(n, quotes)), None)
        if unknown:
            return f"name without a source: {unknown}"
        return self._written_fault(told, quotes) if is_written(statement) else None

    def _written_fault(self, told: str, quotes: Sequence[Quote]) -> str | None:
        """What a model said beyond its quotes."""
        proof = [quote.text or "" for quote in quotes]
        for quote in quotes:
            if quote.pointer is not None:
                held = self._facts.get((quote.document_id, quote.pointer), ())
                proof += [quote.pointer, *(str(value) for value in held)]
                share = self._share(quote)
                proof += [f"{100 * share:.2f}%"] if share is not None else []

        def is_ordinary(word: str) -> bool:
            texts = (self._text(quote.document_id) or "" for quote in quotes)
            return any(re.search(rf"\b{re.escape(word)}\b", text) for text in texts)

        return written_proof.fault(
            told, "\n".join(proof), known=self._known, is_ordinary=is_ordinary
        )

    def prove(self, body: SectionBody) -> tuple[SectionBody, Verdict]:
        """A section without its unproven statements, at whatever depth, and what was found."""
        failures: list[str] = []
        checked = 0

        def keep(statement: Statement) -> Statement | None:
            nonlocal checked
            if "sources" in statement:
                checked += 1
                if fault := self.statement_fault(statement):
                    failures.append(f"{label(statement)}: {fault}")
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

    def _figures(self, quotes: Sequence[Quote]) -> Iterator[str]:
        for quote in quotes:
            if quote.pointer is None:
                continue
            yield from _NUMBER.findall(quote.pointer)
            for value in self._facts.get((quote.document_id, quote.pointer), ()):
                yield from _NUMBER.findall(str(value))

    def _derived(self, loose: Sequence[str], statement: Statement, quotes: Sequence[Quote]) -> bool:
        """Whether figures follow from the facts by rounding, or stand in the statement's own fields."""
        values = [
            value
            for quote in quotes
            if quote.pointer is not None
            for value in self._facts.get((quote.document_id, quote.pointer), ())
        ]
        figures = [f for value in values for f in _amounts(value)]
        figures += [
            f
            for key, value in statement.items()
            if key not in ("sources", *_PROSE)
            for f in _amounts(value)
        ]
        shares = [share for q in quotes if (share := self._share(q)) is not None]
        figures += shares
        years = {str(f) for f in range(1990, 2100) if any(str(f) in str(v) for v in values)}
        return bool(values or figures) and all(
            n in years or any(_same(n, f) for f in figures) for n in loose
        )

    def _is_named(self, name: str, quotes: Sequence[Quote]) -> bool:
        """Whether a name stands in a cited document, in a cited fact or in known words."""
        word = name.casefold().rstrip("’'")
        if word in self._known.casefold():
            return True
        for quote in quotes:
            held = self._facts.get((quote.document_id, quote.pointer or ""), ())
            if any(word in str(value).casefold() for value in held):
                return True
            if word in self._folded_text(quote.document_id):
                return True
        return False

    def _share(self, quote: Quote) -> float | None:
        """Of a division's figure: its share of all positive ones of the same axis and period."""
        held = self._facts.get((quote.document_id, quote.pointer or ""), ())
        value = next((v for v in held if isinstance(v, Mapping) and "axis" in v), None)
        if value is None:
            return None
        same = ("axis", "metric", "period_start", "period_end")
        whole = {
            str(other["name"]): float(other["amount"])
            for (document_id, _), others in self._facts.items()
            if document_id == quote.document_id
            for other in others
            if isinstance(other, Mapping) and all(other.get(part) == value[part] for part in same)
        }
        total = sum(amount for amount in whole.values() if amount > 0)
        return float(value["amount"]) / total if total > 0 else None

    def _folded_text(self, document_id: UUID) -> str:
        if document_id not in self._folded:
            self._folded[document_id] = (self._text(document_id) or "").casefold()
        return self._folded[document_id]

    def _text(self, document_id: UUID) -> str | None:
        if document_id not in self._texts:
            text = self._text_of(document_id)
            self._texts[document_id] = spaced(text) if text is not None else None
        return self._texts[document_id]


def is_written(statement: Statement) -> bool:
    """Whether a model wrote the statement."""
    return statement.get("method") not in (None, EXTRACTIVE)


def label(statement: Statement) -> str:
    """How a statement is called in a report."""
    for part in ("name", "division_name", "event_title"):
        if statement.get(part):
            return str(statement[part])
    return "overview"


def _is_rows(value: Any) -> bool:
    return isinstance(value, list) and any(isinstance(each, dict) for each in value)


def _amounts(value: Any) -> Iterator[float]:
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield float(value)
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _amounts(each)


def _same(shown: str, amount: float) -> bool:
    """Whether a printed number is an amount in its scale, or a fraction as percent."""
    try:
        number = float(shown.replace(",", ""))
    except ValueError:
        return False
    scaled = (1, 1e3, 1e6, 1e9, 1e12)
    size = abs(amount)
    return (
        any(abs(number - size / scale) <= 0.0501 for scale in scaled)
        or abs(number - size * 100) <= 0.0501
    )
