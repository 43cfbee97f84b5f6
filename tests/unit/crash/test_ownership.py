"""Whose code is blamed, and where a test of it enters."""

from pathlib import Path

import pytest

from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.readers.registry import read_reports
from crashwright.environment.interpreter import Interpreter

HEAD = "Traceback (most recent call last):\n"
JOB = """\
import shelves
from shop.prices import total


def west(table):
    return shelves.Table(table)["West"]


def main():
    return west({})


if __name__ == "__main__":
    total([])
    main()
"""
TABLE = "class Table(dict):\n    def __getitem__(self, key):\n        return find(self, key)\n"
FIND = "def find(table, key):\n    raise KeyError(key)\n"
INSIDE = "shelves/table.py:3:Table.__getitem__", "shelves/lookup.py:2:find"


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A project and an environment with an installed library."""
    for file, text in {
        "work/job.py": JOB,
        "work/plain.py": "import shelves\nshelves.find({}, 1)\n",
        "work/shop/__init__.py": "",
        "work/shop/__main__.py": "from shop.prices import total\n\ntotal([])\n",
        "work/shop/prices.py": "def total(prices):\n    return prices[0]\n",
        "work/test_job.py": "from shelves import find\n\ndef test_find():\n    find({}, 1)\n",
        "site-packages/shelves/__init__.py": "from shelves.table import Table\nfrom shelves.lookup import find\n",
        "site-packages/shelves/table.py": TABLE,
        "site-packages/shelves/lookup.py": FIND,
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(text)
    return tmp_path


def examined(machine: Path, *frames: str, package: str | None = None, number: int | None = None) -> ExaminedReport:
    """A report of these frames (``file:line:function``), as this machine prints them."""
    text = HEAD
    for frame in frames:
        file, line, function = frame.split(":")
        path = machine / ("site-packages" if file.startswith("shelves") else "work") / file
        source = path.read_text().splitlines()[int(line) - 1].strip() if path.is_file() else "work()"
        text += f'  File "{path}", line {line}, in {function.rpartition(".")[2]}\n    {source}\n'
    found = Interpreter("python", (3, 11, 7), (str(machine / "work"), str(machine / "site-packages")), (), True)
    return examine(read_reports(text + "KeyError: 'West'\n")[-1], found, package, number)


def target(found: ExaminedReport) -> tuple[str, list[str]]:
    assert found.target is not None, found.problem
    return found.target.package, [f"{one.key.module}:{one.key.qualname}" for one in found.target.package_frames]


LIBRARY = ["shelves.table:Table.__getitem__", "shelves.lookup:find"]


def test_the_way_in_is_the_users_own_however_deep_it_crashed(machine: Path) -> None:
    found = examined(machine, "job.py:10:main", "job.py:6:west", *INSIDE)
    assert target(found) == ("job", ["job:main", "job:west", *LIBRARY])
    assert "your own code" in found.why_package


def test_unless_the_library_is_asked_for(machine: Path) -> None:
    frames = ("job.py:10:main", "job.py:6:west", *INSIDE)
    assert target(examined(machine, *frames, package="shelves")) == ("shelves", LIBRARY)
    assert target(examined(machine, *frames, number=3)) == ("job", ["job:west", *LIBRARY])
    assert target(examined(machine, *frames, number=1)) == ("shelves", LIBRARY[1:])


def test_code_that_is_not_on_this_machine_is_nobodys(machine: Path) -> None:
    assert target(examined(machine, "elsewhere.py:3:<module>", *INSIDE)) == ("shelves", LIBRARY)


def test_what_a_library_does_between_frames_of_the_user_does_not_decide(machine: Path) -> None:
    found = examined(machine, "job.py:10:main", INSIDE[0], "job.py:6:west", INSIDE[1])
    assert target(found) == ("job", ["job:main", "job:west", "shelves.lookup:find"])


def test_a_library_that_differs_here_is_not_compared(machine: Path) -> None:
    (machine / "site-packages/shelves/lookup.py").write_text("\n\n\n\ndef find_other(table, key):\n    pass\n")
    found = examined(machine, "job.py:6:west", INSIDE[0], "shelves/lookup.py:6:find")
    assert target(found) == ("job", ["job:west"])
    assert any("what happened within shelves is not compared" in note for note in found.notes)


def test_a_test_is_a_caller(machine: Path) -> None:
    assert target(examined(machine, "test_job.py:4:test_find", *INSIDE)) == ("shelves", LIBRARY)
    assert target(examined(machine, "test_job.py:4:test_find", "job.py:6:west", *INSIDE)) == ("job", ["job:west", *LIBRARY])


def test_scripts_step_inwards_where_an_import_does_not_crash(machine: Path) -> None:
    found = examined(machine, "job.py:15:<module>", "job.py:10:main", "job.py:6:west", *INSIDE)
    assert target(found) == ("job", ["job:main", "job:west", *LIBRARY])
    assert "script" in found.why_frame
    assert found.target is not None
    assert found.target.frames_beyond == 1
    inside = examined(machine, "shop/__main__.py:3:<module>", "shop/prices.py:2:total")
    assert target(inside) == ("shop", ["shop.prices:total"])


def test_only_the_lines_of_a_script_or_an_import_are_run(machine: Path) -> None:
    assert target(examined(machine, "plain.py:2:<module>", INSIDE[1])) == ("plain", ["plain:<module>", LIBRARY[1]])
    # Here a module is imported: its lines are part of the crash.
    (machine / "work/shop/start.py").write_text("from shop.prices import total\n\ntotal([])\n")
    imported = examined(machine, "elsewhere.py:1:<module>", "shop/start.py:3:<module>", "shop/prices.py:2:total")
    assert target(imported) == ("shop", ["shop.start:<module>", "shop.prices:total"])


def test_the_module_that_is_run_for_a_package_is_a_program_whoever_imports_it(machine: Path) -> None:
    imported = examined(machine, "bin/shop:1:<module>", "shop/__main__.py:3:<module>", "shop/prices.py:2:total")
    assert target(imported) == ("shop", ["shop.prices:total"])
    (machine / "site-packages/shelves/__main__.py").write_text("from shelves.lookup import find\n\nfind({}, 1)\n")
    run = examined(machine, "shelves/__main__.py:3:<module>", INSIDE[1])
    assert target(run) == ("shelves", ["shelves.lookup:find"])


def test_a_command_is_entered_where_the_library_calls_it(machine: Path) -> None:
    (machine / "site-packages/shelves/words.py").write_text(
        "def main(run):\n    return run()\n\n\ndef other(run):\n    return run()\n"
    )
    program = "import shelves.words\n\n\ndef run():\n    {}[1]\n\n\ndef start():\n    shelves.words.main(run)\n"
    (machine / "work/shop/cli.py").write_text(program)
    frames = ("shop/cli.py:9:start", "shelves/words.py:2:main", "shop/cli.py:5:run")
    found = examined(machine, *frames)
    assert target(found) == ("shop", ["shop.cli:run"])
    assert "ends the process" in found.why_frame
    assert target(examined(machine, *frames, number=2)) == ("shop", ["shop.cli:start", "shop.cli:run"])
    # What a library does otherwise between two functions is part of the way in.
    assert target(examined(machine, frames[0], "shelves/words.py:6:other", frames[2])) == (
        "shop",
        ["shop.cli:start", "shop.cli:run"],
    )
    (machine / "work/shop/cli.py").write_text(program.replace("main(run)", "main(run, obj=1)"))
    assert target(examined(machine, *frames)) == ("shop", ["shop.cli:start", "shop.cli:run"])


def test_the_files_of_all_own_frames_are_known_and_which_of_them_is_run(machine: Path) -> None:
    found = examined(machine, "job.py:15:<module>", "job.py:10:main", "shop/prices.py:2:total", *INSIDE)
    assert found.target is not None
    own = [(Path(one.path).relative_to(machine / "work").as_posix(), one.module, one.is_run) for one in found.target.own_files]
    assert own == [("job.py", "job", True), ("shop/prices.py", "shop.prices", False)]
