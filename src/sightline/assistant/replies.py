"""The schema of a model's reply, and which of its sentences are proven."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from pydantic import BaseModel, Field, ValidationError

from sightline.assistant.claims import Candidate, Sentence, candidate, marked
from sightline.assistant.contract import Listener
from sightline.assistant.shown import ShownSources
from sightline.llm.models import ModelConfig
from sightline.reading.orders import is_order
from sightline.reading.proof import Judged, verify
from sightline.reading.stated import fault, normalized
from sightline.reading.terms import terms

_MOST_SENTENCES: Final = 8
_ANSWERED: Final = '"fully", "partly", "no" or, of a question for advice, "advice".'
_OPEN: Final = (
    "The thing, period or place asked about that the sources do not give, in a few words of the question;"
    " never the whole question again; empty when nothing is open."
)
_LONGEST_OPEN: Final = 160  # characters
_ECHO: Final = 0.75  # of the question's words; who says more of them names no part of it


class _Reply(BaseModel):
    answered: str = Field(default="fully", description=_ANSWERED, max_length=20)
    left_open: str = Field(default="", description=_OPEN)

    @property
    def how_far(self) -> str:
        """How far the model says that it answered."""
        return self.answered.strip().casefold()


class LlmAnswer(_Reply):
    """The answer, sentence by sentence; none when the sources do not answer, or advice is asked for."""

    sentences: list[Sentence] = []


class PlanStep(BaseModel):
    action: str = Field(description="What to do, as one short imperative sentence.", max_length=300)
    reason: Sentence


class LlmPlan(_Reply):
    """The plan, step by step; none without evidence."""

    steps: list[PlanStep] = []


Output = LlmAnswer | LlmPlan


@dataclass
class Judge:
    """Which sentences of a reply are proven, by their places; the model may mend the others once."""

    config: ModelConfig
    listener: Listener
    shown: ShownSources
    names: Sequence[str]  # of the company, its own first
    question: str
    candidates: dict[int, Candidate] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    tokens: int = 0  # of the verifier
    _verdicts: dict[str, Judged] = field(default_factory=dict)  # by the mark of the claim

    @property
    def known(self) -> str:
        return "\n".join(self.names)

    async def verify(self) -> None:
        """Ask the verifier about the candidates; those that it refuses become faults."""
        if not self._verdicts:
            await self.listener.step("checking")
        marks = {place: each.claim.mark for place, each in self.candidates.items()}
        asked = {m: self.candidates[p].claim for p, m in marks.items() if m not in self._verdicts}
        verified = await verify(self.config, list(asked.values()))
        self._verdicts |= dict(zip(asked, verified.judged, strict=True))
        self.tokens += verified.tokens
        for place, mark in marks.items():
            if self._verdicts[mark].verdict != "supported":
                del self.candidates[place]
                self.faults.append(f"{place}: its quotes, where they stand, do not say all of it")

    def left_open(self, said: Output) -> str:
        """What the model says is open, where that names a part of the question and nothing beyond it."""
        words = normalized(said.left_open).rstrip(".?")[:_LONGEST_OPEN]
        stated = f"{self.question}\n{self.known}"
        asked = set(terms(self.question)) - set(terms(self.known))
        is_echo = len(asked & set(terms(words))) > _ECHO * len(asked)
        return "" if is_echo or is_order(words) or fault(words, stated) else words

    def read(self, said: Output) -> None:
        """Which sentences can go to the verifier."""
        self.candidates, self.faults = {}, []
        if isinstance(said, LlmPlan):
            pairs = [(step.reason, step.action) for step in said.steps]
        else:
            pairs = [(sentence, "") for sentence in said.sentences]
        if said.how_far in ("no", "advice"):
            pairs = []
        for number, (sentence, action) in enumerate(pairs[:_MOST_SENTENCES], start=1):
            found = candidate(
                sentence,
                self.shown,
                company=next(iter(self.names), ""),
                known=self.known,
                question=self.question,
                action=action,
            )
            if isinstance(found, str):
                self.faults.append(f"{number}: {found}")
            else:
                self.candidates[number] = found


def read_text(text: str, form: type[Output], shown: ShownSources) -> Output | None:
    """A reply without a call of the answer's tool: a JSON object in it, or sentences marked [S1]."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    while at >= 0:
        try:
            return form.model_validate(decoder.raw_decode(text, at)[0])
        except (ValueError, ValidationError, RecursionError):
            at = text.find("{", at + 1)
    sentences = marked(text, shown)
    return LlmAnswer(answered="partly", sentences=sentences) if sentences else None
