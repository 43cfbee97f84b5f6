"""Crashes of somebody's own project, deep in a library: each from the report to a test that the user can keep."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

PROJECT = {
    "site-packages/shelves/__init__.py": """
        from shelves.lookup import find

        class Table(dict):
            def __getitem__(self, key):
                return find(self, key)
        """,
    "site-packages/shelves/lookup.py": """
        def find(table, key):
            if not dict.__contains__(table, key):
                raise KeyError(key)
            return dict.get(table, key)
        """,
    "work/job.py": """
        from shelves import Table

        def region(name: str) -> int:
            return Table(North=1)[name]

        def main():
            print(region("North"), region("West"))

        if __name__ == "__main__":
            main()
        """,
    "work/lines.py": """
        from shelves import Table

        TABLE = Table(North=1)
        if __name__ == "__main__":
            print(TABLE["West"])
        """,
    "work/rates.py": """
        RATES = {}

        def begin():
            RATES["de"] = 19

        def rate(country: str) -> int:
            if not RATES:
                raise RuntimeError("no rates yet")
            return RATES[country]
        """,
    "work/ask.py": """
        import rates

        rates.begin()
        rates.rate("ch")
        """,
    "site-packages/kiosk/__init__.py": "",
    "site-packages/kiosk/testing.py": """
        class Browser:
            def __init__(self, application):
                self.application = application

            def ask(self, path, headers):
                return self.application(path, headers)
        """,
    "work/desk.py": """
        KEYS = {"k-4711-north": "North"}
        ROOMS = {}

        def room(name):
            return ROOMS.get(name)

        def serve(path, headers):
            name = KEYS.get(headers.get("X-API-Key"))
            if name is None:
                return "401"
            return floor(room(name))

        def floor(room: dict) -> int:
            return room["floor"]
        """,
    "work/visit.py": """
        from kiosk.testing import Browser
        from desk import serve

        Browser(serve).ask("/floor", headers={"X-API-Key": "k-4711-north"})
        """,
    "work/shop/__init__.py": "",
    "work/shop/__main__.py": """
        import job

        print(job.region("North"))
        print(job.main())
        """,
}


@pytest.fixture
def work(tmp_path: Path) -> Path:
    for file, text in PROJECT.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        lines = text.splitlines()[1:] if "\n" in text else []
        (tmp_path / file).write_text("\n".join(line[8:] for line in lines) + "\n")
    return tmp_path / "work"


def reproduced(work: Path, *command: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
    """Run ``python COMMAND``, give its traceback to crashwright: the exit code, the story, the test."""
    environment = {**os.environ, "PYTHONPATH": str(work.parent / "site-packages")}
    crash = subprocess.run([sys.executable, *command], cwd=work, env=environment, capture_output=True, text=True, check=False)
    (work / "crash.txt").write_text(crash.stderr)
    words = ["reproduce", "crash.txt", "--path", str(work.parent / "site-packages"), "--no-cache", "--evaluations", "300", *options]
    done = run_program([*words, "--output", "test_it.py"], work, HANG)
    test = work / "test_it.py"
    return done.returncode, done.stdout + done.stderr, test.read_text() if test.is_file() else ""


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        pytest.param(["job.py"], "main()  # KeyError: 'West'", marks=pytest.mark.nightly),
        (["lines.py"], 'run_module("lines", run_name="__main__")  # KeyError: \'West\''),
        pytest.param(["-m", "shop"], "main()  # KeyError: 'West'", marks=pytest.mark.nightly),
    ],
)
def test_the_test_calls_the_users_code(work: Path, command: list[str], wanted: str) -> None:
    code, story, test = reproduced(work, *command)
    assert (code, wanted in test) == (0, True), story + test
    assert "shelves" not in test.partition('"""\n')[2]


@pytest.mark.nightly
def test_a_librarys_client_that_only_the_users_own_line_names_is_the_way_in(work: Path) -> None:
    """With the key that the project's source writes out: it is no secret of the report."""
    code, story, test = reproduced(work, "visit.py")
    assert code == 0, story + test
    assert "left out" not in story
    body = test.partition('"""\n')[2]
    assert "from kiosk.testing import Browser\n" in body
    assert "browser = Browser(serve)\n" in body
    assert '.ask("/floor", headers={"X-API-Key": "k-4711-north"})' in body


def test_a_function_of_the_users_is_called_first_and_printed(work: Path) -> None:
    code, story, test = reproduced(work, "ask.py", options=("--setup", "rates:begin", "--package", "rates"))
    assert code == 0, story
    assert "@pytest.fixture(autouse=True)\ndef set_up():\n    rates.begin()\n" in test
    assert "rate(" in test.partition("def test_")[2]
    assert "--setup rates:begin" in test
    code, story, test = reproduced(work, "ask.py", options=("--setup", "rates:missing", "--package", "rates"))
    assert code == 3
    assert "the set-up failed (rates:missing is called first): AttributeError" in story


GATE = """
    import hashlib

    def share(amount: int, people: list) -> float:
        return amount / len(people)

    def accept(token: str, amount: int, people: list) -> float:
        if hashlib.sha256(token.encode()).hexdigest() != "e52ba2a7ce1c40c5b5d2bd3a4b5bfa1bbcdd09b31d0bd5b1c5b1ca64a1fa3f59":
            raise PermissionError("no such customer")
        return share(amount, people)
    """
GATE_REPORT = """\
Traceback (most recent call last):
  File "/srv/main.py", line 3, in <module>
    accept(token, amount, people)
  File "/srv/gate.py", line 9, in accept
    return share(amount, people)
  File "/srv/gate.py", line 4, in share
    return amount / len(people)
ZeroDivisionError: division by zero
"""


def test_what_cannot_be_reproduced_from_the_outermost_frame_is_from_one_further_in(tmp_path: Path) -> None:
    (tmp_path / "gate.py").write_text(textwrap.dedent(GATE).lstrip())
    (tmp_path / "crash.txt").write_text(GATE_REPORT)
    texts = []
    for name in ("one.py", "two.py"):
        words = ["reproduce", "crash.txt", "--no-cache", "--evaluations", "1000", "--output", name]
        done = run_program(words, tmp_path, HANG)
        assert done.returncode == 4, done.stdout + done.stderr
        texts.append((tmp_path / name).read_text())
    assert "partial: reproduced from `share` (frame 1), not from `accept` (frame 2)" in done.stdout
    assert f"wrote      {name}  (PARTIAL: enters at frame 1)" in done.stdout
    assert "the innermost of 2 frames and the message of the report; not reproduced from accept" in " ".join(texts[0].split())
    assert "share(" in texts[0].partition("def test_")[2]
    assert texts[0] == texts[1]
