"""Content composed from a company's profile: e-mails, call scripts, notes - out of what is proved.

The words between the evidence are a template's, the organization's own or one of the plain ones here;
everything said about the company is taken from its profile with its source. `content_written` has a
model write it from the same.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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

# The plain templates: used when the organization names none of its own.
DEFAULTS: dict[ContentType, tuple[str, str]] = {
    "email": (
        "{{company_name}}: an idea",
        "Hello {{ceo}},\n\nthis is what I read of {{company_name}}:\n\n"
        "{{three_whys}}\n\n{{strategic_priorities}}\n\n{{value_proposition}}\n\n"
        "Would a short conversation be useful?\n\n{{signature}}",
    ),
    "notes": (
        "Notes on {{company_name}}",
        "{{description}}\n\nPriorities\n{{strategic_priorities}}\n\nRisks\n{{risks}}\n\n"
        "Leadership\n{{key_executives}}",
    ),
    "call_script": (
        "Call with {{company_name}}",
        "Opening\nI read what {{company_name}} says about its plans:\n{{strategic_priorities}}\n\n"
        "Questions\n{{discovery_questions}}\n\nWhat we bring\n{{value_proposition}}",
    ),
    "document": (
        "{{company_name}}: account brief",
        "# {{company_name}}\n\n{{description}}\n\n## How they make money\n{{how_they_make_money}}\n\n"
        "## Priorities\n{{strategic_priorities}}\n\n## Goals\n{{goals}}\n\n## Digital\n"
        "{{digital_strategies}}\n\n## Risks\n{{risks}}\n\n## Competitors\n{{competitors}}\n\n"
        "## Leadership\n{{key_executives}}",
    ),
    "value_pyramid": ("Value pyramid for {{company_name}}", "{{value_pyramid}}"),
    "three_whys": ("Three whys for {{company_name}}", "{{three_whys}}"),
}


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
    title, body = DEFAULTS[content_type]
    used = template if template is not None else body
    asked = set(_PLACEHOLDER.findall(used))
    if asked & {*SECTIONS, "description"} and not any(
        values[name] for name in asked & {*SECTIONS, "description"}
    ):
        raise NothingToWriteOf("The company's profile holds nothing that this would be made of.")
    for name in sorted(asked & set(SECTIONS)):
        for item in json.loads(sections.get(name, "[]"))[:most]:
            sources += [each for each in item.get("sources", ()) if each not in sources]
    return Composed(_fill(title, values), _fill(used, values), tuple(sources))


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
