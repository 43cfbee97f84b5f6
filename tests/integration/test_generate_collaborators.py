"""``crashwright generate`` for modules that talk to others: what confinement refuses is replaced, and asked what it was called
with."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generate import Place

TOOL = '''\
"""Asks a program."""

import subprocess


class ToolError(Exception):
    """The program has failed."""


def ask(name: str) -> str:
    done = subprocess.run(["tool", name, "--short"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise ToolError(done.stderr.strip())
    return done.stdout.strip()


def is_idle() -> bool:
    return ask("jobs") == "none"
'''


STOCKS = '''\
"""Asks a service what is left."""

import json
import urllib.error
import urllib.request


class Stocks:
    def __init__(self, base_url, key=None):
        self.base = base_url.rstrip("/")
        self.key = key

    def left(self, part):
        headers = {"X-Key": self.key} if self.key else {}
        request = urllib.request.Request(f"{self.base}/parts/{part}", headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=5) as answer:
                shelves = json.loads(answer.read().decode("utf-8"))["shelves"]
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise
        return sum(shelf["left"] for shelf in shelves)
'''


TELLING = '''\
"""Counts, and tells of it."""

import logging

log = logging.getLogger(__name__)


class Counter:
    def __init__(self) -> None:
        self._count = 0

    def count(self, name: str) -> None:
        self._count += 1
        log.info("counted %s", name)

    def show(self) -> None:
        print(f"so far: {self._count}")
'''


LACKING = '''\
"""Sends through what is not installed."""

try:
    from postbox_that_nobody_has import Box
except ImportError:
    Box = None


class Sender:
    def address(self):
        raise NotImplementedError("subclasses say where to")

    def send(self, text: str) -> str:
        if Box is None:
            raise RuntimeError("no box")
        if not self.address().startswith("to:"):
            return "nowhere"
        answer = Box(self.address()).put(text)
        return "full" if answer == "full" else "sent"
'''


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_program_that_may_not_be_started_is_a_double(place: Place) -> None:
    place.module("tool.py", TOOL)
    code, document = place.generate("tool", "--evaluations", "800")
    assert code == 0, document
    [module] = document["modules"]
    branch = next(one for one in module["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] == branch["total"]
    text = (place.work / "test_tool.py").read_text()
    assert 'monkeypatch.setattr("tool.subprocess.run", run)' in text
    assert "CompletedProcess(" in text
    assert "run.call_args_list == [" in text
    assert "--short" in text
    place.passes("test_tool.py")


def test_an_answer_has_the_document_that_is_read_in_it_and_requests_are_asserted(place: Place) -> None:
    place.module("stocks.py", STOCKS)
    code, document = place.generate("stocks", "--evaluations", "1200")
    assert code == 0, document
    [module] = document["modules"]
    branch = next(one for one in module["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] >= branch["total"] - 1
    text = (place.work / "test_stocks.py").read_text()
    assert 'monkeypatch.setattr("stocks.urllib.request.urlopen", urlopen)' in text
    assert '"shelves"' in text
    assert ".args[0]." in text
    place.passes("test_stocks.py")


@pytest.mark.nightly
def test_what_is_printed_and_logged_is_asserted(place: Place) -> None:
    place.module("telling.py", TELLING)
    code, document = place.generate("telling", "--evaluations", "400")
    assert code == 0, document
    text = (place.work / "test_telling.py").read_text()
    assert "capsys.readouterr().out ==" in text
    assert "caplog.messages ==" in text
    survived = [text for line in document["modules"][0]["mutants"] for text in line["survived"]]
    assert not any(text.startswith(("log.info", "print(")) for text in survived), survived
    place.passes("test_telling.py")


@pytest.mark.nightly
def test_what_is_not_installed_is_a_double_and_a_subclass_says_what_is_left_to_it(place: Place) -> None:
    place.module("lacking.py", LACKING)
    code, document = place.generate("lacking", "--evaluations", "1500")
    assert code == 0, document
    [module] = document["modules"]
    branch = next(one for one in module["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] >= branch["total"] - 1
    text = (place.work / "test_lacking.py").read_text()
    assert 'monkeypatch.setattr("lacking.Box", ' in text
    assert "class MySender(Sender):" in text
    place.passes("test_lacking.py")


CLOCKED = '''\
"""Asks for the date, and goes on."""

import datetime
from typing import Protocol


class Sender(Protocol):
    def send(self, to: str, text: str) -> bool: ...


class Desk:
    def __init__(self, sender: Sender) -> None:
        self.sender = sender
        self.failed: list[str] = []

    def open(self, owner: str) -> int:
        self.opened = datetime.date.today()
        if not self.sender.send(owner, f"{owner} is open"):
            self.failed.append(owner)
        return len(self.failed)

    def hour(self) -> int:
        return datetime.datetime.now().hour
'''


@pytest.mark.nightly
def test_what_comes_after_a_look_at_the_clock_is_asserted(place: Place) -> None:
    place.module("desks.py", CLOCKED)
    code, document = place.generate("desks", "--evaluations", "600")
    assert code == 0, document
    text = (place.work / "test_desks.py").read_text()
    assert "Mock(spec=Sender, send=Mock(return_value=" in text
    assert ".send.call_args_list == [call(" in text
    assert " is open" in text
    assert ".failed == [" in text or " == 1" in text
    assert "hour() ==" not in text
    place.passes("test_desks.py")


CHECKING = '''\
"""Checks what another module lists."""

from fleet.lists import listed, settings_of


def check(place: str) -> str:
    settings = settings_of(place)
    changed = listed(place)
    if not changed:
        return "nothing changed"
    for name in changed:
        if name == settings.log:
            return "log"
    return "changed"
'''
LISTS = '''\
"""Nothing is listed where there is no list."""

import os


class Settings:
    log = "log.txt"


def settings_of(place: str) -> Settings:
    return Settings()


def listed(place: str) -> list[str]:
    return open("/nowhere/at/all").read().split() if os.path.exists("/nowhere/at/all") else []
'''


@pytest.mark.nightly
def test_functions_of_other_modules_are_replaced_where_their_results_decide(place: Place) -> None:
    place.module("fleet/__init__.py", "")
    place.module("fleet/lists.py", LISTS)
    place.module("fleet/checking.py", CHECKING)
    code, document = place.generate("fleet.checking", "--evaluations", "1500")
    assert code == 0, document
    text = (place.work / "test_checking.py").read_text()
    assert 'monkeypatch.setattr("fleet.checking.listed", listed)' in text
    assert '== "log"' in text
    assert '== "changed"' in text
    assert '== "nothing changed"' in text
    place.passes("test_checking.py")
