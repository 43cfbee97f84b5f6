from __future__ import annotations

from datetime import date

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from .models import Book, Loan

FEE_PER_DAY = 0.25


async def add_book(session: AsyncSession, title: str) -> Book:
    book = Book(title=title)
    session.add(book)
    await session.commit()
    return book


async def lend(session: AsyncSession, book_id: int, reader: str, due: date) -> Loan:
    loan = Loan(book_id=book_id, reader=reader, due=due)
    session.add(loan)
    await session.commit()
    return loan


async def loans_of(session: AsyncSession, reader: str) -> list[Loan]:
    rows = await session.scalars(select(Loan).where(Loan.reader == reader).order_by(Loan.due))
    return list(rows)


def late_days(loan: Loan) -> int:
    return max(0, (loan.returned - loan.due).days)


async def fees_of(session: AsyncSession, reader: str) -> float:
    total = 0.0
    for loan in await loans_of(session, reader):
        total += late_days(loan) * FEE_PER_DAY
    return total
