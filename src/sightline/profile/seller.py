"""An organization's seller context: what it sells, to whom, and its questions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID


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


def no_likeness(left: str, right: str) -> float:
    """Without an encoder nothing tells how alike texts are."""
    del left, right
    return 0.0


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
class Said:
    """Whole sentences of a document, verbatim."""

    document_id: UUID
    text: str


@dataclass(frozen=True, slots=True)
class Seller:
    """Everything of an organization that sections of a profile depend on. `likeness` is the cosine of two
    texts, `quotes` are what the documents say on each question, by its id."""

    company_name: str = ""
    offerings: tuple[Offering, ...] = ()
    value_propositions: tuple[str, ...] = ()
    personas: tuple[str, ...] = ()
    competitors: tuple[str, ...] = ()
    ideal_profile: IdealProfile = IdealProfile()
    questions: Sequence[Question] = ()
    likeness: Callable[[str, str], float] = field(default=no_likeness, repr=False, compare=False)
    quotes: Mapping[UUID, Sequence[Said]] = field(default_factory=dict, repr=False, compare=False)

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
    offerings = context.get("offerings") or ()
    return Seller(
        company_name=context.get("company_name") or "",
        offerings=tuple(
            Offering(
                row["name"],
                row.get("description") or "",
                _listed(row, "value_propositions"),
                _listed(row, "keywords"),
            )
            for row in offerings
        ),
        value_propositions=_listed(context, "value_propositions"),
        personas=_listed(context, "personas"),
        competitors=_listed(context, "competitors"),
        ideal_profile=IdealProfile(*(_listed(ideal, part.name) for part in fields(IdealProfile))),
    )


def _listed(row: Mapping[str, Any], part: str) -> tuple[str, ...]:
    return tuple(row.get(part) or ())
