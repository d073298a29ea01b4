"""A scripted author: it drafts from the passages that it is shown, rightly or wrongly, and edits."""

import json
import re
from collections.abc import Callable
from typing import Any

from sightline.profile.plans import AHEAD
from sightline.profile.registry import PLANS
from tests.assistant.provider import Act, Call, Provider

_EVIDENCE = re.compile(r"<evidence>\n(.*)\n</evidence>", re.S)
_SECTION = re.compile(r"^- `(\w+)` \(at most", re.M)
_MANY = 5  # statements that it writes of a section


def system_of(asked: dict[str, Any]) -> str:
    return str(asked["messages"][0]["content"])


def is_edit(asked: dict[str, Any]) -> bool:
    """Whether a request is for the editor of a profile."""
    return "You edit the profile" in system_of(asked)


def is_mend(asked: dict[str, Any]) -> bool:
    """Whether a request is to say again what was not proven."""
    return "These statements of your draft" in str(asked["messages"][-1]["content"])


def refused_in(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The statements of a draft that are to be said again."""
    lines = str(asked["messages"][-1]["content"]).splitlines()
    return [json.loads(line) for line in lines if line.startswith('{"section"')]


def sections_in(asked: dict[str, Any]) -> list[str]:
    """The sections that a draft is asked for."""
    return _SECTION.findall(system_of(asked))


def passages_of(asked: dict[str, Any]) -> list[dict[str, Any]]:
    """The evidence that a request shows, or the statements that an editor is shown."""
    user = next(m["content"] for m in asked["messages"] if m["role"] == "user")
    found = _EVIDENCE.search(user)
    assert found, user
    return [json.loads(line) for line in found[1].splitlines()]


def entry(
    passage: dict[str, Any], *, section: str, more: str = "", kind: str = ""
) -> dict[str, Any]:
    """A statement that says its passage's first sentence, and `more`."""
    said = re.split(r"(?<=[.!?])\s", passage["text"])[0]
    words = [word.strip(".,’'").lower() for word in said.split()[1:] if word.isalpha()]
    name = "What it says on " + " ".join(words[:3])
    sources = [{"id": passage["id"], "quote": said}]
    return {
        "section": section,
        "kind": kind,
        "name": name,
        "description": f"{said}{more}",
        "sources": sources,
    }


def answer(asked: dict[str, Any], *, more: str = "") -> dict[str, Any]:
    """A whole draft, each passage in another section; with `more` no statement of it is proven."""
    names = sections_in(asked)
    count = dict.fromkeys(names, 0)
    entries = []
    for each in passages_of(asked):
        question = re.fullmatch("for (Q1)", each.get("note") or "")
        fit = [name for name in names if _fits(name, each["text"])]
        name = "custom_insights" if question else min(fit, key=count.__getitem__)
        if count[name] == _MANY:
            continue
        kinds = list(PLANS[name].kinds)
        kind = question[1] if question else kinds[count[name] % len(kinds)] if kinds else ""
        count[name] += 1
        entries.append(entry(each, section=name, more=more, kind=kind))
    return {"entries": entries}


def _fits(section: str, text: str) -> bool:
    """Whether a section other than answers may have a passage; a year that is over is no goal."""
    ahead = PLANS[section].past_months != AHEAD or not re.search(r"FY|20[12]\d", text)
    return ahead and section != "custom_insights"


def keeping(asked: dict[str, Any]) -> Call:
    """An editor to whom all is useful."""
    shown = passages_of(asked)
    return Call({"edits": [{"id": each["id"], "verdict": "useful"} for each in shown]})


def drafting(
    draft: Callable[[dict[str, Any]], Act], edit: Callable[[dict[str, Any]], Act] = keeping
) -> Callable[[dict[str, Any]], Act]:
    """A model that drafts and edits."""
    return lambda asked: edit(asked) if is_edit(asked) else draft(asked)


def honest(asked: dict[str, Any]) -> Act:
    return drafting(lambda each: Call(answer(each)))(asked)


def inventive(asked: dict[str, Any]) -> Act:
    """Everything true, and something invented with it."""
    return Call(answer(asked, more=" It made Osprey pay $99 million in Peru."))


def drafts_asked(provider: Provider) -> list[dict[str, Any]]:
    return [asked for asked in provider.requests if not (is_edit(asked) or is_mend(asked))]
