"""GET /health: whether the service answers. GET /ready: whether it can also write."""

import time
from typing import Literal

from pydantic import Field

from sightline.api.endpoint import PublicEndpoint, Reply, Schema, Services
from sightline.store.database import DatabaseIsBusy, DatabaseIsFull
from sightline.store.health import can_write, queue_answers


class Health(Schema):
    status: Literal["ok", "unavailable"]
    version: str = Field(examples=["0.1.0"])
    database: Literal["ok", "unavailable"]
    queue: Literal["ok", "unavailable"]


async def read_health(services: Services) -> Reply:
    try:
        queue_is_there = await queue_answers(services.database)
    except DatabaseIsBusy:
        state, status = (
            Health(
                status="unavailable",
                version=services.version,
                database="unavailable",
                queue="unavailable",
            ),
            503,
        )
    else:
        state, status = (
            Health(
                status="ok" if queue_is_there else "unavailable",
                version=services.version,
                database="ok",
                queue="ok" if queue_is_there else "unavailable",
            ),
            200 if queue_is_there else 503,
        )
    headers = {"Retry-After": "1"} if status == 503 else {}
    return Reply(state.model_dump_json().encode(), status, headers)


class Readiness(Schema):
    status: Literal["ok", "unavailable"]
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
    is_ready = state.status == "ok"
    headers = {} if is_ready else {"Retry-After": "1"}
    return Reply(state.model_dump_json().encode(), 200 if is_ready else 503, headers)


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
