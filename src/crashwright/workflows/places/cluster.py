"""Other machines: the workers of a Dask cluster as a place (the extra ``cluster``).

They need crashwright, and what is reproduced, where this machine has them: before a worker gets a request, what it would import is
compared with what this machine would. A request whose worker dies is run again by another one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import uuid
from collections.abc import AsyncIterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from distributed import Client, Future, KilledWorker

from crashwright.core.errors import EnvironmentProblem
from crashwright.workflows.places.on_worker import WorkerProblem, run_there
from crashwright.workflows.places.place import ASKED, Asked, PlaceGone, Told
from crashwright.workflows.places.workers import WorkerEnvironment, Workers
from crashwright.workflows.reproduce.request import Request

CONNECT_SECONDS = 10.0
CLOSE_SECONDS = 1.0
_KILLED: dict[str, Any] = {"exit_code": -9, "lines": []}


class Cluster:
    """The cluster of the scheduler at ``address``."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._topic = f"crashwright-{uuid.uuid4().hex}"
        self._listening: dict[str, Told] = {}
        self._open: tuple[Client, Workers, asyncio.Task[None]] | None = None

    async def open(self, told: Told) -> None:
        """Raises EnvironmentProblem where there is no scheduler, or no worker."""
        _silence()
        client = Client(self._address, asynchronous=True, timeout=CONNECT_SECONDS, set_as_default=False)
        try:
            await client
        except (OSError, ValueError) as error:
            await _close(client)
            advice = "Start one (dask scheduler), and workers (dask worker ADDRESS), or leave out --cluster."
            raise EnvironmentProblem(f"There is no scheduler at {self._address}: {_first_line(error)}.", advice) from None
        workers = Workers(client, told)
        self._open = client, workers, asyncio.create_task(workers.watch())
        async with self._connected(client):
            try:
                await client.wait_for_workers(1, timeout=CONNECT_SECONDS)
            except TimeoutError:
                raise EnvironmentProblem(
                    f"The scheduler at {self._address} has no workers.", f"Start some: dask worker {self._address}."
                ) from None
            client.subscribe_topic(self._topic, self._heard)
            await workers.look()

    def width(self) -> int:
        """As wide as the workers that are there have threads, without those that are fit for nothing that was asked for."""
        return 0 if self._open is None else self._open[1].threads()

    async def close(self) -> None:
        """Leave the cluster as it is; what is still running there is ended by its workers."""
        if self._open is None:
            return
        client, _, watching = self._open
        self._open = None
        watching.cancel()
        await _close(client)

    async def run(self, request: Asked, told: Told) -> dict[str, Any]:
        """On one of the workers that have what is here. Raises EnvironmentProblem where there is none."""
        assert self._open is not None, "run before open"
        client, workers, _ = self._open
        request = _as_everywhere(request)
        environment = WorkerEnvironment(request.python, request.path)
        async with self._connected(client):
            while True:
                try:
                    async with workers.room(environment) as fit:
                        document = await self._run_there(client, request, told, fit, workers)
                except WorkerProblem as problem:
                    workers.refuse(problem.address, environment, problem.reason)
                    continue
                if document is not None:
                    return document

    async def _run_there(
        self, client: Client, request: Asked, told: Told, fit: frozenset[str], workers: Workers
    ) -> dict[str, Any] | None:
        """The document; None where none of the workers that are fit is there any more."""
        if client.status != "running":
            raise ConnectionError  # it would be kept for when the scheduler is back
        key = f"crashwright-{uuid.uuid4().hex}"
        self._listening[key] = told
        text = json.dumps(ASKED.to_json(request))
        future = client.submit(
            run_there, text, self._topic, key, key=key, workers=sorted(fit), allow_other_workers=False, pure=False
        )
        result, left = asyncio.ensure_future(_result(future)), asyncio.ensure_future(workers.none_left(fit))
        try:
            await asyncio.wait({result, left}, return_when=asyncio.FIRST_COMPLETED)
            return await result if result.done() else None
        finally:
            result.cancel()
            left.cancel()
            del self._listening[key]
            future.release()

    async def _heard(self, event: tuple[float, tuple[str, str]]) -> None:
        key, line = event[1]
        if key in self._listening:
            await self._listening[key](line)

    @asynccontextmanager
    async def _connected(self, client: Client) -> AsyncIterator[None]:
        """What a client raises whose scheduler is lost differs by what it was doing: it is told as that."""
        advice = "The results so far are stored: run the same command again when it is back."
        gone = PlaceGone(f"The scheduler at {self._address} is gone.", advice)
        try:
            yield
        except EnvironmentProblem:
            raise
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is not None and task.cancelling():
                raise  # by us
            raise gone from None
        except Exception as error:
            if client.status == "running" and not isinstance(error, OSError | CancelledError):
                raise
            raise gone from None


async def _close(client: Client) -> None:
    try:
        await asyncio.wait_for(client.close(), CLOSE_SECONDS)
    except TimeoutError:
        return  # its scheduler is gone, and the process ends soon


async def _result(future: Future) -> dict[str, Any]:
    try:
        document: dict[str, Any] = await future
    except KilledWorker:
        return _KILLED
    return document


def _as_everywhere(request: Asked) -> Asked:
    """Workers stand in other folders, and keep nothing there."""
    python = os.path.abspath(request.python) if os.path.dirname(request.python) else request.python
    allow = (f"write:{os.path.abspath(one[6:])}" if one.startswith("write:") else one for one in request.allow)
    request = replace(request, python=python, path=tuple(map(os.path.abspath, request.path)), allow=tuple(allow))
    return replace(request, cache=False) if isinstance(request, Request) else request


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")


def _silence() -> None:
    """What goes wrong is told in one line, by us: no line that a program reads may be of a library's loop."""
    for name in ("distributed", "distributed.client", "asyncio", "tornado.application"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
