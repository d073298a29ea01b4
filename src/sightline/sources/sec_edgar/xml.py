"""XML documents of EDGAR, alone or inside a full submission text."""

import re
from datetime import date

from lxml import etree

from sightline.reading.dates import iso_day

_DOCUMENT = re.compile(rb"<(ownershipDocument|edgarSubmission)\b.*?</\1\s*>", re.DOTALL)


def root_of(content: bytes, name: str) -> etree._Element | None:
    """The element `name` of an XML document or of a full submission text around it; None without.

    Broken XML is read as far as it goes. Entities are not resolved and nothing is fetched.
    """
    found = next((m[0] for m in _DOCUMENT.finditer(content) if m[1] == name.encode()), None)
    if found is None:
        # Cut off in the middle: what is there counts.
        start = content.find(b"<" + name.encode())
        if start < 0:
            return None
        found = content[start:]
    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        remove_comments=True,
        encoding="utf-8",
    )
    try:
        root = etree.fromstring(found, parser)
    except etree.XMLSyntaxError:
        return None
    return root if root is not None and root.tag == name else None


def text_of(element: etree._Element, path: str) -> str:
    """The text at a path, white space normalized; ownership forms wrap some in <value>."""
    found = element.find(path)
    if found is None:
        return ""
    value = found.find("value")
    holder = found if value is None else value
    return " ".join((holder.text or "").split())


def truth_of(element: etree._Element, path: str) -> bool:
    """A flag: "1" and "true" are both in use."""
    return text_of(element, path).lower() in {"1", "true", "y", "yes"}


def number_of(element: etree._Element, path: str) -> float | None:
    """A plain decimal number; None for none and for words."""
    try:
        return float(text_of(element, path).replace(",", ""))
    except ValueError:
        return None


def day_of(element: etree._Element, path: str) -> date | None:
    """A day, with or without a clock behind it."""
    return iso_day(text_of(element, path))
