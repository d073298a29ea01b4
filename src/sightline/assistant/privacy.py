"""Hides people whom the organization suppressed, wherever their names appear."""

import re
from collections.abc import Sequence

from sightline.assistant.company_evidence import CompanyEvidence
from sightline.assistant.contract import Statement
from sightline.domain.contact_records import all_keys
from sightline.store.contact_book import read_book, suppressed_keys

_NAME_PART = re.compile(r"[^\W\d_][\w’'.-]*", re.U)
# Begins where nothing of an address stands before it: from each character of a long word it would take
# quadratic time.
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+\d[\d\s().-]{6,}\d")
_LONGEST_NAME = 4


async def without_suppressed(
    statements: Sequence[Statement], evidence: CompanyEvidence
) -> tuple[list[Statement], int]:
    """The statements that show no suppressed person, and how many were left out."""
    if not statements:
        return [], 0
    organization_id = evidence.caller.organization_id
    async with evidence.reading() as connection:
        book = await read_book(connection, organization_id)
    if book is None:
        return list(statements), 0
    companies = await evidence.names()
    keys = [_keys(each, companies) for each in statements]
    async with evidence.reading() as connection:
        hidden = await suppressed_keys(connection, organization_id, set().union(*keys), book=book)
    kept = [each for each, own in zip(statements, keys, strict=True) if not own & hidden]
    return kept, len(statements) - len(kept)


def _keys(statement: Statement, companies: Sequence[str]) -> set[str]:
    """All that a suppression could know the people of a statement by."""
    shown = "\n".join([statement.text, *(s.quote or "" for s in statement.sources)])
    keys = {"e:" + found.lower() for found in _EMAIL.findall(shown)}
    keys |= {"f:+" + "".join(filter(str.isdigit, found)) for found in _PHONE.findall(shown)}
    for name in _names(shown):
        for company in companies:
            keys.update(all_keys({"full_name": name, "company": {"name": company}}))
    return keys


def _names(text: str) -> set[str]:
    """Runs of two to four capitalised words."""
    found: set[str] = set()
    for line in text.splitlines():
        words = [*_NAME_PART.finditer(line)]
        for at in range(len(words)):
            run, end = "", words[at].start()
            for word in words[at : at + _LONGEST_NAME]:
                if not word[0][0].isupper() or line[end : word.start()].strip():
                    break
                if run:
                    found.add(f"{run} {word[0]}".strip(".,"))
                run, end = f"{run} {word[0]}".strip(), word.end()
    return found
