"""What a model is asked for: one plan a section, with the type of its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, Field

PROMPT_VERSION: Final = 2
"""Raised with every change of a prompt, a plan or an answer type: sections are then written anew."""


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


@dataclass(frozen=True, slots=True)
class Plan:
    """How a section is written. `also` are sections whose passages the model sees too."""

    section: str
    task: str
    output: type[Output] = Entries
    most: int = 12
    also: Sequence[str] = ()


_SUMMARY: Final = (
    "Write a summary of two to four sentences: what the company does and for whom, where its revenue comes "
    "from, and what has changed of late."
)
_ANSWER: Final = (
    "Answer each of our questions from its passages, the answer first. To a question for yes or no "
    "begin with `Yes.`, `No.` or `Partly.`; give no answer where the passages only mention the matter."
)
_VALUE: Final = ("goals", "strategic_priorities", "digital_strategies", "risks")

PLANS: Final[dict[str, Plan]] = {
    plan.section: plan
    for plan in (
        Plan("overview", _SUMMARY, Summary, most=4),
        Plan(
            "swot_analysis",
            "Write its strengths, weaknesses, opportunities and threats: at most five of each, most weighty "
            "first. A threat comes from outside, a weakness is its own.",
            SwotEntries,
            most=20,
        ),
        Plan("strategic_priorities", "Write what it sets out to do: its strategic priorities."),
        Plan("digital_strategies", "Write what it does with software, data and automation."),
        Plan(
            "goals",
            "Write its goals: targets that it names, with figure and date if it gives them.",
        ),
        Plan("risks", "Write the risks that it names, each as what could happen and what to."),
        Plan("industry_insights", "Write what the passages say of its industry and market."),
        Plan("how_they_make_money", "Write how it earns its money."),
        Plan("how_they_lose_money", "Write where its money goes, or is lost."),
        Plan(
            "value_pyramid",
            "Write a value pyramid from its objectives down to its challenges, and under `Our value` what "
            "we add to one of them that calls for it, in our own words as they are given; nothing where "
            "none does.",
            Pyramid,
            most=16,
            also=_VALUE,
        ),
        Plan(
            "three_whys",
            "Answer the three whys for a seller, all about the one of our offerings that the passages call "
            "for most: why change (a problem that it has), why now (something dated, begun or planned), "
            "why us (what we bring to that problem, only in our own words). Leave out a why that nothing "
            "carries.",
            Whys,
            most=3,
            also=_VALUE,
        ),
        Plan(
            "discovery_questions",
            "Write open questions to ask in a first talk, each about something that the passages say and "
            "that one of our offerings could help with; name the matter itself, so that no other company "
            "could be asked the same.",
            DiscoveryQuestions,
            most=10,
            also=_VALUE,
        ),
        Plan("custom_insights", _ANSWER, Answers, most=4),
    )
}
