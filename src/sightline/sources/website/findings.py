"""Collects observations: each value of a field once, with its most certain mention."""

from dataclasses import dataclass, field, replace
from typing import Any

from lxml.html import HtmlElement

from sightline.domain.evidence import Observation
from sightline.domain.fields import FIELDS, member_key
from sightline.sources.website.document import Line, Node, Page, path_of
from sightline.sources.website.postal import Address

_MAX_QUOTE = 600


@dataclass(slots=True)
class Findings:
    """Keeps for each field, or member of a set, the observation of highest confidence.

    `own` is the organization of the page's structured data whose site it is; `role` and `language` are
    the page's; `addresses` are what was read of them so far.
    """

    page: Page
    own: Node | None
    role: str
    language: str | None
    addresses: list[Address] = field(default_factory=list)
    kept: dict[tuple[str, str], Observation] = field(default_factory=dict)

    def add(
        self, name: str, value: Any, *, method: str, confidence: float, quote: str | None = None,
        pointer: str | None = None,
    ) -> None:  # fmt: skip
        """Take a value with the place it was read; empty values are not taken."""
        if isinstance(value, str):
            value = " ".join(value.split())
        if isinstance(value, dict):
            value = {part: value.get(part) for part in FIELDS[name].parts}
            if not any(value.get(part) for part in FIELDS[name].key):
                return
        if value in (None, "", {}, []):
            return
        quote = quote[:_MAX_QUOTE] if quote else None
        made = Observation(name, value, method, confidence, quote=quote, pointer=pointer)
        key = (name, member_key(name, value))
        before = self.kept.get(key)
        if before is None or before.confidence < confidence:
            self.kept[key] = _completed(made, before)
        else:
            self.kept[key] = _completed(before, made)

    def in_line(
        self, name: str, value: Any, line: Line, confidence: float, *, method: str = "text"
    ) -> None:
        """Take a value that a line says: the line is the quote."""
        place = path_of(line.element)
        self.add(name, value, method=method, confidence=confidence, quote=line.text, pointer=place)

    def in_data(self, name: str, value: Any, node: Node, key: str, confidence: float) -> None:
        """Take a value that structured data give under a key."""
        place = f"{node.pointer}/{key}"
        self.add(name, value, method=node.method, confidence=confidence, pointer=place)

    def in_own(self, name: str, value: Any, key: str, confidence: float) -> None:
        """Take a value that the organization's own data give under a key."""
        if self.own is not None:
            self.in_data(name, value, self.own, key, confidence)

    def in_meta(self, name: str, value: Any, meta: str, confidence: float) -> None:
        """Take a value that a meta tag gives."""
        self.add(name, value, method="meta", confidence=confidence, pointer=f"meta[{meta}]")

    def in_element(
        self,
        name: str,
        value: Any,
        element: HtmlElement,
        confidence: float,
        *,
        method: str = "link",
    ) -> None:
        """Take a value that an element gives by its attributes."""
        self.add(name, value, method=method, confidence=confidence, pointer=path_of(element))

    def value(self, name: str) -> Any:
        """The value kept for a field with one value; None when there is none."""
        found = self.kept.get((name, ""))
        return found.value if found else None

    def observations(self, text: str) -> tuple[Observation, ...]:
        """All of them; a quote that the document's text does not hold gives way to the pointer."""
        squeezed = " ".join(text.split())
        return tuple(
            found
            if not found.quote or " ".join(found.quote.split()) in squeezed
            else replace(found, quote=None, pointer=found.pointer or "page")
            for found in self.kept.values()
        )


def _completed(made: Observation, other: Observation | None) -> Observation:
    """Fill the parts that are missing in an object from the other mention of the same thing."""
    if other is None or not isinstance(made.value, dict) or not isinstance(other.value, dict):
        return made
    value = {part: made.value.get(part) or other.value.get(part) for part in made.value}
    return replace(made, value=value)
