"""schema.org JobPosting as postings, from JSON-LD or microdata in its JSON form."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

from sightline.domain.postings import ParsedPosting, PostingLocation, RemotePolicy, Salary
from sightline.reading.times import parse_time
from sightline.sources.json_ld import inner_nodes, kind_name, types_of
from sightline.sources.posting_build import build
from sightline.sources.posting_pay import salary_from_parts, salary_from_text
from sightline.sources.posting_places import location_from_parts, locations_from_text
from sightline.sources.posting_terms import employment_type
from sightline.sources.values import at, integer, markup, number, text


def job_postings_in(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object of type JobPosting in a JSON-LD value, inside graphs and lists too."""
    return (node for node in inner_nodes(value) if "JobPosting" in types_of(node))


def posting_from_ld(
    job: Mapping[str, Any], *, url: str, external_id: str | None = None
) -> ParsedPosting | None:
    """The posting that a JobPosting object describes. `url` is the page's, for one without its own."""
    address = urljoin(url, text(job, "url") or _first_text(job.get("@id")) or "") or url
    if not address.startswith("http"):
        address = url
    places = _locations(job)
    return build(
        external_id or _identifier(job) or address,
        text(job, "title") or text(job, "name"),
        address,
        locations=places,
        department=text(job, "employmentUnit", "name")
        or text(job, "department", "name")
        or _first_text(job.get("occupationalCategory"))
        or _first_text(job.get("industry"), limit=0),
        employment=employment_type(*_employment(job)),
        remote=_remote(job),
        salary=_salary(job),
        description=_description(job),
        language=_first_text(job.get("inLanguage")),
        posted_at=parse_time(_first_text(job.get("datePosted"))),
        updated_at=parse_time(_first_text(job.get("dateModified"))),
        openings=integer(job, "totalJobOpenings"),
        requisition_id=_identifier(job),
    )


def _many(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def _first_text(value: Any, *, limit: int = 1) -> str | None:
    found = [
        one for each in _many(value)[: limit or 0] if (one := text(each) or text(each, "name"))
    ]
    return found[0] if found else None


def _identifier(job: Mapping[str, Any]) -> str | None:
    for each in _many(job.get("identifier")):
        found = text(each, "value") or (text(each) if not isinstance(each, Mapping) else None)
        if found and not found.startswith("http"):
            return found
    return None


def _employment(job: Mapping[str, Any]) -> list[str]:
    words = [word for each in _many(job.get("employmentType")) for word in str(each).split(",")]
    full = [word for word in words if "full" in word.lower()]
    return full or words  # "FULL_TIME, PART_TIME" offers a full-time job


def _description(job: Mapping[str, Any]) -> str:
    parts = [markup(job, "description")]
    for name in (
        "responsibilities",
        "qualifications",
        "skills",
        "experienceRequirements",
        "jobBenefits",
    ):
        more = job.get(name)
        if isinstance(more, str) and more.strip() and more.strip()[:80] not in parts[0]:
            parts.append(f"<p>{more}</p>" if "<" not in more else more)
    return "\n".join(filter(None, parts))


def _remote(job: Mapping[str, Any]) -> RemotePolicy | None:
    kinds = {kind_name(kind).upper() for kind in _many(job.get("jobLocationType"))}
    if not kinds & {"TELECOMMUTE", "REMOTE"}:
        return "hybrid" if "HYBRID" in kinds else None
    return "remote"


def _locations(job: Mapping[str, Any]) -> list[PostingLocation]:
    found: list[PostingLocation] = []
    for place in _many(job.get("jobLocation")):
        if isinstance(place, str):
            found.extend(locations_from_text(place))
            continue
        for address in _many(at(place, "address")) or [place]:
            found.extend(_address(address, place))
    if not found:
        for area in _many(job.get("applicantLocationRequirements")):
            named = text(area, "name") or text(area)
            found.extend(locations_from_text(named))
    return found


def _address(address: Any, place: Any) -> list[PostingLocation]:
    if isinstance(address, str):
        return list(locations_from_text(address))
    country = at(address, "addressCountry")
    named = text(country) or text(country, "name") or text(country, "identifier")
    city, region = text(address, "addressLocality"), text(address, "addressRegion")
    if city and not region and not named and "," in city:
        return list(locations_from_text(city))
    given = location_from_parts(city, region, named)
    if given is not None:
        return [given]
    return list(locations_from_text(text(place, "name") or text(address, "name")))


def _salary(job: Mapping[str, Any]) -> Salary | None:
    for name in ("baseSalary", "estimatedSalary"):
        for pay in _many(job.get(name)):
            if isinstance(pay, str):
                found = salary_from_text(pay, about_pay=True)
            else:
                found = _amounts(pay, text(job, "salaryCurrency"))
            if found is not None:
                return found
    return None


def _amounts(pay: Any, currency: str | None) -> Salary | None:
    value = at(pay, "value")
    if isinstance(value, list):
        value = value[0] if value else None
    code = text(pay, "currency") or text(value, "currency") or currency
    period = text(value, "unitText") or text(pay, "unitText") or text(pay, "duration")
    if isinstance(value, Mapping):
        bounds, amount = value, number(value, "value")
    else:
        bounds, amount = pay, number(pay if value is None else value)
    low, high = number(bounds, "minValue"), number(bounds, "maxValue")
    return salary_from_parts(low or amount, high or amount, code, period)
