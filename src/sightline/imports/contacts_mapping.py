"""Which column of a list of people holds what: guessed from headers and values, shown before use."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from sightline.domain.contacts import read_company_page, read_email, read_profile_url
from sightline.domain.names import fold
from sightline.imports import shapes, vocabulary
from sightline.imports.fields import FieldDoesNotExist
from sightline.imports.mapping import ColumnDoesNotExist
from sightline.imports.profiles import Column, columns_of
from sightline.imports.rows import FileIsNotReadable, Row

ContactField = Literal[
    "full_name", "first_name", "last_name", "emails", "phones", "current_job_title", "company_name",
    "company_domain", "company_page", "profile_network_url", "image_url", "location", "city", "state",
    "country", "headline", "summary", "skills",
]  # fmt: skip
CONTACT_FIELDS: tuple[ContactField, ...] = get_args(ContactField)
_SYNONYMS: dict[str, ContactField] = {
    "name": "full_name", "email": "emails", "phone": "phones", "mobile": "phones",
    "title": "current_job_title", "job_title": "current_job_title", "company": "company_name",
    "website": "company_domain", "domain": "company_domain", "profile": "profile_network_url",
    "company_profile_network_url": "company_page", "skill": "skills", "country_code": "country",
}  # fmt: skip
# Several columns of these count together; of the others the first that says something.
COLLECTED: frozenset[ContactField] = frozenset({"emails", "phones", "skills"})

# Squeezed header words. Salesforce, HubSpot, address books, profile exports and data vendors; then
# German, French, Spanish, Italian, Dutch and Portuguese.
_WORDS: dict[ContactField, str] = {
    "full_name": """fullname name personname contactname leadname displayname employeename contact
      person membername attendeename speakername executivename vollstandigername ansprechpartner
      nomcomplet nombrecompleto nomecompleto volledigenaam naam""",
    "first_name": """firstname namefirst givenname forename fname first vorname prenom nombre nome
      primernombre voornaam primeironome""",
    "last_name": """lastname namelast familyname surname lname last secondname nachname familienname
      nomdefamille nom apellido apellidos cognome achternaam sobrenome""",
    "emails": """email emailaddress emailaddresses emails mail mailaddress workemail businessemail
      personalemail primaryemail emailvalue emailaddressvalue emailsvalue emailsemail
      emailsaddress otheremail secondaryemail directemail
      emailadresse mailadresse courriel adresseemail correo correoelectronico indirizzoemail
      emailadres""",
    "phones": """phone phonenumber phones phonenumbers telephone telephonenumber tel mobile
      mobilephone mobilenumber mobilephonenumber cell cellphone workphone workdirectphone directphone
      directphonenumber directdial businessphone homephone otherphone primaryphone firstphone phonevalue
      phonesvalue phonesnumber
      phonesphone
      telefon telefonnummer handy mobiltelefon telefono movil cellulare telefoon telefone
      portable""",
    "current_job_title": """title jobtitle position role jobrole currentjobtitle currenttitle
      currentposition occupation designation function jobfunction organizationtitle worktitle
      businesstitle positiontitle stelle funktion berufsbezeichnung poste fonction cargo puesto
      ruolo qualifica functie funcao""",
    "company_name": """company companyname account accountname organization organisation
      organizationname organisationname employer employername associatedcompany
      associatedcompanyname primaryassociatedcompany currentcompany currentcompanyname
      currentemployer business businessname firm workplace firma unternehmen firmenname entreprise
      societe empresa compania azienda bedrijf""",
    "company_domain": """companydomain companydomainname companywebsite companywebsiteurl website
      domain emaildomain companyurl accountwebsite organizationwebsite websiteurl webseite siteweb
      sitioweb weburl""",
    "company_page": """companylinkedinurl companylinkedin companylinkedinprofile
      companylinkedincompanypage companyprofilenetworkid companyprofilenetworkurl accountlinkedin
      linkedincompanypage""",
    "profile_network_url": """linkedin linkedinurl linkedinprofile linkedinprofileurl personlinkedinurl
      linkedincontactprofileurl contactlinkedinprofileurl contactlinkedinurl profileurl profile
      profilenetworkurl publicprofileurl memberprofileurl linkedinbio url link""",
    "image_url": "imageurl image photo photourl avatar avatarurl picture pictureurl profilepicture",
    "location": """location place address personlocation contactlocation cityandstate geo region
      locationname standort lieu ubicacion localizacao""",
    "city": """city town personcity mailingcity contactcity workcity businesscity homecity ort
      stadt ville ciudad citta plaats cidade""",
    "state": """state province stateprovince personstate mailingstate mailingstateprovince
      contactstate businessstate stateregion bundesland provincia estado""",
    "country": """country countryname countrycode countryregion personcountry mailingcountry
      contactcountry businesscountry businesscountryregion land pays pais paese""",
    "headline": "headline tagline personheadline profileheadline",
    "summary": "summary bio biography about description notes profilesummary personsummary",
    "skills": "skills skill skillset expertise specialties kompetenzen competences habilidades",
}
_CONTEXT = frozenset(
    {"contact", "person", "lead", "prospect", "primary", "work", "business", "the"}
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ASIDE = re.compile(r"[(\[{].*?[)\]}]")
_PHONE = re.compile(r"'?\+?[\d\s().\-/]{7,}(?:\s*(?:x|ext\.?)\s*\d+)?", re.IGNORECASE)
# Lists inside a record that hold what the record itself is known by.
_OWN_LISTS = ("email", "phone", "skill")


@dataclass(frozen=True, slots=True)
class ContactGuess:
    """One column taken for one field; `rank` 0 is the first choice."""

    column: str
    field: ContactField
    confidence: float
    reason: str
    samples: tuple[str, ...]
    rank: int = 0


@dataclass(frozen=True)
class ContactMapping:
    """The guesses in the order of the file's columns, and why each other column is not used."""

    guesses: tuple[ContactGuess, ...]
    ignored: tuple[tuple[str, str], ...]
    source_system: str | None = None

    def columns(self) -> dict[ContactField, list[str]]:
        """Field -> columns, first choice first; those that count together as in the file."""
        found: dict[ContactField, list[str]] = {}
        ordered = sorted(self.guesses, key=lambda g: 0 if g.field in COLLECTED else g.rank)
        for guess in ordered:
            found.setdefault(guess.field, []).append(guess.column)
        return found


class FileHasNoPeople(FileIsNotReadable):
    """The file can be read, but no column holds names, e-mail addresses or profile pages of people."""


def guess_contact_mapping(
    names: Iterable[str], rows: Sequence[Row], *, overrides: Mapping[str, str] | None = None
) -> ContactMapping:
    """Map columns to fields. `overrides` are column -> field, "" to ignore the column.

    Raises FileHasNoPeople, ColumnDoesNotExist, FieldDoesNotExist.
    """
    seen = dict.fromkeys([*names, *(name for row in rows for name in row.cells)])
    columns = columns_of(seen, rows)
    given = _given(columns, overrides or {})
    claims = [guess for guess in given.values() if guess is not None]
    ruled = {guess.field for guess in claims} - COLLECTED
    for column in columns:
        guess = _claim(column) if column.name not in given else None
        if guess is not None and guess.field not in ruled:
            claims.append(guess)
    chosen = _ranked(claims)
    if not {"full_name", "last_name", "emails", "profile_network_url"} & {g.field for g in chosen}:
        shown = ", ".join(repr(column.name) for column in columns[:40])
        raise FileHasNoPeople(
            f"No column holds people's names or e-mail addresses. Columns found: {shown}."
        )
    order = {column.name: n for n, column in enumerate(columns)}
    taken = {guess.column for guess in chosen}
    return ContactMapping(
        tuple(sorted(chosen, key=lambda guess: order[guess.column])),
        tuple(
            (c.name, "ignored on request" if c.name in given else _why(c))
            for c in columns
            if c.name not in taken
        ),
    )


def judge_contacts(rows: Sequence[Row]) -> float:
    """How much records look like people: of several lists in a document the most fitting is read."""
    columns = columns_of(dict.fromkeys(name for row in rows for name in row.cells), rows)
    found = _ranked([guess for column in columns if (guess := _claim(column)) is not None])
    fields = {guess.field for guess in found}
    if not fields & {"full_name", "last_name", "emails", "profile_network_url"}:
        return 0.0
    return sum(guess.confidence for guess in found if guess.rank == 0)


def contact_field_named(name: str) -> ContactField:
    """The field of a name given by a person. Raises FieldDoesNotExist."""
    wanted = name.strip().lower().replace("-", "_").replace(" ", "_")
    for field in CONTACT_FIELDS:
        if field == wanted:
            return field
    if wanted in _SYNONYMS:
        return _SYNONYMS[wanted]
    raise FieldDoesNotExist(
        f"{name!r} is not a field; the fields are: {', '.join(CONTACT_FIELDS)}."
    )


def parse_contact_overrides(pairs: Iterable[str]) -> dict[str, str]:
    """`column=field` pairs of the command line; the last "=" parts them."""
    overrides: dict[str, str] = {}
    for pair in pairs:
        column, equals, field = pair.rpartition("=")
        if not equals or not column.strip():
            raise FieldDoesNotExist(f"{pair!r} is not of the form COLUMN=FIELD.")
        if field.strip():
            contact_field_named(field)
        overrides[column.strip()] = field.strip()
    return overrides


def _given(
    columns: Sequence[Column], overrides: Mapping[str, str]
) -> dict[str, ContactGuess | None]:
    by_name = {column.name.casefold(): column for column in columns}
    given: dict[str, ContactGuess | None] = {}
    for name, field_name in overrides.items():
        column = by_name.get(name.strip().casefold())
        if column is None:
            known = ", ".join(column.name for column in columns)
            raise ColumnDoesNotExist(f"There is no column {name!r}; the file has: {known}.")
        given[column.name] = None
        if field_name.strip():
            field = contact_field_named(field_name)
            given[column.name] = ContactGuess(
                column.name, field, 1.0, "given by --map", column.samples
            )
    return given


def _ranked(claims: Sequence[ContactGuess]) -> list[ContactGuess]:
    """The surest column first; further ones stand behind it."""
    held: dict[ContactField, int] = {}
    chosen = []
    for claim in sorted(claims, key=lambda claim: -claim.confidence):
        rank = held.get(claim.field, 0)
        held[claim.field] = rank + 1
        chosen.append(
            ContactGuess(
                claim.column, claim.field, claim.confidence, claim.reason, claim.samples, rank
            )
        )
    return chosen


def _claim(column: Column) -> ContactGuess | None:
    field, sure = _meaning(column.name)
    told = _told_by_values(column)
    if told is not None and (field is None or told in _PAGES or field in _PAGES):
        return ContactGuess(column.name, told, 0.8, "the form of its values", column.samples)
    if field is None:
        return None
    fitness = _fitness(field, column)
    if fitness < 0.3:
        return None
    confidence = round(sure * (0.5 + 0.5 * fitness), 2)
    return ContactGuess(column.name, field, confidence, f"header {column.name!r}", column.samples)


_PAGES: frozenset[str] = frozenset({"profile_network_url", "company_page", "company_domain"})


def _told_by_values(column: Column) -> ContactField | None:
    if not column.values or "[]." in column.name:
        return None
    if column.share(lambda text: read_profile_url(text) is not None) >= 0.6:
        return "profile_network_url"
    if column.share(lambda text: read_company_page(text) is not None) >= 0.6:
        return "company_page"
    nameless = _meaning(column.name)[0] is None and not _squeezed(column.name).strip("0123456789")
    nameless = nameless or column.name.startswith("column ")
    if nameless and column.share(lambda text: read_email(text) is not None) >= 0.6:
        return "emails"
    return None


def _fitness(field: ContactField, column: Column) -> float:
    if not column.values:
        return 0.8
    check = _CHECKS.get(field)
    return check(column) if check else 1.0


def _is_words(column: Column) -> float:
    bad = (
        column.share(shapes.is_email) + column.share(shapes.is_url) + column.share(shapes.is_number)
    )
    return 1.0 - min(1.0, bad)


def _is_said(column: Column) -> float:
    return 1.0 if column.values else 0.0


_CHECKS: dict[ContactField, Callable[[Column], float]] = {
    "full_name": _is_words,
    "first_name": _is_words,
    "last_name": _is_words,
    "current_job_title": _is_words,
    "company_name": _is_words,
    "city": _is_words,
    "state": _is_words,
    "emails": lambda column: column.share(lambda text: "@" in text),
    "phones": lambda column: column.share(lambda text: bool(_PHONE.match(text.strip()))),
    "company_domain": lambda column: column.share(shapes.is_web_address),
    "profile_network_url": lambda column: column.share(
        lambda text: read_profile_url(text) is not None
    ),
    "company_page": _is_said,
    "image_url": lambda column: column.share(shapes.is_url),
    "country": lambda column: column.share(lambda text: vocabulary.country(text) is not None),
}


def _why(column: Column) -> str:
    field, _ = _meaning(column.name)
    if field is not None:
        return f"the values do not fit {field}"
    return "no field of ours" if column.values else "empty"


@cache
def _lexicon() -> dict[str, tuple[ContactField, float]]:
    found: dict[str, tuple[ContactField, float]] = {}
    for field, words in _WORDS.items():
        for n, word in enumerate(words.split()):
            found.setdefault(word, (field, max(0.6, 0.97 - n * 0.01)))
    return found


def _meaning(header: str) -> tuple[ContactField | None, float]:
    """The field that a header names, and how surely."""
    levels = [level for level in header.split(".") if level]
    if any(level.endswith("[]") for level in levels[:-1]) and not any(
        own in levels[0].lower() for own in _OWN_LISTS
    ):
        return None, 0.0  # of a list inside the record, such as earlier jobs
    text = _HUMP.sub(" ", _ASIDE.sub(" ", " ".join(levels))).replace("_", " ")
    words = fold(text).split()
    words = [re.sub(r"\d+$", "", word) for word in words if not word.isdigit()]
    words = ["email" if word == "e" and words[n + 1 : n + 2] == ["mail"] else word
             for n, word in enumerate(words)]  # fmt: skip
    words = [w for n, w in enumerate(words) if not (w == "mail" and words[n - 1 : n] == ["email"])]
    while words:
        found = _lexicon().get("".join(words))
        if found is not None:
            return found
        if words[0] not in _CONTEXT:
            return None, 0.0
        words = words[1:]
    return None, 0.0


def _squeezed(text: str) -> str:
    return fold(text).replace(" ", "")
