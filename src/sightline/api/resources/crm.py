"""CRMs and contact providers: connect, choose what is synced, preview, and the log of runs."""

from dataclasses import asdict
from functools import partial
from typing import Any

from sightline.api.administering import administer, role_of
from sightline.api.crm_schemas import (
    Connect,
    ConnectablePath,
    ConnectionState,
    CrmPath,
    LogList,
    Preview,
    RunList,
    RunPath,
    SyncChange,
    SyncEntry,
    SyncRun,
    SyncSettings,
)
from sightline.api.endpoint import (
    Call,
    DeferredReply,
    Endpoint,
    Keep,
    Reply,
    json_reply,
    of_resource,
)
from sightline.api.paging import list_reply, page_of
from sightline.crm.connection import (
    CrmSettings,
    authorize,
    find_connection,
    get_tokens,
    open_crm,
    read_settings,
    save_settings,
    save_tokens,
)
from sightline.crm.fields import MappingIsWrong
from sightline.crm.preview import preview
from sightline.crm.provider import KINDS, App, CrmIsBusy, CrmRefuses
from sightline.crm.registry import PROVIDERS
from sightline.domain.errors import (
    IntegrationDoesNotExist,
    RequestIsInvalid,
    RoleIsMissing,
    RunDoesNotExist,
    ServiceIsUnavailable,
)
from sightline.enrich.contact_providers.registry import CONTACT_PROVIDERS
from sightline.store import crm_runs as store
from sightline.store.database import Connection
from sightline.store.integrations import forget_secret, save_integration

SECONDS = 90.0  # a few requests to a CRM


async def connect(call: Call) -> Reply | DeferredReply:
    name, asked = call.params.integration_id, call.body
    if name in CONTACT_PROVIDERS:
        return await _keep_key(call, name, asked)
    _check_crm(name)
    if asked.client_id is not None and asked.code is None:
        await _check_admin(call)
        return _connected(name, address=_authorize(name, asked))
    if asked.secret is None:
        raise RequestIsInvalid("A secret is required.", path="secret")
    await administer(call, "update", f"integration:{name}", {"connected": True})
    app = App(asked.client_id or "", asked.secret, asked.redirect_uri, asked.site)
    return _deferred(partial(_exchange, call, name, app, asked.code))


async def disconnect(call: Call) -> Reply:
    name = call.params.integration_id
    if name not in CONTACT_PROVIDERS:
        _check_crm(name)
    await administer(call, "update", f"integration:{name}", {"connected": False})
    forget = forget_secret if name in CONTACT_PROVIDERS else store.forget
    await forget(call.tenant, name)
    return _connected(name, connected=False)


async def read_options(call: Call) -> Reply:
    return _settings(await _options(call))


async def change_options(call: Call) -> Reply:
    name = call.params.integration_id
    given = call.body.model_dump(mode="json", exclude_unset=True)
    # Null means "not said" except for how often, which null switches off.
    given = {key: v for key, v in given.items() if v is not None or key == "every_hours"}
    if "conditions" in given:
        given["filters"] = given.pop("conditions")
    before = await _options(call)
    await administer(call, "update", f"integration:{name}", {"settings": sorted(given)})
    try:
        changed = read_settings(name, before.as_json() | given)
    except MappingIsWrong as wrong:
        raise RequestIsInvalid(str(wrong), path="mapping") from wrong
    await save_settings(call.tenant, name, changed)
    return _settings(changed)


async def preview_fields(call: Call) -> DeferredReply:
    name = call.params.integration_id
    settings = await _options(call)
    await _check_admin(call)
    kept, _ = await find_connection(call.tenant, name)

    async def look() -> Keep:
        web = call.services.open_web()
        try:
            crm = open_crm(
                kept, database=call.services.database, organization_id=call.caller.organization_id,
                secrets=call.services.secrets, web=web,
            )  # fmt: skip
            found, offered = await preview(crm, settings, name)
        finally:
            await web.close()
        rows, properties = ([asdict(each) for each in some] for some in (found, offered))
        return _answered({"items": rows, "properties": properties})

    return _deferred(look)


async def list_runs(call: Call) -> Reply:
    name = call.params.integration_id
    _check_crm(name)
    page = partial(store.runs_page, call.tenant, name)
    return await list_reply(call, page, "runs", name)


async def read_run(call: Call) -> Reply:
    return Reply((await _run(call)).encode())


async def list_log(call: Call) -> Reply:
    asked: LogList = call.params
    await _run(call)
    page = partial(store.log_page, call.tenant, asked.run_id, action=asked.action)
    return await list_reply(call, page, "sync log", asked.run_id, asked.action)


async def _keep_key(call: Call, name: str, asked: Connect) -> Reply:
    if asked.secret is None:
        raise RequestIsInvalid("A secret is required.", path="secret")
    await administer(call, "update", f"integration:{name}", {"connected": True})
    sealed = call.services.secrets.seal(asked.secret)
    await save_integration(
        call.tenant, name, settings=None, secret=sealed,
        enabled=True
    )  # fmt: skip
    return _connected(name, terms=CONTACT_PROVIDERS[name].manifest.terms)


async def _exchange(call: Call, name: str, app: App, code: str | None) -> Keep:
    web = call.services.open_web()
    try:
        tokens = await get_tokens(name, app, code, web=web)
    finally:
        await web.close()

    async def keep(call: Call) -> Reply:
        await save_tokens(
            call.tenant, name, tokens,
            secrets=call.services.secrets
        )  # fmt: skip
        return _connected(name)

    return keep


def _deferred(ask: Any) -> DeferredReply:
    """An answer that asks the CRM, whose refusals are ours."""

    async def make() -> Keep:
        try:
            made: Keep = await ask()
        except CrmIsBusy as busy:
            raise ServiceIsUnavailable(str(busy)) from busy
        except CrmRefuses as refusal:
            raise RequestIsInvalid(str(refusal), path="integration_id") from refusal
        return made

    async def compensate(connection: Connection) -> None:
        del connection  # nothing is held

    return DeferredReply(make, compensate, SECONDS)


def _answered(body: dict[str, Any]) -> Keep:
    async def keep(call: Call) -> Reply:
        del call
        return json_reply(body)

    return keep


def _connected(
    name: str, *, connected: bool = True, address: str | None = None, terms: str | None = None
) -> Reply:
    body = {
        "id": name,
        "connected": connected and address is None,
        "authorize_url": address,
        "terms": terms,
    }
    return json_reply(body)


def _authorize(name: str, asked: Connect) -> str:
    try:
        app = App(asked.client_id or "", "", asked.redirect_uri, asked.site)
        return authorize(name, app, asked.state)
    except CrmRefuses as error:
        raise RequestIsInvalid(str(error), path="site") from error


def _check_crm(name: str) -> None:
    if name not in PROVIDERS:
        raise IntegrationDoesNotExist()


async def _check_admin(call: Call) -> None:
    if await role_of(call, call.caller.user_id) not in ("owner", "admin"):
        raise RoleIsMissing(required_role="admin")


async def _options(call: Call) -> CrmSettings:
    name = call.params.integration_id
    _check_crm(name)
    _, settings = await find_connection(call.tenant, name)
    return settings


def _settings(settings: CrmSettings) -> Reply:
    body = settings.as_json()
    kept = body.pop("filters")
    body["conditions"] = {kind: kept.get(kind, []) for kind in KINDS}
    return json_reply(body)


async def _run(call: Call) -> str:
    name = call.params.integration_id
    _check_crm(name)
    run_id = call.params.run_id
    found = await store.read_run(call.tenant, name, run_id)
    if found is None:
        raise RunDoesNotExist()
    return found


ENDPOINTS = of_resource(
    "Integrations",
    ("integrations:read", "integrations:write"),
    Endpoint(
        method="POST",
        path="/integrations/{integration_id}/connection",
        name="connect_integration",
        summary="Connect a CRM or a contact provider",
        description=(
            "For owners and admins. HubSpot takes the token of a private app as `secret`. By OAuth, send "
            "`client_id` and `redirect_uri` first, have a person authorize at the `authorize_url` of the "
            "answer, then send the `code` that comes back with the app's secret. Tokens are tried once, "
            "then stored encrypted."
        ),
        params=ConnectablePath,
        body=Connect,
        answer=ConnectionState,
        errors=(RoleIsMissing,),
        handler=connect,
    ),
    Endpoint(
        method="DELETE",
        path="/integrations/{integration_id}/connection",
        name="disconnect_integration",
        summary="Disconnect an integration; synced data stays, a run in progress stops",
        params=ConnectablePath,
        answer=ConnectionState,
        errors=(RoleIsMissing,),
        handler=disconnect,
    ),
    Endpoint(
        method="GET",
        path="/integrations/{integration_id}/settings",
        name="read_sync_settings",
        summary="Field mapping of a CRM, and what is synced",
        params=CrmPath,
        answer=SyncSettings,
        handler=read_options,
    ),
    Endpoint(
        method="PATCH",
        path="/integrations/{integration_id}/settings",
        name="update_sync_settings",
        summary="Change the field mapping of a CRM, and what is synced",
        description="For owners and admins.",
        params=CrmPath,
        body=SyncChange,
        answer=SyncSettings,
        errors=(RoleIsMissing,),
        handler=change_options,
    ),
    Endpoint(
        method="POST",
        path="/integrations/{integration_id}/preview",
        name="preview_sync",
        summary="Preview the first records of a CRM and how they are read",
        description="For owners and admins. Nothing is stored.",
        params=CrmPath,
        answer=Preview,
        errors=(RoleIsMissing,),
        handler=preview_fields,
    ),
    Endpoint(
        method="GET",
        path="/integrations/{integration_id}/runs",
        name="list_sync_runs",
        summary="Sync runs of a CRM with dry runs, newest first",
        params=RunList,
        answer=page_of(SyncRun),
        snapshot=True,
        handler=list_runs,
    ),
    Endpoint(
        method="GET",
        path="/integrations/{integration_id}/runs/{run_id}",
        name="read_sync_run",
        summary="Progress and results of a sync run",
        params=RunPath,
        answer=SyncRun,
        handler=read_run,
    ),
    Endpoint(
        method="GET",
        path="/integrations/{integration_id}/runs/{run_id}/log",
        name="list_sync_log",
        summary="Log of a sync run by record",
        params=LogList,
        answer=page_of(SyncEntry, "SyncLog"),
        snapshot=True,
        handler=list_log,
    ),
)
