"""Loads the invented companies and a key into the organization `default` at the first start."""

import socket
from contextlib import suppress
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from sightline.domain.callers import KeyId, OrganizationId
from sightline.domain.keys import digest, is_well_formed
from sightline.domain.signals import SignalFamily
from sightline.enrich.submit import BULK_PRIORITY
from sightline.kit.postgres_files import write_whole
from sightline.store.bootstrap import wait_for_turn
from sightline.store.database import Database, Tenant
from sightline.store.keys import create_key, find_caller, list_keys, revoke_key
from sightline.store.operations import Asker, add_operations
from sightline.store.organizations import find_user, record_audit
from sightline.store.sample import (
    SOURCE_SYSTEM,
    WATCH,
    is_wanted,
    note_loading,
    sample_accounts,
)
from sightline.store.watches import store_watch

KEY_FILE: Final = "api-key"
# What the watch of the sample looks for: what a seller calls about.
_WATCHED: Final = tuple(
    family
    for family in SignalFamily
    if family not in (SignalFamily.HIRING_TRENDS, SignalFamily.TECHNOLOGY_MENTIONS)
)


async def load_sample(app: Database, organization_id: OrganizationId) -> None:
    """Load the sample companies, once, into an organization without companies of
    its own. One query when there is nothing to do; a start that was killed half-way is completed."""
    async with app.tenant(organization_id) as connection:
        if not await is_wanted(connection):
            return
    from sightline.imports.run import import_accounts  # seldom needed, and slow to load
    from sightline.imports.spool import READERS, ImportOptions

    # As a person would import it; the list is one chunk, and so one transaction.
    options = ImportOptions(source_system=SOURCE_SYSTEM)
    with as_file(files("sightline.sample").joinpath("accounts.csv")) as path:
        await import_accounts(app, organization_id, path, options=options)
    READERS.close()  # `up` lives on and reads no more files
    async with app.tenant(organization_id) as connection:
        await wait_for_turn(connection, f"sample of {organization_id}")
        if not await is_wanted(connection):  # another node was faster
            return
        accounts = await sample_accounts(connection)
        # The worker reads their invented websites; that is free.
        await add_operations(
            connection,
            [{"id": str(account_id)} for account_id in accounts],
            amounts=[0] * len(accounts),
            asker=Asker(None, None, None),
            priority=BULK_PRIORITY,
        )
        await store_watch(
            connection,
            None,
            values={
                "name": WATCH,
                "kind": "search",
                "filter": {"and": []},
                "families": list(_WATCHED),
                "types": [],
                "fields": [],
                "seniorities": [],
                "least_confidence": 0.0,
                "paused": False,
            },
        )
        await note_loading(connection)


async def ensure_key(
    app: Database, organization_id: OrganizationId, folder: Path
) -> tuple[str, bool]:
    """The API key of the organization that is kept in `folder/api-key` (mode 600), and whether it was
    just made.

    If the file is lost, or holds no valid key of the organization, a new key is made and the one made
    for this folder before is revoked.
    """
    kept = await _kept_key(app, organization_id, folder)
    if kept is not None:
        return kept, False
    # Two machines on one database each keep a key of their own, so neither revokes the other's.
    name = f"sightline up, {socket.gethostname()}:{folder}"
    async with app.tenant(organization_id) as connection:
        # Two starts on one folder come one after the other, and the second takes the first one's key.
        await wait_for_turn(connection, name)
        kept = await _kept_key(app, organization_id, folder)
        if kept is not None:
            return kept, False
        for old in await list_keys(connection):
            if old["name"] == name and old["revoked_at"] is None:
                await revoke_key(connection, KeyId(old["id"]))
                await _record(connection, action="revoke", key_id=old["id"])
        user_id = await find_user(connection)
        made = await create_key(connection, user_id=user_id, name=name, scopes=["*"])
        await _record(connection, action="create", key_id=made.key_id)
        # Before the commit: a key that was made and then lost could never be shown.
        _write_key(folder, made.key)
    return made.key, True


def _write_key(folder: Path, key: str) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(folder / KEY_FILE, key + "\n")


async def _kept_key(app: Database, organization_id: OrganizationId, folder: Path) -> str | None:
    with suppress(FileNotFoundError, UnicodeDecodeError):
        key = (folder / KEY_FILE).read_text(encoding="ascii").strip()
        caller = await find_caller(app, digest(key)) if is_well_formed(key) else None
        return key if caller is not None and caller.organization_id == organization_id else None
    return None


async def _record(tenant: Tenant, *, action: str, key_id: KeyId) -> None:
    await record_audit(
        tenant, action=action, subject=f"key:{key_id}", actor="up", details={"name": "sightline up"}
    )
