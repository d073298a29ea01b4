"""What a section of a profile is: a name, the evidence it reads, and statements with their quotes.

A statement is an object with the reference's field names. Its `sources` hold the quotes that prove
it, at whatever depth it stands; the checker proves them and the writer prints them. One that a model
wrote has its name as `method`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sightline.profile.evidence import Evidence
from sightline.profile.seller import Seller

EXTRACTIVE: Final = "extractive"
Statement = dict[str, Any]
SectionBody = list[Statement] | Statement


@dataclass(frozen=True, slots=True)
class Section:
    """A section that is the same for every organization. `kinds` are the document kinds that it
    reads: newer documents of these kinds make it stale."""

    name: str
    kinds: tuple[str, ...]
    build: Callable[[Evidence], SectionBody]


@dataclass(frozen=True, slots=True)
class OrganizationSection:
    """A section that also depends on the organization: its seller context and questions.
    `built` are the company's sections by name."""

    name: str
    build: Callable[[Evidence, Mapping[str, SectionBody], Seller], Sequence[Statement]]
