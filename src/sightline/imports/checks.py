"""How well the values of a column fit the field that its header suggests."""

from collections.abc import Callable

from sightline.domain.bands import employee_band_from_text, revenue_band_from_text
from sightline.domain.contacts import read_company_page, read_email, read_profile_url
from sightline.domain.numbers import parse_count, parse_money
from sightline.domain.places import split_place
from sightline.imports import shapes, vocabulary
from sightline.imports.fields import Kind
from sightline.imports.markets import read_currency
from sightline.imports.ownership import is_public
from sightline.imports.profiles import Column

Fitness = tuple[float, str]  # 0 (cannot be) to 1, and a few words for a person
_UNFIT: Fitness = (0.0, "the values do not fit")
_BETWEEN_DIGITS = str.maketrans("", "", " \t.-")
_BETWEEN_DOMAINS = str.maketrans(",;|", "   ")


def fit(kind: Kind, field: str, column: Column) -> Fitness:
    """How well the values fit the field; an empty column fits nearly, for its later rows may not be."""
    if not column.values:
        return 0.9, "no values in the sample"
    if kind == "contacts":
        return _OF_PEOPLE.get(field, _anything)(column)
    return _OF_COMPANIES.get(field, _words)(column)


def page_of_person(column: Column, *, named: bool) -> str | None:
    """The field of a column by the format of its values alone: pages on the professional network
    and, where the column is not `named`, email addresses."""
    if not column.values or "[]." in column.name:
        return None
    nameless = column.name.startswith("column ") or not any(map(str.isalpha, column.name))
    for name, is_one in _FORMS_OF_PEOPLE.items():
        may_be = name != "emails" or (nameless and not named)
        if may_be and column.share(is_one) >= 0.6:
            return name
    return None


def _part(test: Callable[[str], bool], *, least: float, what: str) -> Callable[[Column], Fitness]:
    def check(column: Column) -> Fitness:
        share = column.share(test)
        return (share, f"{share:.0%} of the values are {what}") if share >= least else _UNFIT

    return check


def _name(column: Column) -> Fitness:
    if column.is_numeric or not column.is_prose_free or column.mean_length > 120:
        return _UNFIT
    if column.share(shapes.is_code) > 0.15:
        return _UNFIT
    addresses = column.share(shapes.is_web_address)
    if addresses >= 0.8 and len(column.values) >= 3:
        return _UNFIT
    if len(column.values) >= 30 and column.distinct < 0.02:
        return 0.1, "nearly all values are the same"
    if column.share(_is_numbered_token) > 0.3:
        return 0.2, "the values look like parts of addresses"
    if column.share(shapes.is_token) > 0.9 and len(column.values) >= 3:
        return 0.6, "the values look like tokens"
    return 1.0, "the values look like names"


def _website(column: Column) -> Fitness:
    share = column.share(shapes.is_web_address)
    if share < 0.5:
        return _UNFIT
    own = [d for value in column.values if (d := shapes.website(value).domain)]
    if not own or (len(own) >= 3 and len(set(own)) < 0.4 * len(own)):
        return _UNFIT  # pages of one site about many companies
    return share, f"{share:.0%} of the values are web addresses"


def _domains(column: Column) -> Fitness:
    share = column.share(
        lambda text: any(map(shapes.is_web_address, text.translate(_BETWEEN_DOMAINS).split()))
    )
    return (share, "the values are domains") if share >= 0.5 else _UNFIT


def _identifier(column: Column) -> Fitness:
    if column.is_list or column.share(shapes.is_url) > 0.2 or column.mean_length > 64:
        return _UNFIT
    if column.distinct < 0.9 or column.share(lambda value: " " in value) > 0.3:
        return _UNFIT
    return 1.0, "every row has a different value"


def _country(column: Column) -> Fitness:
    share = column.share(lambda value: vocabulary.country(value) is not None)
    return (share, f"{share:.0%} of the values are countries") if share >= 0.4 else _UNFIT


def _words(column: Column) -> Fitness:
    if column.is_numeric or not column.is_prose_free or column.values[0].startswith(("{", "[")):
        return _UNFIT
    if column.share(is_flag) > 0.8:
        return _UNFIT
    return (1.0, "the values are words") if column.mean_length <= 120 else _UNFIT


def _place(column: Column) -> Fitness:
    fitness, _ = _words(column)
    share = column.share(lambda value: split_place(value).city is not None or "," in value)
    return (share, f"{share:.0%} of the values are places") if fitness and share >= 0.3 else _UNFIT


def _address(column: Column) -> Fitness:
    if column.share(shapes.is_number) > 0.8 or column.share(shapes.is_email) > 0.2:
        return _UNFIT
    if column.share(shapes.is_url) > 0.2 or column.values[0].startswith("{"):
        return _UNFIT
    return 1.0, "the values are text"


def _postcode(column: Column) -> Fitness:
    share = column.share(lambda v: len(v) <= 12 and any(map(str.isdigit, v)))
    return (share, "the values look like postcodes") if share >= 0.5 else _UNFIT


def _industry(column: Column) -> Fitness:
    if not _words(column)[0]:
        return _UNFIT
    known = column.share(vocabulary.is_industry)
    return 0.5 + 0.5 * known, f"{known:.0%} of the values are known industries"


def _description(column: Column) -> Fitness:
    prose = column.mean_length >= 15 and column.share(shapes.is_url) < 0.3 and not column.is_numeric
    return (1.0, "the values are prose") if prose else _UNFIT


def _person(column: Column) -> Fitness:
    fitness, says = _words(column)
    return (fitness, says) if column.mean_length <= 60 and not column.share(is_flag) else _UNFIT


def _anything(_: Column) -> Fitness:
    return 1.0, "any text"


def _words_of_people(column: Column) -> Fitness:
    forms = (shapes.is_email, shapes.is_url, shapes.is_number)
    fitness = 1.0 - min(1.0, sum(map(column.share, forms)))
    return (fitness, f"{fitness:.0%} of the values are words") if fitness >= 0.3 else _UNFIT


def is_flag(text: str) -> bool:
    """Whether a value is a yes or no."""
    return text.lower() in {"yes", "no", "true", "false", "y", "n"}


def _digits(text: str) -> str:
    """The digits of a number that blanks, points and hyphens may part; "" of any other text."""
    digits = text.translate(_BETWEEN_DIGITS)
    return digits if digits.isdecimal() else ""


def _is_numbered_token(text: str) -> bool:
    """Lower-case words and a number, parted by hyphens: "acme-corp-17"."""
    return "-" in text and text.rsplit("-", 1)[1].isdecimal() and shapes.is_token(text)


def _is_employees(text: str) -> bool:
    return parse_count(text) is not None or employee_band_from_text(text) is not None


def _is_revenue(text: str) -> bool:
    return parse_money(text) is not None or revenue_band_from_text(text) is not None


_OF_COMPANIES: dict[str, Callable[[Column], Fitness]] = {
    "company_name": _name,
    "website": _website,
    "alternative_domains": _domains,
    "external_id": _identifier,
    "cik": _part(lambda v: v.isdigit() and len(v) <= 10, least=0.7, what="numbers of up to ten digits"),
    "lei": _part(
        lambda v: len(v) == 20 and v.isalnum() and v.isascii() and v[18:].isdecimal(),
        least=0.7, what="LEI codes",
    ),
    "duns": _part(lambda v: len(_digits(v)) in {8, 9}, least=0.7, what="nine-digit numbers"),
    "stock_ticker": _part(lambda v: shapes.is_ticker(v.upper()), least=0.7, what="ticker symbols"),
    "stock_currency": _part(lambda v: read_currency(v) is not None, least=0.8, what="currencies"),
    "public_company": _part(lambda v: is_public(v) is not None, least=0.6, what="public or private"),
    "country": _country,
    "hq_address": _address,
    "hq_postcode": _postcode,
    "place": _place,
    "industry": _industry,
    "sector": _industry,
    "sic": _part(lambda v: v[:1].isdecimal(), least=0.5, what="codes"),
    "naics": _part(lambda v: v[:1].isdecimal(), least=0.5, what="codes"),
    "full_time_employees": _part(_is_employees, least=0.4, what="counts or ranges"),
    "revenue": _part(_is_revenue, least=0.4, what="amounts or ranges"),
    "market_cap": _part(lambda v: parse_money(v) is not None, least=0.5, what="amounts"),
    "ceo": _person,
    "description": _description,
    "profile_network_url": _part(
        lambda v: "linkedin." in v.lower(), least=0.5, what="pages on the professional network"
    ),
}  # fmt: skip
_FORMS_OF_PEOPLE: dict[str, Callable[[str], bool]] = {
    "profile_network_url": lambda v: read_profile_url(v) is not None,
    "company_page": lambda v: read_company_page(v) is not None,
    "emails": lambda v: read_email(v) is not None,
}
_OF_PEOPLE: dict[str, Callable[[Column], Fitness]] = {
    **dict.fromkeys(
        ("full_name", "first_name", "last_name", "current_job_title", "company_name", "city", "state"),
        _words_of_people,
    ),
    "emails": _part(lambda v: "@" in v, least=0.3, what="email addresses"),
    "phones": _part(lambda v: sum(map(str.isdigit, v)) >= 7, least=0.3, what="phone numbers"),
    "company_domain": _part(shapes.is_web_address, least=0.3, what="web addresses"),
    "profile_network_url": _part(
        lambda v: read_profile_url(v) is not None, least=0.3, what="pages of people"
    ),
    "image_url": _part(shapes.is_url, least=0.3, what="web addresses"),
    "country": _part(lambda v: vocabulary.country(v) is not None, least=0.3, what="countries"),
}  # fmt: skip
