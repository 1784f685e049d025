"""Alembic runs this file: the steps go over the connection that `schema.upgrade` holds, within its transaction."""

from __future__ import annotations

from alembic import context

from grader.desk.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite changes a table by making another
)
context.run_migrations()
