"""What a model leaves out of the events read in a document, and which of them are one event. Pure but
for the request.

An editor adds and changes nothing: an event that another one tells becomes further proof of that one.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, Field

from sightline.domain.mentions import Mention
from sightline.llm.asking import ModelDidNotAnswer, ask
from sightline.llm.models import ModelConfig
from sightline.reading.proof import harmless
from sightline.store.signals import StoredSignal

_MOST_TOKENS: Final = 4_000  # of an answer
_CHARACTERS_A_TOKEN: Final = 3
_FEWEST: Final = 2  # lines
_NEAR: Final = timedelta(days=60)  # of a document: the known events that it may tell again
_MOST_KNOWN: Final = 40
_WRITTEN: Final = {"month": 7, "year": 4}  # characters of a day that is no more precise
_JOINED: Final = ("repeats", "detail")
_DROPPED: Final = ("elsewhere", "idle")


class Edit(BaseModel):
    # Lenient, so that one line of another shape does not void the others.
    id: str
    verdict: str = Field(json_schema_extra={"enum": ["keep", *_JOINED, *_DROPPED]})
    of: str = Field(default="", description="For `repeats` and `detail`: the id of the other line.")


class Edits(BaseModel):
    edits: list[Edit]


@dataclass(frozen=True, slots=True)
class Desk:
    """What an editor is shown: events of a document, each with all its mentions, and known ones, by id."""

    events: Mapping[str, Sequence[Mention]]
    known: Mapping[str, StoredSignal]

    @property
    def is_worth_asking(self) -> bool:
        return bool(self.events) and len(self.events) + len(self.known) >= _FEWEST

    @property
    def tokens(self) -> int:
        """The most that editing takes, about."""
        return sum(map(len, self.request(""))) // _CHARACTERS_A_TOKEN + _MOST_TOKENS

    def request(self, name: str) -> tuple[str, str]:
        """Instructions and prompt."""
        place = files("sightline.signals").joinpath("prompts/edit.md")
        lines = [_line(key, each, _day(each.at)) for key, each in self.known.items()]
        for key, (first, *_) in self.events.items():
            lines.append(_line(key, first, _stated(first)) | {"realis": first.realis})
        shown = "\n".join(harmless(json.dumps(line, ensure_ascii=False)) for line in lines)
        instructions = place.read_text(encoding="utf-8").replace("{name}", harmless(name))
        return instructions, f"<evidence>\n{shown}\n</evidence>"

    def edited(self, edits: Edits) -> list[Mention]:
        """The mentions that are left. One that joins what is not there, or not kept, stays as it is."""
        given = {key: Edit(id=key, verdict="keep") for key in self.events}
        given |= {each.id: each for each in edits.edits if each.id in self.events}
        stays = [key for key, each in given.items() if each.verdict == "keep"]
        found: list[Mention] = []
        for key, mentions in self.events.items():
            verdict, of = given[key].verdict, given[key].of
            if verdict in _JOINED and of in stays:
                lead = self.events[of][0]
                found += [_further(lead, each) for each in mentions]
            elif verdict == "repeats" and of in self.known:
                signal_id = self.known[of].signal_id
                found += [replace(each, signal_id=signal_id) for each in mentions]
            elif verdict not in _DROPPED:
                found += mentions
        return found


async def edit(model: ModelConfig, desk: Desk, name: str) -> tuple[list[Mention], int]:
    """The mentions that an editor leaves, all where his answer cannot be read, and the tokens it took. Raises
    ModelDidNotAnswer."""
    instructions, prompt = desk.request(name)
    try:
        answered = await ask(
            model, Edits, instructions=instructions, prompt=prompt, most_tokens=_MOST_TOKENS
        )
    except ModelDidNotAnswer as error:
        if error.reason != "malformed":
            raise
        return desk.edited(Edits(edits=[])), desk.tokens
    return desk.edited(answered.output), answered.input_tokens + answered.output_tokens


def desk_of(mentions: Sequence[Mention], known: Sequence[StoredSignal], *, said: datetime) -> Desk:
    """The events of a document of the day `said`, and those that other documents report near it."""
    events: dict[tuple[str, str], list[Mention]] = {}
    for each in mentions:
        events.setdefault((each.type, each.title), []).append(each)
    document = mentions[0].document_id if mentions else None
    others = [
        (abs(each.at - said), each) for each in known if each.at and each.documents - {document}
    ]
    near = [each for away, each in sorted(others, key=lambda pair: pair[0]) if away <= _NEAR]
    return Desk(
        {f"E{n}": group for n, group in enumerate(events.values(), start=1)},
        {f"K{n}": each for n, each in enumerate(near[:_MOST_KNOWN], start=1)},
    )


def _further(lead: Mention, mention: Mention) -> Mention:
    """A mention as further proof of what another one tells."""
    sure = min(mention.confidence, lead.confidence)
    return replace(lead, quote=mention.quote, start=mention.start, end=mention.end, confidence=sure)


def _line(id: str, said: Mention | StoredSignal, day: str | None) -> dict[str, Any]:
    return {"id": id, "type": said.type, "text": said.title} | ({"day": day} if day else {})


def _stated(mention: Mention) -> str | None:
    """The day, month or year that the words of a mention give; None where they give none."""
    day = _day(mention.occurred_at)
    return day and day[: _WRITTEN.get(str(mention.details.get("precision")))]


def _day(moment: datetime | None) -> str | None:
    return f"{moment:%Y-%m-%d}" if moment else None
