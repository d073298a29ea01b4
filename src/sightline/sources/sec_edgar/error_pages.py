"""Responses of sec.gov that are refusals, whatever their status.

The SEC answers 403, and sometimes 200, with a page that asks to declare the tool or to slow down;
its object store answers an XML error for what it does not have or does not show.
"""

import re

_LOOKED_AT = 20_000
_SPACE = re.compile(rb"\s+")
_REFUSALS: tuple[tuple[bytes, str], ...] = (
    (b"undeclared automated tool", "undeclared_tool"),
    (b"request rate threshold exceeded", "rate_exceeded"),
    (b"exceeded the sec\xe2\x80\x99s traffic limit", "rate_exceeded"),
    (b"exceeded the sec's traffic limit", "rate_exceeded"),
    (b"request rate has exceeded the sec", "rate_exceeded"),
    (b"<code>accessdenied</code>", "access_denied"),
    (b"<title>access denied</title>", "access_denied"),
    (b"<code>nosuchkey</code>", "not_found"),
    (b"<code>slowdown</code>", "rate_exceeded"),
    (b"sec.gov | file not found", "not_found"),
    (b"sec.gov | page not found", "not_found"),
    (b"<title>sec.gov | file unavailable", "unavailable"),
    (b"site is currently undergoing maintenance", "unavailable"),
)
# What such a page begins with; a filing may quote the same words further down.
_PAGE = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*<(?:\?xml|!doctype|html|head|title|error)", re.IGNORECASE
)
_FILING = re.compile(
    rb"<(?:SEC-DOCUMENT|SEC-HEADER|DOCUMENT|TYPE|ix:header|ownershipDocument|edgarSubmission)\b"
)


def is_sec_refusal(body: bytes) -> str | None:
    """Why an answer is not a document but a refusal; None for a document.

    `undeclared_tool` (send a User-Agent with a contact), `rate_exceeded` (wait ten minutes),
    `access_denied`, `not_found` or `unavailable`.
    """
    head = body[:_LOOKED_AT]
    if not _PAGE.match(head) or _FILING.search(head):
        return None
    plain = _SPACE.sub(b" ", head).lower()
    return next((reason for mark, reason in _REFUSALS if mark in plain), None)
