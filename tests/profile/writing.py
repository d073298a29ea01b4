"""A scripted author: it answers from the passages that it is shown, rightly or wrongly."""

import json
import re
from typing import Any

from sightline.profile.registry import PLANS
from tests.assistant.provider import Act, Call, Provider

_EVIDENCE = re.compile(r"<evidence>\n(.*)\n</evidence>", re.S)
_TYPES = ("STRENGTH", "WEAKNESS", "OPPORTUNITY", "THREAT")
_WHYS = ("Why change?", "Why now?", "Why us?")


def section_of(asked: dict[str, Any]) -> str:
    """The section that a request is for."""
    text = asked["messages"][0]["content"]
    return next(name for name, plan in PLANS.items() if plan.task in text)


def passages_of(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The evidence that a request shows."""
    user = next(m["content"] for m in asked["messages"] if m["role"] == "user")
    found = _EVIDENCE.search(user)
    assert found, user
    return [json.loads(line) for line in found[1].splitlines()]


def entry(passage: dict[str, Any], *, more: str = "", quote: str | None = None) -> dict[str, Any]:
    """A statement that says its passage's first sentence, and `more`."""
    said = quote or re.split(r"(?<=[.!?])\s", passage["text"])[0]
    words = [word.strip(".,’'").lower() for word in said.split()[1:] if word.isalpha()]
    name = "What it says on " + " ".join(words[:3])
    sources = [{"id": passage["id"], "quote": said}]
    return {"name": name, "description": f"{said}{more}", "sources": sources}


def answer(asked: dict[str, Any], *, more: str = "") -> dict[str, Any]:
    """A whole answer; with `more` no statement of it is proven."""
    section, shown = section_of(asked), passages_of(asked)
    entries = [entry(each, more=more) for each in shown]
    sentences = [{"text": e["description"], "sources": e["sources"]} for e in entries]
    if section == "overview":
        return {"sentences": sentences[:3]}
    if section == "custom_insights":
        return {"answers": [{"question": "Q1", "sentences": sentences[:2]}]}
    extras: dict[str, dict[str, list[str]]] = {
        "swot_analysis": {"type": list(_TYPES)},
        "value_pyramid": {"level": ["Challenge", "Initiative"]},
        "three_whys": {"question": list(_WHYS)},
    }
    for number, each in enumerate(entries):
        for field, values in extras.get(section, {}).items():
            each[field] = values[number % len(values)]
    return {"entries": entries}


def honest(asked: dict[str, Any]) -> Act:
    return Call(answer(asked))


def inventive(asked: dict[str, Any]) -> Act:
    """Everything true, and something invented with it."""
    return Call(answer(asked, more=" It made Osprey pay $99 million in Peru."))


def sections_asked(provider: Provider) -> list[str]:
    return [section_of(asked) for asked in provider.requests]
