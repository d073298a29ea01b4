"""The shape of a single value, independent of its column name."""

import re
from functools import lru_cache

from sightline.domain.websites import WebsiteReading, read_website

_NUMBER = re.compile(r"[-+(]?[$€£¥]?\s?\d[\d.,' ]*\s?(?:%|[kmb]n?)?[)+]?", re.IGNORECASE)
_DATE = re.compile(
    r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ].*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}/\d{1,2}/\d{1,2}"
)
_URL = re.compile(r"(?:https?:)?//\S+|www\.\S+", re.IGNORECASE)
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HOST = re.compile(r"(?:[\w-]+\.)+[^\W\d_]{2,24}(?:[/:?#]\S*)?")
_TICKER = re.compile(r"(?:[A-Z]{2,10}:\s?)?[A-Z0-9]{1,6}(?:[.\-/][A-Z]{1,4})?")
_EMPLOYEES = re.compile(r"\d.*\b(?:employees|people|staff|mitarbeiter)", re.IGNORECASE)
_CODE = frozenset("={}[]<>$\\;`^~\t")
_TOKEN = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
_NETWORK = re.compile(
    r"(?:https?://)?(?:[a-z]{2,3}\.)?linkedin\.(?:com|example)/(?:company|showcase|school)/\S+",
    re.IGNORECASE,
)
_EMPTY_WORDS = frozenset(
    {
        "null", "(null)", "n/a", "#n/a", "na", "nan", "none", "nil", "-", "--", "---", "—", "–", "\\n",
        "undefined", "unknown", "not available", "not applicable", "#value!", "#ref!", "#name?", "tbd",
        "?", ".", "keine angabe", "k.a.", "k. a.", "unbekannt", "inconnu", "desconocido", "s/o", "n.a.",
        "n. a.", "[]", "{}", '""',
    }
)  # fmt: skip
# As words of a name these may be a company ("NA", "None", "Unknown" are in real use as brands).
_NO_NAME = _EMPTY_WORDS - {"na", "none", "nil"}


def says_nothing(text: str) -> bool:
    """Whether a cell is a filler such as "N/A", "null" or "-"."""
    return len(text) <= 14 and text.lower() in _EMPTY_WORDS


def is_no_name(text: str) -> bool:
    """Whether a name cell is a filler or holds no letter and no digit."""
    return text.lower() in _NO_NAME or not any(map(str.isalnum, text))


def looks_like_data(text: str) -> bool:
    """Whether a value is a number, date, address of the web, email or identifier: no column name."""
    return bool(
        _NUMBER.fullmatch(text)
        or _DATE.fullmatch(text)
        or _EMAIL.fullmatch(text)
        or _UUID.fullmatch(text)
        or _URL.match(text)
        or (_HOST.fullmatch(text) and website(text).domain)
    )


def is_number(text: str) -> bool:
    return bool(_NUMBER.fullmatch(text))


def is_date(text: str) -> bool:
    return bool(_DATE.fullmatch(text))


def is_url(text: str) -> bool:
    return bool(_URL.match(text))


def is_email(text: str) -> bool:
    return bool(_EMAIL.fullmatch(text))


def is_uuid(text: str) -> bool:
    return bool(_UUID.fullmatch(text))


def is_web_address(text: str) -> bool:
    """A URL, or a bare host whose ending is a public suffix."""
    return is_url(text) or bool(_HOST.fullmatch(text) and website(text).website)


def is_salesforce_id(text: str) -> bool:
    """An id of an Account in Salesforce: 15 or 18 characters from "001" on."""
    return text.startswith("001") and len(text) in {15, 18} and text.isascii() and text.isalnum()


def is_ticker(text: str) -> bool:
    return bool(_TICKER.fullmatch(text.strip())) and not text.strip().isdigit()


def is_employee_words(text: str) -> bool:
    """A number of employees in words, such as "51 to 200 employees"."""
    return bool(_EMPLOYEES.fullmatch(text))


def is_code(text: str) -> bool:
    """Holds a sign of programs, settings or logs that names of companies do not have."""
    return not _CODE.isdisjoint(text)


def is_token(text: str) -> bool:
    """A short name in lower case as it stands in addresses: "acme-robotics", "joinacme"."""
    return bool(_TOKEN.fullmatch(text))


def is_network_page(text: str) -> bool:
    """A company's page on the professional network."""
    return bool(_NETWORK.fullmatch(text))


@lru_cache(maxsize=1 << 14)
def website(text: str) -> WebsiteReading:
    """`read_website` with a memory: lists repeat themselves, and reading happens twice."""
    return read_website(text)
