"""GET /health: whether the service answers. GET /ready: whether it can also write."""

import time
from typing import Literal

from pydantic import Field

from sightline.api.endpoint import PublicEndpoint, Reply, Schema, Services
from sightline.store.database import DatabaseIsBusy, DatabaseIsFull
from sightline.store.health import can_write, queue_answers

State = Literal["ok", "unavailable"]


class Health(Schema):
    status: State
    version: str = Field(examples=["0.1.0"])
    database: State
    queue: State


async def read_health(services: Services) -> Reply:
    database: State = "ok"
    queue: State = "unavailable"
    try:
        queue = "ok" if await queue_answers(services.database) else "unavailable"
    except DatabaseIsBusy:
        database = "unavailable"
    # Without the database there is no queue.
    return _reply(Health(status=queue, version=services.version, database=database, queue=queue))


class Readiness(Schema):
    status: State
    reason: Literal["database_away", "read_only", "storage_full"] | None = Field(
        description="Why it is not ready; null when it is."
    )


READY_SECONDS, UNREADY_SECONDS = 5.0, 1.0
"""How long a finding stands: probes come from every load balancer, and each look writes a file."""


async def read_readiness(services: Services) -> Reply:
    kept = services.readiness.get("reply")
    if kept is not None and kept[0] > time.monotonic():
        return kept[1]
    reply = await _look(services)
    seconds = READY_SECONDS if reply.status == 200 else UNREADY_SECONDS
    services.readiness["reply"] = (time.monotonic() + seconds, reply)
    return reply


async def _look(services: Services) -> Reply:
    try:
        state = Readiness(status="ok", reason=None)
        if not await can_write(services.database):
            state = Readiness(status="unavailable", reason="read_only")
    except DatabaseIsFull:
        state = Readiness(status="unavailable", reason="storage_full")
    except DatabaseIsBusy:
        state = Readiness(status="unavailable", reason="database_away")
    return _reply(state)


def _reply(state: Health | Readiness) -> Reply:
    is_ok = state.status == "ok"
    headers = {} if is_ok else {"Retry-After": "1"}
    return Reply(state.model_dump_json().encode(), 200 if is_ok else 503, headers)


ENDPOINTS = (
    PublicEndpoint(
        path="/ready",
        name="read_readiness",
        summary="Readiness to take writes",
        description=(
            "Needs no key. 503 while the database is unavailable, read-only or out of disk "
            "space: send no traffic until it returns 200. Results are cached for 5 seconds, "
            "failures for 1. `/health` says whether the service runs at all."
        ),
        tag="Health",
        answer=Readiness,
        handler=read_readiness,
    ),
    PublicEndpoint(
        path="/health",
        name="read_health",
        summary="Health of the service",
        description="Needs no key. 503 while the database is unavailable.",
        tag="Health",
        answer=Health,
        handler=read_health,
    ),
)
