"""Normalizes email addresses, phones, names and profile pages of people."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

import phonenumbers
from email_validator import EmailNotValidError, validate_email

from sightline.domain.casing import clean_text, is_all_caps, title_words
from sightline.domain.names import fold, name_key
from sightline.domain.tables import word_set

_TABLE = "people.toml"
PARTICLES = word_set(_TABLE, "particles")
_JOINED = str.maketrans("", "", "-_.")
_HONORIFIC = re.compile(
    r"^(?:(?:mr|mrs|ms|miss|mx|dr|prof|professor|messrs|sir|dame|lord|lady|hon|rev|fr|herr|frau|dipl"
    r"|dipl\.-ing|ing|mag|mme|mlle|sra|doña|eng|capt|col|gen|adm|lt)\.\s*"
    r"|(?:mr|mrs|ms|miss|mx|dr|prof|professor|messrs|sir|dame|the honorable|general|herr|frau|mme|mlle"
    r"|sra)\s+)+",
    re.IGNORECASE,
)
_DEGREES = re.compile(
    r"(?<!\s)(?:(?:\s*+,\s++|\s++)(?:ph\.?\s?d|m\.d|dds|mba|m\.b\.a|cpa|cfa|pmp|shrm-\w+|esq|esquire|p\.e|j\.d"
    r"|ll\.?m|msc|m\.sc|bsc|b\.sc|m\.a|b\.a|frcs|cissp|acca)\.?"
    # These are family names as well, so only behind a comma.
    r"|\s*+,\s*+(?:md|rn|jd|ma|ba|pe|ca|aca|fca|csm|cpp|obe|mbe|cbe|dmd|do|dvm|bs|ms)\.?)+$",
    re.IGNORECASE,
)
_GENERATION = re.compile(r"(?<!\s)(?:(?:\s*+,\s++|\s++)(jr|sr|ii|iii|iv)\.?)$", re.IGNORECASE)
_ASIDE = re.compile(
    r"\s*(?:\([^)]*\)|\[[^\]]*\]|[\"“][^\"”]*[\"”]|(?<=\s)['‘][^'’]{2,14}['’](?=\s))\s*"
)
_PROFILE = re.compile(
    r"linkedin\.(com|example)/(?:mwlite/)?(?:in|pub)/([^/?#\s]+)(?:[/?#]|$)", re.IGNORECASE
)
_COMPANY_PAGE = re.compile(
    r"linkedin\.(?:com|example)/(?:company|showcase|school)/([^/?#\s]+)", re.IGNORECASE
)
_PHONE_NOISE = re.compile(
    r"^'|^(?:tel|phone|mobile|cell|direct|fax|t|m|p)\s*[:.]\s*", re.IGNORECASE
)
MOST_PHONE = 60
MOST_NAME = 200
_LONGEST_READ = 1000  # characters that are looked at for a name; no name is longer


@dataclass(frozen=True, slots=True)
class Email:
    """An address in lower case. `is_role` tells that it is a function's, such as sales@."""

    address: str
    domain: str
    is_role: bool


@dataclass(frozen=True, slots=True)
class PersonName:
    """`given` and `family` are "" where the name does not tell them apart."""

    full: str
    given: str
    family: str
    generation: str = ""  # jr, sr, ii, iii or iv


@lru_cache(maxsize=16_384)
def read_email(text: str) -> Email | None:
    """An email address by its syntax; "Name <address>" and "mailto:" are read too. No DNS."""
    bare = text.strip().removeprefix("mailto:").strip(" <>,;'\"")
    if "<" in bare:
        bare = bare.rpartition("<")[2].rstrip("> ")
    if len(bare) > 254 or "@" not in bare:
        return None
    try:
        read = validate_email(bare, check_deliverability=False, test_environment=False)
    except EmailNotValidError:
        return None
    local, domain = read.local_part.lower(), (read.ascii_domain or read.domain).lower()
    return Email(f"{local}@{domain}", domain, is_role_name(local))


def is_role_name(local: str) -> bool:
    """Whether the part before the @ names a function, with or without a place: sales, info-us."""
    plain = local.partition("+")[0].rstrip("0123456789")
    roles, places = word_set(_TABLE, "roles"), word_set(_TABLE, "role_places")
    if plain in roles or plain.translate(_JOINED) in roles:
        return True
    parts = set(plain.replace("_", "-").replace(".", "-").split("-")) - {""}
    return len(parts) > 1 and not parts.isdisjoint(roles) and parts <= roles | places


@lru_cache(maxsize=16_384)
def read_phone(text: str, country_code: str | None = None, *, assigned: bool = False) -> str | None:
    """A phone number in E.164. A national number is read as one of the country; without, None. With
    `assigned` only numbers that the country's plan has given out."""
    bare = _PHONE_NOISE.sub("", text.strip()).replace("(0)", "")
    if bare.startswith("00"):
        bare = "+" + bare[2:]
    if len(bare) > MOST_PHONE:
        return None
    try:
        parsed = phonenumbers.parse(bare, country_code)
    except phonenumbers.NumberParseException:
        return None
    fits = phonenumbers.is_valid_number if assigned else phonenumbers.is_possible_number
    if not fits(parsed):
        return None
    return phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)


def read_profile_url(text: str) -> str | None:
    """The address of a person's page on the professional network, one spelling for all of its forms."""
    found = _PROFILE.search(text)
    if found is None:
        return None
    return f"https://www.linkedin.{found[1].lower()}/in/{found[2].lower()}"


def read_company_page(text: str) -> str | None:
    """The id of a company's page on the professional network."""
    found = _COMPANY_PAGE.search(text)
    return found[1].lower() if found else None


def read_name(text: str) -> PersonName:
    """A person's name without titles and degrees, parted into given and family name.

    "Last, First" is turned round. The family name is the last word with the particles before it; a
    name of one word, or of a script without spaces, is not parted.
    """
    plain = without_degrees(without_title(_ASIDE.sub(" ", clean_text(text[:_LONGEST_READ]))))
    generation = ""
    if found := _GENERATION.search(plain):
        generation, plain = found[1].lower(), plain[: found.start()].strip(" ,")
    plain, family_words = _turned_round(plain)
    if is_all_caps(plain) and len(plain) > 3:
        plain = title_words(plain)
    elif plain.islower() and plain.isascii():
        plain = title_words(plain.upper())
    words = plain.split()
    if len(words) < 2:
        return PersonName(plain, "", "", generation)
    start = len(words) - (family_words or _family_words(words))
    full = plain + (f" {_shown_generation(generation)}" if generation else "")
    return PersonName(full, " ".join(words[:start]), " ".join(words[start:]), generation)


def _turned_round(name: str) -> tuple[str, int]:
    """ "Last, First" as "First Last", and how many words are the family name; 0 where it is not said."""
    last, comma, first = (part.strip() for part in name.partition(","))
    if not comma or "," in first:
        return name, 0
    return f"{first} {last}".strip(), len(last.split()) if first else 0


def _family_words(words: list[str]) -> int:
    """The last word with the particles before it, the first word excepted."""
    before = takewhile(lambda word: word.lower() in PARTICLES, reversed(words[1:-1]))
    return 1 + sum(1 for _ in before)


def without_degrees(text: str) -> str:
    """A name without the degrees after it: "Dr. Ada Vale, M.D." gives "Dr. Ada Vale"."""
    return _DEGREES.sub("", text.strip()).strip(" ,")


def without_title(text: str) -> str:
    """A name without the titles before it: "Dr. Ada Vale, M.D." gives "Ada Vale, M.D."."""
    return _HONORIFIC.sub("", text.strip())


def bare_name(text: str) -> str:
    """A name without titles, degrees, nicknames in brackets or quotes, and "Jr.", in its own spelling."""
    plain = without_degrees(without_title(_ASIDE.sub(" ", text[:_LONGEST_READ])))
    return _GENERATION.sub("", plain).strip(" ,")


def _shown_generation(text: str) -> str:
    return f"{text.capitalize()}." if text in ("jr", "sr") else text.upper()


def person_key(name: str, company: str) -> str | None:
    """What two records of one person at one company share: first given name, family name, company.

    Middle names and initials do not count. None when either is missing.
    """
    read = read_name(name)
    given, family = read.given.split(), fold(read.family)
    who = f"{fold(given[0]).replace(' ', '')} {family}" if given and family else fold(read.full)
    where = name_key(company) if company.strip() else ""
    if not who or not where or (" " not in who.strip() and read.full.isascii()):
        return None
    return f"{who} {read.generation}".strip() + "|" + where


def mask(text: str) -> str:
    """A value that tells its owner which one it is, and no one else: j***@a***.example."""
    if "@" in text:
        local, _, domain = text.partition("@")
        host, _, ending = domain.rpartition(".")
        return f"{local[:1]}***@{host[:1]}***.{ending}"
    if text.startswith("+"):
        return f"{text[:3]}***{text[-2:]}"
    if text.startswith("http"):
        head, _, slug = text.rpartition("/")
        return f"{head}/{slug[:1]}***"
    return " ".join(f"{word[:1]}***" for word in text.split())
