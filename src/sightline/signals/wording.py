"""Sentences as titles of signals, and the parties that a type has."""

from collections.abc import Sequence
from typing import Final

from sightline.domain.mentions import NamedCompany, SignalParty
from sightline.domain.names import fold
from sightline.domain.signals import KINDS, PartyRole, SignalType
from sightline.reading.named import ITSELF, Span
from sightline.signals.contract import is_company

_FIRST_PERSON: Final = ("we", "us", "our", "ours")


def sentence_of(sentence: str, own: Sequence[Span], company: NamedCompany) -> str | None:
    """A sentence that names the company, with its name for "the company" and "it"; None where it says "we"
    or nothing. `own` is where it means the company."""
    for start, end in own:
        word = fold(sentence[start:end])
        before = sentence[:start].rstrip()
        if word in ITSELF and before.lower().endswith("the"):
            return f"{before[: -len('the')]}{company.name}{sentence[end:]}"
        if word == "it":
            return f"{sentence[:start]}{company.name}{sentence[end:]}"
        if word not in _FIRST_PERSON:
            return sentence
    return None


def other_role(type: SignalType, role: PartyRole) -> PartyRole | None:
    """The role of the second party, seen from one role of a type."""
    kind = KINDS[type]
    return kind.other if role == kind.actor else kind.actor


def counterparties(parties: Sequence[SignalParty], company: NamedCompany) -> list[str]:
    """The names of the parties that are not the company."""
    return [each.name for each in parties if not is_company(each.name, company)]
