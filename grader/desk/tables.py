"""The tables as they are now. A change here needs a step in `migrations/versions`; a test compares the two.

Times are seconds since 1970 by the database's clock; JSON is ASCII text, so that both databases keep it alike.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Double, ForeignKey, Index, LargeBinary, MetaData, String, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMES)


class SourceRow(Base):
    """A file handed in, once however often it comes; gone with the last submission that has it."""

    __tablename__ = "source"
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    data: Mapped[bytes] = mapped_column(LargeBinary)


class ReportRow(Base):
    """What a grading found. `suite` is None where it must not answer for the same file again."""

    __tablename__ = "report"
    __table_args__ = (UniqueConstraint("sha256", "exercise", "only", "suite"),)
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    sha256: Mapped[str] = mapped_column(ForeignKey("source.sha256"))
    exercise: Mapped[str] = mapped_column(String(40))
    only: Mapped[str] = mapped_column(Text)
    suite: Mapped[str | None] = mapped_column(String(64))
    data: Mapped[bytes] = mapped_column(LargeBinary)


class SubmissionRow(Base):
    """`number` is its place in the order of arrival. While it runs, `claim` is what its judge must know to end it,
    `judge` tells which process that is, `lease` until when it is believed to live."""

    __tablename__ = "submission"
    __table_args__ = (Index(None, "person", "number"), Index(None, "state", "person", "number"))
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, unique=True)
    person: Mapped[str] = mapped_column(String(64))
    exercise: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(Text)
    sha256: Mapped[str] = mapped_column(ForeignKey("source.sha256"), index=True)
    size: Mapped[int]
    only: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(10))
    attempts: Mapped[int] = mapped_column(default=0)
    created: Mapped[float] = mapped_column(Double)
    started: Mapped[float | None] = mapped_column(Double)
    ended: Mapped[float | None] = mapped_column(Double)
    claim: Mapped[str | None] = mapped_column(String(32))
    judge: Mapped[str | None] = mapped_column(Text)
    lease: Mapped[float | None] = mapped_column(Double)
    verdict: Mapped[str | None] = mapped_column(String(10))
    passed: Mapped[int] = mapped_column(default=0)
    total: Mapped[int] = mapped_column(default=0)
    stars: Mapped[int] = mapped_column(default=0)
    stars_total: Mapped[int] = mapped_column(default=0)
    seconds: Mapped[float | None] = mapped_column(Double)
    stored: Mapped[bool] = mapped_column(default=False)
    reason: Mapped[str | None] = mapped_column(Text)
    report: Mapped[str | None] = mapped_column(ForeignKey("report.id"), index=True)


class ResultRow(Base):
    """One check's result while its submission runs; the report has them all once it is done."""

    __tablename__ = "result"
    submission: Mapped[str] = mapped_column(ForeignKey("submission.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    data: Mapped[str] = mapped_column(Text)


class TurnRow(Base):
    """When a person was last served, on the same count as the order of arrival."""

    __tablename__ = "turn"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    last: Mapped[int] = mapped_column(BigInteger)


class CountRow(Base):
    """The one count behind arrivals and turns. Who raises it holds off all others who want to, until they commit."""

    __tablename__ = "count"
    id: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[int] = mapped_column(BigInteger)


class NoteRow(Base):
    """A learner's own record: what they opened, guessed, wrote."""

    __tablename__ = "note"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    kind: Mapped[str] = mapped_column(String(80), primary_key=True)
    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    value: Mapped[str] = mapped_column(Text)
