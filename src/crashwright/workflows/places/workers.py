"""Which workers of a cluster are there, and which of them are fit: what they would import has to be what this machine would."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from distributed import Client

from crashwright.core.errors import EnvironmentProblem
from crashwright.environment.source_digests import difference
from crashwright.workflows.places.on_worker import digests_there
from crashwright.workflows.places.place import Told

CHECK_SECONDS = 2.0
"""How often it is looked which workers are there."""
PATIENCE = 30.0
"""Seconds to wait where all workers have left: they may be started again."""
ADVICE = "Install the same packages there, in the same places, and run the same command again."


class WorkerEnvironment(NamedTuple):
    """An interpreter and the folders that it imports from before others."""

    python: str
    path: tuple[str, ...]


class Workers:
    """Those of a client's cluster; ``told`` hears of each that gets no work."""

    def __init__(self, client: Client, told: Told) -> None:
        self._client = client
        self._told = told
        self._present: Mapping[str, int] = {}
        self._changed = asyncio.Event()
        self._here: dict[WorkerEnvironment, dict[str, str] | str] = {}
        self._unfit: dict[WorkerEnvironment, dict[str, str]] = defaultdict(dict)
        """Why a worker gets no work for an environment; "" where it does."""
        self._asking = asyncio.Lock()
        self._busy: Counter[WorkerEnvironment] = Counter()
        self._room = asyncio.Event()
        """Set where there may be more room; who waits for that asks for the next one."""

    async def watch(self) -> None:
        """Keep the list of those who are there, until the scheduler is lost or this is cancelled."""
        while self._client.status == "running":
            with suppress(OSError):  # lost: the client knows it soon
                await self.look()
            await asyncio.sleep(CHECK_SECONDS)

    def threads(self) -> int:
        """How many those have who are there, and fit for something, or not asked yet."""
        asked = list(self._unfit.values())
        return sum(threads for one, threads in self._present.items() if not asked or not all(reasons.get(one) for reasons in asked))

    async def look(self) -> None:
        """See who is there now."""
        present: Mapping[str, int] = await self._client.nthreads()
        if present.keys() != self._present.keys():
            self._changed.set()
            self._changed = asyncio.Event()
            self._more_room()
        self._present = present

    async def none_left(self, workers: frozenset[str]) -> None:
        """Wait until none of these is there."""
        while not workers.isdisjoint(self._present):
            await self._changed.wait()

    def refuse(self, worker: str, environment: WorkerEnvironment, reason: str) -> None:
        """It is to get no more work."""
        self._unfit[environment][worker] = reason

    @asynccontextmanager
    async def room(self, environment: WorkerEnvironment) -> AsyncIterator[frozenset[str]]:
        """Those that may run what is for the ``environment``, as soon as there is room with them: what is sent before that waits
        with them, also where others come. Raises as :meth:`fit` does."""
        fit = await self.fit(environment)
        while self._busy[environment] >= sum(self._present.get(one, 0) for one in fit):
            await self._room.wait()
            fit = await self.fit(environment)
        self._busy[environment] += 1
        try:
            yield fit
        finally:
            self._busy[environment] -= 1
            self._more_room()

    def _more_room(self) -> None:
        self._room.set()
        self._room = asyncio.Event()

    async def fit(self, environment: WorkerEnvironment) -> frozenset[str]:
        """Those that may run what is for the ``environment``. Raises EnvironmentProblem where there are none."""
        async with self._asking:
            await self._some()
            if self._unknown(environment):
                await self.look()  # one that has just left would be waited for
                await self._compare(self._unknown(environment), environment)
            present = list(self._present)
        unfit = self._unfit[environment]
        fit = frozenset(one for one in present if unfit.get(one) == "")
        if not fit:
            reasons = {one: unfit[one] for one in present if one in unfit}
            told = next(_refusals(environment, reasons), f"No worker has reported its packages for {environment.python}")
            raise EnvironmentProblem(f"{told}.", ADVICE)
        return fit

    def _unknown(self, environment: WorkerEnvironment) -> list[str]:
        return [one for one in self._present if one not in self._unfit[environment]]

    async def _some(self) -> None:
        if not self._present:
            try:
                await asyncio.wait_for(self._changed.wait(), PATIENCE)
            except TimeoutError:
                raise EnvironmentProblem(
                    "All workers have left the cluster.", "Start some, and run the same command again."
                ) from None

    async def _compare(self, workers: list[str], environment: WorkerEnvironment) -> None:
        if environment not in self._here:
            self._here[environment] = await digests_there(*environment)
        here = self._here[environment]
        found = await self._client.run(digests_there, *environment, workers=workers, on_error="return")
        # Who cannot be reached is asked again, where it is still there.
        reasons = {one: _reason(here, there) for one, there in found.items() if not isinstance(there, OSError)}
        self._unfit[environment].update(reasons)
        for told in _refusals(environment, reasons):
            await self._told(told)


def _refusals(environment: WorkerEnvironment, reasons: Mapping[str, str]) -> Iterator[str]:
    """A line for each reason: the first worker that has it, and how many others."""
    for reason in dict.fromkeys(filter(None, reasons.values())):
        first, *others = sorted(one for one, other in reasons.items() if other == reason)
        get = f"and {len(others)} more get" if others else "gets"
        yield f"Worker {first} {get} no work for {environment.python}: {reason}"


def _reason(here: dict[str, str] | str, there: object) -> str:
    """Why a worker that answered ``there`` is not fit."""
    if isinstance(there, dict) and isinstance(here, dict):
        return difference(here, there)
    return f"here {here}" if isinstance(here, str) else str(there)
