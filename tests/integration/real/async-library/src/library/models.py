from __future__ import annotations

from datetime import date

from sqlalchemy import ForeignKey, String
from sqlalchemy.ext.asyncio import AsyncAttrs
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(AsyncAttrs, DeclarativeBase):
    pass


class Book(Base):
    __tablename__ = "books"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str] = mapped_column(String(200))
    loans: Mapped[list[Loan]] = relationship(back_populates="book", lazy="selectin")


class Loan(Base):
    __tablename__ = "loans"

    id: Mapped[int] = mapped_column(primary_key=True)
    book_id: Mapped[int] = mapped_column(ForeignKey("books.id"))
    reader: Mapped[str]
    due: Mapped[date]
    returned: Mapped[date | None]
    book: Mapped[Book] = relationship(back_populates="loans", lazy="selectin")
