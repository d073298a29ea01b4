"""Job boards by their addresses: which system, and the token that names the employer in it."""

import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True, slots=True)
class Board:
    """A board. `token` is what the system calls the employer; for Workday "tenant.host/site"."""

    kind: str
    token: str
    url: str


_TOKEN = r"([A-Za-z0-9][\w.%-]{0,80})"
# kind, host pattern, path pattern (None: the host holds the token), address of the board.
_ROWS: tuple[tuple[str, str, str | None, str], ...] = (
    ("greenhouse", r"(?:job-)?boards(?:\.eu)?\.greenhouse\.io", rf"/{_TOKEN}", "https://{host}/{token}"),
    ("greenhouse", r"(?:boards-)?api(?:\.eu)?\.greenhouse\.io", rf"/v1/boards/{_TOKEN}",
     "https://boards.greenhouse.io/{token}"),
    ("lever", r"jobs(?:\.eu)?\.lever\.co", rf"/{_TOKEN}", "https://{host}/{token}"),
    ("lever", r"api(?:\.eu)?\.lever\.co", rf"/v0/postings/{_TOKEN}", "https://jobs.lever.co/{token}"),
    ("ashby", r"jobs\.ashbyhq\.com", rf"/{_TOKEN}", "https://jobs.ashbyhq.com/{token}"),
    ("ashby", r"api\.ashbyhq\.com", rf"/posting-api/job-board/{_TOKEN}", "https://jobs.ashbyhq.com/{token}"),
    ("smartrecruiters", r"(?:careers|jobs)\.smartrecruiters\.com", rf"/{_TOKEN}",
     "https://careers.smartrecruiters.com/{token}"),
    ("smartrecruiters", r"api\.smartrecruiters\.com", rf"/v1/companies/{_TOKEN}",
     "https://careers.smartrecruiters.com/{token}"),
    ("workable", r"apply\.workable\.com", rf"/(?:api/v\d/(?:widget/)?accounts/)?{_TOKEN}",
     "https://apply.workable.com/{token}"),
    ("workable", rf"{_TOKEN}\.workable\.com", None, "https://apply.workable.com/{token}"),
    ("recruitee", rf"{_TOKEN}\.recruitee\.com", None, "https://{token}.recruitee.com"),
    ("teamtailor", rf"{_TOKEN}\.teamtailor\.com", None, "https://{token}.teamtailor.com"),
    ("personio", rf"{_TOKEN}\.jobs\.personio\.(?:de|com|es|it|fr|nl)", None, "https://{host}"),
    ("bamboohr", rf"{_TOKEN}\.bamboohr\.(?:com|co\.uk)", None, "https://{token}.bamboohr.com/careers"),
    ("eightfold", rf"{_TOKEN}\.eightfold\.ai", None, "https://{host}/careers"),
    ("icims", rf"{_TOKEN}\.icims\.com", None, "https://{host}/jobs/search"),
    ("jobvite", r"(?:jobs|careers|app)\.jobvite\.com", rf"/(?:careers/)?{_TOKEN}", "https://jobs.jobvite.com/{token}"),
    ("breezy", rf"{_TOKEN}\.breezy\.hr", None, "https://{host}"),
    ("jazzhr", rf"{_TOKEN}\.applytojob\.com", None, "https://{host}/apply"),
    ("rippling", r"ats\.rippling\.com", rf"/(?:[a-z]{{2}}-[A-Z]{{2}}/)?{_TOKEN}", "https://ats.rippling.com/{token}/jobs"),
    ("pinpoint", rf"{_TOKEN}\.pinpointhq\.com", None, "https://{host}"),
    ("comeet", r"(?:www\.)?comeet\.com?", rf"/jobs/{_TOKEN}", "https://www.comeet.com/jobs/{token}"),
    ("taleo", rf"{_TOKEN}\.taleo\.net", None, "https://{host}/careersection"),
    ("ukg", r"recruiting\d?\.ultipro\.c(?:om|a)", rf"/{_TOKEN}/JobBoard", "https://{host}/{token}/JobBoard"),
    ("softgarden", rf"{_TOKEN}\.softgarden\.io", None, "https://{host}"),
    ("join", r"(?:www\.)?join\.com", rf"/companies/{_TOKEN}", "https://join.com/companies/{token}"),
    ("welcometothejungle", r"(?:www\.)?welcometothejungle\.com", rf"/(?:\w\w/)?companies/{_TOKEN}",
     "https://www.welcometothejungle.com/en/companies/{token}/jobs"),
    ("dover", r"(?:app|jobs)\.dover\.(?:com|io)", rf"/(?:jobs/)?{_TOKEN}", "https://app.dover.com/jobs/{token}"),
    ("gem", r"jobs\.gem\.com", rf"/{_TOKEN}", "https://jobs.gem.com/{token}"),
    ("freshteam", rf"{_TOKEN}\.freshteam\.com", None, "https://{host}/jobs"),
    ("zoho_recruit", rf"{_TOKEN}\.zohorecruit\.(?:com|eu|in)", None, "https://{host}/jobs/Careers"),
    ("homerun", rf"{_TOKEN}\.homerun\.co", None, "https://{host}"),
    ("paylocity", r"recruiting\.paylocity\.com", r"/recruiting/jobs/All/([0-9a-f-]{36})",
     "https://recruiting.paylocity.com/recruiting/jobs/All/{token}"),
    ("factorial", rf"{_TOKEN}\.factorialhr\.(?:com|es|fr|it|de)", None, "https://{host}"),
    ("traffit", rf"{_TOKEN}\.traffit\.com", None, "https://{host}"),
    ("hibob", rf"{_TOKEN}\.careers\.hibob\.com", None, "https://{host}"),
    ("phenom", r"careers\.([a-z0-9-]+)\.phenompeople\.com", None, "https://{host}"),
    ("oracle", r"([a-z0-9-]+(?:\.fa)?(?:\.[a-z0-9]+)?)\.oraclecloud\.com", r"/hcmUI/CandidateExperience/.*",
     "https://{host}/hcmUI/CandidateExperience"),
    ("successfactors", r"career\d*\.(?:successfactors|sapsf)\.(?:com|eu)", None, "https://{host}/career?company={token}"),
)  # fmt: skip
_COMPILED = tuple(
    (kind, re.compile(host, re.I), re.compile(path, re.I) if path else None, url)
    for kind, host, path, url in _ROWS
)
_HINT = re.compile(
    r"greenhouse\.io|lever\.co|ashbyhq|smartrecruiters|workable\.com|recruitee|teamtailor|personio|bamboohr"
    r"|myworkday|eightfold\.ai|icims|jobvite|breezy\.hr|applytojob|rippling|pinpointhq|comeet|taleo\.net|ultipro"
    r"|softgarden|join\.com|welcometothejungle|dover\.|jobs\.gem|freshteam|zohorecruit|homerun\.co|paylocity"
    r"|factorialhr|traffit|hibob|phenompeople|oraclecloud|successfactors|sapsf",
    re.IGNORECASE,
)
_WORKDAY = re.compile(r"([a-z0-9_-]+)\.(wd\d+)\.myworkday(?:jobs|site)\.com", re.IGNORECASE)
_LOCALE = re.compile(r"[a-z]{2}-[A-Z]{2}")
# First labels and path parts of the systems' own pages, which name no employer.
_NO_EMPLOYER = frozenset(
    "www app api help support blog static cdn assets embed careers jobs job login auth status docs "
    "developers marketing go info learn resources js css images img media-assets scripts tracking "
    "employ my secure widgets widget get community partners careers-page career-page v1 v0 hire "
    "about privacy terms company pricing legal sitemap.xml robots.txt favicon.ico public fonts "
    "en de fr es integrations resources5 sso id accounts university trust events".split()
)


def find_board(url: str) -> Board | None:
    """The board that an address belongs to; None for any other address."""
    if not _HINT.search(url):
        return None
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    workday = _WORKDAY.fullmatch(host)
    if workday:
        return _workday(host, workday, parts.path)
    query = parse_qs(parts.query)
    for kind, host_pattern, path_pattern, address in _COMPILED:
        found = host_pattern.fullmatch(host)
        if not found:
            continue
        token = _embedded_token(kind, parts.path, query)
        if token is None and path_pattern is None and kind != "successfactors":
            token = found[1]
        elif token is None and kind == "oracle":
            token = found[1] if path_pattern and path_pattern.match(parts.path) else None
        elif token is None and path_pattern is not None:
            by_path = path_pattern.match(parts.path)
            token = by_path[1] if by_path else None
        token = token.strip(".") if token else None
        if not token or token.lower() in _NO_EMPLOYER:
            continue
        if kind == "icims" and not re.match(r"(?:[\w-]*(?:careers|jobs|career)[\w-]*)", token, re.I):
            continue
        return Board(kind, token, address.format(host=host, token=token))
    return None


def _embedded_token(kind: str, path: str, query: dict[str, list[str]]) -> str | None:
    """Tokens that stand in the query: Greenhouse's embed, SuccessFactors' company."""
    name = {"greenhouse": "for", "successfactors": "company"}.get(kind)
    if name is None or (kind == "greenhouse" and "/embed/" not in path):
        return None
    values = query.get(name)
    return values[0] if values and re.fullmatch(r"[\w.-]{1,80}", values[0]) else None


def _workday(host: str, found: re.Match[str], path: str) -> Board | None:
    segments = [segment for segment in path.split("/") if segment]
    tenant = found[1]
    if segments[:2] == ["wday", "cxs"] and len(segments) > 3:
        tenant, segments = segments[2], segments[3:]
    elif segments[:1] == ["recruiting"] and len(segments) > 2:
        tenant, segments = segments[1], segments[2:]
    elif segments and _LOCALE.fullmatch(segments[0]):
        segments = segments[1:]
    if not segments or segments[0] in {"wday", "login", "job"}:
        return None
    return Board("workday", f"{tenant}.{found[2].lower()}/{segments[0]}", f"https://{host}/{segments[0]}")
