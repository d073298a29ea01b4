"""Alembic's entry: runs the versions on the connection that `sightline.store.migrate` hands it."""

from alembic import context

# One transaction each: no migration holds the locks of those before it.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=None,
    transaction_per_migration=True,
)
with context.begin_transaction():
    context.run_migrations()
