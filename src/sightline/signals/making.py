"""Builds mentions from sentences: parties with their roles, sums, dates and titles."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final

from sightline.domain.mentions import Mention, NamedCompany, SignalAmount, SignalParty, SourceKind
from sightline.domain.names import fold
from sightline.domain.signals import KINDS, Realis, SignalFamily, SignalType, family_of
from sightline.reading.money import sums_in
from sightline.reading.named import ITSELF, Span, named_in
from sightline.signals.contract import (
    LONGEST_TITLE,
    is_background,
    is_company,
    is_departure,
    name_keys,
    noon,
    person_key,
    plain,
    proof_in,
)
from sightline.signals.dating import month_of
from sightline.signals.definitions import Definitions
from sightline.signals.local_reader import Found, is_acted_on
from sightline.signals.names import (
    POSSESSIVE,
    Person,
    are_listed,
    companies_in,
    is_of_its_group,
    people_in,
)
from sightline.signals.units import OF_CONTROL, ONE_DEAL, Unit

# Items of current reports about one deal, whose parties the document defines.
_OF_PARTIES: Final = frozenset({"1.01", "1.02", "2.01"})
_LETTER: Final = re.compile(r"^\W*(?:Exhibit\s+)?16\.\d\b.*$", re.MULTILINE)
LEAST_AMOUNT: Final = 1_000.0  # smaller sums are prices of a share
_LONGEST_OF_MOVES: Final = 700  # of all who come and go by one announcement
# Sentences of an item behind the one that tells a deal, which may say its price.
_PRICED_WITHIN: Final = 3
_T = SignalType
# What is paid, raised, fined or saved; in other types a sum is not the event's.
_PRICED: Final = frozenset(
    {
        _T.RECEIVES_FINANCING, _T.GOES_PUBLIC, _T.INVESTS_INTO, _T.ACQUIRES, _T.MERGES_WITH,
        _T.SELLS_ASSETS_TO, _T.DIVESTS, _T.MATERIAL_AGREEMENT, _T.SIGNS_NEW_CLIENT, _T.COST_CUTTING,
        _T.REGULATORY_ACTION, _T.FILES_SUIT_AGAINST, _T.RECEIVES_AWARD, _T.HAS_ISSUES_WITH,
        _T.WRITES_DOWN, _T.PAYS_DIVIDEND, _T.DEFAULTS, _T.ENDS_AGREEMENT,
    }
)  # fmt: skip
# Second parties that sentences do not name as they name companies and authorities.
_UNNAMED: Final = ("business", "place", "attacker")
# Whose actor is named first, whatever words a sentence uses for what it does.
_TRADES: Final = frozenset({_T.ACQUIRES, _T.SELLS_ASSETS_TO})
_SIDED: Final = frozenset({*_TRADES, _T.INVESTS_INTO, _T.DIVESTS})
_FIRST_PERSON: Final = ("we", "us", "our", "ours")


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes mentions of one document for a company."""

    company: NamedCompany
    definitions: Definitions

    def mention(self, unit: Unit, found: Found) -> Mention:
        """What a sentence says as a mention. Free text has no parties but the company, and no sum or day that
        does not stand in the sentence."""
        quote = unit.document.text[slice(*found.span)]
        is_item = bool(unit.types)
        if is_item and found.type in _SIDED and unit.item not in OF_CONTROL:
            found = self._by_order(quote, found, unit)
        amount = self._amount(unit, found) if found.type in _PRICED else None
        day, precision = _when(unit, found, quote)
        own = (SignalParty(found.role, self.company.name),) if found.role else ()
        return mention_of(
            unit, found.span, self.company, type=found.type, realis=found.realis,
            confidence=found.confidence, amount=amount, day=day, precision=precision,
            parties=self._parties(quote, found, own[0], unit) if is_item and own else own,
            statement=in_its_name(quote, found.named, self.company),
        )  # fmt: skip

    def _amount(self, unit: Unit, found: Found) -> SignalAmount | None:
        """The sum of a sentence; of an item about one deal, of those behind it and those that say it too."""
        first = unit.spans.index(found.span)
        spans = [found.span]
        if unit.item in ONE_DEAL:
            spans += [*unit.spans[first + 1 : first + 1 + _PRICED_WITHIN], *found.also]
        sums = (amount_in(unit.document.text[slice(*span)]) for span in spans)
        return next((each for each in sums if each is not None), None)

    def _parties(
        self, quote: str, found: Found, own: SignalParty, unit: Unit
    ) -> tuple[SignalParty, ...]:
        """The company, and who is on the other side of an event of an item."""
        kind = KINDS[found.type]
        role = kind.other if own.role == kind.actor else kind.actor
        if role == "person":
            people = self._people(quote)
            return (own, *(SignalParty("person", each.name, each.office) for each in people))
        if role == "auditor":
            other = self._new_auditor(unit)
        else:
            only = self.definitions.only if unit.item in _OF_PARTIES else None
            other = self._other(quote) or only
        if other is None or role is None or role in _UNNAMED:
            return (own,)
        second = SignalParty(role, other)
        return (own, second) if own.role == kind.actor else (second, own)

    def _people(self, quote: str) -> list[Person]:
        """The people of a sentence that come or go: the one, or those that it lists, since who does which of
        others is not sure; no term that the document defines and no part of the company's name."""
        names = (self.company.name, *self.company.names)
        people = [
            each
            for each in people_in(quote)
            if self.definitions.resolve(each.name)
            and not named_in(each.name, names)
            and not is_of_its_group(each.name, self.company)
        ]
        return people if are_listed(quote, people) else []

    def _by_order(self, quote: str, found: Found, unit: Unit) -> Found:
        """A deal with the company's role by where it stands: before the others it acts, or is acted on in the
        passive. None where it stands behind them, or a sale is about as likely as a purchase."""
        own = named_in(quote, (self.company.name, *self.company.names), speaks=True)
        others = list(self._candidates(quote))
        if not own or not others:
            return found
        if own[0] > others[0]:
            return replace(found, role=None)
        if any(_is_owner(quote, span) for span in own if span > others[0]):
            is_deal = found.type in _TRADES and unit.item in ONE_DEAL  # over what it owns
            kept = replace(found, type=_T.SELLS_ASSETS_TO) if is_deal else found
            return replace(kept, role="seller" if is_deal else None)
        kind = KINDS[found.type]
        side = kind.other if is_acted_on(quote, own) else kind.actor
        return replace(found, role=None if found.is_torn else side)

    def _candidates(self, quote: str) -> dict[Span, str]:
        """The full names of those who may be a second party: whom the document defines, or who has a legal
        form, and does not belong to the company."""
        spans = {
            span: self.definitions.resolve(
                " ".join(quote[slice(*span)].removeprefix("The ").split())
            )
            for span in companies_in(quote, self.company)
        }
        return {
            span: name
            for span, name in spans.items()
            if name and self.definitions.knows(name) and not is_of_its_group(name, self.company)
        }

    def _other(self, quote: str) -> str | None:
        """The only name that may be a second party; None where there are several, or none."""
        names = set(self._candidates(quote).values())
        return names.pop() if len(names) == 1 else None

    def _new_auditor(self, unit: Unit) -> str | None:
        """The one firm of an item that is not the one that goes: the letter of exhibit 16 is from that one.
        None where there is no letter, or more than one other firm."""
        letters = [fold(match[0]) for match in _LETTER.finditer(unit.document.text)]
        firms = {
            self.definitions.resolve(text[slice(*span)]) or ""
            for text in unit.texts
            for span in companies_in(text, self.company)
            if self.definitions.knows(text[slice(*span)])
        }
        new = {each for each in firms if each and not any(fold(each) in line for line in letters)}
        return new.pop() if letters and len(new) == 1 else None


def _is_owner(sentence: str, span: Span) -> bool:
    """Whether a name stands as the owner of something: "the shares of Borealis", "Borealis's stores"."""
    before = sentence[: span[0]].removesuffix("the ").split()
    return sentence[slice(*span)].endswith(POSSESSIVE) or before[-1:] == ["of"]


def in_its_name(sentence: str, own: Sequence[Span], company: NamedCompany) -> str:
    """A sentence with the company's name for "the company" and "it"; as it is where it says "we" or nothing.
    `own` is where it means the company."""
    for start, end in own:
        word = fold(sentence[start:end])
        before = sentence[:start].rstrip()
        if word in ITSELF and before.lower().endswith("the"):
            return f"{before[: -len('the')]}{company.name}{sentence[end:]}"
        if word == "it":
            return f"{sentence[:start]}{company.name}{sentence[end:]}"
        if word not in _FIRST_PERSON:
            break
    return sentence


def mention_of(
    unit: Unit, span: Span, company: NamedCompany, *, type: SignalType, realis: Realis,
    confidence: float, parties: Sequence[SignalParty], amount: SignalAmount | None,
    day: date | None, statement: str, location: str | None = None, precision: str | None = None,
) -> Mention:  # fmt: skip
    """What a sentence says as a mention, read by heads or by a model. The `statement` of a model, or the
    sentence itself, is the title."""
    people = [each.name for each in parties if each.role == "person"]
    others = [each.name for each in parties if not is_company(each.name, company)]
    return Mention(
        type, plain(statement, longest=LONGEST_TITLE), plain(statement),
        **proof_in(unit.document, *span), source_kind=source_kind(unit), occurred_at=noon(day),
        realis=realis, confidence=confidence, parties=tuple(parties), amount=amount, location=location,
        details={"precision": precision} if precision else {},
        counterparty=person_key(people[0]) if people else name_keys(others),
    )  # fmt: skip


def amount_in(sentence: str) -> SignalAmount | None:
    """The largest sum of a sentence; prices of a share are not meant."""
    sums = [each for each in sums_in(sentence) if each.amount >= LEAST_AMOUNT]
    if not sums:
        return None
    largest = max(sums, key=lambda each: each.amount)
    return SignalAmount(largest.amount, largest.currency)


def source_kind(unit: Unit) -> SourceKind:
    """What a unit is shown as: filings and their exhibits, pages, news."""
    if unit.document.source == "sec_edgar":
        return "filing"
    return "web" if unit.document.kind == "page" else "news"


def _when(unit: Unit, found: Found, quote: str) -> tuple[date | None, str | None]:
    """The day that a sentence writes out, else the first of the month of what happened, and "month"; of an
    item else the day that it begins with, the one on the cover of its report, or the last one before."""
    happened = found.realis == "happened"
    if day := unit.day_in(quote):
        return day, None
    if happened and (month := month_of(quote, said=unit.said)):
        return month, "month"
    if unit.kind != "item":
        return None, None
    before = reversed(unit.texts[: unit.spans.index(found.span)])
    opening = unit.day_in(unit.texts[0]) or (unit.cover if happened else None)
    return opening or next(filter(None, map(unit.day_in, before)), None), None


def one_announcement(mentions: Sequence[Mention]) -> list[Mention]:
    """Mentions of one unit, with those who come on one day as one signal, and those who go as another: the
    first has the words and the people of all, the others are further proof of it. Who takes one office and
    leaves another one comes. Those of years before stay apart."""
    moves = [
        each
        for each in mentions
        if family_of(each.type) == SignalFamily.LEADERSHIP_MOVES and not is_background(each)
    ]
    days: dict[str, set[datetime]] = defaultdict(set)
    for each in moves:
        days[each.counterparty] |= {each.occurred_at} if each.occurred_at else set()
    # Whose day is not known comes or goes with the others, unless these have several.
    several = len({min(each) for each in days.values() if each}) > 1
    goes = _who_goes(moves)
    groups: dict[tuple[datetime | None, bool], list[Mention]] = defaultdict(list)
    for each in moves:
        # What names nobody says nothing new of those who only come, or only go.
        is_apart = not each.counterparty and len(set(goes.values())) > 1
        side = (
            is_departure(each.type) if is_apart else goes.get(each.counterparty, any(goes.values()))
        )
        groups[min(days[each.counterparty], default=None) if several else None, side].append(each)
    found = [each for group in groups.values() for each in _as_one(group)]
    return [*found, *(each for each in mentions if each not in moves)]


def _who_goes(moves: Sequence[Mention]) -> dict[str, bool]:
    """Whether each person of some moves goes and does not also come, by counterparty."""
    goes: dict[str, bool] = {}
    for each in moves:
        if each.counterparty:
            goes[each.counterparty] = is_departure(each.type) and goes.get(each.counterparty, True)
    return goes


def _as_one(moves: Sequence[Mention]) -> Sequence[Mention]:
    """Moves as one signal, of which each is proof."""
    if len(moves) < 2:
        return moves
    lead = max(moves, key=lambda each: (bool(each.counterparty), each.confidence))
    whole = _whole(lead, moves)
    further = [
        replace(whole, quote=each.quote, start=each.start, end=each.end, confidence=each.confidence)
        for each in moves
        if each is not lead
    ]
    return [whole, *further]


def _whole(lead: Mention, moves: Sequence[Mention]) -> Mention:
    """The lead with what all moves say. Those without a name say nothing that those with one do not."""
    named = [each for each in moves if each.counterparty]
    said: dict[tuple[str, str, str], str] = {}
    for each in named or moves:
        key = (each.type, each.realis, each.counterparty)
        said[key] = max(said.get(key, ""), each.title.rstrip("."), key=len)
    people = {each.name: each for move in moves for each in move.parties if each.role == "person"}
    own = [each for each in lead.parties if each.role != "person"]
    dated = [each for each in moves if each.occurred_at]
    first = min(dated, key=lambda each: str(each.occurred_at), default=lead)
    return replace(
        lead,
        title=plain("; ".join(said.values()), longest=_LONGEST_OF_MOVES),
        parties=(*own, *people.values()),
        summary=plain(" ".join(each.summary for each in moves), longest=_LONGEST_OF_MOVES),
        occurred_at=first.occurred_at,
        details=first.details,
        # What tells one announcement from another is its first person, not who is named later.
        counterparty=named[0].counterparty if named else "",
    )
