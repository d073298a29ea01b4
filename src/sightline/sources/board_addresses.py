"""Which job board an address belongs to, where boards answer, and which boards a company may have.

A board is a kind and a token: the employer's name on that system. Where one name is not enough the
token says more: `tenant.wd5/Site` (Workday), `abcd.fa.us2/CX_1` (Oracle), `host/domain` (Eightfold),
`eu:name` (a European Greenhouse or Lever); a token with dots is the host of a site of its own.
"""

import re
from collections.abc import Callable, Iterator
from urllib.parse import parse_qs, quote, unquote, urlsplit

from sightline.domain.names import fold, name_key
from sightline.sources.board_pages import BoardRequest
from sightline.sources.vocabulary import vocabulary
from sightline.sources.workday.parse import request_json

_NAME = r"([A-Za-z0-9][\w.%&+-]{0,99})"
_LABEL = r"([a-z0-9][a-z0-9-]{0,62})"
_LOCALE = r"(?:[a-z]{2}-[a-z]{2}/)?"
# Kind, and an address without its scheme; the groups make the token.
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("greenhouse", rf"(?:boards|job-boards)(?:\.(eu))?\.greenhouse\.io/(?:v1/boards/)?{_NAME}"),
        ("greenhouse", rf"(?:boards-)?api(?:\.(eu))?\.greenhouse\.io/v1/boards/{_NAME}"),
        ("lever", rf"jobs(?:\.(eu))?\.lever\.co/{_NAME}"),
        ("lever", rf"api(?:\.(eu))?\.lever\.co/v0/postings/{_NAME}"),
        ("ashby", rf"jobs\.ashbyhq\.com/{_NAME}"),
        ("ashby", rf"api\.ashbyhq\.com/posting-api/job-board/{_NAME}"),
        ("smartrecruiters", rf"api\.smartrecruiters\.com/v1/companies/{_NAME}"),
        ("smartrecruiters", rf"(?:jobs|careers)\.smartrecruiters\.com/{_NAME}"),
        ("workable", rf"apply\.workable\.com/api/v\d/(?:widget/)?accounts/{_NAME}"),
        ("workable", rf"(?:www\.)?workable\.com/api/accounts/{_NAME}"),
        ("workable", rf"apply\.workable\.com/(?!j/|api/){_NAME}"),
        ("workable", rf"{_LABEL}\.workable\.com(?:/|$)"),
        ("recruitee", rf"{_LABEL}\.recruitee\.com(?:/|$)"),
        ("teamtailor", rf"{_LABEL}(?:\.(?:na|eu|au|career))?\.teamtailor\.com(?:/|$)"),
        ("personio", rf"{_LABEL}\.jobs\.personio\.(?:de|com|es|fr|it|nl|at|ch)(?:/|$)"),
        ("bamboohr", rf"{_LABEL}\.bamboohr\.com(?:/|$)"),
        ("workday", rf"{_LABEL}\.(wd\d{{1,3}})\.myworkdayjobs(?:-impl)?\.com/wday/cxs/[^/]+/([\w-]+)"),
        ("workday", rf"{_LABEL}\.(wd\d{{1,3}})\.myworkdayjobs(?:-impl)?\.com/{_LOCALE}([\w-]+)"),
        ("workday", r"(wd\d{1,3})\.myworkdaysite\.com/(?:[a-z]{2}-[a-z]{2}/)?recruiting/([\w-]+)/([\w-]+)"),
        ("workday", r"(wd\d{1,3})\.myworkdaysite\.com/wday/cxs/([\w-]+)/([\w-]+)"),
        ("eightfold", rf"{_LABEL}\.eightfold\.ai(?:/|$)"),
        ("icims", rf"{_LABEL}\.icims\.com(?:/|$)"),
        ("jobvite", rf"(?:jobs|careers)\.jobvite\.com/(?:careers/)?{_NAME}"),
        ("breezy", rf"{_LABEL}\.breezy\.hr(?:/|$)"),
        ("jazzhr", rf"{_LABEL}\.applytojob\.com(?:/|$)"),
        ("pinpoint", rf"{_LABEL}\.pinpointhq\.com(?:/|$)"),
        ("rippling", rf"api\.rippling\.com/platform/api/ats/v\d/board/{_NAME}"),
        ("rippling", rf"ats\.rippling\.com/(?:[a-z]{{2}}-[A-Z]{{2}}/)?{_NAME}"),
        ("oracle", r"([\w-]+\.fa(?:\.[\w-]+)?)\.oraclecloud\.com/hcmUI/\w+/[\w-]+/sites/([\w-]+)"),
        ("paylocity", r"recruiting\.paylocity\.com/recruiting/(?:\w+/){0,3}jobs/(?:all/)?([\da-f-]{36})"),
        ("hrmdirect", rf"{_LABEL}\.hrmdirect\.com(?:/|$)"),
        ("neogov", rf"(?:www\.)?governmentjobs\.com/careers/{_NAME}"),
        ("phenom", rf"{_LABEL}\.phenompeople\.com(?:/|$)"),
    )
)  # fmt: skip
_GREENHOUSE_FRAME = re.compile(
    r"(?:job-boards|boards|boards-api|api)(?:\.eu)?\.greenhouse\.io/embed/"
)
_NEOGOV_FEED = re.compile(r"(?:www\.)?governmentjobs\.com/SearchEngine/JobsFeed", re.IGNORECASE)
_NAMED_IN_QUERY = {"greenhouse": (_GREENHOUSE_FRAME, "for"), "neogov": (_NEOGOV_FEED, "agency")}
_ADDRESS = re.compile(
    r"(?:https?:)?//[\w.-]+\.(?:greenhouse\.io|lever\.co|ashbyhq\.com|smartrecruiters\.com|workable\.com"
    r"|recruitee\.com|teamtailor\.com|personio\.\w{2,3}|bamboohr\.com|myworkdayjobs\.com|myworkdaysite\.com"
    r"|eightfold\.ai|icims\.com|jobvite\.com|breezy\.hr|applytojob\.com|pinpointhq\.com|rippling\.com"
    r"|oraclecloud\.com|paylocity\.com|hrmdirect\.com|governmentjobs\.com|phenompeople\.com)"
    r"[^\s\"'<>\\)]{0,300}",
    re.IGNORECASE,
)


def board_of(url: str) -> tuple[str, str] | None:
    """Kind and token of the board that an address belongs to; None for all other addresses."""
    bare = re.sub(r"^(?:https?:)?//", "", url.strip().replace("&amp;", "&"), flags=re.IGNORECASE)
    if len(bare) > 2000:
        return None
    for kind, (place, name) in _NAMED_IN_QUERY.items():
        if place.search(bare):
            named = parse_qs(urlsplit(f"//{bare}").query).get(name)
            return _board(kind, (None, named[0]), bare) if named else None
    for kind, pattern in _PATTERNS:
        if found := pattern.match(bare):
            return _board(kind, found.groups(), bare)
    return None


def boards_in(text: str) -> Iterator[tuple[str, str, str]]:
    """Kind, token and address of every board that a page's source names, each board once.

    The source is searched as text, so that scripts and embedded frames count as well.
    """
    seen = set()
    for found in _ADDRESS.finditer(text.replace("\\/", "/")):
        board = board_of(found[0])
        if board is not None and board not in seen:
            seen.add(board)
            yield *board, found[0] if found[0].startswith("http") else f"https:{found[0]}"


def board_urls(kind: str, token: str) -> tuple[BoardRequest, ...]:
    """First requests to a board, best first; each other one is another way in when it fails.

    Further pages are asked for by `BoardPage.next`. Empty for a kind that has no such address.
    """
    build = _REQUESTS.get(kind)
    return build(token) if build is not None else ()


def board_page_url(kind: str, token: str) -> str | None:
    """Where people read a board; None where no address follows from the token."""
    host, _, rest = token.partition("/")
    name = quote(token.removeprefix("eu:"), safe="")
    eu = token.startswith("eu:")
    pages = {
        "greenhouse": f"https://job-boards{'.eu' if eu else ''}.greenhouse.io/{name}",
        "lever": f"https://jobs{'.eu' if eu else ''}.lever.co/{name}",
        "ashby": f"https://jobs.ashbyhq.com/{name}",
        "smartrecruiters": f"https://jobs.smartrecruiters.com/{name}",
        "workable": f"https://apply.workable.com/{name}/",
        "recruitee": f"https://{_host(token, 'recruitee.com')}/",
        "teamtailor": f"https://{_host(token, 'teamtailor.com')}/jobs",
        "personio": f"https://{_host(token, 'jobs.personio.de')}/",
        "bamboohr": f"https://{token}.bamboohr.com/careers",
        "workday": f"https://{host}/recruiting/{rest}"
        if host.endswith("myworkdaysite.com")
        else f"https://{host}.myworkdayjobs.com/{rest}",
        "eightfold": f"https://{host}.eightfold.ai/careers",
        "icims": f"https://{token}.icims.com/jobs/search",
        "jobvite": f"https://jobs.jobvite.com/{name}",
        "breezy": f"https://{token}.breezy.hr/",
        "jazzhr": f"https://{token}.applytojob.com/apply",
        "pinpoint": f"https://{_host(token, 'pinpointhq.com')}/",
        "rippling": f"https://ats.rippling.com/{name}/jobs",
        "oracle": f"https://{host}.oraclecloud.com/hcmUI/CandidateExperience/en/sites/{rest}",
        "paylocity": f"https://recruiting.paylocity.com/recruiting/jobs/All/{name}",
        "hrmdirect": f"https://{token}.hrmdirect.com/employment/job-openings.php",
        "neogov": f"https://www.governmentjobs.com/careers/{name}",
        "phenom": f"https://{token}/" if "." in token else None,
    }
    return pages.get(kind)


def probe_tokens(name: str, domain: str | None = None) -> tuple[str, ...]:
    """Names under which a company is likely to be on a job board, likeliest first; at most 6.

    The label of the domain comes first: it is the one that is hardest to share with another company.
    """
    label = (domain or "").lower().removeprefix("www.").split(".")[0]
    words = fold(name_key(name) or name).split()
    ascii_words = [word for word in words if word.isascii()]
    candidates = [
        label,
        "".join(ascii_words),
        "-".join(ascii_words),
        label.replace("-", ""),
        re.sub(
            r"^(?:get|try|use|join|go|hello|with|the)(?=\w{4})|(?<=\w{3})(?:hq|app|labs|inc)$",
            "",
            label,
        ),
        "".join(fold(name).split()) if name.isascii() else "",
    ]
    usable = (
        each for each in candidates if len(each) > 1 and each not in vocabulary("system_names")
    )
    return tuple(dict.fromkeys(usable))[:6]


def _board(kind: str, groups: tuple[str | None, ...], bare: str) -> tuple[str, str] | None:
    parts = [unquote(part) for part in groups if part]
    if kind in {"greenhouse", "lever"}:
        region, name = ("eu:" if groups[0] or "eu.greenhouse.io" in bare else ""), parts[-1]
        return None if name.lower() in vocabulary("system_names") else (kind, region + name)
    if kind == "workday":
        tenant, site = parts[0].lower(), parts[-1]
        if "myworkdaysite" in bare.lower():
            token = f"{tenant}.myworkdaysite.com/{parts[1]}/{site}"
        else:
            token = f"{tenant}.{parts[1].lower()}/{site}"
        return None if site.lower() in {"wday", "job"} else (kind, token)
    if kind == "oracle":
        return kind, f"{parts[0].lower()}/{parts[1]}"
    name = parts[0]
    if kind == "eightfold":
        asked = parse_qs(urlsplit(f"//{bare}").query).get("domain")
        return (
            None
            if name in vocabulary("system_names")
            else (kind, f"{name.lower()}/{asked[0]}" if asked else name)
        )
    if kind == "teamtailor" and name == "career":
        return kind, bare.split("/")[0].lower()  # the maker's own board
    if name.lower() in vocabulary("system_names"):
        return None
    regional = re.match(
        rf"{re.escape(name)}\.(?:na|eu|au|career)\.teamtailor\.com", bare, re.IGNORECASE
    )
    if kind == "teamtailor" and regional:
        return kind, regional[0].lower()
    return kind, name


def _host(token: str, parent: str) -> str:
    return token if "." in token else f"{token}.{parent}"


def _get(*urls: str) -> tuple[BoardRequest, ...]:
    return tuple(BoardRequest(url) for url in urls)


def _greenhouse(token: str) -> tuple[BoardRequest, ...]:
    # The European boards answer at the same address.
    name = quote(token.removeprefix("eu:"), safe="")
    return _get(f"https://boards-api.greenhouse.io/v1/boards/{name}/jobs?content=true")


def _lever(token: str) -> tuple[BoardRequest, ...]:
    host = "api.eu.lever.co" if token.startswith("eu:") else "api.lever.co"
    return _get(f"https://{host}/v0/postings/{quote(token.removeprefix('eu:'), safe='')}?mode=json")


def _workday(token: str) -> tuple[BoardRequest, ...]:
    host, _, rest = token.partition("/")
    tenant = host.split(".")[0]
    if host.endswith("myworkdaysite.com"):
        url = f"https://{host}/wday/cxs/{rest}/jobs"
    else:
        url = f"https://{host}.myworkdayjobs.com/wday/cxs/{tenant}/{rest}/jobs"
    return (BoardRequest(url, "POST", request_json(0)),)


def _eightfold(token: str) -> tuple[BoardRequest, ...]:
    host, _, domain = token.partition("/")
    name = quote(domain or f"{host}.com", safe="")
    return _get(f"https://{host}.eightfold.ai/api/apply/v2/jobs?domain={name}")


def _oracle(token: str) -> tuple[BoardRequest, ...]:
    host, _, site = token.partition("/")
    return _get(
        f"https://{host}.oraclecloud.com/hcmRestApi/resources/latest/recruitingCEJobRequisitions"
        f"?onlyData=true&expand=requisitionList.secondaryLocations"
        f"&finder=findReqs;siteNumber={site},limit=100,sortBy=POSTING_DATES_DESC"
    )


def _workable(token: str) -> tuple[BoardRequest, ...]:
    name = quote(token, safe="")
    return (
        BoardRequest(f"https://apply.workable.com/api/v1/widget/accounts/{name}?details=true"),
        BoardRequest(
            f"https://apply.workable.com/api/v3/accounts/{name}/jobs", "POST", {"query": ""}
        ),
    )


_REQUESTS: dict[str, Callable[[str], tuple[BoardRequest, ...]]] = {
    "greenhouse": _greenhouse,
    "lever": _lever,
    "ashby": lambda token: _get(
        f"https://api.ashbyhq.com/posting-api/job-board/{quote(token, safe='')}?includeCompensation=true"
    ),
    "smartrecruiters": lambda token: _get(
        f"https://api.smartrecruiters.com/v1/companies/{quote(token, safe='')}/postings"
    ),
    "workable": _workable,
    "recruitee": lambda token: _get(f"https://{_host(token, 'recruitee.com')}/api/offers/"),
    "teamtailor": lambda token: _get(
        f"https://{_host(token, 'teamtailor.com')}/jobs.json",
        f"https://{_host(token, 'teamtailor.com')}/jobs.rss",
    ),
    "personio": lambda token: _get(
        f"https://{_host(token, 'jobs.personio.de')}/xml",
        *(() if "." in token else (f"https://{token}.jobs.personio.com/xml",)),
    ),
    "bamboohr": lambda token: _get(f"https://{token}.bamboohr.com/careers/list"),
    "workday": _workday,
    "eightfold": _eightfold,
    "icims": lambda token: _get(
        f"https://{token}.icims.com/jobs/search?ss=1&in_iframe=1",
        f"https://{token}.icims.com/jobs/search",
    ),
    "jobvite": lambda token: _get(f"https://jobs.jobvite.com/{quote(token, safe='')}/search"),
    "breezy": lambda token: _get(f"https://{token}.breezy.hr/json"),
    "jazzhr": lambda token: _get(f"https://{token}.applytojob.com/apply"),
    "pinpoint": lambda token: _get(f"https://{_host(token, 'pinpointhq.com')}/postings.json"),
    "rippling": lambda token: _get(
        f"https://api.rippling.com/platform/api/ats/v1/board/{quote(token, safe='')}/jobs"
    ),
    "oracle": _oracle,
    "paylocity": lambda token: _get(
        f"https://recruiting.paylocity.com/recruiting/jobs/All/{quote(token, safe='')}"
    ),
    "hrmdirect": lambda token: _get(
        f"https://{token}.hrmdirect.com/employment/job-openings.php?search=true"
    ),
    "neogov": lambda token: _get(
        f"https://www.governmentjobs.com/SearchEngine/JobsFeed?agency={quote(token, safe='')}"
    ),
    "phenom": lambda token: _get(f"https://{token}/search-results") if "." in token else (),
    "job_pages": lambda token: _get(token) if token.startswith("http") else (),
}
