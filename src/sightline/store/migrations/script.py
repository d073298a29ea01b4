"""Runs a script of several SQL statements inside Alembic's transaction."""

from typing import Any

from alembic import op


def run_script(sql: str) -> None:
    """asyncpg prepares what SQLAlchemy sends, and a prepared statement holds one command only, so
    the script goes to the driver's own connection (which joins the same transaction)."""
    op.execute("SELECT 1")  # makes SQLAlchemy open its transaction first
    connection: Any = op.get_bind().connection.dbapi_connection
    connection.run_async(lambda driver: driver.execute(sql))
