"""The sample workspace: an organization, credits, a dozen invented companies, and a key to them."""

import socket
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from sightline.domain.callers import KeyId, OrganizationId, UserId
from sightline.domain.credits import Credit
from sightline.domain.keys import digest, is_well_formed
from sightline.kit.postgres_files import write_whole
from sightline.store.accounts import AccountFilter, count_accounts
from sightline.store.bootstrap import ensure_organization, wait_for_turn
from sightline.store.credits import grant
from sightline.store.database import Connection, Database
from sightline.store.keys import create_key, find_caller, list_keys, revoke_key
from sightline.store.operations import Asker, add_operations
from sightline.store.organizations import read_organization, record_act

SLUG: Final = "sample"
NAME: Final = "Sample Workspace"
OWNER: Final = "owner@sample.example"
KEY_FILE: Final = "sample-api-key"
CREDITS: Final[dict[Credit, int]] = {
    "company": 1000,
    "content": 500,
    "territory": 200,
    "contact": 500,
}


@dataclass(frozen=True)
class _Workspace:
    """The sample organization, and the folder where its key is kept in clear."""

    app: Database
    organization_id: OrganizationId
    user_id: UserId
    folder: Path


async def prepare_sample(owner: Database, app: Database, secrets_dir: Path) -> str:
    """Load the sample workspace unless it is there; answers its API key.

    The key is kept in `secrets_dir/sample-api-key` (mode 600), written last: while it is there and
    valid, everything is, and nothing is done. If the file is lost, a new key is made and the one it
    held is revoked. Nothing that exists of the workspace is changed.
    """
    kept = _kept_key(secrets_dir)
    if kept is not None and await _opens_sample(app, kept):
        return kept
    organization_id, user_id = await ensure_organization(
        owner, app, slug=SLUG, name=NAME, email=OWNER
    )
    workspace = _Workspace(app, organization_id, user_id, secrets_dir)
    await _grant_credits(workspace)
    await _load_accounts(workspace)
    return await _make_key(workspace)


def _kept_key(folder: Path) -> str | None:
    with suppress(FileNotFoundError, UnicodeDecodeError):
        key = (folder / KEY_FILE).read_text(encoding="ascii").strip()
        return key if is_well_formed(key) else None
    return None


async def _opens_sample(app: Database, key: str) -> bool:
    caller = await find_caller(app, digest(key))
    if caller is None:
        return False
    async with app.tenant(caller.organization_id) as connection:
        found = await read_organization(connection, caller.organization_id)
    return bool(found["slug"] == SLUG)


async def _grant_credits(workspace: _Workspace) -> None:
    """Each of the credits once, however often this runs."""
    organization_id = workspace.organization_id
    async with workspace.app.tenant(organization_id) as connection:
        for credit, amount in CREDITS.items():
            await grant(
                connection,
                organization_id,
                credit=credit,
                amount=amount,
                reason="sample workspace",
                operation=f"sample:{credit}",
            )


async def _load_accounts(workspace: _Workspace) -> None:
    """Import the bundled list as a person would. All of it is one transaction, so some means all."""
    from sightline.imports.run import import_accounts

    organization_id = workspace.organization_id
    async with workspace.app.tenant(organization_id) as connection:
        if await count_accounts(connection, organization_id, AccountFilter()):
            return
    with as_file(files("sightline.sample").joinpath("accounts.csv")) as path:
        await import_accounts(workspace.app, organization_id, path)
    await _queue_enrichment(workspace)


async def _queue_enrichment(workspace: _Workspace) -> None:
    """Have the worker read the invented web sites of the sample companies; the sample is free."""
    organization_id = workspace.organization_id
    async with workspace.app.tenant(organization_id) as connection:
        rows = await connection.fetch(
            "SELECT account_id FROM accounts WHERE organization_id = $1 ORDER BY sort_key",
            organization_id,
        )
        await add_operations(
            connection,
            organization_id,
            [{"id": str(row["account_id"])} for row in rows],
            amounts=[0] * len(rows),
            asker=Asker(None, None, None),
        )


async def _make_key(workspace: _Workspace) -> str:
    organization_id, folder = workspace.organization_id, workspace.folder
    # Two machines on one database each keep a key of their own, so neither revokes the other's.
    name = f"sample workspace, {socket.gethostname()}:{folder}"
    async with workspace.app.tenant(organization_id) as connection:
        # Two starts on one folder come one after the other, and the second takes the first one's key.
        await wait_for_turn(connection, name)
        kept = _kept_key(folder)
        if kept is not None and await _opens_sample(workspace.app, kept):
            return kept
        for old in await list_keys(connection, organization_id):
            if old["name"] == name and old["revoked_at"] is None:
                await revoke_key(connection, organization_id, KeyId(old["id"]))
                await _record(connection, organization_id, action="revoke", key_id=old["id"])
        made = await create_key(
            connection, organization_id, user_id=workspace.user_id, name=name, scopes=["*"]
        )
        await _record(connection, organization_id, action="create", key_id=made.key_id)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Before the commit: a key that was made and then lost could never be shown.
        write_whole(folder / KEY_FILE, made.key + "\n")
    return made.key


async def _record(
    connection: Connection, organization_id: OrganizationId, *, action: str, key_id: KeyId
) -> None:
    await record_act(
        connection,
        organization_id,
        action=action,
        subject=f"key:{key_id}",
        actor="sample",
        details={"name": "sample workspace"},
    )
