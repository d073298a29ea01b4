"""What a profile section declares: ONE row that API, console, documents and tests use.

A statement is an object with the reference's field names. Its `sources` hold the quotes that prove
it, at whatever depth it stands; the checker proves them and the writer prints them. One that a model
wrote has its name as `method`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from sightline.profile.evidence import Evidence
from sightline.profile.plans import Plan
from sightline.profile.seller import Seller
from sightline.profile.shapes import Statement as StatementShape

EXTRACTIVE: Final = "extractive"
SIGNALS: Final = "signals"
"""Among the kinds of a section: it is made of signals too."""
Statement = dict[str, Any]
SectionBody = list[Statement] | Statement
Built = Mapping[str, SectionBody]


def by_model(*_: object) -> list[Statement]:
    """The rows of a section that only a model writes."""
    return []


@dataclass(frozen=True, slots=True)
class Declared:
    """What a section is called and how it looks: `shape` is the type of its rows, None for a section
    that is one object. `plan` says how a model writes it; None where none does."""

    name: str
    title: str
    shape: type[BaseModel] | None = StatementShape
    plan: Plan | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Declared):
    """A section that is the same for every organization. `kinds` are the document kinds, and signals,
    that it reads: newer ones make it stale. It `holds` sentences of use that the head `section` gives one of
    these labels, the best first, at most so many."""

    kinds: tuple[str, ...]
    build: Callable[[Evidence], SectionBody]
    holds: tuple[str, ...] = ()
    most: int = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class OrganizationSection(Declared):
    """A section that also depends on the organization: its seller context and questions. The mapping
    holds the sections made before it, by name."""

    build: Callable[[Evidence, Built, Seller], Sequence[Statement]]
