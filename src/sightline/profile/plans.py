"""What a model is asked for: the plan that the row of a section declares, and the types of answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel, Field

PROMPT_VERSION: Final = 15
"""Raised with every change of a prompt, a plan or an answer type: profiles are then written again."""


class Cited(BaseModel):
    id: str = Field(description="The id of a passage of evidence.")
    quote: str = Field(description="Words of that passage, exactly.")


class Entry(BaseModel):
    section: str = Field(description="The section that the statement stands in.")
    kind: str = Field(default="", description="Which of its kinds, in a section that has some.")
    name: str = Field(
        description="What is the case, in two to eight words in sentence case; a question where the"
        " section asks for one."
    )
    description: str = Field(description="One or two sentences.")
    sources: list[Cited]


class Entries(BaseModel):
    """A draft of all sections."""

    entries: list[Entry]


class Edit(BaseModel):
    # Lenient, so that one line of another shape does not void the others.
    id: str
    verdict: str = Field(json_schema_extra={"enum": ["useful", "noise", "misleading", "repeats"]})
    of: str = Field(default="", description="For `repeats`: the id of the statement that stays.")


class Edits(BaseModel):
    edits: list[Edit]


AHEAD: Final = 0
FRESH: Final = 15  # months, in which the newest annual figures fall
QUESTIONS: Final = "Q"
"""The kind of a statement that answers one of the organization's questions: "Q1"."""


def named(_: str, name: str) -> dict[str, str]:
    """The fields of a row beside its description, by its kind and name."""
    return {"name": name}


def nameless(*_: str) -> dict[str, str]:
    """Of a statement that is one sentence of a text."""
    return {}


@dataclass(frozen=True, slots=True)
class Plan:
    """How a section is written: at most so many statements, each of one of its `kinds` where it has some.
    What speaks of a time that was over `past_months` ago, or was said long ago, is left out. An editor judges
    an edited section beside all others. One for an offer needs an organization that says what it sells. Where
    kinds belong `together`, all statements stand or fall as one: with each of these kinds among them, and a
    time that one names."""

    task: str
    most: int = 5
    kinds: Sequence[str] = ()
    row: Callable[[str, str], dict[str, str]] = named
    past_months: int | None = None
    is_edited: bool = True
    is_for_offer: bool = False
    together: Sequence[str] = ()
