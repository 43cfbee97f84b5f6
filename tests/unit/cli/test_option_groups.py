"""Help shows what is used every day first; short names mean the same as long ones, and ``--quiet`` leaves the result alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.cli import generate, reproduce
from crashwright.cli.main import build_app, run
from crashwright.cli.option_groups import EVERYDAY, OTHERS, RESEARCH
from crashwright.workflows.events import Told


def _grouped(command: str) -> dict[str, set[str]]:
    groups: dict[str, set[str]] = {}
    for one in build_app()[command].assemble_argument_collection(parse_docstring=True):
        for group in one.parameter.group or ():
            groups.setdefault(getattr(group, "name", str(group)), set()).add(one.names[0])
    return groups


@pytest.mark.parametrize("command", ["reproduce", "generate"])
def test_research_has_a_group_of_its_own(command: str) -> None:
    groups = _grouped(command)
    assert {"--algorithm", "--engine", "--without"} <= groups[RESEARCH.name]
    assert "--seed" in groups[OTHERS.name]
    assert not {"--output", "--python", "--budget", "--jobs", "--candidate"} & (groups[RESEARCH.name] | groups[OTHERS.name])


@pytest.mark.parametrize("command", ["batch", "sentry"])
def test_many_crashes_have_the_same_groups(command: str) -> None:
    groups = _grouped(command)
    assert groups[RESEARCH.name] == {"--engine"}
    assert {"--seed", "--database", "--json"} <= groups[OTHERS.name]
    assert {"--output", "--python", "--budget", "--budget-each", "--jobs", "--allow", "--retry"} <= groups[EVERYDAY.name]


@pytest.mark.parametrize("command", ["reproduce", "generate"])
def test_groups_come_in_their_order(command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert run([command, "--help"]) == 0
    shown = capsys.readouterr().out
    places = [shown.index(f" {group.name} ") for group in (EVERYDAY, OTHERS, RESEARCH)]
    assert places == sorted(places)


@pytest.mark.parametrize("app", [reproduce.app, generate.app])
def test_short_names(app: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.crashwright]\npython = "python9"\n')
    monkeypatch.chdir(tmp_path)
    _, bound, _ = app.parse_args(["x", "-b", "7", "-j", "2", "-q", "-o", "here"], exit_on_error=False, print_error=False)  # type: ignore[attr-defined]
    options = bound.arguments["options"]
    assert (options.budget, options.jobs, options.output, options.python) == (7.0, 2, "here", "python9")
    assert bound.arguments["quiet"] is True


@pytest.mark.parametrize(("quiet", "progress"), [(True, ""), (False, "...        a step\n")])
def test_quiet_prints_no_progress(quiet: bool, progress: str, capsys: pytest.CaptureFixture[str]) -> None:
    reproduce._report(False, quiet, False).event(Told("a step"))
    assert capsys.readouterr().err == progress


def test_verbose_prints_lines_on_a_terminal_too(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    reproduce._report(False, False, True).event(Told("a step"))
    assert capsys.readouterr().err == "...        a step\n"


@pytest.mark.parametrize("words", [["reproduce", "crash.txt"], ["generate", "json"]])
def test_quiet_and_verbose_are_one_message(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "-q", "-v"]) == 2
    assert capsys.readouterr().err.startswith("crashwright: --quiet and --verbose contradict each other.")
