"""GET /health: whether the service can do its work."""

from typing import Literal

from pydantic import Field

from sightline.api.endpoint import PublicEndpoint, Reply, Schema, Services
from sightline.store.database import DatabaseIsBusy
from sightline.store.health import queue_answers


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


ENDPOINTS = (
    PublicEndpoint(
        path="/health",
        name="read_health",
        summary="Health of the service",
        description="Needs no key. 503 while the database is away.",
        tag="Health",
        answer=Health,
        handler=read_health,
    ),
)
