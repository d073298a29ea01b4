"""The contact record: its response, its identity keys, and its search terms."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from sightline.domain.contacts import person_key, read_email
from sightline.domain.countries import country_name
from sightline.domain.names import fold, name_key
from sightline.domain.tables import toml_table
from sightline.domain.title_words import DEPARTMENTS, SENIORITIES
from sightline.domain.titles import read_title

# Fields that are set, merged and traced one by one, in the order in which they are served.
CONTACT_FIELDS: tuple[str, ...] = (
    "full_name", "first_name", "last_name", "current_job_title", "location", "summary", "headline",
    "profile_network_url", "image_url", "country_code", "emails", "phones", "skills", "company",
    "company_id", "experience", "education",
)  # fmt: skip
LISTS: tuple[str, ...] = ("emails", "phones", "skills", "experience", "education")
MOST_LISTED = 50
MOST_TOKENS = 250
MOST_TEXT_WORDS = 80
_LONGEST_WORD = 40

_SMALL = frozenset({"of", "and", "the", "for", "to", "in", "at", "a", "an", "de", "und", "et", "y"})

# A token's first letters say which field it is of.
NAME, TITLE, COMPANY, PLACE, SKILL, TEXT, PAST = "n:", "t:", "c:", "l:", "k:", "q:", "p:"
SKILL_PHRASE, SENIORITY, DEPARTMENT, COUNTRY = "s:", "se:", "de:", "cc:"
HAS_EMAIL, HAS_PHONE, EVERYONE = "has:email", "has:phone", "*"
FREE_TEXT: tuple[str, ...] = (NAME, TITLE, COMPANY, PLACE, SKILL, TEXT)

Values = dict[str, Any]


def contact_document(
    contact_id: UUID, values: Mapping[str, Any], *, created_at: str, updated_at: str | None
) -> str:
    """The Contact object as JSON text. Null where the reference allows it, else absent when unknown."""
    served: dict[str, Any] = {"id": str(contact_id)}
    for name in CONTACT_FIELDS:
        if name in values and name not in ("country_code", "company_id"):
            served[name] = values[name]
    code = values.get("country_code")
    served["country"], served["country_code"] = country_name(code), code
    for name in LISTS:
        served.setdefault(name, [])
    title = read_title(values.get("current_job_title") or "")
    served["company_id"] = values.get("company_id")
    served["seniority"], served["department"] = title.seniority, title.department
    addresses = (read_email(text) for text in served["emails"])
    served["role_emails"] = [each.address for each in addresses if each and each.is_role]
    served |= {"created_at": created_at, "updated_at": updated_at}
    return json.dumps(served, ensure_ascii=False)


def values_of(document: str) -> Values:
    """The values that a served document was made from."""
    served = json.loads(document)
    return {name: served[name] for name in CONTACT_FIELDS if served.get(name) not in (None, [], {})}


def company_name(values: Mapping[str, Any]) -> str:
    """The name of the employer, "" when it is unknown."""
    return str((values.get("company") or {}).get("name") or "")


def identifying_keys(values: Mapping[str, Any]) -> list[str]:
    """What tells this person from others, most certain first. An address of a role identifies no one but
    a contact that has no name."""
    keys = []
    for text in values.get("emails", ()):
        address = read_email(text)
        if address is None:
            continue
        if not address.is_role or not values.get("full_name"):
            keys.append("e:" + address.address)
    if values.get("profile_network_url"):
        keys.append("p:" + values["profile_network_url"])
    person = person_key(values.get("full_name") or "", company_name(values))
    if person:
        keys.append("n:" + person)
    return keys


def all_keys(values: Mapping[str, Any]) -> list[str]:
    """Everything that the suppression list may know a person by."""
    keys = ["e:" + text for text in values.get("emails", ())]
    keys += ["f:" + text for text in values.get("phones", ())]
    return list(dict.fromkeys([*keys, *identifying_keys(values)]))


def words_of(text: str) -> list[str]:
    """The words that a text is found by."""
    return [word[:_LONGEST_WORD] for word in fold(text).split()]


def title_words_of(text: str) -> list[str]:
    """The words of a title with those that its short forms stand for, and the other way round."""
    words = words_of(text)
    joined = f" {' '.join(words)} "
    for short, long in toml_table("title_sets.toml")["short_titles"].items():
        if short in words:
            words += long.split()
        elif f" {long} " in joined:
            words.append(short)
    return words


def significant(words: Sequence[str]) -> list[str]:
    """The words without those that say nothing, unless there are no others."""
    return [word for word in words if word not in _SMALL] or list(words)


def tokens_of(values: Mapping[str, Any]) -> list[str]:
    """Everything that a contact is found under, without duplicates."""
    title = read_title(_said(values, "current_job_title"))
    nation = country_name(values.get("country_code")) or ""
    marks = (
        (HAS_EMAIL, "" if values.get("emails") else None),
        (HAS_PHONE, "" if values.get("phones") else None),
        (SENIORITY, title.seniority),
        (DEPARTMENT, title.department),
        (COUNTRY, values.get("country_code") or None),
    )
    tokens = [EVERYONE, *(mark + said for mark, said in marks if said is not None)]
    tokens += _under(NAME, words_of(_said(values, "full_name")))
    tokens += _under(TITLE, title_words_of(_said(values, "current_job_title")))
    tokens += _under(COMPANY, words_of(company_name(values)))
    tokens += _under(PLACE, words_of(f"{_said(values, 'location')} {nation}"))
    for skill in values.get("skills", ()):
        tokens += [skill_token(skill), *_under(SKILL, words_of(skill))]
    former = [job for job in values.get("experience", ()) if not job.get("is_current")]
    for job in former:
        tokens += _under(PAST, words_of(_said(job, "company")))
    text = dict.fromkeys(words_of(f"{_said(values, 'headline')} {_said(values, 'summary')}"))
    tokens += _under(TEXT, [word for word in text if word not in _SMALL][:MOST_TEXT_WORDS])
    return list(dict.fromkeys(tokens))[:MOST_TOKENS]


def _said(values: Mapping[str, Any], name: str) -> str:
    return str(values.get(name) or "")


def skill_token(skill: str) -> str:
    """What a contact with the skill is found under, case and punctuation aside."""
    return SKILL_PHRASE + fold(skill)[:_LONGEST_WORD]


def _under(field: str, words: Iterable[str]) -> list[str]:
    return [field + word for word in words]


def company_key_of(values: Mapping[str, Any]) -> str | None:
    """The name key of the employer."""
    name = company_name(values)
    return name_key(name) if name else None


def seniorities() -> tuple[str, ...]:
    """Levels that a contact may have."""
    return SENIORITIES


def departments() -> tuple[str, ...]:
    """Departments that a contact may work in."""
    return DEPARTMENTS
