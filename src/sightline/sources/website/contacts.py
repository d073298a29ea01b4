"""A company's phone numbers and email addresses, including obfuscated ones.

Only general mailboxes are taken (info@, sales@...): people's own are not the company's.
"""

import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

import phonenumbers
from lxml.html import HtmlElement
from phonenumbers import Leniency, PhoneNumberFormat, PhoneNumberMatcher

from sightline.domain.contacts import read_phone
from sightline.sources.json_ld import inner_nodes, texts_of
from sightline.sources.website.country import country_of_host
from sightline.sources.website.document import Line, Node, Page, vocabulary, words_pattern
from sightline.sources.website.findings import Findings
from sightline.sources.website.links import site_of

_EMAIL = re.compile(
    r"(?<![\w.+-])([a-z0-9][\w.+-]{0,63})@([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4})(?![\w-])",
    re.IGNORECASE,
)
_DISGUISED = re.compile(
    r"\s{0,2}[\[({]\s?(?:(at|@|ät|arroba|chez)|dot|punkt|point|punto|\.)\s?[\])}]\s{0,2}",
    re.IGNORECASE,
)
_PROTECTED = re.compile(r"/cdn-cgi/l/email-protection#([0-9a-f]{6,400})", re.IGNORECASE)
_PHONE_HINT = re.compile(r"(?:\+|\(?0|\d)[\d\s()./-]{6,}\d")
_MAX_LINE = 400
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp")


def find_emails(found: Findings) -> None:
    """General mailboxes, from structured data, mailto links, protected links and text."""
    site = site_of(found.page.url)
    for value in _stated(found, "email"):
        if read := _mailbox(value.removeprefix("mailto:"), site, 0.95):
            found.in_own("email", read[0], "email", read[1])
    for element, address in _linked(found.page):
        if read := _mailbox(address, site, 0.9):
            found.in_element("email", read[0], element, read[1])
    for line, address in _written(found.page):
        if read := _mailbox(address, site, 0.85):
            found.in_line("email", read[0], line, read[1])


def _stated(found: Findings, key: str) -> Iterator[str]:
    """What the organization's data have under a key, at any depth."""
    for node in inner_nodes(found.own.data) if found.own else ():
        yield from texts_of(node.get(key))


def _written(page: Page) -> Iterator[tuple[Line, str]]:
    for line in page.lines:
        if len(line.text) <= _MAX_LINE:
            text = _DISGUISED.sub(lambda sign: "@" if sign[1] else ".", line.text)
            yield from ((line, match[0]) for match in _EMAIL.finditer(text))


def _linked(page: Page) -> Iterator[tuple[HtmlElement, str]]:
    """Addresses of links to mail, as they are written and as Cloudflare hides them."""
    for anchor in page.anchors:
        if anchor.url.lower().startswith("mailto:"):
            yield anchor.element, unquote(html.unescape(anchor.url[7:])).partition("?")[0]
        elif code := _PROTECTED.search(anchor.element.get("href") or ""):
            yield anchor.element, decode_protected(code[1]) or ""
    protected = page.tree.xpath("//*[@data-cfemail]")[:50] if "data-cfemail" in page.html else []
    for element in protected:
        yield element, decode_protected(element.get("data-cfemail")) or ""


def decode_protected(code: str | None) -> str | None:
    """Cloudflare's disguise: the first byte is the key of the others."""
    try:
        raw = bytes.fromhex(code or "")
    except ValueError:
        return None
    plain = bytes(byte ^ raw[0] for byte in raw[1:])
    return plain.decode("utf-8", "replace") if len(raw) > 3 else None


def _mailbox(address: str, site: str, sure: float) -> tuple[str, float] | None:
    """A general mailbox and how surely it is the company's; None for any other address."""
    match = _EMAIL.fullmatch(address.strip().strip(".").lower())
    if match is None or match[2].endswith(_PICTURES) or not is_general(match[1]):
        return None
    # A mailbox elsewhere may be a platform's, an agency's or a partner's.
    return match[0], sure if site_of(f"https://{match[2]}/") == site else sure - 0.35


def is_general(mailbox: str) -> bool:
    """Whether a mailbox is a function's and not a person's."""
    names = vocabulary()["mailboxes"]["general"]
    plain = re.sub(r"[\d._+-]+", "-", mailbox.lower()).strip("-")
    return plain in names or plain.split("-")[0] in names


def find_phones(found: Findings) -> None:
    """The main telephone number in E.164; without a country code that of the address or domain."""
    nations = (address.country_code for address in found.addresses)
    region = next(filter(None, nations), None) or country_of_host(found.page.url)
    for value, sure in _structured_phones(found.own):
        found.in_own("phone", read_phone(value, region, assigned=True), "telephone", sure)
    short = [line for line in found.page.lines if len(line.text) <= _MAX_LINE]
    lines = [line for line in short if _PHONE_HINT.search(line.text)]
    fax = _fax_numbers(lines, region)
    _dialed_phones(fax, region, found)
    in_footer = any(line.region == "footer" for line in lines)
    if found.role in {"contact", "about", "home"} or in_footer:
        _written_phones(lines[:60], fax, region, found)


def _structured_phones(own: Node | None) -> Iterator[tuple[str, float]]:
    for node in inner_nodes(own.data) if own else ():
        for value in texts_of(node.get("telephone"))[:1]:
            yield value, 0.9 if own and node is own.data else 0.8


def _fax_numbers(lines: list[Line], region: str | None) -> set[str]:
    word = words_pattern("places", "fax")
    return {
        number
        for line in lines
        if word.search(line.text)
        for number, start in _numbers(line.text, region)
        if word.search(line.text[max(start - 25, 0) : start])
    }


def _dialed_phones(fax: set[str], region: str | None, found: Findings) -> None:
    for anchor in found.page.anchors:
        dialed = anchor.url[4:] if anchor.url.lower().startswith("tel:") else ""
        number = read_phone(unquote(dialed), region, assigned=True)
        if number and number not in fax:
            framed = anchor.region in {"footer", "header", "nav"} or found.role == "contact"
            found.in_element("phone", number, anchor.element, 0.75 if framed else 0.5)


def _written_phones(lines: list[Line], fax: set[str], region: str | None, found: Findings) -> None:
    for line in lines:
        labelled = words_pattern("places", "phone").search(line.text) is not None
        framed = found.role == "contact" or line.region == "footer"
        if not (labelled or framed):
            continue
        sure = 0.65 + 0.1 * (labelled and framed) - 0.15 * (not labelled)
        for number, _ in _numbers(line.text, region):
            if number not in fax:
                found.in_line("phone", number, line, sure)


def _numbers(text: str, region: str | None) -> list[tuple[str, int]]:
    matcher = PhoneNumberMatcher(
        text.replace("(0)", " "), region or "ZZ", leniency=Leniency.VALID, max_tries=20
    )
    return [
        (phonenumbers.format_number(match.number, PhoneNumberFormat.E164), match.start)
        for match in matcher
    ]
