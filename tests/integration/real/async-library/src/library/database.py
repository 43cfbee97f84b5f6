import os

from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from .models import Base

URL = os.environ.get("LIBRARY_DATABASE", "sqlite+aiosqlite:///library.db")
engine = create_async_engine(URL)
new_session = async_sessionmaker(engine, expire_on_commit=False, class_=AsyncSession)


async def create_tables() -> None:
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
