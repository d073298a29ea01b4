"""Contact input as values that can be stored, and its errors."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from sightline.domain.casing import clean_text, tidy_name, title_words
from sightline.domain.contact_records import MOST_LISTED, Values
from sightline.domain.contacts import (
    MOST_NAME,
    read_company_page,
    read_email,
    read_name,
    read_phone,
    read_profile_url,
)
from sightline.domain.countries import country_from_text
from sightline.domain.names import fold
from sightline.domain.websites import domain_of

_LONGEST_LINE = 300
_LONGEST_TEXT = 4000
_YEARS = range(1900, 2101)
_MONTH = re.compile(r"(\d{4})-(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that cannot be used."""

    field: str
    message: str
    value: str


@dataclass
class ReadContact:
    """`values` are as stored. `domains` may be the employer's; `company_id` is as given."""

    values: Values = field(default_factory=dict)
    domains: list[str] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def says_who(self) -> bool:
        """Whether there is a name, an email address or a profile page."""
        return any(self.values.get(k) for k in ("full_name", "emails", "profile_network_url"))

    def fault(self, name: str, message: str, value: Any) -> None:
        self.faults.append(Fault(name, message, str(value)[:120]))


def read_contact(raw: Mapping[str, Any], *, default_country: str | None = None) -> ReadContact:
    """Read fields named as in the Contact object; `company` has name, domain and profile_network_id.

    `default_country` (ISO 3166-1 alpha-2) is for national phone numbers of people without a country.
    """
    read = ReadContact()
    _names(read, raw)
    if title := _line(raw.get("current_job_title")):
        read.values["current_job_title"] = title_words(title) if len(title) > 4 else title
    for name in ("headline", "location"):
        if text := _line(raw.get(name)):
            read.values[name] = text
    if summary := clean_text(str(raw.get("summary") or ""))[:_LONGEST_TEXT]:
        read.values["summary"] = summary
    _country(read, raw)
    _addresses(read, raw)
    _emails(read, raw)
    _phones(read, raw, default_country)
    skills = {fold(text): text for text in map(_line, _listed(raw.get("skills"))) if fold(text)}
    if skills:
        read.values["skills"] = list(skills.values())[:MOST_LISTED]
    _company(read, raw)
    _past(read, raw)
    return read


def _names(read: ReadContact, raw: Mapping[str, Any]) -> None:
    given, family = _line(raw.get("first_name")), _line(raw.get("last_name"))
    full = _line(raw.get("full_name")) or f"{given} {family}".strip()
    if not full:
        return
    if "@" in full or not any(map(str.isalpha, full)) or len(full) > MOST_NAME:
        read.fault("full_name", "Must be a person's name.", full)
        return
    name = read_name(full)
    if not name.full:
        read.fault("full_name", "Must be a person's name.", full)
        return
    read.values["full_name"] = name.full
    # Given apart, the parts are known; else they are taken from the whole.
    parts = (
        (tidy_name(given, all_caps_column=True), tidy_name(family, all_caps_column=True))
        if given or family
        else (name.given, name.family)
    )
    for field_name, part in zip(("first_name", "last_name"), parts, strict=True):
        if part:
            read.values[field_name] = part


def _country(read: ReadContact, raw: Mapping[str, Any]) -> None:
    text = _line(raw.get("country_code")) or _line(raw.get("country"))
    if not text:
        return
    found = country_from_text(text)
    if found is None:
        read.fault("country", "Must be a country.", text)
    else:
        read.values["country_code"] = found.alpha2


def _addresses(read: ReadContact, raw: Mapping[str, Any]) -> None:
    if text := _line(raw.get("profile_network_url")):
        page = read_profile_url(text)
        if page is None:
            read.fault("profile_network_url", "Must be a person's profile page.", text)
        else:
            read.values["profile_network_url"] = page
    if text := _line(raw.get("image_url")):
        parts = urlsplit(text) if len(text) <= 2000 else None
        if parts is None or parts.scheme not in ("http", "https") or not parts.netloc:
            read.fault("image_url", "Must be a URL.", text)
        else:
            read.values["image_url"] = text


def _emails(read: ReadContact, raw: Mapping[str, Any]) -> None:
    kept: dict[str, None] = {}
    for text in _listed(raw.get("emails")):
        address = read_email(text)
        if address is None:
            read.fault("emails", "Must be an email address.", text)
            continue
        kept[address.address] = None
        read.domains.append(address.domain)
    if kept:
        read.values["emails"] = list(kept)[:MOST_LISTED]


def _phones(read: ReadContact, raw: Mapping[str, Any], default_country: str | None) -> None:
    kept: dict[str, None] = {}
    country = read.values.get("country_code") or default_country
    for text in _listed(raw.get("phones")):
        number = read_phone(text, country)
        if number is None:
            hint = "" if country else "; a national number needs a country"
            read.fault("phones", f"Must be a phone number{hint}.", text)
        else:
            kept[number] = None
    if kept:
        read.values["phones"] = list(kept)[:MOST_LISTED]


def _company(read: ReadContact, raw: Mapping[str, Any]) -> None:
    given = raw.get("company") or {}
    name = tidy_name(_line(given.get("name")))
    page = _line(given.get("profile_network_id"))
    company = {"name": name} if name else {}
    if page:
        company["profile_network_id"] = read_company_page(page) or page
    if company:
        read.values["company"] = company
    if raw.get("company_id"):
        read.values["company_id"] = str(raw["company_id"])
    if text := _line(given.get("domain")):
        domain = domain_of(text)
        if domain is None:
            read.fault("company.domain", "Must be a company's domain.", text)
        else:
            read.domains.insert(0, domain)


def _past(read: ReadContact, raw: Mapping[str, Any]) -> None:
    """Experience and education as given."""
    for name, entry in (("experience", _job), ("education", _school)):
        given = enumerate(raw.get(name) or ())
        entries = [entry(read, f"{name}.{n}", each) for n, each in given]
        if found := [each for each in entries if each is not None]:
            read.values[name] = found[:MOST_LISTED]


def _job(read: ReadContact, place: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    job: dict[str, Any] = _lines(given, ("company", "title", "company_profile_network_id"))
    if given.get("company_id"):
        job["company_id"] = str(given["company_id"])
    if not job:
        read.fault(place, "Must name a company or a title.", "")
        return None
    job["location"] = _line(given.get("location")) or None
    for name in ("start_date", "end_date"):
        if stated := given.get(name):
            if (moment := _moment(stated)) is None:
                read.fault(f"{place}.{name}", "Must be a date.", stated)
            else:
                job[name] = moment
    job.setdefault("end_date", None)
    current = given.get("is_current")
    job["is_current"] = current if isinstance(current, bool) else job["end_date"] is None
    job["description"] = clean_text(str(given.get("description") or ""))[:_LONGEST_TEXT] or None
    return job


def _school(read: ReadContact, place: str, given: Mapping[str, Any]) -> dict[str, Any] | None:
    school: dict[str, Any] = {"field_of_study": None}
    school |= _lines(given, ("degree", "field_of_study", "school"))
    for name in ("start_year", "end_year"):
        year = given.get(name)
        if year is not None and year not in _YEARS:
            read.fault(f"{place}.{name}", "Must be a year.", year)
        elif year is not None:
            school[name] = year
    return school if any(school.get(k) for k in ("degree", "field_of_study", "school")) else None


def _lines(given: Mapping[str, Any], names: Sequence[str]) -> dict[str, str]:
    """The fields that say something, as one line each."""
    return {name: text for name in names if (text := _line(given.get(name)))}


def _line(value: Any) -> str:
    return clean_text(str(value))[:_LONGEST_LINE] if value is not None else ""


def _listed(value: Any) -> list[str]:
    if value is None:
        return []
    return [str(each) for each in ([value] if isinstance(value, str) else value) if each]


def _moment(value: Any) -> str | None:
    """A date or time as RFC 3339 UTC; a month is its first day."""
    text = value.isoformat() if isinstance(value, date) else str(value).strip()
    if found := _MONTH.fullmatch(text):
        text = f"{found[1]}-{int(found[2]):02}-01"
    elif len(text) == 4 and text.isdigit():
        text = f"{text}-01-01"
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=None).isoformat() + "Z"
