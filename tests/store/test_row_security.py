"""Row-level security, read from the catalog of the migrated database: a new table is tested as it is made."""

import asyncpg
import pytest

from sightline.domain.callers import OrganizationId
from sightline.kit.ids import new_id
from sightline.store.credits import grant, reserve
from sightline.store.database import Database, Role, open_database
from sightline.store.idempotency import StoredAnswer, store_answer
from sightline.store.organizations import record_act
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant
from tests.store.contacts_data import fill_contacts

# Tables with an organization_id that no policy guards, and why.
UNGUARDED = {
    "key_index": "a presented key must lead to its organization; it holds digests alone",
}
# Functions with their owner's rights, and why: signing in starts from the name of an organization.
DEFINERS = {"organization_by_slug"}
USERS: tuple[Role, ...] = ("sightline_app", "sightline_worker")


async def _tenant_tables(owner: Database) -> list[str]:
    async with owner.connection() as connection:
        rows = await connection.fetch(
            """
            SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
              AND a.attname = 'organization_id' AND NOT a.attisdropped ORDER BY 1
            """
        )
    return [row[0] for row in rows if row[0] not in UNGUARDED]


async def _fill(database: Database, tenant: Tenant) -> None:
    """A row in every tenant table that has no other way to get one."""
    organization_id = tenant.organization_id
    added = await add_accounts(database, organization_id, [{"company_name": "One"}])
    async with database.tenant(organization_id) as connection:
        await grant(connection, organization_id, credit="company", amount=2, reason="test")
        await reserve(
            connection,
            organization_id,
            credit="company",
            amount=1,
            operation="one",
            reason="test",
        )
        await record_act(connection, organization_id, action="test", subject="test")
        await store_answer(
            connection,
            organization_id,
            key_id=tenant.key_id,
            idempotency_key="one",
            answer=StoredAnswer(b"", 200, {}, b"{}"),
        )
        await fill_contacts(connection, organization_id)
        await connection.execute(
            "INSERT INTO account_domains VALUES ($1, 'one.example', $2)",
            organization_id,
            added[0].account_id,
        )
        await connection.execute(
            "INSERT INTO account_references VALUES ($1, 'crm', '1', $2)",
            organization_id,
            added[0].account_id,
        )
        await connection.execute(
            """
            INSERT INTO imports (organization_id, import_id, kind, file_name, file_sha256, state)
            VALUES ($1, $2, 'accounts', 'a.csv', '', 'running')
            """,
            organization_id,
            new_id(),
        )


async def _filled(database: Database, tenant: Tenant, tables: list[str]) -> list[str]:
    """The tables that have a row of the organization; the policy of every table is compared whole in
    the first test, and the API's isolation tests fill the others."""
    async with database.tenant(tenant.organization_id) as connection:
        found = [t for t in tables if await connection.fetchval(f"SELECT EXISTS (SELECT FROM {t})")]
    assert {"accounts", "account_records", "api_keys", "credit_ledger", "contacts"} <= set(found)
    return found


@pytest.fixture
async def both(make_tenant: MakeTenant, database: Database) -> tuple[Tenant, Tenant]:
    first, second = await make_tenant("first"), await make_tenant("second")
    await _fill(database, first)
    await _fill(database, second)
    return first, second


async def test_every_tenant_table_forces_its_policy(owner: Database) -> None:
    tables = await _tenant_tables(owner)
    assert {"accounts", "api_keys", "credit_ledger"} <= set(tables)
    async with owner.connection() as connection:
        for table in tables:
            (state,) = await connection.fetch(
                "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $1::regclass",
                table,
            )
            assert tuple(state) == (True, True), table
            policies = await connection.fetch(
                "SELECT qual, with_check, roles::text[] FROM pg_policies "
                "WHERE tablename = $1 AND policyname = 'tenant'",
                table,
            )
            assert len(policies) == 1, table
            for text in (policies[0]["qual"], policies[0]["with_check"]):
                assert "current_setting('app.organization'" in text
            assert policies[0]["roles"] == ["public"]


async def test_every_tenant_table_is_keyed_by_its_organization_first(owner: Database) -> None:
    async with owner.connection() as connection:
        for table in await _tenant_tables(owner):
            first_columns = await connection.fetch(
                """
                SELECT i.indexrelid::regclass::text AS index, a.attname AS first
                FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = $1::regclass AND i.indisunique
                """,
                table,
            )
            odd = {r["index"] for r in first_columns if r["first"] != "organization_id"}
            # The slug of an organization is unique among all of them.
            assert odd <= {"organizations_slug_key"}, table


async def test_without_an_organization_nothing_is_seen(
    owner: Database, database: Database, both: tuple[Tenant, Tenant]
) -> None:
    async with database.connection() as connection:
        for table in await _tenant_tables(owner):
            assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0, table


@pytest.mark.parametrize("role", USERS)
async def test_each_organization_sees_its_own_rows_alone(
    owner: Database, database_url: str, both: tuple[Tenant, Tenant], role: Role
) -> None:
    tables = await _tenant_tables(owner)
    database = await open_database(database_url, role=role, size=1, wait_seconds=10)
    try:
        for tenant in both:
            async with database.tenant(tenant.organization_id) as connection:
                for table in tables:
                    # The worker walks through the organizations; it knows their names and no more.
                    if (role, table) == ("sightline_worker", "organizations"):
                        continue
                    seen = await connection.fetch(f"SELECT DISTINCT organization_id FROM {table}")
                    assert {row[0] for row in seen} <= {tenant.organization_id}, table
            await _filled(database, tenant, tables)
    finally:
        await database.close()


async def test_rows_of_another_organization_are_not_written(
    owner: Database, database: Database, both: tuple[Tenant, Tenant]
) -> None:
    own, other = both
    for table in await _filled(database, own, await _tenant_tables(owner)):
        # A copy of an own row under another's id: only the policy (or a missing right) can refuse it.
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.tenant(own.organization_id) as connection:
                await connection.execute(
                    f"""
                    INSERT INTO {table} SELECT (jsonb_populate_record(t,
                      jsonb_build_object('organization_id', $1::uuid))).* FROM {table} t LIMIT 1
                    """,
                    other.organization_id,
                )


async def test_rows_of_another_organization_are_not_changed(
    owner: Database, database: Database, both: tuple[Tenant, Tenant]
) -> None:
    own, other = both
    for table in await _filled(database, own, await _tenant_tables(owner)):
        for statement in (
            f"UPDATE {table} SET organization_id = organization_id WHERE organization_id = $1",
            f"DELETE FROM {table} WHERE organization_id = $1",
        ):
            try:
                async with database.tenant(own.organization_id) as connection:
                    status = await connection.execute(statement, other.organization_id)
            except asyncpg.InsufficientPrivilegeError:
                continue
            assert status.endswith(" 0"), table
        with pytest.raises((asyncpg.InsufficientPrivilegeError, asyncpg.ForeignKeyViolationError)):
            async with database.tenant(own.organization_id) as connection:
                await connection.execute(
                    f"UPDATE {table} SET organization_id = $1", other.organization_id
                )


async def test_the_roles_have_no_way_around_the_policies(owner: Database) -> None:
    async with owner.connection() as connection:
        for role in USERS:
            (attributes,) = await connection.fetch(
                """
                SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication
                FROM pg_roles WHERE rolname = $1
                """,
                role,
            )
            assert not any(attributes.values()), (role, dict(attributes))
            owned = await connection.fetchval(
                "SELECT count(*) FROM pg_class WHERE relowner = $1::regrole", role
            )
            assert owned == 0
            member_of = await connection.fetchval(
                "SELECT count(*) FROM pg_auth_members WHERE member = $1::regrole", role
            )
            assert member_of == 0
        # A view or function with its owner's rights would read past the policies.
        rows = await connection.fetch(
            "SELECT proname FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace"
        )
        definers = {row["proname"] for row in rows}
        views = await connection.fetchval(
            "SELECT count(*) FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace"
        )
        assert (definers, views) == (DEFINERS, 0)


async def test_the_organization_ends_with_its_transaction(
    database_url: str, both: tuple[Tenant, Tenant]
) -> None:
    own, _ = both
    database = await open_database(database_url, size=1, wait_seconds=10)
    try:
        async with database.tenant(own.organization_id) as connection:
            assert await connection.fetchval("SELECT count(*) FROM accounts") == 1
        async with database.connection() as connection:
            assert await connection.fetchval("SELECT count(*) FROM accounts") == 0
        with pytest.raises(ZeroDivisionError):
            async with database.tenant(own.organization_id) as connection:
                raise ZeroDivisionError
        async with database.connection() as connection:
            assert not connection.is_in_transaction()
            assert await connection.fetchval("SELECT count(*) FROM accounts") == 0
    finally:
        await database.close()


async def test_an_organization_id_is_never_read_as_sql(database: Database) -> None:
    with pytest.raises(ValueError, match="badly formed"):
        async with database.tenant(OrganizationId("'; DROP TABLE accounts; --")):  # type: ignore[arg-type]
            pass
