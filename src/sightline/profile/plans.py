"""What a model is asked for: the types of answers, and the plan that the row of a section declares."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, TypeVar

from pydantic import BaseModel, Field

from sightline.reading.stated import normalized

PROMPT_VERSION: Final = 6
"""Raised with every change of a prompt, a plan or an answer type: sections are then written again."""
_MOST_SENTENCES: Final = 4


class Cited(BaseModel):
    id: str = Field(description="The id of a passage of evidence.")
    quote: str = Field(description="Words of that passage, exactly.")


@dataclass(frozen=True, slots=True)
class Part:
    """One statement of an answer, whatever its type: its fields, and the id of the question it answers."""

    fields: dict[str, str]
    sources: Sequence[Cited]
    question: str | None = None


class Output(BaseModel):
    """An answer of a model."""

    def parts(self) -> Iterator[Part]:
        """Its statements, in order."""
        raise NotImplementedError


class Entry(BaseModel):
    name: str = Field(description="Two to eight words in sentence case.")
    description: str = Field(description="One or two sentences.")
    sources: list[Cited]

    def fields(self) -> dict[str, str]:
        return {"name": normalized(self.name)}


class SwotEntry(Entry):
    type: Literal["STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT"]

    def fields(self) -> dict[str, str]:
        return {**super().fields(), "type": self.type}


class PyramidEntry(Entry):
    level: Literal[
        "Corporate objective", "Business strategy", "Initiative", "Challenge", "Our value"
    ]

    def fields(self) -> dict[str, str]:
        return {"name": f"{self.level}: {normalized(self.name)}", "level": self.level}


class Why(Entry):
    question: Literal["Why change?", "Why now?", "Why us?"]

    def fields(self) -> dict[str, str]:
        return {"name": self.question, "about": normalized(self.name)}


class DiscoveryQuestion(Entry):
    name: str = Field(description="The question to ask, about what is quoted.")
    description: str = Field(description="What the company has said that it is about.")


T = TypeVar("T", bound=Entry)


class Entries(Output, Generic[T]):
    entries: list[T]

    def parts(self) -> Iterator[Part]:
        for each in self.entries:
            yield Part(each.fields() | {"description": normalized(each.description)}, each.sources)


class Sentence(BaseModel):
    text: str
    sources: list[Cited]


class Summary(Output):
    sentences: list[Sentence]

    def parts(self) -> Iterator[Part]:
        for each in self.sentences[:_MOST_SENTENCES]:
            yield Part({"description": normalized(each.text)}, each.sources)


class Answer(BaseModel):
    question: str = Field(description="The id of the question.")
    sentences: list[Sentence] = Field(description="None when the passages do not answer.")


class Answers(Output):
    answers: list[Answer]

    def parts(self) -> Iterator[Part]:
        for answer in self.answers:
            for each in answer.sentences[:_MOST_SENTENCES]:
                yield Part({"description": normalized(each.text)}, each.sources, answer.question)


AHEAD: Final = 0
FRESH: Final = 15  # months, in which the newest annual figures fall
VALUE: Final = ("goals", "strategic_priorities", "digital_strategies", "risks")
"""Sections whose passages show what a company wants and what stands in its way."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How a section is written. `also` are sections whose passages the model sees too; what speaks of a
    time that was over `past_months` ago is left out."""

    task: str
    output: type[Output] = Entries[Entry]
    most: int = 12
    also: Sequence[str] = ()
    past_months: int | None = None
