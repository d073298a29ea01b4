"""People Data Labs: people who work at a company, with experience, education and skills.

Private addresses and telephone numbers are not taken, though it has them.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sightline.enrich.contact_providers.contract import Employer, LeftOut, Person, Provider
from sightline.kit.fetch.answer import Request
from sightline.sources.contract import Manifest

_URL: Final = "https://api.peopledatalabs.com/v5/person/search"
_MOST: Final = 100
_MOST_BYTES: Final = 10_000_000


def ask(key: str, employer: Employer, most: int, left_out: LeftOut) -> tuple[str, Request]:
    """Current employees, leaders first by its own order; people who are left out are not charged."""
    must = [{"term": {"job_company_website": employer.domain}}]
    pages = [url.removeprefix("https://www.") for url in left_out.profiles]
    fields = {"work_email": left_out.emails, "linkedin_url": pages}
    must_not = [{"terms": {name: list(values)}} for name, values in fields.items() if values]
    query = {"bool": {"must": must, "must_not": must_not}}
    body = {"query": query, "size": most, "dataset": "resume", "titlecase": True}
    headers = {
        "x-api-key": key,
        "content-type": "application/json",
        "accept": "application/json",
    }
    return _URL, Request("POST", headers, json.dumps(body).encode(), _MOST_BYTES)


def read(answer: Mapping[str, Any]) -> Sequence[Person]:
    return [_person(row) for row in answer.get("data") or ()]


def _person(row: Mapping[str, Any]) -> Person:
    listed = [
        each.get("address")
        for each in _rows(row.get("emails"))
        if each.get("type") == "current_professional"
    ]
    # Without the plan for it, a field is true instead of its value.
    addresses = [each for each in (row.get("work_email"), *listed) if isinstance(each, str)]
    raw: dict[str, Any] = {
        name: _text(row.get(theirs))
        for name, theirs in (
            ("full_name", "full_name"),
            ("first_name", "first_name"),
            ("last_name", "last_name"),
            ("current_job_title", "job_title"),
            ("headline", "headline"),
            ("summary", "summary"),
            ("location", "location_name"),
            ("country", "location_country"),
            ("profile_network_url", "linkedin_url"),
        )
    }
    raw["emails"] = list(dict.fromkeys(addresses))
    raw["skills"] = [each for each in row.get("skills") or () if isinstance(each, str)]
    raw["company"] = {"name": _text(row.get("job_company_name"))}
    raw["experience"] = [_job(each) for each in _rows(row.get("experience"))]
    raw["education"] = [_school(each) for each in _rows(row.get("education"))]
    return Person(raw, key=_text(row.get("id")))


def _job(row: Mapping[str, Any]) -> dict[str, Any]:
    company, title = row.get("company") or {}, row.get("title") or {}
    return {
        "company": _text(company.get("name")),
        "company_profile_network_id": _text(company.get("linkedin_url")),
        "title": _text(title.get("name")),
        "location": next((each for each in row.get("location_names") or ()), None),
        "start_date": _text(row.get("start_date")),
        "end_date": _text(row.get("end_date")),
        "is_current": bool(row.get("is_primary")) and not row.get("end_date"),
        "description": _text(row.get("summary")),
    }


def _school(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "school": _text((row.get("school") or {}).get("name")),
        "degree": next(iter(row.get("degrees") or ()), None),
        "field_of_study": next(iter(row.get("majors") or ()), None),
        "start_year": _year(row.get("start_date")),
        "end_year": _year(row.get("end_date")),
    }


def _rows(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list; a list that the plan does not have is true."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _year(value: Any) -> int | None:
    text = str(value or "")[:4]
    return int(text) if text.isdecimal() else None


PEOPLE_DATA_LABS: Final = Provider(
    Manifest(
        "people_data_labs",
        "People Data Labs",
        "contacts",
        "People who work at a company, with titles, experience, education and skills",
        "https://www.peopledatalabs.com/legal/terms",
        ("full_name", "current_job_title", "headline", "summary", "location", "country_code",
         "profile_network_url", "emails", "skills", "experience", "education", "company"),
        refresh_days=30,
        hosts={"api.peopledatalabs.com": 0.16},  # ten requests a minute
        ignores_robots=True,
    ),
    price="one of your People Data Labs credits per person found",
    credits=lambda people: people,
    ask=ask,
    read=read,
    most=_MOST,
    leaves_out=True,
)  # fmt: skip
