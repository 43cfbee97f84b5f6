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


def reproduced(work: Path, *command: str) -> tuple[int, str, str]:
    """Run ``python COMMAND``, give its traceback to crashwright: the exit code, the story, the test."""
    environment = {**os.environ, "PYTHONPATH": str(work.parent / "site-packages")}
    crash = subprocess.run([sys.executable, *command], cwd=work, env=environment, capture_output=True, text=True, check=False)
    (work / "crash.txt").write_text(crash.stderr)
    program = "from crashwright.cli.main import main; main()"
    words = ["reproduce", "crash.txt", "--path", str(work.parent / "site-packages"), "--no-cache", "--evaluations", "300"]
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
