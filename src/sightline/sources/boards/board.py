"""What a job board declares: its URLs and responses, its requests, and its parser, in one row."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import quote, unquote

from sightline.domain.evidence import Body
from sightline.domain.postings import ParsedPosting
from sightline.domain.tables import toml_table
from sightline.sources.boards.pages import BoardPage, BoardRequest

Form = Literal["json", "xml", "html"]
Groups = tuple[str | None, ...]

NAME = r"([A-Za-z0-9][\w.%&+-]{0,99})"
"""An employer's name in a path."""
LABEL = r"([a-z0-9][a-z0-9-]{0,62})"
"""An employer's name as the first label of a host."""


@dataclass(frozen=True, slots=True)
class Board:
    """One system. Everything that knows boards by name is made from these rows.

    `looks_like` is handed the JSON value, the root element or the page's text. `addresses` are
    patterns of addresses without their scheme, whose first group is the employer's name unless `token`
    makes it of all groups and the address (None: not a board). `ask` and `page` are addresses with
    {token}, {name} (quoted), {eu} (".eu" of a European board), {host} and {rest} (before and behind
    the slash of a token) and {site} (a host: the token itself, or below the first of `hosts`); or functions
    of the token. Of several requests each other one is another way in when the first fails.
    """

    kind: str
    title: str
    parse: Callable[..., BoardPage]
    looks_like: Callable[[Any], bool]
    forms: tuple[Form, ...] = ("json",)
    addresses: tuple[str, ...] = ()
    ask: tuple[str, ...] | Callable[[str], tuple[BoardRequest, ...]] = ()
    page: str | Callable[[str], str | None] | None = None
    token: Callable[[Groups, str], str | None] | None = None
    named_in_query: tuple[str, str] | None = None  # pattern of an address, and the query's name
    detail: Callable[[str, ParsedPosting], str | None] | None = (
        None  # of the first request's address
    )
    is_probed: bool = False  # asked under likely names of a company
    is_paged: bool = False  # `parse` needs `offset`
    is_whole: bool = True  # an answer, or all its pages, can prove that nothing is missing

    @property
    def hosts(self) -> tuple[str, ...]:
        """Registrable domains, or what employers' hosts are below, as `job_boards.toml` has them."""
        return tuple(toml_table("job_boards.toml")["hosts"][self.kind].split())

    def requests(self, token: str) -> tuple[BoardRequest, ...]:
        """First requests, best first; further pages are asked for by `BoardPage.next`."""
        if callable(self.ask):
            return self.ask(token)
        return tuple(BoardRequest(self._filled(each, token)) for each in self.ask)

    def page_url(self, token: str) -> str | None:
        """Where people read the board."""
        if callable(self.page):
            return self.page(token)
        return self._filled(self.page, token) if self.page else None

    def read(self, body: Body, *, offset: int = 0) -> BoardPage:
        """The postings of an answer; `offset` is the number of rows before it."""
        return self.parse(body, offset=offset) if self.is_paged else self.parse(body)

    def token_of(self, groups: Groups, address: str) -> str | None:
        """The token that the groups of an address make."""
        if self.token is not None:
            return self.token(groups, address)
        return next((unquote(group) for group in groups if group), None)

    def _filled(self, address: str, token: str) -> str:
        host, _, rest = token.partition("/")
        named = token.removeprefix("eu:")
        return address.format(
            token=token,
            name=quote(named, safe=""),
            eu=".eu" if token != named else "",
            host=host,
            rest=rest,
            site=token if "." in token else f"{token}.{self.hosts[0]}" if self.hosts else token,
        )


def regional(groups: Groups, address: str) -> str | None:
    """A name, with "eu:" before it where the address is of the system's European installation."""
    european = groups[0] if len(groups) > 1 else None
    name = next((unquote(group) for group in reversed(groups) if group), None)
    return f"eu:{name}" if name and (european or re.match(r"[\w-]+\.eu\.", address)) else name
