"""Alembic's entry: runs the versions on the connection that `sightline.store.migrate` hands it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], target_metadata=None)
with context.begin_transaction():
    context.run_migrations()
