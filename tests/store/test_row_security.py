"""Row-level security, read from the catalog of the migrated database: a new table is tested as it is made."""

import asyncpg
import pytest

from sightline.domain.callers import OrganizationId
from sightline.kit.postgres import EmbeddedPostgres
from sightline.store.database import Connection, Database, Role, open_database
from tests.api.accounts_data import add_accounts
from tests.conftest import MakeTenant, Tenant, sibling

# Tables with an organization_id that no policy guards, and why.
UNGUARDED = {
    "key_index": "a presented key must lead to its organization; it holds digests alone",
}
# Functions with their owner's rights, and why: signing in starts from the name of an organization.
DEFINERS = {"organization_by_slug"}
USERS: tuple[Role, ...] = ("sightline_app", "sightline_worker")
# Tables that a role may read whole, and why.
READABLE: dict[tuple[Role, str], str] = {
    (
        "sightline_worker",
        "organizations",
    ): "it walks through them; it learns their names and no more",
}
POLICY = (
    "(organization_id = (NULLIF(current_setting('app.organization'::text, true), ''::text))::uuid)"
)

# SQL of a value of a type, or else of a category of types as PostgreSQL sorts them.
BY_TYPE = {
    "uuid": "gen_random_uuid()",
    "json": "'{}'",
    "jsonb": "'{}'",
    "bytea": "gen_random_uuid()::text::bytea",
    "tsvector": "''",
}
BY_CATEGORY = {
    "A": "'{}'",
    "B": "false",
    "D": "now()",
    "I": "'127.0.0.1'",
    "N": "1",
    "S": "gen_random_uuid()::text",
    "T": "interval '1 day'",
    "V": "'0'",
}


async def _tenant_tables(connection: Connection) -> list[str]:
    rows = await connection.fetch(
        """
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
          AND a.attname = 'organization_id' AND NOT a.attisdropped
        """
    )
    tables = {row[0] for row in rows}
    assert set(UNGUARDED) < tables
    return sorted(tables - set(UNGUARDED))


@pytest.fixture
async def tables(owner: Database) -> list[str]:
    """The names of all tables that hold rows of organizations."""
    async with owner.connection() as connection:
        return await _tenant_tables(connection)


async def _fill(superuser: asyncpg.Connection, organization_id: OrganizationId) -> None:
    """A row of the organization in every tenant table that has none.

    Required columns get a value by their type, or the first word that their CHECK
    allows. Foreign keys are not looked at: what a policy hides does not hang on what a row refers to.
    """
    for table in await _tenant_tables(superuser):
        if await superuser.fetchval(
            f"SELECT EXISTS (SELECT FROM {table} WHERE organization_id = $1)", organization_id
        ):
            continue
        values = {"organization_id": f"'{organization_id}'"} | await _values(superuser, table)
        await superuser.execute(
            f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})"
        )


async def _values(superuser: asyncpg.Connection, table: str) -> dict[str, str]:
    """SQL of a value for each column of a table that has no other way to get one."""
    columns = await superuser.fetch(
        """
        SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type,
          format_type(t.oid, NULL) AS base, t.typcategory::text AS category,
          (SELECT min(substring(pg_get_constraintdef(c.oid) FROM $$'([^']+)'::$$))
           FROM pg_constraint c
           WHERE c.contype = 'c' AND (c.conrelid, c.conkey) = (a.attrelid, ARRAY[a.attnum])
             OR c.contypid = d.oid) AS allowed
        FROM pg_attribute a JOIN pg_type d ON d.oid = a.atttypid
        JOIN pg_type t ON t.oid = coalesce(nullif(d.typbasetype, 0), d.oid)
        WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
          AND (a.attnotnull OR d.typnotnull) AND NOT a.atthasdef AND a.attidentity = ''
          AND a.attname <> 'organization_id'
        """,
        table,
    )
    return {column["name"]: f"({_value(column)})::{column['type']}" for column in columns}


def _value(column: asyncpg.Record) -> str:
    """SQL of a value that a column may hold, another one each time where there are many."""
    if column["allowed"]:
        return f"'{column['allowed']}'"
    base, category = column["base"], column["category"]
    if category == "E":
        return f"(enum_range(NULL::{base}))[1]"
    value = BY_TYPE.get(base) or BY_CATEGORY.get(category)
    assert value, f"say what a {base} may be, for {column['name']}"
    return value


@pytest.fixture
async def both(
    make_tenant: MakeTenant, server: EmbeddedPostgres, database_url: str
) -> tuple[Tenant, Tenant]:
    """Two organizations, each with a row in every table."""
    first, second = await make_tenant("first"), await make_tenant("second")
    name = database_url.partition("?")[0].rpartition("/")[2]
    superuser = await asyncpg.connect(sibling(server.superuser_url, name))
    try:
        await superuser.execute("SET session_replication_role = replica")
        await _fill(superuser, first.organization_id)
        await _fill(superuser, second.organization_id)
        for table in await _tenant_tables(superuser):
            rows = await superuser.fetch(f"SELECT DISTINCT organization_id FROM {table}")
            found = {row[0] for row in rows}
            assert found == {first.organization_id, second.organization_id}, table
    finally:
        await superuser.close()
    return first, second


async def test_every_tenant_table_forces_its_policy(owner: Database, tables: list[str]) -> None:
    assert {"accounts", "api_keys", "credit_ledger"} <= set(tables)
    async with owner.connection() as connection:
        for table in tables:
            (state,) = await connection.fetch(
                "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = $1::regclass",
                table,
            )
            assert tuple(state) == (True, True), table
            policies = await connection.fetch(
                "SELECT qual, with_check, cmd, roles::text[] FROM pg_policies "
                "WHERE tablename = $1 AND policyname = 'tenant'",
                table,
            )
            assert [tuple(policy) for policy in policies] == [(POLICY, POLICY, "ALL", ["public"])]


async def test_every_tenant_table_is_keyed_by_its_organization_first(
    owner: Database, tables: list[str]
) -> None:
    async with owner.connection() as connection:
        for table in tables:
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


async def _may(connection: Connection, table: str, privilege: str) -> bool:
    """Whether the connected role holds the right at all, on the table or some of its columns."""
    column_too = privilege in ("SELECT", "INSERT", "UPDATE")
    test = "has_any_column_privilege" if column_too else "has_table_privilege"
    return bool(await connection.fetchval(f"SELECT {test}($1::regclass, $2)", table, privilege))


async def _written_columns(connection: Connection, table: str) -> str:
    """The columns beside the organization's that an INSERT may name."""
    names: str = await connection.fetchval(
        """
        SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
        WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
          AND attname <> 'organization_id'
        """,
        table,
    )
    return names


@pytest.mark.parametrize("role", USERS)
async def test_without_an_organization_nothing_is_seen(
    tables: list[str], database_url: str, both: tuple[Tenant, Tenant], role: Role
) -> None:
    database = await open_database(database_url, role=role, size=1)
    try:
        async with database.connection() as connection:
            for table in tables:
                if (role, table) in READABLE:
                    continue
                assert await connection.fetchval(f"SELECT count(*) FROM {table}") == 0, table
    finally:
        await database.close()


@pytest.mark.parametrize("role", USERS)
async def test_each_organization_sees_its_own_rows_alone(
    tables: list[str], database_url: str, both: tuple[Tenant, Tenant], role: Role
) -> None:
    database = await open_database(database_url, role=role, size=1)
    try:
        for tenant in both:
            async with database.tenant(tenant.organization_id) as connection:
                for table in tables:
                    seen = await connection.fetch(f"SELECT DISTINCT organization_id FROM {table}")
                    allowed = both if (role, table) in READABLE else [tenant]
                    expected = {each.organization_id for each in allowed}
                    assert {row[0] for row in seen} == expected, table
    finally:
        await database.close()


@pytest.mark.parametrize("role", USERS)
async def test_rows_of_another_organization_are_not_written(
    tables: list[str], database_url: str, both: tuple[Tenant, Tenant], role: Role
) -> None:
    own, other = both
    database = await open_database(database_url, role=role, size=1)
    try:
        for table in tables:
            # A copy of an own row under another's id: only the policy (or a missing right) can refuse it.
            with pytest.raises(asyncpg.InsufficientPrivilegeError) as refused:
                async with database.tenant(own.organization_id) as connection:
                    has_right = await _may(connection, table, "INSERT")
                    names = await _written_columns(connection, table)
                    await connection.execute(
                        f"""
                        INSERT INTO {table} (organization_id, {names}) OVERRIDING SYSTEM VALUE
                        SELECT $1, {names} FROM {table} WHERE organization_id = $2 LIMIT 1
                        """,
                        other.organization_id,
                        own.organization_id,
                    )
            assert ("row-level security" in str(refused.value)) is has_right, table
    finally:
        await database.close()


@pytest.mark.parametrize("role", USERS)
async def test_rows_of_another_organization_are_not_changed(
    tables: list[str], database_url: str, both: tuple[Tenant, Tenant], role: Role
) -> None:
    own, other = both
    database = await open_database(database_url, role=role, size=1)
    changes = {
        "UPDATE": "UPDATE {} SET organization_id = organization_id WHERE organization_id = $1",
        "DELETE": "DELETE FROM {} WHERE organization_id = $1",
    }
    changed = 0
    try:
        for table in tables:
            for right, statement in changes.items():
                async with database.connection() as connection:
                    has_right = await _may(connection, table, right)
                try:
                    async with database.tenant(own.organization_id) as connection:
                        status = await connection.execute(
                            statement.format(table), other.organization_id
                        )
                except asyncpg.InsufficientPrivilegeError:
                    # A right to some columns alone is no right to this statement.
                    assert not has_right or right == "UPDATE", table
                else:
                    assert status.endswith(" 0"), table
                    changed += 1
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with database.tenant(own.organization_id) as connection:
                    await connection.execute(
                        f"UPDATE {table} SET organization_id = $1", other.organization_id
                    )
    finally:
        await database.close()
    assert changed > len(tables), "the policies were hardly asked"


async def test_the_roles_have_no_way_around_the_policies(owner: Database) -> None:
    async with owner.connection() as connection:
        for role in USERS:
            (attributes,) = await connection.fetch(
                """
                SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication
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
            "SELECT count(*) FROM pg_class WHERE relkind IN ('v', 'm') "
            "AND relnamespace = 'public'::regnamespace "
            "AND NOT coalesce(reloptions @> '{security_invoker=true}', false)"
        )
        assert (definers, views) == (DEFINERS, 0)


async def test_the_organization_ends_with_its_transaction(
    database: Database, database_url: str, tenant: Tenant
) -> None:
    await add_accounts(database, tenant.organization_id, [{"company_name": "One"}])
    single = await open_database(database_url, size=1)
    try:
        async with single.tenant(tenant.organization_id) as connection:
            assert await connection.fetchval("SELECT count(*) FROM accounts") == 1
        async with single.connection() as connection:
            assert await connection.fetchval("SELECT count(*) FROM accounts") == 0
        with pytest.raises(ZeroDivisionError):
            async with single.tenant(tenant.organization_id) as connection:
                raise ZeroDivisionError
        async with single.connection() as connection:
            assert not connection.is_in_transaction()
            assert await connection.fetchval("SELECT count(*) FROM accounts") == 0
    finally:
        await single.close()


async def test_an_organization_id_is_never_read_as_sql(database: Database) -> None:
    with pytest.raises(ValueError, match="badly formed"):
        async with database.tenant(OrganizationId("'; DROP TABLE accounts; --")):  # type: ignore[arg-type]
            pass


@pytest.mark.parametrize("role", USERS)
async def test_who_serves_logs_in_as_one_who_cannot_leave_its_role(
    role: Role, server: EmbeddedPostgres, database_url: str, database: Database, tenant: Tenant
) -> None:
    await add_accounts(database, tenant.organization_id, [{"company_name": "Harbor"}])
    name = database_url.partition("?")[0].rpartition("/")[2]
    connection = await asyncpg.connect(sibling(server.login_url(role), name))
    try:
        for statement in ("SET ROLE sightline_owner", "SET SESSION AUTHORIZATION sightline_owner"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)
        await connection.execute("SET ROLE NONE")
        assert await connection.fetchval("SELECT count(*) FROM accounts") == 0
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("ALTER TABLE accounts DISABLE ROW LEVEL SECURITY")
    finally:
        await connection.close()
