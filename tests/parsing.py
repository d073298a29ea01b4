"""Parsers of tests: ones that can be imported by a parser process, and a place where the others run."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from sightline.domain.evidence import Body, Parsed

T = TypeVar("T")


class InThisProcess:
    """Parses in this process, so that a test may count what is parsed or hold it up."""

    async def run(self, function: Callable[..., T], *arguments: Any, cpu_seconds: float) -> T:
        return await asyncio.to_thread(function, *arguments)


def says(said: Parsed, body: Body) -> Parsed:
    """For `partial(says, said)`: a document of which the test knows what it says."""
    return said
