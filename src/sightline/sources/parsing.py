"""Parses fetched bytes in processes that can be killed, and quarantines bytes that crash them.

A body that takes too much time or memory, or crashes its parser, is tried once more in a fresh
process; after that it is not parsed again until it, or the parser, is another one.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

import structlog

from sightline.domain.evidence import Body, Parsed
from sightline.kit.sandbox.pool import (
    CallIsNotPortable,
    ChildDied,
    Sandbox,
    SandboxDidNotStart,
)
from sightline.sources.contract import Parser, RecordIsUnusable, SourceIsAway
from sightline.store import quarantine
from sightline.store.database import Database

log = structlog.get_logger()
T = TypeVar("T")

PARSERS: Final = Sandbox(size=4, modules=("sightline.sources.registry",))
"""The parser processes of this process; none before the first document."""

_SECONDS = 20.0
_SECONDS_A_MEGABYTE = 5.0  # the slowest filings take one
_WHY = {
    "time": "it took more than {seconds:.0f} s of processor time",
    "memory": "it took too much memory",
    "crash": "it crashed",
    "killed": "it was killed",
}


class Parsers(Protocol):
    """Where functions over fetched bytes run."""

    async def run(self, function: Callable[..., T], *arguments: Any, cpu_seconds: float) -> T:
        """See `Sandbox.run`."""
        ...


class BodyIsQuarantined(RecordIsUnusable):
    """The body ended its parser too often. `now` tells that it did so in this very run."""

    def __init__(self, sentence: str, *, now: bool) -> None:
        super().__init__(sentence)
        self.now = now


@dataclass(frozen=True)
class Parsing:
    """Parses for one source."""

    parsers: Parsers
    database: Database
    source: str

    async def parse(self, parse: Parser, body: Body, *, key: str, version: int) -> Parsed:
        """What the parser makes of a body. `key` is its address as it is remembered.

        Raises RecordIsUnusable, of which BodyIsQuarantined is one, or SourceIsAway.
        """
        digest = hashlib.sha256(body.content).digest()
        seconds = cpu_seconds(body)
        async with self.database.connection() as connection:
            deaths, reason = await quarantine.deaths_of(connection, key, digest, parser=version)
        if reason is not None:
            raise BodyIsQuarantined(_sentence(key, reason, seconds), now=False)
        while True:
            try:
                parsed = await self._parse(parse, body, seconds)
            except ChildDied as died:
                deaths = await self._note_death(key, digest, version, died.reason)
                if deaths >= quarantine.TRIES:
                    raise BodyIsQuarantined(
                        _sentence(key, died.reason, seconds), now=True
                    ) from died
                continue
            if deaths:
                async with self.database.connection() as connection:
                    await quarantine.forget_deaths(connection, key, digest)
            return parsed

    async def _parse(self, parse: Parser, body: Body, seconds: float) -> Parsed:
        try:
            return await self.parsers.run(parse, body, cpu_seconds=seconds)
        except (RecordIsUnusable, SourceIsAway, ChildDied, SandboxDidNotStart, CallIsNotPortable):
            raise
        except Exception as error:
            log.error("parser_failed", url=body.url.partition("?")[0], exc_info=True)
            raise RecordIsUnusable(
                f"The document could not be read: {type(error).__name__}."
            ) from error

    async def _note_death(self, key: str, digest: bytes, version: int, reason: str) -> int:
        log.warning("parser_died", url=key.partition("?")[0], source=self.source, reason=reason)
        async with self.database.connection() as connection:
            return await quarantine.note_death(
                connection, key, digest, parser=version, source=self.source, reason=reason
            )


def cpu_seconds(body: Body) -> float:
    """Processor time that parsing a body may take."""
    return _SECONDS + _SECONDS_A_MEGABYTE * len(body.content) / 1_000_000


def _sentence(key: str, reason: str, seconds: float) -> str:
    why = _WHY[reason].format(seconds=seconds)
    return (
        f"{key.partition('?')[0]} was not read: its parser was ended {quarantine.TRIES} times because"
        f" {why}. It is quarantined until it changes or `sightline sources retry` frees it."
    )
