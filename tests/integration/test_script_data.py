"""A script of the user's own that is run where its data lies: the test writes what is left of the file that it crashes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from patience import HANG
from warm_program import run_program

EVALUATIONS = 1200
ROWS = "day,amount\n" + "".join(f"2024-01-{number:02},{number}.50\n" for number in range(1, 29)) + "2024-02-01,n/a\n"
LINES = """
from ledger_of_mine import total

print(total("rows.csv"))
"""
GUARDED = """
import os

import ledger_of_mine

ROWS = os.path.join("data", "rows.csv")


def main():
    print(ledger_of_mine.total(ROWS))


if __name__ == "__main__":
    main()
"""
COMPUTED = """
from ledger_of_mine import total

for year in ("2023", "2024"):
    print(total(f"rows-{year}.csv"))
"""
LEDGER = '''
def total(path):
    """The sum of the amounts."""
    with open(path) as stream:
        return sum(amount(line) for line in stream.read().splitlines()[1:])


def amount(line):
    return float(line.split(",")[1])
'''
SCRIPTS = {
    "lines": (LINES, {"rows.csv": ROWS}, 'Path("rows.csv").write_text('),
    "guarded": (GUARDED, {"data/rows.csv": ROWS}, 'Path("data/rows.csv").write_text('),
    "computed": (COMPUTED, {"rows-2023.csv": "day,amount\n", "rows-2024.csv": ROWS}, 'Path("rows-202'),
}


@pytest.mark.parametrize("library", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("kind", [pytest.param("lines", marks=pytest.mark.nightly), "guarded", "computed"])
def test_the_script_is_run_beside_its_data(kind: str, library: bool, tmp_path: Path) -> None:
    source, files, expected = SCRIPTS[kind]
    (tmp_path / "report.py").write_text(source.lstrip())
    packages = tmp_path / "site-packages" if library else tmp_path
    packages.mkdir(exist_ok=True)
    (packages / "ledger_of_mine.py").write_text(LEDGER.lstrip())
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    environment = {"PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(
        [sys.executable, "report.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=HANG, check=False
    )
    assert "could not convert string to float: 'n/a'" in ran.stderr
    (tmp_path / "crash.txt").write_text(f"$ python report.py\n{ran.stderr}")
    told = ["reproduce", "crash.txt", "--path", str(packages), "--evaluations", str(EVALUATIONS), "--seed", "1"]
    done = run_program(told, tmp_path, HANG)
    assert done.returncode == 0, done.stdout + done.stderr
    (test,) = tmp_path.glob("test_*.py")
    text = test.read_text()
    assert expected in text
    assert "2024-01-02" not in text, "the rows that do not matter are left out"
