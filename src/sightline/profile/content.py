"""Content from a company's profile: e-mails, call scripts, notes - out of what is proved.

The words between the evidence are a template's, the organization's own or one of the plain ones here;
everything said about the company is taken from its profile with its source. A model writes it from the same:
each of its sentences about the company is proven by quotes of the profile, the offer by the organization's
own words; greeting and closing are ours.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from itertools import chain, compress
from typing import Any, Final

from pydantic import BaseModel, Field

from sightline.llm.asking import ask
from sightline.llm.models import ModelConfig
from sightline.profile.material import (
    MOST_TOKENS,
    Passage,
    evidence_block,
    prompt_of,
    quoted_of,
)
from sightline.profile.plans import Cited
from sightline.reading.proof import Claim, claim_fault, harmless, own_words, verify
from sightline.reading.stated import normalized
from sightline.store.content import ContentType

# Sections that content is made of; placeholders of templates by the same names.
SECTIONS = (
    "strategic_priorities", "risks", "goals", "digital_strategies", "competitors", "key_executives",
    "value_pyramid", "three_whys", "discovery_questions", "how_they_make_money",
)  # fmt: skip
FIELDS = (
    "company_name", "website_domain", "industry", "hq_city", "hq_country_name", "ceo",
    "revenue_range", "employee_count_range", "description",
)  # fmt: skip
SELLER_FIELDS = ("seller_name", "offering", "value_proposition", "signature")
PLACEHOLDERS = (*FIELDS, *SELLER_FIELDS, *SECTIONS)
_PLACEHOLDER = re.compile(r"\{\{\s*([a-z_]+)\s*\}\}")
_ITEMS = {"short": 2, "medium": 4, "long": 8}

_LEAST_STATEMENTS: Final = 2
_PLAIN: Final = {"length": "short", "language": "en", "tone": "plain"}


class ContentStatement(BaseModel):
    text: str = Field(max_length=600)
    heading: str | None = Field(default=None, max_length=80)
    sources: list[Cited]


class WrittenContent(BaseModel):
    title: str = Field(max_length=150)
    statements: list[ContentStatement]
    offer: str = Field(default="", max_length=800)


class PlaceholderIsUnknown(ValueError):
    """A template names something that there is not."""


class NothingToWriteOf(ValueError):
    """The company's profile holds none of what the template asks for."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A text, and the sources of what it quotes."""

    title: str
    body: str
    sources: tuple[dict[str, Any], ...]


def check_template(text: str) -> None:
    """Raises PlaceholderIsUnknown."""
    for name in _PLACEHOLDER.findall(text):
        if name not in PLACEHOLDERS:
            raise PlaceholderIsUnknown(f"There is no {name!r}; known: {', '.join(PLACEHOLDERS)}.")


def compose(
    content_type: ContentType,
    *,
    company: Mapping[str, Any],
    sections: Mapping[str, str],
    seller: Mapping[str, Any],
    template: str | None,
    setting: Mapping[str, Any] | None,
) -> Composed:
    """Write a text. `company` is its record, `sections` the JSON text of profile sections with their
    sources, `seller` the organization's seller context. Raises NothingToWriteOf.

    A line whose placeholders have nothing to say is left out with its heading.
    """
    setting = setting or {}
    most = _ITEMS[setting.get("length", "short")]
    values: dict[str, str] = {name: str(company.get(name) or "") for name in FIELDS}
    values |= _seller_values(seller, setting)
    sources: list[dict[str, Any]] = []
    for name in SECTIONS:
        items = json.loads(sections.get(name, "[]"))[:most]
        values[name] = "\n".join(_line(item) for item in items)
    plain = templates()[content_type]
    used = template if template is not None else plain["body"]
    asked = set(_PLACEHOLDER.findall(used))
    if asked & {*SECTIONS, "description"} and not any(
        values[name] for name in asked & {*SECTIONS, "description"}
    ):
        raise NothingToWriteOf("The company's profile holds nothing that this would be made of.")
    for name in sorted(asked & set(SECTIONS)):
        sources += _sources(json.loads(sections.get(name, "[]"))[:most])
    return Composed(_fill(plain["title"], values), _fill(used, values), tuple(_once(sources)))


@cache
def templates() -> dict[str, dict[str, str]]:
    """What each type is called, and title and body where the organization has none of its own."""
    return tomllib.loads(files("sightline.profile").joinpath("templates.toml").read_text("utf-8"))


def _fill(text: str, values: Mapping[str, str]) -> str:
    """The text with its placeholders filled; blocks that say nothing are left out."""
    blocks = []
    for block in text.split("\n\n"):
        names = _PLACEHOLDER.findall(block)
        if names and not any(values[name] for name in names):
            continue
        filled = _PLACEHOLDER.sub(lambda found: values[found[1]], block)
        blocks.append(re.sub(r"[ \t]+(?=[,.!?\n])", "", filled).strip())
    return "\n\n".join(block for block in blocks if block)


def _line(item: Mapping[str, Any]) -> str:
    name = str(item.get("name") or "").strip()
    text = str(item.get("description") or item.get("title") or "").strip()
    day = item.get("date") or item.get("as_of")
    said = f"{name}: {text}" if name and text and not text.startswith(name) else text or name
    return f"- {said}" + (f" ({day})" if day else "")


def _seller_values(seller: Mapping[str, Any], setting: Mapping[str, Any]) -> dict[str, str]:
    offerings: Sequence[Mapping[str, Any]] = seller.get("offerings") or ()
    propositions: list[str] = list(seller.get("value_propositions") or ())
    for offering in offerings:
        propositions += offering.get("value_propositions") or ()
    return {
        "seller_name": str(seller.get("company_name") or ""),
        "offering": str(offerings[0].get("name") or "") if offerings else "",
        "value_proposition": propositions[0] if propositions else "",
        "signature": str(setting.get("signature") or seller.get("company_name") or ""),
    }


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
    given = {part: str(value) for part, value in (setting or {}).items() if value}
    shown, sources = _shown(sections, most=_ITEMS.get(given.get("length", ""), _ITEMS["short"]))
    if not shown:
        return None
    name, ceo = str(company.get("company_name") or "the company"), str(company.get("ceo") or "")
    words = {part: given.get(part, plain) for part, plain in _PLAIN.items()}
    words |= {"name": name, "kind": templates()[content_type]["form"]}
    ours = json.dumps(seller, ensure_ascii=False)
    said = await ask(
        config,
        WrittenContent,
        instructions=prompt_of("content.md", **words),
        prompt=_prompt(ours, ceo, shown, brief),
        most_tokens=MOST_TOKENS,
    )
    claims = _claims(said.output, shown, ours, name)
    supported = await _supported(config, claims, known=ceo)
    marks = [each.mark in supported for each in claims]
    kept = list(compress(said.output.statements, marks))
    if len(kept) < max(min(_LEAST_STATEMENTS, len(shown)), len(said.output.statements) / 2):
        return None
    cited = [
        sources[one.id] | {"quote": normalized(one.quote)} for each in kept for one in each.sources
    ]
    title, offer = (c.text * mark for c, mark in zip(claims[-2:], marks[-2:], strict=True))
    greeting, closing = _courtesies(content_type, ceo, words["language"])
    lines = [greeting, *_paragraphs(kept), offer, closing, given.get("signature", "")]
    return Composed(title, "\n\n".join(filter(None, lines)), tuple(_once(cited)))


def _claims(
    found: WrittenContent, shown: Mapping[str, Passage], ours: str, company: str
) -> list[Claim]:
    """The statements as claims, then title and offer, which the quotes of all may prove."""
    claims = [_claim(each, shown, company) for each in found.statements]
    quotes = (*dict.fromkeys(chain.from_iterable(c.quotes for c in claims)), own_words(ours))
    return [
        *claims,
        *(Claim(normalized(text), quotes, company) for text in (found.title, found.offer)),
    ]


def _prompt(ours: str, ceo: str, shown: Mapping[str, Passage], brief: str) -> str:
    parts = {
        "What we offer, in our own words:\n": harmless(ours),
        "To: ": ceo,
        "": evidence_block(shown),
        "What is asked for: ": harmless(brief),
    }
    return "\n\n".join(f"{head}{text}" for head, text in parts.items() if text)


async def _supported(config: ModelConfig, claims: Sequence[Claim], *, known: str) -> set[str]:
    """The marks of the claims that a verifier supports."""
    asked = [each for each in claims if claim_fault(each, known=known) is None]
    judged = (await verify(config, asked)).judged
    return {c.mark for c, v in zip(asked, judged, strict=True) if v.verdict == "supported"}


def _shown(
    sections: Mapping[str, str], *, most: int
) -> tuple[dict[str, Passage], dict[str, dict[str, Any]]]:
    """The quotes that prove the first statements of each section, and the source of each, by number."""
    shown: dict[str, Passage] = {}
    sources: dict[str, dict[str, Any]] = {}
    for name in SECTIONS:
        for source in _sources(json.loads(sections.get(name, "[]"))[:most]):
            text = normalized(str(source.get("quote") or ""))
            if text and all(text not in each.text for each in shown.values()):
                day = source.get("published_at")
                moment = datetime.fromisoformat(day) if isinstance(day, str) else None
                key = f"E{len(shown) + 1}"
                shown[key] = Passage(text, title=source.get("title"), day=moment)
                sources[key] = source
    return shown, sources


def _sources(items: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [source for item in items for source in item.get("sources") or ()]


def _once(sources: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [each for at, each in enumerate(sources) if each not in sources[:at]]


def _claim(statement: ContentStatement, shown: Mapping[str, Passage], company: str) -> Claim:
    """What the verifier judges; without a quote, which no claim stands without, where one is not of what
    was shown."""
    quoted = quoted_of(shown, statement.sources) or ()
    text = "\n".join(part for part in (statement.heading, statement.text) if part)
    return Claim(text, tuple(quoted), company)


def _courtesies(content_type: ContentType, ceo: str, language: str) -> tuple[str, str]:
    """The greeting and the closing of an e-mail in English; there are none in other languages."""
    if content_type != "email" or not language.casefold().startswith("en"):
        return "", ""
    return (f"Hello {ceo}," if ceo else "Hello,"), "Would a short conversation be useful?"


def _paragraphs(statements: Sequence[ContentStatement]) -> list[str]:
    """Statements that follow each other under one heading make one paragraph."""
    found: list[str] = []
    heading: str | None = None
    for each in statements:
        text, named = normalized(each.text), normalized(each.heading or "")
        if found and named == (heading or ""):
            found[-1] += f"\n- {text}" if named else f" {text}"
        else:
            found.append(f"{named}\n- {text}" if named else text)
        heading = named
    return found
