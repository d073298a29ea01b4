"""What a model is asked for: the types of plans and of answers; each section declares its own plan."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, Field

PROMPT_VERSION: Final = 4
"""Raised with every change of a prompt, a plan or an answer type: sections are then written again."""


class Cited(BaseModel):
    id: str = Field(description="The id of a passage of evidence.")
    quote: str = Field(description="Words of that passage, exactly.")


class Entry(BaseModel):
    name: str = Field(description="Two to eight words in sentence case.")
    description: str = Field(description="One or two sentences.")
    sources: list[Cited]

    def extra(self) -> dict[str, str]:
        """Fields beside name and description."""
        return {}


class SwotEntry(Entry):
    type: Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]

    def extra(self) -> dict[str, str]:
        return {"type": self.type}


class PyramidEntry(Entry):
    level: Literal[
        "Corporate objective", "Business strategy", "Initiative", "Challenge", "Our value"
    ]

    def extra(self) -> dict[str, str]:
        return {"level": self.level, "name": f"{self.level}: {self.name}"}


class Why(Entry):
    question: Literal["Why change?", "Why now?", "Why us?"]

    def extra(self) -> dict[str, str]:
        return {"name": self.question, "about": self.name}


class DiscoveryQuestion(Entry):
    name: str = Field(description="The question to ask, about what is quoted.")
    description: str = Field(description="What the company has said that it is about.")


class Sentence(BaseModel):
    text: str
    sources: list[Cited]


class Answer(BaseModel):
    question: str = Field(description="The id of the question.")
    sentences: list[Sentence] = Field(description="None when the passages do not answer.")


class Entries(BaseModel):
    entries: list[Entry]


class SwotEntries(BaseModel):
    entries: list[SwotEntry]


class Pyramid(BaseModel):
    entries: list[PyramidEntry]


class Whys(BaseModel):
    entries: list[Why]


class DiscoveryQuestions(BaseModel):
    entries: list[DiscoveryQuestion]


class Summary(BaseModel):
    sentences: list[Sentence]


class Answers(BaseModel):
    answers: list[Answer]


Output = Entries | SwotEntries | Pyramid | Whys | DiscoveryQuestions | Summary | Answers


AHEAD: Final = 0
FRESH: Final = 15  # months, in which the newest annual figures fall
VALUE: Final = ("goals", "strategic_priorities", "digital_strategies", "risks")
"""Sections whose passages show what a company wants and what stands in its way."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a section is written. `also` are sections whose passages the model sees too; what speaks of a
    time that was over `past_months` ago is left out."""

    task: str
    output: type[Output] = Entries
    most: int = 12
    also: Sequence[str] = ()
    past_months: int | None = None
