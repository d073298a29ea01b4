"""An organization's connection to a CRM: set up, stored and opened."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal

from sightline.crm.client import exchange_code
from sightline.crm.fields import Mapped, as_rows, read_mapping
from sightline.crm.provider import App, ConnectionIsOver, Crm, CrmRefuses, Filter, Kind, Tokens
from sightline.crm.registry import PROVIDERS
from sightline.domain.callers import OrganizationId
from sightline.kit.fetch.live import Web
from sightline.kit.secrets import SecretBox, SecretIsUnreadable
from sightline.store import integrations as store
from sightline.store.database import Database, Tenant

NoteKind = Literal["brief", "signals"]
_NOT_CONNECTED: Final = "It is not connected."


@dataclass(frozen=True)
class CrmSettings:
    """What a person chose. Nothing is written to the CRM unless `writes`; accounts that it does not have
    are made there if `creates` as well."""

    mapping: tuple[Mapped, ...]
    filters: Mapping[Kind, tuple[Filter, ...]] = field(default_factory=dict)
    writes: bool = False
    creates: bool = False
    notes: tuple[NoteKind, ...] = ()
    every_hours: int | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "mapping": as_rows(self.mapping),
            "filters": {
                kind: [asdict(each) for each in rows] for kind, rows in self.filters.items()
            },
            "writes": self.writes,
            "creates": self.creates,
            "notes": list(self.notes),
            "every_hours": self.every_hours,
        }


def read_settings(provider: str, kept: Mapping[str, Any]) -> CrmSettings:
    """Settings as kept, with the provider's own mapping where none was chosen. Raises MappingIsWrong."""
    rows = kept.get("mapping")
    found = CrmSettings(PROVIDERS[provider].mapping if rows is None else read_mapping(rows))
    filters = {
        kind: tuple(Filter(**each) for each in conditions)
        for kind, conditions in (kept.get("filters") or {}).items()
    }
    return replace(
        found,
        filters=filters,
        writes=bool(kept.get("writes")),
        creates=bool(kept.get("creates")),
        notes=tuple(kept.get("notes") or ()),
        every_hours=kept.get("every_hours"),
    )


async def find_connection(
    tenant: Tenant, provider: str
) -> tuple[store.Integration | None, CrmSettings]:
    """What is kept of a connection, None before it is made; and its settings."""
    kept = await store.find_integration(tenant, provider)
    return kept, read_settings(provider, kept.settings if kept else {})


async def save_settings(tenant: Tenant, provider: str, settings: CrmSettings) -> None:
    await store.save_integration(
        tenant, provider, settings=settings.as_json(), secret=None, enabled=None
    )


async def save_tokens(tenant: Tenant, provider: str, tokens: Tokens, *, secrets: SecretBox) -> None:
    """Keep tokens, encrypted."""
    await store.save_integration(
        tenant, provider, settings=None, secret=secrets.seal(tokens.text()), enabled=True
    )


def authorize(provider: str, app: App, state: str = "sightline") -> str:
    """Where a person lets an app in; `state` comes back with the code. Raises CrmRefuses."""
    return PROVIDERS[provider].authorize(app, state)


async def get_tokens(provider: str, app: App, code: str | None, *, web: Web) -> Tokens:
    """Tokens for the code that a person came back with, or without one the secret itself; used once.
    Raises CrmIsBusy and CrmRefuses."""
    row = PROVIDERS[provider]
    if code is None and not row.takes_tokens:
        raise CrmRefuses(f"{row.title} is connected through your own app: use --client-id.")
    tokens = Tokens(app.secret)
    if code is not None:
        tokens = await exchange_code(row.dialect, web, app, code)

    async def keep(renewed: Tokens) -> None:
        del renewed  # nothing is kept yet

    await row.open(web, tokens, keep).now()
    return tokens


def open_crm(
    kept: store.Integration | None,
    *,
    database: Database,
    organization_id: OrganizationId,
    secrets: SecretBox,
    web: Web,
) -> Crm:
    """The connected CRM. Raises ConnectionIsOver when it is not connected or switched off."""
    if kept is None or kept.secret is None:
        raise ConnectionIsOver(_NOT_CONNECTED)
    if not kept.enabled:
        raise ConnectionIsOver("It is turned off.")
    try:
        tokens = Tokens.of(secrets.open(kept.secret))
    except SecretIsUnreadable as error:
        raise ConnectionIsOver(f"{error} Connect it again.") from error
    provider = kept.integration_id

    async def save(renewed: Tokens) -> None:
        async with database.tenant(organization_id) as connection:
            await save_tokens(connection, provider, renewed, secrets=secrets)

    return PROVIDERS[provider].open(web, tokens, save)


def names_of(mapping: Sequence[Mapped], kind: Kind) -> list[str]:
    """The properties that are mapped, of one kind."""
    return [each.property for each in mapping if each.kind == kind]
