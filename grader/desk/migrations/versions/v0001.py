"""The first schema: submissions, sources, reports, the line, the learner's notes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "v0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "source",
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_source"),
    )
    op.create_table(
        "report",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("exercise", sa.String(40), nullable=False),
        sa.Column("only", sa.Text(), nullable=False),
        sa.Column("suite", sa.String(64)),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_report"),
        sa.ForeignKeyConstraint(["sha256"], ["source.sha256"], name="fk_report_sha256"),
        sa.UniqueConstraint("sha256", "exercise", "only", "suite", name="uq_report_sha256_exercise_only_suite"),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("exercise", sa.String(40), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("only", sa.Text(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("started", sa.Double()),
        sa.Column("ended", sa.Double()),
        sa.Column("claim", sa.String(32)),
        sa.Column("judge", sa.Text()),
        sa.Column("lease", sa.Double()),
        sa.Column("verdict", sa.String(10)),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("stars", sa.Integer(), nullable=False),
        sa.Column("stars_total", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Double()),
        sa.Column("stored", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.Text()),
        sa.Column("report", sa.String(32)),
        sa.PrimaryKeyConstraint("id", name="pk_submission"),
        sa.UniqueConstraint("number", name="uq_submission_number"),
        sa.ForeignKeyConstraint(["sha256"], ["source.sha256"], name="fk_submission_sha256"),
        sa.ForeignKeyConstraint(["report"], ["report.id"], name="fk_submission_report"),
    )
    op.create_index("ix_submission_person_number", "submission", ["person", "number"])
    op.create_index("ix_submission_state_person_number", "submission", ["state", "person", "number"])
    op.create_index("ix_submission_sha256", "submission", ["sha256"])
    op.create_index("ix_submission_report", "submission", ["report"])
    op.create_table(
        "result",
        sa.Column("submission", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("submission", "number", name="pk_result"),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name="fk_result_submission"),
    )
    op.create_table(
        "turn",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("last", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_turn"),
    )
    counts = op.create_table(
        "count",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_count"),
    )
    op.bulk_insert(counts, [{"id": 1, "value": 0}])
    op.create_table(
        "note",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(80), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("person", "kind", "key", name="pk_note"),
    )
