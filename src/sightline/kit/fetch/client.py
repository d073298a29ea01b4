"""The fetcher: takes a URL, returns a response or a typed failure; polite, bounded, never inside the
network.
"""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import structlog

from sightline.kit.fetch.addresses import WEB_PORTS, IPNetwork, Url, join, parse_url
from sightline.kit.fetch.answer import (
    Answer,
    HostRules,
    Reply,
    Request,
    Validators,
    read_retry_after,
)
from sightline.kit.fetch.bounds import ACCEPT_ENCODING, Limits
from sightline.kit.fetch.cookies import Cookies
from sightline.kit.fetch.errors import (
    ConnectionBroke,
    FetchFailed,
    TimedOut,
    TooManyRedirects,
    without_query,
)
from sightline.kit.fetch.live import LiveWeb, Web
from sightline.kit.fetch.politeness import BackOff, Pace, ProcessPace, Unhurried
from sightline.kit.fetch.replay import Archive, read_web_setting
from sightline.kit.fetch.robots import LARGEST_ROBOTS, Robots

log = structlog.get_logger()

MAX_BYTES = 5_000_000
SAMPLE_SUFFIX = ".example"
_REDIRECTS = {301, 302, 303, 307, 308}
_BUSY = {429, 503}
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
# What a redirect to another origin still sees of the caller's headers.
_HARMLESS = {"accept", "accept-language", "accept-encoding", "user-agent", "content-type"}
_OURS = {"host", "content-length", "transfer-encoding", "connection", "accept-encoding"}
_DEFAULT_RULES = HostRules()


@dataclass(frozen=True, slots=True)
class FetcherConfig:
    """How the fetcher behaves.

    `web` is `live` or `replay:DIR?at=DATE`. `sample_dir` holds the archive for all hosts under
    `.example`, and for addresses that begin with one of `sample_addresses`. `product` is the user
    agent's token and version, `contact` an address or URL that hosts may complain to. `host_rules` are
    rules by host name. `allow` names private networks that may be fetched from nonetheless; `ports`
    None allows all ports. A busy host (429, 503) is asked once more if it asks for at most
    `longest_retry_seconds`.
    """

    web: str = "live"
    sample_dir: Path | None = None
    sample_addresses: tuple[str, ...] = ()
    product: str = "Sightline/0.1"
    contact: str = ""
    limits: Limits = field(default_factory=Limits)
    host_rules: Mapping[str, HostRules] = field(default_factory=dict)
    allow: tuple[IPNetwork, ...] = ()
    ports: frozenset[int] | None = WEB_PORTS
    longest_retry_seconds: float = 30.0

    @property
    def user_agent(self) -> str:
        """Such as `Sightline/0.1 (+ops@acme.example)`. Raises ValueError on unprintable text."""
        text = f"{self.product} (+{self.contact})" if self.contact else self.product
        if not text.isascii() or not text.isprintable():
            raise ValueError("The user agent's product and contact must be printable ASCII.")
        return text


@dataclass(slots=True)
class _Budget:
    """Seconds of exchange that are left to one fetch."""

    left: float
    spent: float = 0.0

    def charge(self, seconds: float) -> None:
        self.left -= seconds
        self.spent += seconds


class Fetcher:
    """Fetches from the web, or from a recorded one. Use as an async context manager, or close it.

    `pace` is shared with the other workers; by default each process has its own. `live` replaces
    the network, for tests.
    """

    def __init__(
        self, config: FetcherConfig, *, pace: Pace | None = None, live: Web | None = None
    ) -> None:
        self._config = config
        self._user_agent = config.user_agent
        source = read_web_setting(config.web)
        self._web: Web
        if source is None:
            self._web = live or LiveWeb(allow=config.allow)
            self._pace = pace or ProcessPace()
        else:
            self._web = Archive(source.folder, at=source.at)
            self._pace = Unhurried()
        self._sample = Archive(config.sample_dir) if config.sample_dir else None
        self._unhurried = Unhurried()
        self._back_off = BackOff()
        self._robots = Robots(config.product.partition("/")[0], self._read_robots)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._web.close()

    async def get(
        self,
        url: str,
        *,
        conditional: Validators | None = None,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
        rules: HostRules | None = None,
    ) -> Answer:
        """Fetch `url`, redirects followed. Every status is an answer, 404 and 503 too.

        `rules` are those of the URL's own host. Raises FetchFailed.
        """
        sent = self._headers(accept, headers) | (conditional.headers() if conditional else {})
        return await self._fetch(url, Request("GET", sent, None, max_bytes), rules)

    async def post(
        self,
        url: str,
        body: Any,
        *,
        accept: str | None = None,
        headers: Mapping[str, str] | None = None,
        max_bytes: int = MAX_BYTES,
        rules: HostRules | None = None,
    ) -> Answer:
        """Post `body` as JSON, as some job boards want to be read. Otherwise like `get`."""
        sent = self._headers(accept or "application/json", headers)
        sent["content-type"] = "application/json"
        content = json.dumps(body, separators=(",", ":")).encode()
        return await self._fetch(url, Request("POST", sent, content, max_bytes), rules)

    def _headers(self, accept: str | None, extra: Mapping[str, str] | None) -> dict[str, str]:
        named = {name.lower(): value for name, value in (extra or {}).items()}
        return {
            "user-agent": self._user_agent,
            "accept": accept or _ACCEPT,
            "accept-language": "en,*;q=0.5",
            **{name: value for name, value in named.items() if name not in _OURS},
            "accept-encoding": ACCEPT_ENCODING,
        }

    async def _fetch(self, text: str, request: Request, rules: HostRules | None) -> Answer:
        budget = _Budget(self._config.limits.total_seconds)
        try:
            answer = await self._follow(text, request, rules, budget)
        except FetchFailed as error:
            if error.url.startswith("//"):  # the pace knows only the host
                error.url = without_query(text)
            log.debug(
                "fetch",
                url=without_query(text),
                outcome=error.outcome,
                seconds=round(budget.spent, 3),
            )
            raise
        log.debug(
            "fetch",
            url=without_query(answer.final_url),
            outcome="answered",
            status=answer.status,
            bytes=len(answer.content),
            redirects=len(answer.redirects),
            seconds=round(answer.elapsed, 3),
        )
        return answer

    async def _follow(
        self,
        text: str,
        request: Request,
        rules: HostRules | None,
        budget: _Budget,
        *,
        ask_robots: bool = True,
    ) -> Answer:
        """The answer at the end of the redirects; each hop is parsed, judged and paced again."""
        url = self._parse(text)
        first_host = url.host
        seen: list[str] = []
        cookies = Cookies()
        asked: set[tuple[str, str]] = set()
        while True:
            own = rules if rules is not None and url.host == first_host else None
            held = cookies.header(url)
            asked.add((str(url), held))
            reply = await self._ask(
                url,
                _with_cookies(request, held),
                own or self._rules_of(url.host),
                budget,
                ask_robots=ask_robots,
            )
            location = reply.headers.get("location")
            if reply.status not in _REDIRECTS or not location:
                return Answer(
                    url=seen[0] if seen else str(url),
                    status=reply.status,
                    final_url=str(url),
                    redirects=tuple(seen),
                    headers=reply.headers,
                    content=reply.content,
                    fetched_at=reply.fetched_at,
                    elapsed=budget.spent,
                )
            seen.append(str(url))
            target = self._parse(join(url, location))
            request = _redirected(request, reply.status, same_origin=target.origin == url.origin)
            cookies.take(url, reply.headers.get("set-cookie"))
            # A page that leads to itself may want to see the cookie that it has just set.
            loops = request.method == "GET" and (str(target), cookies.header(target)) in asked
            if loops or len(seen) > self._config.limits.redirects:
                raise TooManyRedirects(seen[0], "a loop" if loops else f"{len(seen)} redirects")
            url = target

    async def _ask(
        self, url: Url, request: Request, rules: HostRules, budget: _Budget, *, ask_robots: bool
    ) -> Reply:
        """One reply, in the host's turn; once more if the host was busy or hung up."""
        interval = rules.interval_seconds
        # Of the hosts that real companies share, the archive has addresses of sample companies alone.
        if ask_robots and rules.obey_robots and not self._is_of_sample(url):
            asked = await self._robots.delay(url)
            interval = max(interval, min(asked, rules.longest_crawl_delay))
        web, pace = self._place(url)
        for may_repeat in (True, False):
            async with pace.turn(
                url.host, interval_seconds=interval, connections=rules.connections
            ):
                started = time.monotonic()
                try:
                    reply = await self._exchange(web, url, request, budget)
                except ConnectionBroke:
                    if not may_repeat or request.method != "GET":
                        raise
                    continue
                finally:
                    budget.charge(time.monotonic() - started)
            if reply.status not in _BUSY:
                self._back_off.answered(url.host)
                return reply
            retry_after = read_retry_after(reply.headers, reply.fetched_at)
            seconds = self._back_off.refused(url.host, retry_after)
            await pace.rest(url.host, seconds)
            if not may_repeat or seconds > self._config.longest_retry_seconds:
                return reply
        raise AssertionError("the second try returns or raises")

    async def _exchange(self, web: Web, url: Url, request: Request, budget: _Budget) -> Reply:
        if budget.left <= 0:
            raise TimedOut(str(url))
        return await web.exchange(url, request, limits=self._config.limits, seconds=budget.left)

    async def _read_robots(self, url: Url) -> tuple[int, bytes]:
        request = Request(
            "GET", self._headers("text/plain,*/*;q=0.5", None), None, LARGEST_ROBOTS, truncate=True
        )
        budget = _Budget(self._config.limits.total_seconds)
        answer = await self._follow(str(url), request, None, budget, ask_robots=False)
        return answer.status, answer.content

    def _place(self, url: Url) -> tuple[Web, Pace]:
        if self._sample is not None and (
            url.host.endswith(SAMPLE_SUFFIX) or self._is_of_sample(url)
        ):
            return self._sample, self._unhurried
        return self._web, self._pace

    def _is_of_sample(self, url: Url) -> bool:
        return str(url).startswith(self._config.sample_addresses)

    def _rules_of(self, host: str) -> HostRules:
        return self._config.host_rules.get(host, _DEFAULT_RULES)

    def _parse(self, text: str) -> Url:
        return parse_url(text, ports=self._config.ports, allow=self._config.allow)


def _with_cookies(request: Request, held: str) -> Request:
    """The request with the chain's cookies after the caller's own."""
    if not held:
        return request
    own = request.headers.get("cookie")
    return replace(
        request, headers={**request.headers, "cookie": f"{own}; {held}" if own else held}
    )


def _redirected(request: Request, status: int, *, same_origin: bool) -> Request:
    """The request for the next hop: what was meant for one origin is not shown to another."""
    headers = dict(request.headers)
    if not same_origin:
        headers = {name: value for name, value in headers.items() if name in _HARMLESS}
    if request.method == "POST" and status in {301, 302, 303}:
        headers.pop("content-type", None)
        return Request("GET", headers, None, request.max_bytes, request.truncate)
    return Request(request.method, headers, request.body, request.max_bytes, request.truncate)
