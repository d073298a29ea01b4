"""Form 4: insiders who buy with their own money, or sell a large share voluntarily.

Purchases are `invests_into`, sales `divests`. Sales under a Rule 10b5-1 plan were decided long before
and are not shown. The form says so since April 2023; of older ones it cannot be known. What insiders do
within a fortnight, by one form or by many, is one event with its totals and a proof from each form.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from uuid import UUID

from sightline.domain.mentions import (
    EvidenceDocument,
    Mention,
    NamedCompany,
    SignalAmount,
    SignalParty,
)
from sightline.domain.signals import PartyRole, SignalType
from sightline.signals.contract import INSIDERS, money, noon, proof_in

FORMS: Final = ("4", "4/A")
# Smaller purchases are reinvested dividends and tokens of goodwill.
LEAST_USD: Final = 100_000
# Smaller sales pay taxes and school fees.
LEAST_SOLD_USD: Final = 1_000_000
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
_KINDS: Final = {"P": SignalType.INVESTS_INTO, "S": SignalType.DIVESTS}


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
    for code, kind in _KINDS.items():
        trades = [trade for each in documents if is_form(each) for trade in _trades(each, code)]
        least = LEAST_USD if kind == SignalType.INVESTS_INTO else LEAST_SOLD_USD
        for group in _groups(trades):
            if _worth(group) >= least:
                found += _mentions(group, company, kind)
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
            yield Trade(
                document,
                " ".join(owner["name"].split()),
                owner["roles"],
                date.fromisoformat(line["day"]),
                _number(line["shares"]),
                _number(line["price"]),
                line.start(),
                line.end(),
            )


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


def _mentions(group: Sequence[Trade], company: NamedCompany, kind: SignalType) -> Iterator[Mention]:
    people: dict[str, list[Trade]] = {}
    proofs: dict[UUID, Trade] = {}
    for trade in group:
        people.setdefault(trade.person, []).append(trade)
        known = proofs.get(trade.document.document_id)
        if known is None or trade.worth > known.worth:
            proofs[trade.document.document_id] = trade
    sells = kind == SignalType.DIVESTS
    amount = SignalAmount(round(_worth(group)), "USD")
    for proof in sorted(proofs.values(), key=lambda each: -each.worth):
        yield Mention(
            type=kind,
            title=_title(people, amount, company, sells=sells),
            summary=_summary(people, company, sells=sells),
            source_kind="filing",
            **proof_in(proof.document, proof.start, proof.end),
            occurred_at=noon(group[0].day),
            confidence=0.85 if sells else 0.95,
            parties=_parties(people, company, sells=sells),
            amount=amount,
            counterparty=INSIDERS,
        )


def _title(
    people: dict[str, list[Trade]], amount: SignalAmount, company: NamedCompany, *, sells: bool
) -> str:
    verb = "sell" if sells else "buy"
    who = f"{next(iter(people))} {verb}s" if len(people) == 1 else f"{len(people)} insiders {verb}"
    return f"{who} {money(amount)} of {company.name} shares" + (_UNPLANNED if sells else "")


_UNPLANNED: Final = ", outside a Rule 10b5-1 plan"


def _summary(people: dict[str, list[Trade]], company: NamedCompany, *, sells: bool) -> str:
    """Who traded how much, the largest first, and from when to when."""
    verb = "sold" if sells else "bought"
    ranked = sorted(people.items(), key=lambda item: -_worth(item[1]))
    parts = [
        f"{name} ({trades[0].roles}) {verb} {sum(each.shares for each in trades):,.0f} shares"
        f"{f' of {company.name}' if place == 0 else ''}"
        f" for {money(SignalAmount(round(_worth(trades)), 'USD'))}"
        for place, (name, trades) in enumerate(ranked[:_MOST_NAMED])
    ]
    if len(ranked) > _MOST_NAMED:
        parts.append(f"{len(ranked) - _MOST_NAMED} more {verb} the rest")
    days = sorted(trade.day for trades in people.values() for trade in trades)
    when = f" from {days[0]} to {days[-1]}" if days[0] != days[-1] else ""
    return "; ".join(parts) + when + (_UNPLANNED if sells else "") + "."


def _parties(
    people: dict[str, list[Trade]], company: NamedCompany, *, sells: bool
) -> tuple[SignalParty, ...]:
    role: PartyRole = "seller" if sells else "investor"
    other: PartyRole = "business" if sells else "recipient"
    named = sorted(people.items(), key=lambda item: -_worth(item[1]))[:_MOST_NAMED]
    return (
        *(SignalParty(role, name, trades[0].roles) for name, trades in named),
        SignalParty(other, company.name),
    )


def _worth(trades: Iterable[Trade]) -> float:
    """Of all together, in US dollars."""
    return sum(each.worth for each in trades)


def _number(text: str) -> float:
    return float(text.replace(",", ""))
