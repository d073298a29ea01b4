"""Runs a script of several SQL statements inside Alembic's transaction."""

from typing import Any

from alembic import op


def run_script(sql: str) -> None:
    """asyncpg prepares what SQLAlchemy sends, and a prepared statement holds one command only, so
    the script goes to the driver's own connection (which joins the same transaction)."""
    op.execute("SELECT 1")  # makes SQLAlchemy open its transaction first
    connection: Any = op.get_bind().connection.dbapi_connection
    connection.run_async(lambda driver: driver.execute(sql))


def run_concurrently(sql: str) -> None:
    """Run one statement outside any transaction, as CREATE INDEX CONCURRENTLY needs. What it did stays when
    the migration fails afterwards, so let it be one that can be repeated (IF NOT EXISTS)."""
    with op.get_context().autocommit_block():
        op.execute(sql)


def protect_tenant_tables(*tables: str) -> None:
    """Put tables of tenants under row-level security, and let application and worker use them."""
    for table in tables:
        run_script(
            f"""
            ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
            ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
            CREATE POLICY tenant ON {table}
              USING (organization_id = nullif(current_setting('app.organization', true), '')::uuid)
              WITH CHECK (organization_id = nullif(current_setting('app.organization', true), '')::uuid);
            GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO sightline_app, sightline_worker;
            """
        )


def publish_catalogue_tables(*tables: str) -> None:
    """Let the application read tables of the catalogue, and the worker write them."""
    for table in tables:
        run_script(
            f"""
            GRANT SELECT ON {table} TO sightline_app;
            GRANT SELECT, INSERT, UPDATE, DELETE ON {table} TO sightline_worker;
            """
        )
