"""Which workers get work: those that have what is here, as far as they say; and who is still there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed")

from crashwright.core.errors import EnvironmentProblem
from crashwright.environment.source_digests import OURS, PYTHON
from crashwright.workflows.places import cluster
from crashwright.workflows.places.cluster import Cluster
from crashwright.workflows.places.workers import WorkerEnvironment, Workers

HERE = WorkerEnvironment("/envs/shop/bin/python", ())
Answer = Callable[[dict[str, str]], object]
SAME: Answer = dict


class Client:
    """Of a cluster whose workers answer as they are told to."""

    status = "running"

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.answers = answers
        self.asked: list[str] = []

    async def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.answers, 2)

    async def run(self, function: Any, *environment: Any, workers: Iterable[str], on_error: str) -> dict[str, object]:
        assert on_error == "return"
        self.asked += workers
        here = await function(*environment)
        return {one: self.answers[one](here) if isinstance(here, dict) else here for one in workers}


@pytest.fixture
def digests(monkeypatch: pytest.MonkeyPatch) -> None:
    async def quick(_python: str, _path: tuple[str, ...]) -> dict[str, str]:
        return {PYTHON: "1", OURS: "2"}

    monkeypatch.setattr("crashwright.workflows.places.workers.digests_there", quick)


def told_and(work: Callable[[Workers], Coroutine[Any, Any, object]], client: Client) -> list[str]:
    """What the user hears."""
    heard: list[str] = []

    async def told(text: str) -> None:
        heard.append(text)

    asyncio.run(work(Workers(client, told)))
    return heard


@pytest.mark.usefixtures("digests")
def test_workers_with_other_sources_are_named_and_get_nothing() -> None:
    def other(here: dict[str, str]) -> dict[str, str]:
        return {**here, OURS: "older"}

    client = Client({"a": SAME, "b": other, "c": other, "d": lambda here: ModuleNotFoundError("No module named 'crashwright'")})

    async def work(asked: Workers) -> None:
        await asked.look()
        assert asked.threads() == 8
        assert await asked.fit(HERE) == {"a"}
        assert asked.threads() == 2
        client.answers = {**client.answers, "e": SAME}
        await asked.look()
        assert asked.threads() == 4  # who was not asked yet may be fit
        assert await asked.fit(HERE) == {"a", "e"}
        asked.refuse("a", HERE, "its disk is full")
        assert await asked.fit(HERE) == {"e"}
        assert asked.threads() == 2

    assert told_and(work, client) == [
        f"Worker b and 1 more get no work for {HERE.python}: crashwright itself has different source code",
        f"Worker d gets no work for {HERE.python}: No module named 'crashwright'",
    ]
    assert client.asked == ["a", "b", "c", "d", "e"]


@pytest.mark.usefixtures("digests")
def test_where_no_worker_is_fit_the_line_names_one_and_what_it_lacks() -> None:
    client = Client({"a": lambda here: OSError("it has just left"), "b": lambda here: {**here, "shop": "other"}})

    async def work(asked: Workers) -> None:
        await asked.look()
        for _ in range(2):
            with pytest.raises(EnvironmentProblem, match=f"^Worker b gets no work for {HERE.python}: shop is there alone.$"):
                await asked.fit(HERE)

    assert len(told_and(work, client)) == 1
    assert client.asked == ["a", "b", "a"]  # who could not be reached is asked again


@pytest.mark.usefixtures("digests")
def test_a_cluster_without_workers_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crashwright.workflows.places.workers.PATIENCE", 0.05)

    async def work(asked: Workers) -> None:
        await asked.look()
        with pytest.raises(EnvironmentProblem, match="All workers have left"):
            await asked.fit(HERE)
        client.answers = {"a": SAME}
        await asked.look()
        left = asyncio.ensure_future(asked.none_left(await asked.fit(HERE)))
        await asyncio.sleep(0)
        assert not left.done()
        client.answers = {"b": SAME}
        await asked.look()
        await asyncio.wait_for(left, 1.0)

    client = Client({})
    told_and(work, client)


def test_an_interpreter_that_does_not_run_here_is_told_as_such(tmp_path: Path) -> None:
    heard: list[str] = []

    async def told(text: str) -> None:
        heard.append(text)

    async def work() -> None:
        asked = Workers(Client({"a": SAME}), told)
        await asked.look()
        await asked.fit(WorkerEnvironment(str(tmp_path / "python"), ()))

    with pytest.raises(EnvironmentProblem, match=r"here .*/python cannot be run: No such file"):
        asyncio.run(work())


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "tcp://nowhere.invalid:8786", "nonsense://x:1", "127.0.0.1"])
def test_a_scheduler_that_is_not_there_is_one_clear_line(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.2)

    async def work() -> None:
        place = Cluster(address)
        try:
            await place.open(lambda text: asyncio.sleep(0))
        finally:
            await place.close()

    with pytest.raises(EnvironmentProblem) as raised:
        asyncio.run(work())
    assert raised.value.message.startswith(f"There is no scheduler at {address}: ")
    assert "\n" not in raised.value.message
    assert "dask scheduler" in raised.value.advice


@pytest.mark.usefixtures("digests")
def test_no_more_is_sent_than_there_is_room_for_and_who_comes_later_gets_some() -> None:
    client = Client({"a": SAME})
    got: list[frozenset[str]] = []

    async def one(asked: Workers) -> None:
        async with asked.room(HERE) as fit:
            got.append(fit)
            await asyncio.sleep(3600)

    async def work(asked: Workers) -> None:
        await asked.look()
        tasks = [asyncio.create_task(one(asked)) for _ in range(5)]
        await asyncio.sleep(0.01)
        assert got == [{"a"}] * 2
        client.answers["b"] = SAME
        await asked.look()
        await asyncio.sleep(0.01)
        assert got == [{"a"}] * 2 + [{"a", "b"}] * 2
        tasks[0].cancel()
        await asyncio.sleep(0.01)
        assert len(got) == 5
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    assert told_and(work, client) == []
