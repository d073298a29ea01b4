"""Form 4: insiders who buy with their own money, or sell a large share voluntarily.

Purchases are `invests_into`, sales `divests`. Sales under a Rule 10b5-1 plan were decided long before
and are not shown. The form says so since April 2023; of older ones it cannot be known. What insiders do
within a fortnight, by one form or by many, is one event with its totals and a proof from each form.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from sightline.domain.amounts import money
from sightline.domain.mentions import (
    EvidenceDocument,
    Mention,
    NamedCompany,
    SignalAmount,
    SignalParty,
)
from sightline.domain.signals import PartyRole, SignalType
from sightline.signals.contract import INSIDERS, noon, proof_in

FORMS: Final = ("4", "4/A")
# Reckoned from the first trade, so that the same forms make the same groups whenever they are read.
_TOGETHER: Final = timedelta(days=14)
_MOST_NAMED: Final = 6
_TRADE: Final = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d): (?:bought|sold) (?P<shares>[\d,]+) (?P<security>[^\n]{1,80}?) at"
    r" \$(?P<price>[\d,]+(?:\.\d+)?)[^\n]*\(code (?P<code>[PS])\)\."
)
_PLAN: Final = "Rule 10b5-1 plan"
# From this day on the form has a box for such plans.
PLANS_SINCE: Final = date(2023, 4, 1)
_RANKS: Final = ("officer", "director", "chief", "president")
_OWNER: Final = re.compile(r"^(?P<name>[^\n(]{2,80}) \((?P<roles>[^)\n]+)\) of ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Way:
    """What insiders do: `least` is its smallest worth in US dollars."""

    type: SignalType
    verb: str
    done: str
    least: float
    role: PartyRole
    other: PartyRole
    confidence: float
    note: str = ""


_WAYS: Final = {
    # Smaller purchases are reinvested dividends and tokens of goodwill.
    "P": _Way(SignalType.INVESTS_INTO, "buy", "bought", 100_000, "investor", "recipient", 0.95),
    # Smaller sales pay taxes and school fees.
    "S": _Way(
        SignalType.DIVESTS, "sell", "sold", 1_000_000, "seller", "business", 0.85,
        f", outside a {_PLAN}",
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trade:
    """One line of a form. `price` is in US dollars a share; the line is `text[start:end]`."""

    document: EvidenceDocument
    person: str
    roles: str
    day: date
    shares: float
    price: float
    start: int
    end: int

    @property
    def worth(self) -> float:
        return self.shares * self.price


def is_form(document: EvidenceDocument) -> bool:
    """Whether a document is a report of an insider's trades."""
    return document.kind == "filing" and (document.title or "").split(" ")[0] in FORMS


def read(documents: Sequence[EvidenceDocument], company: NamedCompany) -> list[Mention]:
    """What officers and directors bought or sold on the open market by all forms of a company.

    The mentions of one group have the same words and differ in their proof: one from each form.
    """
    found: list[Mention] = []
    for code, way in _WAYS.items():
        trades = [trade for each in documents if is_form(each) for trade in _trades(each, code)]
        for group in _groups(trades):
            if _worth(group) >= way.least:
                found += _mentions(group, company, way)
    return found


def _trades(document: EvidenceDocument, code: str) -> Iterator[Trade]:
    owner = _OWNER.search(document.text)
    if owner is None or not any(each in owner["roles"].casefold() for each in _RANKS):
        return
    at = document.published_at
    if code == "S" and (at is None or at.date() < PLANS_SINCE or _PLAN in document.text):
        return
    for line in _TRADE.finditer(document.text):
        if line["code"] == code:
            shares, price = (float(line[part].replace(",", "")) for part in ("shares", "price"))
            day, name = date.fromisoformat(line["day"]), " ".join(owner["name"].split())
            yield Trade(document, name, owner["roles"], day, shares, price, *line.span())


def _groups(trades: Iterable[Trade]) -> list[list[Trade]]:
    """Trades of one fortnight each, oldest first; what an amendment repeats counts once."""
    once: dict[tuple[object, ...], Trade] = {}
    lines: Counter[tuple[object, ...]] = Counter()
    for trade in trades:
        line = (trade.person, trade.day, trade.shares, trade.price)
        # One form may have two lines alike; an amendment has both once more.
        lines[(trade.document.document_id, *line)] += 1
        once.setdefault((*line, lines[(trade.document.document_id, *line)]), trade)
    groups: list[list[Trade]] = []
    for trade in sorted(once.values(), key=lambda each: each.day):
        if groups and trade.day - groups[-1][0].day <= _TOGETHER:
            groups[-1].append(trade)
        else:
            groups.append([trade])
    return groups


def _mentions(group: Sequence[Trade], company: NamedCompany, way: _Way) -> Iterator[Mention]:
    """A mention for each form, with the totals of all and who traded most first."""
    people: dict[str, list[Trade]] = defaultdict(list)
    proofs: dict[UUID, Trade] = {}
    for trade in sorted(group, key=lambda each: -each.worth):
        proofs.setdefault(trade.document.document_id, trade)
    for trade in group:
        people[trade.person].append(trade)
    ranked = sorted(people.items(), key=lambda item: -_worth(item[1]))
    amount = SignalAmount(round(_worth(group)), "USD")
    first, several = next(iter(people)), f"{len(people)} insiders {way.verb}"
    who = several if len(people) > 1 else f"{first} {way.verb}s"
    parties = [SignalParty(way.role, name, own[0].roles) for name, own in ranked[:_MOST_NAMED]]
    for proof in proofs.values():
        yield Mention(
            way.type, f"{who} {money(amount.value, 'USD')} of {company.name} shares{way.note}",
            _summary(ranked, company, way), **proof_in(proof.document, proof.start, proof.end),
            source_kind="filing", occurred_at=noon(group[0].day), confidence=way.confidence,
            parties=(*parties, SignalParty(way.other, company.name)), amount=amount,
            counterparty=INSIDERS,
        )  # fmt: skip


def _summary(
    ranked: Sequence[tuple[str, Sequence[Trade]]], company: NamedCompany, way: _Way
) -> str:
    """Who traded how much, the largest first, and from when to when."""
    parts = [
        f"{name} ({trades[0].roles}) {way.done} {sum(each.shares for each in trades):,.0f} shares"
        f"{f' of {company.name}' if place == 0 else ''}"
        f" for {money(round(_worth(trades)), 'USD')}"
        for place, (name, trades) in enumerate(ranked[:_MOST_NAMED])
    ]
    if len(ranked) > _MOST_NAMED:
        parts.append(f"{len(ranked) - _MOST_NAMED} more {way.done} the rest")
    days = sorted(trade.day for _, trades in ranked for trade in trades)
    when = f" from {days[0]} to {days[-1]}" if days[0] != days[-1] else ""
    return f"{'; '.join(parts)}{when}{way.note}."


def _worth(trades: Iterable[Trade]) -> float:
    """Of all together, in US dollars."""
    return sum(each.worth for each in trades)
