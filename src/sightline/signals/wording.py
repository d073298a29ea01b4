"""Titles of signals: who does what to whom, for how much, and whether it is done."""

from collections.abc import Sequence
from typing import Final

from sightline.domain.mentions import NamedCompany, SignalAmount, SignalParty
from sightline.domain.signals import KINDS, PartyRole, Realis, SignalType
from sightline.signals.contract import is_company, money

_BASES: Final = {"is": "be", "goes": "go", "has": "have"}
_SIBILANTS: Final = ("ches", "shes", "sses", "xes")
_MOST_NAMED: Final = 3


def title_of(
    type: SignalType,
    parties: Sequence[SignalParty],
    company: NamedCompany,
    *,
    realis: Realis,
    amount: SignalAmount | None,
) -> str:
    """A line that says who does what, with as many of the parties as are known."""
    kind = KINDS[type]
    firsts = _names(parties, kind.actor)
    seconds = _names(parties, kind.other) if kind.other and kind.other != kind.actor else []
    if kind.other == kind.actor:
        firsts, seconds = firsts[:1], firsts[1:]
    if kind.actor == "person" and not seconds:
        seconds = [company.name]
    if (firsts and seconds) or not kind.two_party:
        subjects, verb = firsts or [company.name], kind.verb
    elif firsts:
        subjects, verb = firsts, kind.alone
    else:
        subjects = seconds or [company.name]
        verb = (kind.passive if seconds else kind.unsure) or kind.alone
        seconds = []
    if realis == "planned":
        verb = f"{'is' if len(subjects) == 1 else 'are'} to {base(verb)}"
    elif realis == "possible":
        verb = f"may {base(verb)}"
    elif len(subjects) > 1:
        verb = f"are {verb.removeprefix('is ')}" if verb.startswith("is ") else base(verb)
    title = " ".join([_listed(subjects), verb, *([_listed(seconds)] if seconds else [])])
    office = next((each.title for each in parties if each.title and len(subjects) == 1), None)
    if office:
        title += f" ({office})"
    sum_ = money(amount)
    if not sum_ or not kind.two_party:
        return title
    return f"{title} for {sum_}" if seconds else f"{title} ({sum_})"


def base(verb: str) -> str:
    """The infinitive of a verb phrase in the third person: "acquires" gives "acquire"."""
    first, space, rest = verb.partition(" ")
    if first in _BASES:
        first = _BASES[first]
    elif first.endswith(_SIBILANTS):
        first = first[:-2]
    else:
        first = first.removesuffix("s")
    return f"{first}{space}{rest}"


def other_role(type: SignalType, role: PartyRole) -> PartyRole | None:
    """The role of the second party, seen from one role of a type."""
    kind = KINDS[type]
    return kind.other if role == kind.actor else kind.actor


def counterparties(parties: Sequence[SignalParty], company: NamedCompany) -> list[str]:
    """The names of the parties that are not the company."""
    return [each.name for each in parties if not is_company(each.name, company)]


def _names(parties: Sequence[SignalParty], role: PartyRole) -> list[str]:
    return [each.name for each in parties if each.role == role]


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - _MOST_NAMED} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
