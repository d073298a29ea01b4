"""A source that reached nothing says so, and why: a host that cannot be found, a web not recorded."""

from typing import Any

import pytest

from sightline.domain.evidence import Body, Parsed
from sightline.kit.fetch.errors import HostIsUnknown, NotInArchive
from sightline.sources.context import EvidenceContext
from sightline.sources.contract import Manifest
from sightline.sources.health import judge
from sightline.store.source_states import source_states
from tests.sources.collecting import Collecting

REGISTER = Manifest(
    "register", "Register", "register", "", "", (), 1, hosts={"api.register.test": 1.0}
)


class Failing:
    """A fetcher that never answers."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def get(self, url: str, **options: Any) -> Any:
        raise self.error


def _parse(body: Body) -> Parsed:
    raise AssertionError(f"{body.url} was not answered.")


@pytest.mark.parametrize(
    ("url", "error", "count", "why"),
    [
        (
            "https://api.register.test/1",
            HostIsUnknown("//api.register.test"),
            "unreachable",
            "Register: the name api.register.test cannot be found from this machine.",
        ),
        (
            "https://api.register.test/1",
            NotInArchive("https://api.register.test/1"),
            "not_recorded",
            "The recorded web has none of the 1 addresses asked for.",
        ),
    ],
)
async def test_reaching_nothing_is_a_failure(
    tarn: Collecting, url: str, error: Exception, count: str, why: str
) -> None:
    fetcher: Any = Failing(error)
    context = EvidenceContext(REGISTER, fetcher, tarn.database, None, None)
    assert await context.document(url, parse=_parse, version=1) is None
    assert context.unreached() == why
    await context.flush(error=None)
    async with tarn.database.connection() as connection:
        (state,) = await source_states(connection, ["register"])
    assert (state.sync_status, state.last_error) == ("failed", why)
    assert (getattr(state, count), state.missing) == (1, 0)
    assert judge(state, REGISTER).status == "error"


@pytest.mark.parametrize(
    ("url", "error"),
    [
        ("https://gone.test/", HostIsUnknown("//gone.test")),  # a company's site that is gone
        ("https://tarn.example/about", NotInArchive("https://tarn.example/about")),  # of the sample
    ],
)
async def test_a_page_that_does_not_exist_is_missing(
    tarn: Collecting, url: str, error: Exception
) -> None:
    fetcher: Any = Failing(error)
    context = EvidenceContext(REGISTER, fetcher, tarn.database, None, None)
    assert await context.document(url, parse=_parse, version=1) is None
    assert (context.unreached(), context.counts["missing"]) == (None, 1)
    await context.flush(error=None)
    async with tarn.database.connection() as connection:
        (state,) = await source_states(connection, ["register"])
    assert (state.sync_status, state.missing) == ("succeeded", 1)
