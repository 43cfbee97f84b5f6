"""Every place where requests of a batch run: each request has its own document, twice the same, whatever the others do, and the
package's code is confined."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cluster_processes import cluster

from crashwright.core.settings import Budget
from crashwright.crash.readers.registry import read_reports
from crashwright.workflows.generate.request import Part, SuiteRequest
from crashwright.workflows.places.place import LocalProcesses, Place
from crashwright.workflows.reproduce.request import Request


@contextmanager
def here(_folder: Path) -> Iterator[Place]:
    yield LocalProcesses(2)


@contextmanager
def dask(folder: Path) -> Iterator[Place]:
    pytest.importorskip("distributed")
    from crashwright.workflows.places.cluster import Cluster

    folder.mkdir()
    with cluster(folder, 2) as processes:
        processes.wait_for_workers(2)
        yield Cluster(processes.address)


PLACES = {"local": here, "dask": dask}
TRACEBACK = """Traceback (most recent call last):
  File "/srv/{0}.py", line 8, in work
    return {{}}[key]
KeyError: 'a'
"""
SUBJECT = """
import pathlib
def work(key):
    try:
        pathlib.Path(__file__).with_name("written").touch()
    except OSError:
        pass  # it is confined
    return {}[key]
"""


def request(folder: Path, module: str) -> Request:
    return Request(
        report="",
        report_name="app.log",
        known=read_reports(TRACEBACK.format(module))[0],
        origin=("app.log", "--report-number", "3"),
        python=os.path.realpath(sys.executable),
        path=(str(folder),),
        budget=Budget(40.0),
        cache=False,
    )


def suite_request(folder: Path) -> SuiteRequest:
    return SuiteRequest(
        "plain",
        python=os.path.realpath(sys.executable),
        path=(str(folder),),
        budget=Budget(None, 100),
        part=Part("crashwright generate shop", "/srv/tests/test_of_plain.py"),
    )


@pytest.mark.nightly  # four commands each
@pytest.mark.parametrize("name", PLACES)
def test_requests_at_the_same_time_have_each_their_document(
    name: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (tmp_path / "simple.py").write_text(SUBJECT)
    (tmp_path / "plain.py").write_text("def double(number: int) -> int:\n    return number * 2\n")
    heard: list[str] = []

    async def told(text: str) -> None:
        heard.append(text)

    async def all_of_them(place: Place) -> list[dict[str, Any]]:
        try:
            await place.open(told)
            assert place.width() >= 1
            crashes = (request(tmp_path, one) for one in ("simple", "absent", "absent"))
            return await asyncio.gather(*(place.run(one, told) for one in (*crashes, suite_request(tmp_path))))
        finally:
            await place.close()

    with PLACES[name](tmp_path_factory.mktemp("cluster") / "files") as place:
        [found, first, second, suite] = asyncio.run(all_of_them(place))
    assert (found["verdict"], found["test"]["level"]) == ("reproduced", 4)
    assert "crashwright reproduce app.log --report-number 3" in found["test"]["text"]
    assert found["test"]["name"].startswith("test_")
    assert (first["verdict"], "absent" in first["error"]["message"]) == ("environment", True)
    assert first == second
    [module] = suite["modules"]
    assert (suite["verdict"], os.path.basename(module["file"])) == ("written", "test_of_plain.py")
    assert "crashwright generate shop" in module["printed"]
    assert any(text.startswith("searching from") for text in heard)
    left = sorted(file.name for file in tmp_path.iterdir() if file.suffix != ".pyc" and file.name != "__pycache__")
    assert left == ["plain.py", "simple.py"]
