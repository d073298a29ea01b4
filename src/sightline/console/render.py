"""Templates: how values are formatted. Everything is escaped unless it is Markup."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from functools import cache
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import phonenumbers
from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from markupsafe import Markup, escape

from sightline.console import charts
from sightline.console.icons import icon
from sightline.console.navigation import GROUPS, UNDER
from sightline.console.notices import NOTICES
from sightline.console.viewer import VIEWER
from sightline.domain.amounts import signed_percent
from sightline.kit.clock import now
from sightline.sources.manifests import manifests

FOLDER = Path(__file__).parent
_MARK = re.compile(r"\[(\d{1,3})\]")
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
# The first mark that a user agent has; most name others as well.
_BROWSERS = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrom", "Chrome"), ("CriOS", "Chrome"),
    ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = (
    ("Windows", "Windows"), ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"),
    ("Mac OS", "macOS"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
)  # fmt: skip
_UNITS = ((10**12, "T"), (10**9, "B"), (10**6, "M"))
# Acronyms that a field's name would lose its meaning without.
_ACRONYMS = {
    "api": "API", "ceo": "CEO", "hq": "HQ", "id": "ID", "lei": "LEI", "cik": "CIK", "sec": "SEC",
    "url": "URL", "usd": "USD", "swot": "SWOT", "crm": "CRM", "erp": "ERP", "cms": "CMS", "cdn": "CDN",
    "json": "JSON", "ld": "LD", "html": "HTML", "xbrl": "XBRL", "devops": "DevOps", "gleif": "GLEIF",
    "edgar": "EDGAR", "it": "IT", "hr": "HR", "vp": "VP",
}  # fmt: skip


# Fields whose name says less to a person than another.
_LABELS = {
    "c_suite": "C-suite", "employee_count_range": "Employee range", "employee_size_category": "Employees",
    "full_time_employees": "Employees", "hq_country_name": "HQ country",
    "revenue_category": "Revenue", "revenue_range": "Revenue", "stock_exchange_name": "Exchange",
    "stock_exchange_symbol": "Exchange symbol", "website_domain": "Website", "winners": "Facts used",
}  # fmt: skip


@cache
def templates() -> Environment:
    """The one environment of the process; templates are compiled once."""
    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=ChainableUndefined,  # many fields of a record are optional
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters.update(
        ago=ago, band=band, day=day, moment=moment, number=number, money=money, words=words, host=host,
        web=web, percent=percent, phone=phone, place=place, short=short, cited=cited, source=source,
        value=shown_value, browser=browser, signed_percent=signed_percent,
        groupby_month=by_month, titled=titled,
    )  # fmt: skip
    environment.globals.update(
        line_chart=charts.line_chart, bar_chart=charts.bar_chart, column_chart=charts.column_chart,
        gauge=charts.gauge, sparkline=charts.sparkline, icon=icon, asset=asset, viewer=VIEWER.get,
        navigation=GROUPS, under=UNDER, notices=NOTICES,
    )  # fmt: skip
    return environment


@cache
def asset(name: str) -> str:
    """The address of a static file. It changes with the file, so that browsers may keep what they have."""
    mark = sha256((FOLDER / "static" / name).read_bytes()).hexdigest()[:12]
    return f"/console/static/{name}?v={mark}"


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError:
        return None
    return read.astimezone(UTC) if read.tzinfo else read.replace(tzinfo=UTC)


def ago(value: Any) -> str:
    """How long ago a time was, in words."""
    read = _moment(value)
    if read is None:
        return "—"
    seconds = (now() - read).total_seconds()
    if seconds < -_MINUTE:
        return day(value)
    for unit, length in (("d", _DAY), ("h", _HOUR), ("min", _MINUTE)):
        if seconds >= length:
            return f"{int(seconds // length)} {unit} ago" if seconds < 30 * _DAY else day(value)
    return "just now"


def day(value: Any, precision: str = "day") -> str:
    """The day of a time: 4 Mar 2026; of a signal as `sightline.domain.signals.Precision` says. Days of
    documents and events are those of UTC everywhere."""
    is_day = isinstance(value, date) and not isinstance(value, datetime)
    read = value if is_day else _moment(value)
    if read is None or precision in ("month", "year"):
        return f"{read:{'%Y' if precision == 'year' else '%b %Y'}}" if read else "—"
    return f"{'reported ' if precision == 'reported' else ''}{read.day} {read:%b %Y}"


def browser(agent: str | None) -> str:
    """The browser and system that a user agent names: Firefox on Windows. Its own words otherwise."""
    name = next((word for mark, word in _BROWSERS if mark in (agent or "")), None)
    if name is None:
        return short(agent, 80) if agent else "Unknown browser"
    system = next((word for mark, word in _SYSTEMS if mark in (agent or "")), "")
    return f"{name} on {system}" if system else name


def titled(value: str) -> str:
    """The title of a document with the day that it ends in as people read it: 10-K for 31 Dec 2025."""
    start, space, last = value.rpartition(" ")
    try:
        return f"{start}{space}{day(date.fromisoformat(last))}"
    except ValueError:
        return value


def by_month(rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """Rows that are sorted by `at`, under the name of each month."""
    named = groupby(rows, key=lambda row: f"{read:%B %Y}" if (read := _moment(row["at"])) else "")
    return [(name, list(each)) for name, each in named]


def moment(value: Any) -> str:
    """A time to the minute, in the viewer's time zone."""
    read = _moment(value)
    if read is None:
        return "—"
    local = read.astimezone(VIEWER.get().zone)
    return f"{local.day} {local:%b %Y, %H:%M %Z}"


def number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int | float) and not isinstance(value, bool) else "—"


def money(value: Any, currency: str | None = None) -> str:
    """An amount in few digits: USD 2.4B."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return "—"
    text = f"{value:,.0f}"
    for size, name in _UNITS:
        if abs(value) >= size:
            text = f"{value / size:.1f}".removesuffix(".0") + name
            break
    return f"{currency} {text}" if currency else text


def band(name: Any) -> str:
    """A band of a size vocabulary: 10001+ -> 10,001+, 501-1000 -> 501–1,000."""
    return re.sub(r"\d+", lambda found: f"{int(found[0]):,}", str(name)).replace("-", "–")


def phone(text: Any) -> str:
    """A number in E.164 in the groups in which it is read out; other text as it is."""
    try:
        read = phonenumbers.parse(str(text))
    except phonenumbers.NumberParseException:
        return str(text)
    return phonenumbers.format_number(read, phonenumbers.PhoneNumberFormat.INTERNATIONAL)


def percent(value: Any) -> str:
    return f"{value:.0%}" if isinstance(value, int | float) else "—"


def words(name: Any) -> str:
    """A name of the interface as a label: hq_city -> HQ city."""
    if name in _LABELS:
        return _LABELS[name]
    parts = str(name).replace("-", "_").split("_")
    parts = [_ACRONYMS.get(part.lower(), part) for part in parts]
    text = " ".join(part for part in parts if part)
    return text[:1].upper() + text[1:]


def source(name: Any) -> str:
    """A source as people know it."""
    return _source_titles().get(str(name)) or words(name)


@cache
def _source_titles() -> dict[str, str]:
    return {each.name: each.title for each in manifests()}


def host(url: Any) -> str:
    """The host of an address, for a short link text."""
    try:
        return (urlsplit(str(url)).hostname or str(url)).removeprefix("www.")
    except ValueError:
        return str(url)[:60]


def place(url: Any) -> str:
    """An address in short: its host and the last part of its path."""
    name = urlsplit(web(url) or "").path.rstrip("/").rpartition("/")[2]
    return f"{host(url)}/…/{short(name, 40)}" if name else host(url)


def web(url: Any) -> str | None:
    """An address that a link may lead to: http and https alone, for read pages name others too."""
    text = str(url or "")
    return text if text.lower().startswith(("https://", "http://")) else None


def short(text: Any, length: int = 220) -> str:
    """The beginning of a text, cut between words."""
    whole = " ".join(str(text or "").split())
    if len(whole) <= length:
        return whole
    return whole[:length].rsplit(" ", 1)[0].rstrip(",;:. ") + "…"


def cited(text: Any, place: str, citations: Any) -> Markup:
    """An answer whose numbers in brackets lead to their citations, the elements `place` + number."""
    known = {str(each["n"]) for each in citations or ()}

    def link(found: re.Match[str]) -> str:
        number = found[1]
        if number not in known:
            return found[0]
        return f'<a class="mark" href="#{escape(place)}{number}">[{number}]</a>'

    return Markup(_MARK.sub(link, str(escape(str(text)))))  # noqa: S704


def shown_value(value: Any) -> str:
    """A field's value as a person reads it."""
    match value:
        case None | "" | []:
            return "—"
        case bool():
            return "Yes" if value else "No"
        case int() | float():
            return number(value)
        case list():
            return ", ".join(shown_value(each) for each in value)
        case dict():
            return ", ".join(shown_value(each) for each in value.values() if each not in (None, ""))
    return str(value)
