"""Groups, causes and workers, from the traceback that Python prints to a test with the bug that is within."""

from __future__ import annotations

from pathlib import Path

import pytest
from printed_crash import PrintedCrash

PRICES = """
import asyncio
from concurrent.futures import ProcessPoolExecutor


class ShopError(Exception):
    pass


def mean(prices: list):
    return sum(prices) / len(prices)


async def price(prices: list):
    await asyncio.sleep(0)
    return mean(prices)


async def price_all(orders: list):
    async with asyncio.TaskGroup() as group:
        for prices in orders:
            group.create_task(price(prices))


def in_processes(orders: list):
    with ProcessPoolExecutor(1) as pool:
        return list(pool.map(mean, orders))


def quote(prices: list):
    return priced(prices)


def priced(prices: list):
    try:
        return mean(prices)
    except ZeroDivisionError as error:
        raise ShopError("no price") from error


def check(orders: list):
    errors = []
    for prices in orders:
        try:
            mean(prices)
        except Exception as error:
            errors.append(error)
    if errors:
        raise ExceptionGroup("bad orders", errors)
"""


@pytest.fixture
def crash(tmp_path: Path) -> PrintedCrash:
    made = PrintedCrash(tmp_path)
    made.module("prices", PRICES)
    return made


@pytest.mark.parametrize(
    ("call", "index", "stack"),
    [
        pytest.param(
            "asyncio.run(prices.price_all([[1], []]))", "1.1", ["price", "mean"], id="a task of a group", marks=pytest.mark.nightly
        ),
        pytest.param("prices.in_processes([[]])", "1-1", ["mean"], id="a worker process", marks=pytest.mark.nightly),
        pytest.param("prices.quote([])", "1-1", ["quote", "priced", "mean"], id="a cause"),
        pytest.param("prices.check([[1], []])", "1.1", ["check", "mean"], id="a collected error"),
    ],
)
def test_the_bug_within_is_reproduced(crash: PrintedCrash, call: str, index: str, stack: list[str]) -> None:
    crash.crash(f"import asyncio, prices\nif __name__ == '__main__':\n    {call}\n")
    done = crash.reproduce(3000)
    assert done.code == 0, done.out + done.err
    assert f"(--report-number {index}), the deepest of your own code" in done.out
    text = crash.run_test()
    assert "ZeroDivisionError" in text
    assert all(f"in {name}\n" in text for name in stack), text
