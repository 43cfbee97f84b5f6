"""Mapped classes of SQLAlchemy, declared and imperative, for the tests of what reads them."""

from __future__ import annotations

import datetime
import enum
from decimal import Decimal

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, registry, relationship, sessionmaker


class Base(DeclarativeBase):
    """Of the declared ones."""


class State(enum.Enum):
    """Of an order."""

    OPEN = "open"
    PAID = "paid"


class Buyer(Base):
    """Referred to."""

    __tablename__ = "buyer"
    id: Mapped[int] = mapped_column(primary_key=True)
    email: Mapped[str] = mapped_column(unique=True)
    note: Mapped[str | None]
    orders: Mapped[list[Order]] = relationship(back_populates="buyer")


class Order(Base):
    """Refers to a buyer."""

    __tablename__ = "order"
    id: Mapped[int] = mapped_column(primary_key=True)
    buyer_id: Mapped[int] = mapped_column(ForeignKey("buyer.id"))
    day: Mapped[datetime.date]
    state: Mapped[State] = mapped_column(default=State.OPEN)
    total: Mapped[Decimal | None]
    buyer: Mapped[Buyer] = relationship(back_populates="orders")


class Stamp:
    """Mapped imperatively."""

    def __init__(self, text: str) -> None:
        self.text = text


_registry = registry(metadata=MetaData())
_table = Table("stamp", _registry.metadata, Column("id", Integer, primary_key=True), Column("text", String, nullable=False))
_registry.map_imperatively(Stamp, _table)


class Database:
    """With a factory of sessions."""

    def __init__(self, url: str = "sqlite://") -> None:
        self.engine = create_engine(url)
        self.sessions = sessionmaker(self.engine)
        Base.metadata.create_all(self.engine)
        _registry.metadata.create_all(self.engine)
