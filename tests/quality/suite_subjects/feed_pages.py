"""Fetches pages with retries, asynchronously."""

import asyncio
from dataclasses import dataclass


class FetchError(Exception):
    pass


@dataclass
class Page:
    url: str
    status: int = 200
    body: str = ""


async def with_retries(action, attempts=3):
    """The result of ``action()``, tried again after an error."""
    if attempts < 1:
        raise ValueError("at least one attempt")
    for attempt in range(attempts):
        try:
            return await action()
        except FetchError:
            if attempt == attempts - 1:
                raise
            await asyncio.sleep(0)
    return None


async def check(page: Page) -> str:
    await asyncio.sleep(0)
    if page.status >= 500:
        raise FetchError(f"{page.url}: server error")
    if page.status == 404:
        return "missing"
    if page.status >= 300:
        return "moved"
    return "ok" if page.body else "empty"


async def lines_of(page: Page):
    for line in page.body.splitlines():
        if line.startswith("#"):
            continue
        yield line.strip()


async def gather_status(pages: list[Page], limit: int = 2) -> dict[str, str]:
    gate = asyncio.Semaphore(limit)

    async def one(page):
        async with gate:
            try:
                return page.url, await check(page)
            except FetchError as error:
                return page.url, str(error)

    return dict(await asyncio.gather(*(one(page) for page in pages)))


class Feed:
    def __init__(self, name: str, pages: list[Page] | None = None):
        self.name = name
        self.pages = list(pages or [])
        self.closed = False

    async def __aenter__(self):
        return self

    async def __aexit__(self, *exc):
        self.closed = True
        return False

    def add(self, page: Page) -> int:
        if self.closed:
            raise RuntimeError("feed is closed")
        self.pages.append(page)
        return len(self.pages)

    async def total(self) -> int:
        count = 0
        for page in self.pages:
            async for line in lines_of(page):
                count += len(line)
        return count

    def urls(self):
        for page in self.pages:
            yield page.url
