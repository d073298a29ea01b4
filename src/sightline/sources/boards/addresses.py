"""Job board URLs: which board one belongs to, where boards answer, and which boards a company may have.

A board is a kind and a token: the employer's name on that system. Where one name is not enough the
token says more: `tenant.wd5/Site` (Workday), `abcd.fa.us2/CX_1` (Oracle), `host/domain` (Eightfold),
`eu:name` (a European Greenhouse or Lever); a token with dots is the host of a site of its own.
"""

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qs, unquote, urlsplit

from sightline.domain.countries import country_from_text
from sightline.domain.names import fold, name_key
from sightline.sources.boards.pages import BoardRequest
from sightline.sources.boards.registry import BOARDS, HOSTS
from sightline.sources.vocabulary import vocabulary

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (board.kind, re.compile(pattern, re.IGNORECASE))
    for board in BOARDS.values()
    for pattern in board.addresses
)
_NAMED_IN_QUERY = tuple(
    (board.kind, re.compile(board.named_in_query[0], re.IGNORECASE), board.named_in_query[1])
    for board in BOARDS.values()
    if board.named_in_query
)
_ADDRESS = re.compile(
    rf"(?:https?:)?//[\w.-]+\.(?:{'|'.join(map(re.escape, sorted(HOSTS)))})[^\s\"'<>\\)]{{0,300}}",
    re.IGNORECASE,
)


def board_of(url: str) -> tuple[str, str] | None:
    """Kind and token of the board that an address belongs to; None for all other addresses."""
    bare = re.sub(r"^(?:https?:)?//", "", url.strip().replace("&amp;", "&"), flags=re.IGNORECASE)
    if len(bare) > 2000:
        return None
    for kind, place, name in _NAMED_IN_QUERY:
        if place.match(bare):
            named = parse_qs(urlsplit(f"//{bare}").query).get(name)
            return _board(kind, (named[0],), bare) if named else None
    for kind, pattern in _PATTERNS:
        if found := pattern.match(bare):
            return _board(kind, found.groups(), bare)
    return None


def _board(kind: str, groups: tuple[str | None, ...], bare: str) -> tuple[str, str] | None:
    named = {unquote(group).lower() for group in groups if group}
    token = BOARDS[kind].token_of(groups, bare)
    if token is None or ("." not in token and not named.isdisjoint(vocabulary("system_names"))):
        return None
    return kind, token


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


def names_board(urls: Iterable[str]) -> bool:
    """Whether any of many addresses may be a job board's: one scan instead of one for each."""
    joined = "\n".join(urls).lower()
    return any(host in joined for host in HOSTS)


def board_urls(kind: str, token: str) -> tuple[BoardRequest, ...]:
    """First requests to a board, best first; each other one is another way in when it fails.

    Further pages are asked for by `BoardPage.next`. Empty for a kind that has no such address.
    """
    return BOARDS[kind].requests(token) if kind in BOARDS else ()


def board_page_url(kind: str, token: str) -> str | None:
    """Where people read a board; None where no address follows from the token."""
    return BOARDS[kind].page_url(token) if kind in BOARDS else None


def probe_tokens(name: str, domain: str | None = None) -> tuple[str, ...]:
    """Names under which a company is likely to be on a job board, likeliest first; at most 6.

    The label of the domain comes first: it is the one that is hardest to share with another company.
    """
    label = (domain or "").lower().removeprefix("www.").split(".")[0]
    words = fold(name_key(name) or name).split()
    ascii_words = [word for word in words if word.isascii()]
    if len(ascii_words) > 1 and country_from_text(ascii_words[-1]):
        ascii_words.pop()  # the registered name says where, the board's does not
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
