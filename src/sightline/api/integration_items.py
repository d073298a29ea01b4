"""Items of the integrations list, including the models, which no organization configures."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal

from sightline.api.endpoint import Call
from sightline.crm.registry import PROVIDERS
from sightline.enrich.contact_providers.contract import Provider
from sightline.kit.clock import rfc3339
from sightline.reading.encoder import BUNDLED
from sightline.reading.model_check import in_words, is_trusted, last_check
from sightline.store import crm_runs
from sightline.store.integrations import Integration, find_integration

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
        "last_sync_at": rfc3339(last_sync_at) if last_sync_at else None,
        "sync_status": sync_status,
        "last_error": last_error,
        "counts": counts,
    }


def kept_item(
    integration_id: str,
    provider_name: str,
    category: Category,
    kept: Integration | None,
    counts: Mapping[str, int],
) -> dict[str, Any]:
    """One that the organization sets up itself; `kept` is None until it has."""
    status: Status = "not_configured"
    if kept is not None:
        status = "error" if kept.last_error else "connected"
        status = status if kept.enabled else "disabled"
    return item(
        integration_id,
        provider_name,
        category,
        status=status,
        last_sync_at=kept.last_sync_at if kept else None,
        sync_status=kept.sync_status if kept else "never",
        last_error=kept.last_error if kept else None,
        counts=dict(counts),
    )


async def model_item(call: Call) -> dict[str, Any]:
    """The language model, and how it did when it was last tried as a verifier."""
    model, config = call.services.model_name, call.services.model
    found = await last_check(call.tenant, config) if config else None
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
    is_built_in = encoder is not None and encoder.name.startswith(BUNDLED)
    status: Status = "error" if failure else "connected"
    return item(
        "encoder",
        "Encoder, built in" if is_built_in else encoder.name if encoder else "Encoder",
        "llm",
        provider=(encoder.name if encoder else "none").partition(":")[0],
        status=status if encoder else "not_configured",
        last_sync_at=None,
        sync_status="never",
        last_error=failure,
        counts={},
    )


async def provider_item(call: Call, provider: Provider) -> dict[str, Any]:
    """A provider of contacts, asked by the organization's own key."""
    kept = await find_integration(call.tenant, provider.name)
    kept = kept if kept is not None and kept.secret else None
    return kept_item(provider.name, provider.manifest.title, "data_source", kept, {})


async def crm_item(call: Call, provider: str) -> dict[str, Any]:
    """A CRM, and how its last run went."""
    kept = await find_integration(call.tenant, provider)
    run = await crm_runs.last_run(call.tenant, provider)
    counts: Counter[str] = Counter()
    for actions in run["counts"].values() if run else ():
        counts.update(actions)
    kept = kept if kept is not None and kept.secret else None
    found = kept_item(provider, PROVIDERS[provider].title, "crm", kept, counts)
    if run is not None and run["finished_at"] is None:
        found["sync_status"] = "running"
    return found
