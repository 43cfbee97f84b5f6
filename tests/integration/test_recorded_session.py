"""A session of an assistant that has the server and nothing else, played again: it reads the report, then the code through
resources, is wrong once, and ends with a verified test. The project is one of examples/projects."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from command import Place
from test_served_tools import session

STEPS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "recorded" / "overdue_invoices.json").read_text(encoding="utf-8"))
PROJECT = Path(__file__).parents[2] / "examples" / "projects" / "dataclass-invoices"


def differences(recorded: Any, found: Any, where: str = "") -> list[str]:
    """Where an answer is not as it was recorded; what was not recorded may be anything."""
    if isinstance(recorded, dict) and isinstance(found, dict):
        return [one for name, value in recorded.items() for one in differences(value, found.get(name), f"{where}.{name}")]
    return [] if recorded == found else [f"{where}: {found!r}, recorded {recorded!r}"]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    made = Place(tmp_path)
    shutil.copytree(PROJECT, made.work, dirs_exist_ok=True, ignore=shutil.ignore_patterns("test_*.py", "fix.diff", "crash.txt"))
    return made


def test_an_assistant_with_this_server_alone_reproduces_a_crash(place: Place) -> None:
    known = {"REPORT": (PROJECT / "crash.txt").read_text(encoding="utf-8"), "FOUND": ""}
    played: list[str] = []

    async def talk(client: Any) -> None:
        for step in STEPS:
            if "read" in step:
                text = (await client.read_resource(step["read"])).contents[0].text
                assert [part for part in step["holds"] if part not in text] == []
                played.append("read")
                continue
            arguments = {name: known.get(str(value), value) for name, value in step["arguments"].items()}
            found = (await client.call_tool(step["tool"], arguments)).structured_content
            assert differences(step["answer"], found) == [], json.dumps(found, indent=1)
            if step["tool"] == "reproduce":
                known["FOUND"] = (found["test"] or {}).get("text", "")
            played.append(step["tool"])

    session(place, talk)
    assert played == ["doctor", "explain", "read", "read", "reproduce", "reproduce", "verify"]
    assert not place.processes()


def test_other_answers_are_told_apart() -> None:
    assert differences({"test": {"level": 4}}, {"test": {"level": 4, "text": "x"}, "seed": 1}) == []
    assert differences({"test": {"level": 4}}, {"test": None}) == [".test: None, recorded {'level': 4}"]
