"""What an organization sells, to whom and with which questions: its seller context."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Offering:
    """Something the organization sells."""

    name: str
    description: str = ""
    value_propositions: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


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
class TerritoryScore:
    """The score that a company has in a territory of the organization."""

    territory_id: str
    name: str
    score: float | None
    why: object


@dataclass(frozen=True, slots=True)
class Seller:
    """Everything of an organization that its sections of a profile depend on."""

    company_name: str = ""
    offerings: tuple[Offering, ...] = ()
    value_propositions: tuple[str, ...] = ()
    personas: tuple[str, ...] = ()
    competitors: tuple[str, ...] = ()
    ideal_profile: IdealProfile = IdealProfile()
    questions: Sequence[Question] = ()
    territories: Sequence[TerritoryScore] = ()

    @property
    def is_set(self) -> bool:
        """Whether the organization has said what it sells."""
        return bool(self.offerings or self.value_propositions)
