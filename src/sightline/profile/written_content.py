"""Content that a model writes: what it may say about the company is proven like a profile's statements."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, Field

from sightline.llm.asking import ask
from sightline.llm.models import ModelConfig
from sightline.profile import written_proof
from sightline.profile.content import SECTIONS, Composed
from sightline.profile.sentences import spaced
from sightline.profile.written import harmless
from sightline.profile.written_plans import Cited
from sightline.store.content import ContentType

MOST_TOKENS: Final = 3_000
_ITEMS: Final = {"short": 2, "medium": 4, "long": 8}
_LEAST_STATEMENTS: Final = 2
_FORMS: Final[dict[ContentType, str]] = {
    "email": "an e-mail", "notes": "notes before a talk", "call_script": "a script for a call",
    "document": "an account brief", "value_pyramid": "a value pyramid", "three_whys": "three whys",
}  # fmt: skip


class ContentStatement(BaseModel):
    text: str = Field(max_length=600)
    heading: str | None = Field(default=None, max_length=80)
    sources: list[Cited]


class WrittenContent(BaseModel):
    title: str = Field(max_length=150)
    opening: str = Field(default="", max_length=300)
    statements: list[ContentStatement]
    offer: str = Field(default="", max_length=800)
    closing: str = Field(default="", max_length=300)


@dataclass(frozen=True, slots=True)
class _Shown:
    text: str
    source: Mapping[str, Any]


async def write_content(
    config: ModelConfig,
    content_type: ContentType,
    *,
    company: Mapping[str, Any],
    sections: Mapping[str, str],
    seller: Mapping[str, Any],
    setting: Mapping[str, Any] | None,
) -> Composed | None:
    """Have a model write a text out of profile sections (JSON text with sources).

    None when too little of what it says can be proven. Raises ModelDidNotAnswer.
    """
    setting = setting or {}
    length = str(setting.get("length") or "short")
    shown = _shown(sections, most=_ITEMS.get(length, _ITEMS["short"]))
    if not shown:
        return None
    name = str(company.get("company_name") or "the company")
    words = {
        "name": name, "kind": _FORMS[content_type], "length": length,
        "language": str(setting.get("language") or "en"), "tone": str(setting.get("tone") or "plain"),
    }  # fmt: skip
    template = files("sightline.profile").joinpath("prompts/content.md").read_text(encoding="utf-8")
    for key, value in words.items():
        template = template.replace(f"{{{key}}}", value)
    ours = json.dumps(seller, ensure_ascii=False)
    lines = [
        json.dumps({"id": key, "text": s.text}, ensure_ascii=False) for key, s in shown.items()
    ]
    reader = f"To: {company['ceo']}\n\n" if company.get("ceo") else ""
    prompt = (
        f"What we offer, in our own words:\n{harmless(ours)}\n\n{reader}<evidence>\n"
        + "\n".join(map(harmless, lines))
        + "\n</evidence>"
    )
    said = await ask(
        config, WrittenContent, instructions=template, prompt=prompt, most_tokens=MOST_TOKENS
    )
    known = f"{name} {company.get('ceo') or ''}"
    return _proven(said.output, shown, known=known, ours=ours, setting=setting)


def _shown(sections: Mapping[str, str], *, most: int) -> dict[str, _Shown]:
    """The quotes that prove the first statements of each section, numbered."""
    found: dict[str, _Shown] = {}
    for name in SECTIONS:
        for item in json.loads(sections.get(name, "[]"))[:most]:
            for source in item.get("sources") or ():
                text = spaced(str(source.get("quote") or ""))
                if text and all(text not in each.text for each in found.values()):
                    found[f"E{len(found) + 1}"] = _Shown(text, source)
    return found


def _proven(
    said: WrittenContent,
    shown: Mapping[str, _Shown],
    *,
    known: str,
    ours: str,
    setting: Mapping[str, Any],
) -> Composed | None:
    """The text without what is not proven; None when too little is left."""
    kept: list[ContentStatement] = []
    sources: list[dict[str, Any]] = []
    for each in said.statements:
        proof = _quotes(each.sources, shown)
        if not proof or written_proof.fault(each.text, "\n".join(proof), known=known):
            continue
        kept.append(each)
        cited = [(shown[c.id].source, spaced(c.quote)) for c in each.sources]
        sources += [s for of, quote in cited if (s := {**of, "quote": quote}) not in sources]
    if len(kept) < min(_LEAST_STATEMENTS, len(shown)) or 2 * len(kept) < len(said.statements):
        return None

    def own(text: str) -> str:
        """What is not about the company may only hold names and figures of ours."""
        text = spaced(text)
        return "" if written_proof.fault(text, ours, known=known, is_ordinary=str.isalpha) else text

    parts = [own(said.opening), *_paragraphs(kept), own(said.offer), own(said.closing)]
    body = "\n\n".join(part for part in [*parts, str(setting.get("signature") or "")] if part)
    quoted = "\n".join(str(source["quote"]) for source in sources)
    title = spaced(said.title)
    if written_proof.fault(title, quoted, known=f"{known} {ours}", is_ordinary=str.isalpha):
        title = ""
    return Composed(title, body, tuple(sources))


def _quotes(cited: Sequence[Cited], shown: Mapping[str, _Shown]) -> list[str] | None:
    """The quotes; None when one is not of what was shown."""
    found = []
    for each in cited:
        quote = spaced(each.quote)
        if each.id not in shown or len(quote) < 2 or quote not in shown[each.id].text:
            return None
        found.append(quote)
    return found


def _paragraphs(statements: Sequence[ContentStatement]) -> list[str]:
    """Statements that follow each other under one heading make one paragraph."""
    found: list[str] = []
    heading: str | None = None
    for each in statements:
        text, named = spaced(each.text), spaced(each.heading or "")
        if found and named == (heading or ""):
            found[-1] += f"\n- {text}" if named else f" {text}"
        else:
            found.append(f"{named}\n- {text}" if named else text)
        heading = named
    return found
