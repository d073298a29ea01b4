"""Facts in a job posting: level, department, technologies and skills."""

from collections.abc import Collection
from dataclasses import dataclass

from sightline.domain.job_text import CRAFT, skills_in
from sightline.domain.technologies import products
from sightline.domain.title_words import Department, Seniority
from sightline.domain.titles import read_title


@dataclass(frozen=True, slots=True)
class PostingReading:
    """`technologies` are products and languages that the employer uses or wants people for, in the order
    of their first mention; `skills` are all that are named and, behind them, methods, standards and crafts.
    """

    normalized_title: str | None
    department: Department | None
    seniority: Seniority | None
    skills: tuple[str, ...]
    technologies: tuple[str, ...]


def read_posting(
    title: str, description: str, *, own_names: Collection[str] = ()
) -> PostingReading:
    """Read a posting's title and plain-text description.

    `own_names` are names of the employer: what it makes is no technology that it uses.
    """
    read = read_title(title)
    named = skills_in(f"{title}\n{description}", own_names=own_names)
    crafts_last = sorted(named, key=lambda mention: mention.category == CRAFT)
    return PostingReading(
        read.normalized_title or None,
        read.department,
        read.seniority,
        tuple(mention.name for mention in crafts_last),
        tuple(mention.name for mention in named if mention.used and mention.name in products()),
    )
