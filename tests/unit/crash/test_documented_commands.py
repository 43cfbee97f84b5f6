"""Command lines in a project's documentation are found, what stands for something else is not."""

from __future__ import annotations

from pathlib import Path

from crashwright.core.invocation import GivenCommand, Invocations
from crashwright.crash.documented_commands import documented_commands, project_folders, with_documented

README = """
# meters of a house

- This is how
  meters are read.

    $ python -m meters run conf/estate.toml 2026-09
    python -m meters run CONFIG [--dry-run]
    pip install meters

meters is run every night.

Call `meters-report --year 2026 out.csv`, or `python manage.py settle 2026`; `python -m other run` is none of ours.

```
python -m meters.tools.check <file>
python tools/fill.py data
```
"""


def project(folder: Path) -> Path:
    (folder / "meters").mkdir()
    (folder / "README.md").write_text(README)
    (folder / "pyproject.toml").write_text('[project]\nname = "meters"\n[project.scripts]\nmeters-report = "meters.report:main"\n')
    return folder


def test_those_that_run_the_project_are_found(tmp_path: Path) -> None:
    found = list(documented_commands(project(tmp_path), "meters"))
    assert [(one.program, one.words) for one in found] == [
        ("meters", ("run", "conf/estate.toml", "2026-09")),
        ("meters-report", ("--year", "2026", "out.csv")),
        ("manage.py", ("settle", "2026")),
    ]
    assert all(one.documented for one in found)


def test_those_of_the_report_come_first_and_secrets_are_taken_out(tmp_path: Path) -> None:
    said = Invocations(commands=(GivenCommand("meters", ("check",)),))
    found = with_documented(said, [str(project(tmp_path))], "meters", lambda text: text.replace("estate", "..."))
    assert found.commands[0] == said.commands[0]
    assert found.commands[1].words == ("run", "conf/....toml", "2026-09")
    assert found.words == {"check"}
    assert "conf/....toml" in found.all_words


def test_a_folder_without_documentation_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("not TOML [")
    said = Invocations()
    assert with_documented(said, [str(tmp_path), str(tmp_path / "absent")], "meters", str) is said


def test_the_folder_above_sources_is_the_projects() -> None:
    assert project_folders(("/work/app/src", "/work/lib"), ".") == ("/work/app", "/work/lib")
    assert project_folders((), "/work/app") == ("/work/app",)


def test_the_documentation_of_another_project_says_nothing(tmp_path: Path) -> None:
    """An installed library crashed, and the current folder is that of a program which uses it."""
    assert list(documented_commands(project(tmp_path), "tabulate")) == []
    (tmp_path / "tabulate.py").write_text("")
    assert [one.program for one in documented_commands(tmp_path, "tabulate")] == ["manage.py"]
