"""An organization's seller context: what it sells, to whom, its questions, and what a fact about a company
calls for of it."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID

from sightline.profile.evidence import Quote
from sightline.reading.tokens import stems


@dataclass(frozen=True, slots=True)
class Offering:
    """Something the organization sells."""

    name: str
    description: str = ""
    value_propositions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What it is, in the organization's own words."""
        return ". ".join(
            part for part in (self.name, self.description, *self.value_propositions) if part
        )


@dataclass(frozen=True, slots=True)
class IdealProfile:
    """What an ideal customer looks like; empty parts are not asked for."""

    industries: tuple[str, ...] = ()
    countries: tuple[str, ...] = ()
    employee_ranges: tuple[str, ...] = ()
    revenue_ranges: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question asked about every company."""

    question_id: UUID
    name: str
    question: str
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seller:
    """Everything of an organization that sections of a profile depend on. `quotes` are what the documents
    say that is nearest to each question, by its id; `answered` are the questions that they likely answer."""

    company_name: str = ""
    offerings: tuple[Offering, ...] = ()
    value_propositions: tuple[str, ...] = ()
    personas: tuple[str, ...] = ()
    ideal_profile: IdealProfile = IdealProfile()
    questions: Sequence[Question] = ()
    quotes: Mapping[UUID, Sequence[Quote]] = field(default_factory=dict, repr=False, compare=False)
    answered: Set[UUID] = field(default=frozenset(), repr=False, compare=False)

    @property
    def is_set(self) -> bool:
        """Whether the organization has said what it sells."""
        return bool(self.offerings or self.value_propositions)

    @property
    def words(self) -> str:
        """The organization's own words: what composed statements may say beside quotes."""
        offered = (
            f"{o.name} {o.description} {' '.join(o.value_propositions)}" for o in self.offerings
        )
        asked = (f"{q.name} {q.question}" for q in self.questions)
        return " ".join((self.company_name, *self.value_propositions, *offered, *asked))


def seller_of(context: Mapping[str, Any]) -> Seller:
    """The seller context as it is stored (JSON)."""
    ideal = context.get("ideal_profile") or {}
    listed = ("value_propositions", "keywords")
    offerings = [
        Offering(
            row["name"], row.get("description") or "", *(_listed(row, part) for part in listed)
        )
        for row in context.get("offerings") or ()
    ]
    return Seller(
        company_name=context.get("company_name") or "",
        offerings=tuple(offerings),
        value_propositions=_listed(context, "value_propositions"),
        personas=_listed(context, "personas"),
        ideal_profile=IdealProfile(*(_listed(ideal, part.name) for part in fields(IdealProfile))),
    )


def _listed(row: Mapping[str, Any], part: str) -> tuple[str, ...]:
    return tuple(row.get(part) or ())


def fit(offering: Offering, text: str) -> int:
    """How many of an offering's keywords a text has. That both come near to each other is no reason: most of
    what an encoder finds near does not call for the offering."""
    said = stems(text)
    keys = [tuple(stems(keyword)) for keyword in offering.keywords]
    return sum(_follows(key, said) for key in keys if key)


def most_called_for(seller: Seller, texts: Sequence[str]) -> tuple[Offering | None, list[int]]:
    """The offering that one of the texts calls for most, and how much each of them does; None where the
    seller has said nothing of what it sells."""
    fits = [[fit(each, text) for text in texts] for each in seller.offerings]
    pairs = zip(seller.offerings, fits, strict=True)
    return max(pairs, key=lambda pair: max(pair[1], default=0), default=(None, []))


def called_for(seller: Seller, text: str) -> Offering | None:
    """The offering that a text calls for most; None when it calls for none."""
    offering, fits = most_called_for(seller, [text])
    return offering if any(fits) else None


def _follows(key: tuple[str, ...], said: list[str]) -> bool:
    size = len(key)
    return any(tuple(said[at : at + size]) == key for at in range(len(said) - size + 1))
