"""Titles of signals: who did what to whom, for how much, and whether it is completed."""

from collections.abc import Sequence
from typing import Final

from sightline.domain.mentions import NamedCompany, SignalAmount, SignalParty
from sightline.domain.names import fold
from sightline.domain.signals import KINDS, PartyRole, Realis, SignalType
from sightline.reading.named import ITSELF, Span
from sightline.signals.contract import is_company, money

_BASES: Final = {"is": "be", "goes": "go", "has": "have"}
_SIBILANTS: Final = ("ches", "shes", "sses", "xes")
_MOST_NAMED: Final = 3
_FIRST_PERSON: Final = ("we", "us", "our", "ours")


def title_of(
    type: SignalType,
    parties: Sequence[SignalParty],
    company: NamedCompany,
    *,
    realis: Realis,
    amount: SignalAmount | None,
) -> str:
    """A line that says who does what to whom: of types with two parties where both are known."""
    kind = KINDS[type]
    subjects, objects = _names(parties, kind.actor), _names(parties, kind.other)
    if kind.other == kind.actor:
        subjects, objects = subjects[:1], subjects[1:]
    if kind.actor == "person" and not objects:
        objects = [company.name]
    subjects = subjects or [company.name]
    words = [_listed(subjects), _in_mood(kind.verb, realis, len(subjects))]
    title = " ".join([*words, *([_listed(objects)] if objects else [])])
    office = next((each.title for each in parties if each.title and len(subjects) == 1), None)
    if office:
        title += f" ({office})"
    sum_ = money(amount)
    return f"{title} for {sum_}" if sum_ and objects else title


def sentence_of(sentence: str, own: Sequence[Span], company: NamedCompany) -> str | None:
    """A sentence that names the company, with its name for "the company" and "it"; None where it says "we"
    or nothing. `own` is where it means the company."""
    for start, end in own:
        word = fold(sentence[start:end])
        if word in ITSELF:
            before = sentence[:start].rstrip()
            return f"{before[: -len('the')]}{company.name}{sentence[end:]}"
        if word == "it":
            return f"{sentence[:start]}{company.name}{sentence[end:]}"
        if word not in _FIRST_PERSON:
            return sentence
    return None


def _in_mood(verb: str, realis: Realis, subjects: int) -> str:
    """The verb as planned, possible, denied or done, for one subject or several."""
    if realis == "planned":
        return f"{'is' if subjects == 1 else 'are'} to {base(verb)}"
    if realis == "possible":
        return f"may {base(verb)}"
    if realis == "denied":
        return _denied(verb, subjects)
    if subjects == 1:
        return verb
    return f"are {verb.removeprefix('is ')}" if verb.startswith("is ") else base(verb)


def _denied(verb: str, subjects: int) -> str:
    if verb.startswith("is "):
        return f"{'is' if subjects == 1 else 'are'} not {verb.removeprefix('is ')}"
    return f"{'does' if subjects == 1 else 'do'} not {base(verb)}"


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


def _names(parties: Sequence[SignalParty], role: PartyRole | None) -> list[str]:
    return [each.name for each in parties if each.role == role]


def _listed(names: Sequence[str]) -> str:
    shown = list(names[:_MOST_NAMED])
    if len(names) > _MOST_NAMED:
        return f"{', '.join(shown)} and {len(names) - _MOST_NAMED} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"
