"""Integrations as they are listed; the models, which no organization sets up."""

from datetime import datetime
from typing import Any, Literal

from sightline.api.endpoint import Call
from sightline.reading.model_check import in_words, is_trusted, last_check

Category = Literal["crm", "data_source", "notification", "llm", "import"]
Status = Literal["connected", "not_configured", "error", "disabled"]


def item(
    integration_id: str, provider_name: str, category: Category, *, provider: str | None = None,
    status: Status, last_sync_at: datetime | None, sync_status: str, last_error: str | None,
    counts: dict[str, int],
) -> dict[str, Any]:  # fmt: skip
    """An integration as it is listed; its provider is named after it unless another is given."""
    return {
        "id": integration_id,
        "provider": provider or integration_id,
        "provider_name": provider_name,
        "category": category,
        "status": status,
        "last_sync_at": last_sync_at.isoformat().replace("+00:00", "Z") if last_sync_at else None,
        "sync_status": sync_status,
        "last_error": last_error,
        "counts": counts,
    }


async def model_item(call: Call) -> dict[str, Any]:
    """The language model, and how it did when it was last tried as a verifier."""
    model, config = call.services.model_name, call.services.model
    found = await last_check(call.connection, config) if config else None
    error = None
    if found is not None and not is_trusted(found):
        error = f"Its sentences are not used, only quotes: it {in_words(found)}."
    return item(
        "model",
        model or "Language model",
        "llm",
        provider=(model or "none").partition(":")[0],
        status="error" if error else "connected" if model else "not_configured",
        last_sync_at=found.checked_at if found else None,
        sync_status="never" if found is None else "failed" if error else "succeeded",
        last_error=error,
        counts=found.counts if found else {},
    )


async def encoder_item(call: Call) -> dict[str, Any]:
    """The encoder, and why it does not work if it does not."""
    encoder = call.services.encoder
    failure = await encoder.failure() if encoder else None
    status: Status = "error" if failure else "connected"
    return item(
        "encoder",
        encoder.name if encoder else "Encoder",
        "llm",
        provider=(encoder.name if encoder else "none").partition(":")[0],
        status=status if encoder else "not_configured",
        last_sync_at=None,
        sync_status="never",
        last_error=failure,
        counts={},
    )
