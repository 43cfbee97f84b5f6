"""Crashes of somebody's own project, deep in a library: each from the report to a test that the user can keep."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    program = "from crashwright.cli.main import main; main()"
    words = ["reproduce", "crash.txt", "--path", str(work.parent / "site-packages"), "--no-cache", "--evaluations", "300", *options]
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "--output", "test_it.py"],
        cwd=work,
        capture_output=True,
        text=True,
        check=False,
    )
    test = work / "test_it.py"
    return done.returncode, done.stdout + done.stderr, test.read_text() if test.is_file() else ""


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (["job.py"], "main()  # KeyError: 'West'"),
        (["lines.py"], 'run_module("lines", run_name="__main__")  # KeyError: \'West\''),
        (["-m", "shop"], "main()  # KeyError: 'West'"),
    ],
)
def test_the_test_calls_the_users_code(work: Path, command: list[str], wanted: str) -> None:
    code, story, test = reproduced(work, *command)
    assert (code, wanted in test) == (0, True), story + test
    assert "shelves" not in test.partition('"""\n')[2]


def test_a_function_of_the_users_is_called_first_and_printed(work: Path) -> None:
    code, story, test = reproduced(work, "ask.py", options=("--setup", "rates:begin", "--package", "rates"))
    assert code == 0, story
    assert "@pytest.fixture(autouse=True)\ndef set_up():\n    rates.begin()\n" in test
    assert "rate(" in test.partition("def test_")[2]
    assert "--setup rates:begin" in test
    code, story, test = reproduced(work, "ask.py", options=("--setup", "rates:missing", "--package", "rates"))
    assert code == 3
    assert "the set-up failed (rates:missing is called first): AttributeError" in story
