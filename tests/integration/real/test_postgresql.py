"""A program with its rows in PostgreSQL, where ``DATABASE_URL`` names a server that answers: its crash is reproduced with what is
stored there, and what tests store is not left behind."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
import uuid
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

ASK = """
import os, sys
import psycopg
with psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=5, autocommit=True) as connection:
    found = connection.execute(sys.argv[1]).fetchall() if sys.argv[1].startswith("SELECT") else connection.execute(sys.argv[1])
    print(found if isinstance(found, list) else "done")
"""
SHOP = '''
    import os

    import psycopg


    def total(order: int) -> float:
        """What an order costs."""
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            rows = connection.execute("SELECT pieces, price FROM {table} WHERE number = %s", [order]).fetchall()
        return sum(pieces * price for pieces, price in rows)
'''
REPORT = """Traceback (most recent call last):
  File "/srv/shop/{table}.py", line 10, in total
    return sum(pieces * price for pieces, price in rows)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/srv/shop/{table}.py", line 10, in <genexpr>
    return sum(pieces * price for pieces, price in rows)
               ~~~~~~~^~~~~~~
TypeError: unsupported operand type(s) for *: 'int' and 'NoneType'
"""


@pytest.fixture(scope="module")
def python() -> str:
    """The interpreter of the environment, where the server answers."""
    found = os.environ.get("CRASHWRIGHT_REAL_PARTS", "")
    if not found:
        pytest.skip('no environment with real frameworks: export CRASHWRIGHT_REAL_PARTS="$(scripts/real_parts)"')
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        pytest.skip("not tested with PostgreSQL: DATABASE_URL names no such server")
    answer = ask(found, "SELECT 1")
    if answer.returncode:
        pytest.skip(f"not tested with PostgreSQL: the server of DATABASE_URL does not answer: {answer.stderr[-200:]}")
    return found


def ask(python: str, question: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, "-c", ASK, question], capture_output=True, text=True, timeout=HANG, check=False)


def test_rows_that_are_stored_crash_the_program_again_and_stay_as_they_are(python: str, tmp_path: Path) -> None:
    table = f"orders_{uuid.uuid4().hex[:8]}"
    (tmp_path / f"{table}.py").write_text(textwrap.dedent(SHOP).lstrip().replace("{table}", table))
    (tmp_path / "crash.txt").write_text(REPORT.replace("{table}", table))
    assert ask(python, f"CREATE TABLE {table} (number integer, pieces integer, price integer)").returncode == 0
    try:
        assert ask(python, f"INSERT INTO {table} VALUES (1, 2, 3), (7, 1, NULL)").returncode == 0
        command = [
            "reproduce",
            "crash.txt",
            "--python",
            python,
            "--evaluations",
            "2000",
            "--seed",
            "1",
            "--allow",
            "network",
            "--json",
        ]
        done = run_program(command, tmp_path, 2 * HANG)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "total(7)" in json.loads(done.stdout)["test"]["text"]
        assert ask(python, f"SELECT count(*) FROM {table}").stdout.strip() == "[(2,)]"
    finally:
        ask(python, f"DROP TABLE {table}")
