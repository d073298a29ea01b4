"""Retries under an Idempotency-Key while servers die; the long run is `tests.bench.idempotent_retries`."""

from typing import Any
from uuid import uuid4

import pytest

from sightline.kit.postgres import EmbeddedPostgres
from tests.bench.idempotent_kinds import BY_NAME, KINDS, Request, World, word
from tests.bench.idempotent_retries import Report, run
from tests.bench.idempotent_world import Asked, wrong
from tests.conftest import sibling


async def test_retries_have_one_effect_while_servers_are_killed(
    server: EmbeddedPostgres, database_url: str
) -> None:
    report = Report(seed=20_262)
    name = database_url.partition("?")[0].rpartition("/")[2]
    superuser_url = sibling(server.superuser_url, name)
    await run(database_url, superuser_url, report, retries=120, pause=0.1)
    assert not report.anomalies, report.anomalies
    assert report.kills >= 2
    assert report.replayed >= 20
    assert report.kinds >= 10
    assert report.model_requests >= 1


def test_every_request_has_a_word_of_its_own() -> None:
    assert len({word(n) for n in range(20_000)}) == 20_000
    assert len(BY_NAME) == len(KINDS) >= 30


WORLD = World(uuid4())
FIRST = (201, b'{"id": 1, "secret": "s"}')
REPLAY = (201, b'{"id": 1, "secret": null}')


@pytest.mark.parametrize(
    ("changed", "reported"),
    [
        ({"fresh": [FIRST], "replayed": [FIRST, FIRST]}, 0),
        ({"fresh": [FIRST, FIRST]}, 1),
        ({"replayed": [FIRST, REPLAY]}, 1),
        ({"fresh": [FIRST], "replayed": [REPLAY]}, 1),
        ({"fresh": [FIRST], "refused": ["insufficient_credits"]}, 1),
        ({"refused": ["insufficient_credits"]}, 0),
        ({"refused": ["internal_error"]}, 1),
        ({}, 1),
    ],
)
def test_what_is_wrong_with_answers_is_seen(changed: dict[str, Any], reported: int) -> None:
    request = Request("create_webhook", "/webhooks", {}, word(1))
    assert len(wrong(Asked(request, WORLD, **changed))) == reported


def test_a_secret_may_be_missing_from_a_replay() -> None:
    request = Request("create_webhook", "/webhooks", {}, word(1), has_secret=True)
    assert wrong(Asked(request, WORLD, fresh=[FIRST], replayed=[REPLAY])) == []
    other = (201, b'{"id": 2, "secret": null}')
    assert len(wrong(Asked(request, WORLD, fresh=[FIRST], replayed=[other]))) == 1
