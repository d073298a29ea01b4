"""Facts in a job posting: level, department, technologies and skills."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from sightline.domain.job_text import skills_in
from sightline.domain.tables import toml_table
from sightline.domain.technologies import products
from sightline.domain.title_words import Department, Seniority
from sightline.domain.titles import read_title

_MOST_TEXT = 100_000  # characters


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
    text = f"{title}\n{description}"[:_MOST_TEXT]
    named = skills_in(text, own_names=own_names)
    known = products()
    return PostingReading(
        read.normalized_title or None,
        read.department,
        read.seniority,
        tuple(dict.fromkeys((*(mention.name for mention in named), *_crafts_in(text)))),
        tuple(mention.name for mention in named if mention.used and mention.name in known),
    )


@cache
def technology_categories() -> dict[str, str]:
    """The category of every technology that postings may name."""
    return {product.name: product.category for product in products().values()}


def _crafts_in(text: str) -> list[str]:
    pattern, name_of = _crafts()
    return list(dict.fromkeys(name_of[each] for each in pattern.findall(text.lower())))


@cache
def _crafts() -> tuple[re.Pattern[str], dict[str, str]]:
    """What finds the forms as whole words, the longest first, and the name of each form."""
    name_of = {
        form: name for name, forms in toml_table("crafts.toml")["crafts"].items() for form in forms
    }
    longest_first = sorted(name_of, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b"), name_of
