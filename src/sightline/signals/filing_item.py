"""One item of a current report, and the making of tellings out of its sentences."""

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from sightline.domain.happenings import (
    EvidenceDocument,
    SignalAmount,
    SignalParty,
    Subject,
    Telling,
)
from sightline.domain.numbers import parse_money
from sightline.domain.signals import PartyRole, SignalType
from sightline.signals.contract import is_subject, mentions, money, noon, source_of
from sightline.signals.dates import day_of
from sightline.signals.filing_words import firms_in, is_own, means_registrant, means_us
from sightline.signals.sentences import plain

Parties = tuple[SignalParty, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """An item of one report with its sentences as spans of the document's text."""

    number: str
    document: EvidenceDocument
    subject: Subject
    spans: tuple[tuple[int, int], ...]
    start: int
    end: int

    @property
    def said(self) -> date:
        return self.document.said_at.date()

    def sentence(self, span: tuple[int, int]) -> str:
        return self.document.text[span[0] : span[1]]


def parties(*pairs: tuple[PartyRole, str | None]) -> Parties:
    """Roles and names as parties; those without a name are left out."""
    return tuple(SignalParty(role, name) for role, name in pairs if name)


def others_in(item: Item, sentence: str, *, auditors: bool = False) -> list[str]:
    """Firms that a sentence names, the company and its own vehicles left out."""
    return [
        firm
        for firm in firms_in(sentence)
        if not is_subject(firm, item.subject)
        and not means_registrant(firm)
        and not (not auditors and is_own(firm, sentence, item.subject))
    ]


def priced(title: str, amount: SignalAmount | None) -> str:
    return f"{title} for {money(amount)}" if money(amount) else title


_MONEY: Final = re.compile(
    r"(?:US|C|A|HK|S)?[$€£]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:thousand|million|billion|trillion|bn|mn|m|k)\b)?",
    re.I,
)


# How large a party is, not what is paid.
_SIZE: Final = re.compile(
    r"\b(?:assets|revenues?|sales|capitalization|liabilities)\s+(?:of|under)\b", re.I
)


def amount_in(sentence: str) -> SignalAmount | None:
    """The largest amount of money of a sentence above a thousand: prices of a share are not meant."""
    best: SignalAmount | None = None
    for match in _MONEY.finditer(sentence):
        read = parse_money(match[0])
        if read is None or read.amount < 1_000:
            continue
        if _SIZE.search(sentence[max(0, match.start() - 40) : match.start()]):
            continue
        if best is None or read.amount > best.value:
            best = SignalAmount(read.amount, read.currency)
    return best


def total_in(sentence: str) -> SignalAmount | None:
    """The sum of what is issued: "$500,000,000 aggregate principal amount of … and $250,000,000 …"."""
    read = [
        found
        for match in _MONEY.finditer(sentence)
        if _PRINCIPAL.match(sentence, match.end()) and (found := parse_money(match[0]))
    ]
    if not read or len({each.currency for each in read}) > 1:
        return None
    return SignalAmount(sum(each.amount for each in read), read[0].currency)


_PRINCIPAL: Final = re.compile(r"\s+(?:in\s+)?(?:aggregate\s+)?principal\s+amount\b", re.I)


def tell(
    item: Item, span: tuple[int, int], kind: SignalType, title: str, *, parties: Parties,
    planned: bool = False, amount: SignalAmount | None = None, confidence: float = 0.8, about: str = "",
) -> Telling:  # fmt: skip
    document = item.document
    quote = item.sentence(span)
    day = day_of(quote, said=item.said)
    named = mentions(quote, item.subject) or means_us(quote)
    return Telling(
        type=kind,
        title=title[:300],
        summary=plain(quote),
        quote=quote,
        source_kind="filing",
        source=source_of(document),
        document_id=document.document_id,
        start=span[0],
        end=span[1],
        published_at=document.published_at,
        occurred_at=noon(day) or document.published_at,
        planned=planned,
        confidence=round(confidence if named else confidence - 0.1, 3),
        parties=parties,
        amount=amount,
        about=about,
    )
