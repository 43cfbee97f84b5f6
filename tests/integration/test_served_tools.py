"""`crashwright serve` with the client of the protocol's own kit: a session from a report to a verified test, hostile arguments,
and a client that gives up."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from command import MARK, Place
from patience import HANG
from published_schemas import faults, published

VAULT = """
def work(box, code):
    if box.opened_by(code) and code == f"{box.name}-{len(box.name) * 7}":
        raise ValueError("too many")
    return 0
"""
WRONG = "import victim\nvictim.work(None, 'x')\n"
BETTER = """
import victim
class Box:
    name = "blue"
    def opened_by(self, code):
        return True
victim.work(Box(), "blue-28")
"""
NEVER = """
import hashlib

def work(text):
    if hashlib.sha256(str(text).encode()).hexdigest().startswith("0000000"):
        raise ValueError("too many")
    return text
"""


def session(place: Place, talk: Callable[..., Awaitable[None]], *options: str) -> None:
    """Start a server and let a client ``talk`` to it. Who collects this file does not import the kit yet."""
    mcp = pytest.importorskip("mcp")
    client_module = pytest.importorskip("mcp.client.client")

    async def connected() -> None:
        environment = {**os.environ, "TMPDIR": str(place.temporary), MARK: str(place.root)}
        words = ["-m", "crashwright", "serve", *options]
        parameters = mcp.StdioServerParameters(command=sys.executable, args=words, env=environment, cwd=str(place.work))
        async with client_module.Client(mcp.stdio_client(parameters)) as client:
            await talk(client)

    asyncio.run(asyncio.wait_for(connected(), 4 * HANG))


@pytest.fixture
def place(tmp_path: Path) -> Place:
    one = Place(tmp_path)
    one.subject(VAULT)
    return one


def test_from_a_report_by_a_wrong_candidate_and_a_better_one_to_a_verified_test(place: Place) -> None:
    report = place.report.read_text()
    (place.root / "fixed").mkdir()
    (place.root / "fixed" / "victim.py").write_text("def work(box, code):\n    return box.opened_by(code)\n")

    async def talk(client: Any) -> None:
        assert client.server_info.version == version("crashwright")
        schema = await client.read_resource("crashwright://schema/reproduce")
        assert json.loads(schema.contents[0].text) == published("reproduce")
        given = {"report": report, "path": [str(place.code)]}
        explained = (await client.call_tool("explain", given)).structured_content
        assert explained["verdict"] == "searchable"
        code = await client.read_resource(explained["resources"][-1])
        assert code.contents[0].text.startswith("def work(box, code):")
        told: list[str] = []

        async def progress(_done: float, _total: float | None, message: str | None) -> None:
            told.append(str(message))

        wrong = (await client.call_tool("reproduce", {**given, "candidates": [WRONG], "evaluations": 60})).structured_content
        assert (wrong["exit_code"], [one["level"] for one in wrong["candidates"]]) == (1, [0])
        better = await client.call_tool(
            "reproduce", {**given, "candidates": [BETTER], "evaluations": 300}, progress_callback=progress
        )
        found = better.structured_content
        assert (found["verdict"], found["test"]["origin"]) == ("reproduced", "a candidate")
        assert any(line.startswith("fresh run 3: level 4") for line in told)
        asked = {**given, "test": found["test"]["text"], "fixed_path": str(place.root / "fixed")}
        assert (await client.call_tool("verify", asked)).structured_content["verdict"] == "fail to pass"

    session(place, talk)
    assert not place.processes()
    assert not os.listdir(place.temporary)
    assert [file for file in place.written if file.suffix == ".py"] == []


def test_a_call_cannot_allow_itself_anything(place: Place) -> None:
    marked = place.root / "touched"
    report = place.report.read_text()
    writes = f"import pathlib, victim\npathlib.Path({str(marked)!r}).write_text('x')\nvictim.work(1, 2)\n"
    hostile: list[dict[str, Any]] = [
        {"python": "/bin/rm"},
        {"package": "--allow=processes"},
        {"path": ["--allow", "network"]},
        {"report_number": "1 --allow write:/"},
        {"target_frame": -3},
        {"budget": -1.0},
        {"report": "\0"},
        {"path": ["\0"]},
        {"fixed_ref": "--output=/etc/passwd"},
        {"fixed_python": f"{sys.executable}; touch {marked}"},
        {"expect": "--json"},
        {"allow": [f"write:{place.root}"], "candidates": [writes], "path": [str(place.code)]},
        {"candidate_program": f"touch {marked}", "evaluations": 10},
    ]

    async def talk(client: Any) -> None:
        for more in hostile:
            result = await client.call_tool("reproduce", {"report": report, "evaluations": 30, **more})
            assert result.is_error or result.structured_content["exit_code"], more
        bad = await client.call_tool("generate", {"module": "--allow=network"})
        assert bad.structured_content["exit_code"] == 2
        assert (await client.call_tool("reproduce", {"report": 3})).is_error
        assert faults("doctor", (await client.call_tool("doctor", {})).structured_content) == []

    session(place, talk)
    assert not marked.exists()
    assert not place.processes()


@pytest.mark.nightly
def test_a_client_that_gives_up_leaves_nothing_running(place: Place) -> None:
    place.subject(NEVER)
    given = {"report": place.report.read_text(), "path": [str(place.code)], "budget": 100.0}

    async def begun(client: Any) -> asyncio.Task[Any]:
        running = asyncio.Event()

        async def progress(_done: float, _total: float | None, message: str | None) -> None:
            if str(message).startswith("searching from"):
                running.set()

        task = asyncio.ensure_future(client.call_tool("reproduce", given, progress_callback=progress))
        await asyncio.wait_for(running.wait(), 60)
        return task

    async def cancels(client: Any) -> None:
        task = await begun(client)
        before = len(place.processes())
        task.cancel()
        for _ in range(100):
            if len(place.processes()) < before and len(place.processes()) <= 2:
                break
            await asyncio.sleep(0.1)
        assert len(place.processes()) <= 2, place.processes()  # the server, and what watches for its end
        assert (await client.call_tool("doctor", {})).structured_content["checks"]

    async def leaves(client: Any) -> None:
        (await begun(client)).cancel()

    session(place, cancels)
    session(place, leaves)
    assert not place.processes()


def test_without_the_kit_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from crashwright.cli.main import run

    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "crashwright.cli.tool_server", raising=False)
    for name in [one for one in sys.modules if one.startswith("mcp.")]:
        monkeypatch.delitem(sys.modules, name)
    assert run(["serve"]) == 3
    assert "pip install 'crashwright[mcp]'" in capsys.readouterr().err
