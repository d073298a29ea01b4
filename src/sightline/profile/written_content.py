"""Content that a model writes: every sentence of it is proven, those about the company by quotes of its
profile, the offer by the organization's own words. Greeting and closing are ours."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any, Final

from pydantic import BaseModel, Field

from sightline.llm.asking import ask
from sightline.llm.models import ModelConfig
from sightline.profile.content import SECTIONS, Composed
from sightline.profile.sentences import spaced
from sightline.profile.written_plans import Cited
from sightline.reading.proof import Claim, Quoted, claim_fault, harmless, own_words, stands, verify
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
    statements: list[ContentStatement]
    offer: str = Field(default="", max_length=800)


@dataclass(frozen=True, slots=True)
class _Shown:
    text: str
    source: Mapping[str, Any]

    def quoted(self, quote: str) -> Quoted:
        """A quote of it."""
        day = self.source.get("published_at")
        return Quoted(
            spaced(quote),
            self.text,
            self.source.get("title"),
            datetime.fromisoformat(day) if isinstance(day, str) else None,
        )


async def write_content(
    config: ModelConfig,
    content_type: ContentType,
    *,
    company: Mapping[str, Any],
    sections: Mapping[str, str],
    seller: Mapping[str, Any],
    setting: Mapping[str, Any] | None,
    brief: str = "",
) -> Composed | None:
    """Have a model write a text out of profile sections (JSON text with sources). `brief` is what the
    user asks for in their own words.

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
    if brief:
        prompt += f"\n\nWhat is asked for: {harmless(brief)}"
    said = await ask(
        config, WrittenContent, instructions=template, prompt=prompt, most_tokens=MOST_TOKENS
    )
    draft = _Draft(said.output, shown, ours, company=name, known=str(company.get("ceo") or ""))
    judged = (await verify(config, draft.claims)).judged
    supported = {
        claim.mark
        for claim, each in zip(draft.claims, judged, strict=True)
        if each.verdict == "supported"
    }
    greeting, closing = _courtesies(content_type, company, words["language"])
    return draft.composed(supported, greeting, closing, str(setting.get("signature") or ""))


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


class _Draft:
    """What a model wrote, as far as nothing of it is added to its quotes; `claims` are to be verified."""

    def __init__(
        self,
        said: WrittenContent,
        shown: Mapping[str, _Shown],
        ours: str,
        *,
        company: str,
        known: str,
    ) -> None:
        self._said = said
        self._company = company
        self._shown = shown
        own = own_words(ours)
        claimed = [(each, self._claim(each)) for each in said.statements]
        self._statements = [
            (each, claim)
            for each, claim in claimed
            if claim is not None and claim_fault(claim, known=known) is None
        ]
        quoted = dict.fromkeys(quote for _, claim in self._statements for quote in claim.quotes)
        all_quotes = (*quoted, own)
        self._title = Claim(spaced(said.title), all_quotes, company)
        self._offer = Claim(spaced(said.offer), all_quotes, company)
        rest = [each for each in (self._title, self._offer) if not claim_fault(each, known=known)]
        self.claims = [claim for _, claim in self._statements] + rest

    def composed(
        self, supported: set[str], greeting: str, closing: str, signature: str
    ) -> Composed | None:
        """The text of what is supported, by the marks of its claims; None when too little is."""
        kept = [each for each, claim in self._statements if claim.mark in supported]
        said = len(self._said.statements)
        if len(kept) < min(_LEAST_STATEMENTS, len(self._shown)) or 2 * len(kept) < said:
            return None
        sources: list[dict[str, Any]] = []
        for cited in (cited for each in kept for cited in each.sources):
            source = {**self._shown[cited.id].source, "quote": spaced(cited.quote)}
            if source not in sources:
                sources.append(source)
        title, offer = (
            claim.text if claim.mark in supported else "" for claim in (self._title, self._offer)
        )
        parts = [greeting, *_paragraphs(kept), offer, closing, signature]
        return Composed(title, "\n\n".join(part for part in parts if part), tuple(sources))

    def _claim(self, statement: ContentStatement) -> Claim | None:
        """What the verifier judges; None when a quote is not of what was shown."""
        quotes = []
        for each in statement.sources:
            shown = self._shown.get(each.id)
            if shown is None or not stands(each.quote, shown.text):
                return None
            quotes.append(shown.quoted(each.quote))
        text = "\n".join(part for part in (statement.heading, statement.text) if part)
        return Claim(text, tuple(quotes), self._company)


def _courtesies(
    content_type: ContentType, company: Mapping[str, Any], language: str
) -> tuple[str, str]:
    """The greeting and the closing of an e-mail in English; there are none in other languages."""
    if content_type != "email" or not language.casefold().startswith("en"):
        return "", ""
    ceo = company.get("ceo")
    return (f"Hello {ceo}," if ceo else "Hello,"), "Would a short conversation be useful?"


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
