"""Hunter: email addresses at a domain, with the pages where they were seen.

An address that was neither seen on a page nor verified is a guess from the domain's pattern.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from sightline.enrich.contact_providers.contract import Employer, LeftOut, Person, Provider
from sightline.kit.fetch.answer import Request
from sightline.sources.contract import Manifest

_URL: Final = "https://api.hunter.io/v2/domain-search"
_MOST: Final = 100
_MOST_BYTES: Final = 5_000_000
_PEOPLE_A_CREDIT: Final = 10


def ask(key: str, employer: Employer, most: int, left_out: LeftOut) -> tuple[str, Request]:
    """Those with an address at the domain. It takes no exclusions."""
    del left_out
    query = urlencode({"domain": employer.domain, "type": "personal", "limit": most})
    headers = {"x-api-key": key, "accept": "application/json"}
    return f"{_URL}?{query}", Request("GET", headers, None, _MOST_BYTES)


def read(answer: Mapping[str, Any]) -> Sequence[Person]:
    data = answer.get("data") or {}
    return [_person(row, data.get("organization")) for row in data.get("emails") or ()]


def _person(row: Mapping[str, Any], employer: Any) -> Person:
    pages = [
        each.get("uri") for each in row.get("sources") or () if each.get("still_on_page", True)
    ]
    is_valid = (row.get("verification") or {}).get("status") == "valid"
    address = row.get("value")
    is_guessed = not pages and not is_valid
    raw = {
        "first_name": row.get("first_name"),
        "last_name": row.get("last_name"),
        "current_job_title": row.get("position"),
        "profile_network_url": row.get("linkedin"),
        "emails": [] if is_guessed or not address else [address],
        "company": {"name": employer},
    }
    guessed = [address] if is_guessed and address else []
    return Person(raw, guessed, next(iter(pages), None))


HUNTER: Final = Provider(
    Manifest(
        "hunter",
        "Hunter",
        "contacts",
        "Email addresses at a company's domain, with the pages where they were seen",
        "https://hunter.io/terms-of-service",
        ("full_name", "current_job_title", "profile_network_url", "emails", "company"),
        refresh_days=30,
        hosts={"api.hunter.io": 1},
        ignores_robots=True,
    ),
    price="one of your Hunter credits per ten people found",
    credits=lambda people: -(-people // _PEOPLE_A_CREDIT),
    ask=ask,
    read=read,
    most=_MOST,
)
