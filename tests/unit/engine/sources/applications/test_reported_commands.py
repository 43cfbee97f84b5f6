"""A program is run with the words of the report, or with words that it takes."""

from __future__ import annotations

import ast
import random
from pathlib import Path

from crashwright.core.invocation import GivenCommand
from crashwright.engine.frameworks.click import ClickProgram
from crashwright.engine.frameworks.web import ManagedCommands
from crashwright.engine.sources.applications.reported_commands import (
    any_word,
    command_names,
    command_sessions,
    near,
    told_arguments,
)
from crashwright.engine.subject.api.api import ApiModel
from crashwright.engine.subject.usage.command_lines import Grammar, Taken
from crashwright.engine.testcase.making.factory import Factory
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Ambient, Display, Named

PROGRAM = ClickProgram("fleet.cli", "app", object(), Grammar((Taken(("--year",), ("2026",), 1, 1, False),), (), ()))


def managed_by_django(names: set[str]) -> ManagedCommands:
    return ManagedCommands(frozenset(names), Named("django.core.management", "call_command"))


def lines(commands: list[GivenCommand], programs: list[ClickProgram], managed: set[str], stored: list[list[str]]) -> list[str]:
    rng = random.Random(1)
    found = command_sessions(commands, programs, managed_by_django(managed), stored, lambda: any_word(["ink"], rng), rng)
    return ["; ".join(map(ast.unparse, one)) for one in found]


def test_a_program_is_called_with_the_words_of_the_report() -> None:
    assert lines([GivenCommand("fleet", ("journal", "2026"))], [PROGRAM], set(), []) == [
        "app(['journal', '2026'], standalone_mode=False)"
    ]


def test_a_management_command_is_called_by_its_name_after_what_is_stored() -> None:
    told = [GivenCommand("manage.py", ("escalate", "--at", "2026-11-02"))]
    assert lines(told, [], {"escalate"}, [["team = Team.objects.create()"]]) == [
        "call_command('escalate', '--at', '2026-11-02')",
        "team = Team.objects.create(); call_command('escalate', '--at', '2026-11-02')",
    ]


def test_without_a_report_of_it_the_grammar_gives_the_words() -> None:
    found = lines([], [PROGRAM], set(), [])
    assert "app([], standalone_mode=False)" in found
    assert "app(['--year', '2026'], standalone_mode=False)" in found


def test_documented_commands_count_if_they_may_lead_to_the_crash() -> None:
    escalate = GivenCommand("manage.py", ("escalate", "--at", "2026-11-02"), documented=True)
    serve = GivenCommand("manage.py", ("serve",), documented=True)
    rng = random.Random(1)
    path = ["desk.management.commands.escalate"]
    found = command_sessions([serve, escalate], [], managed_by_django({"escalate", "serve"}), [], lambda: "", rng, path)
    assert ["; ".join(map(ast.unparse, one)) for one in found] == ["call_command('escalate', '--at', '2026-11-02')"]
    program = PROGRAM._replace(lines=Grammar((), (), (("journal", Grammar((), (), ())),)))
    shown = [GivenCommand("fleet", words, documented=True) for words in (("journal", "2026"), ("serve",))]
    texts = [ast.unparse(one[0]) for one in command_sessions(shown, [program], ManagedCommands(), [], lambda: "", rng)]
    assert texts[0] == "app(['journal', '2026'], standalone_mode=False)"
    assert not any("serve" in one for one in texts)
    assert len(texts) > 1, "the grammar gives lines, too"


def test_the_names_are_objects() -> None:
    assert command_names([PROGRAM], ManagedCommands()) == {"app": Named("fleet.cli", "app")}


def test_the_process_has_the_arguments_of_the_report() -> None:
    api = ApiModel("json", ["json"])
    callee = next(one for one in api.callables if one.name == "loads")
    (test,) = told_arguments([GivenCommand("/srv/bin/x.py", ("a", "b"))], Factory(api, SeedPool(), (callee,)), random.Random(1))
    first = test.statements[0]
    assert isinstance(first, Ambient)
    assert (first.place, first.name, first.content) == ("argv", "x.py", Display("list", ("a", "b")))


def test_files_that_were_elsewhere_are_in_the_folder_of_the_test(tmp_path: Path) -> None:
    (tmp_path / "here.csv").write_text("")
    words = ["/home/lena/lines.csv", str(tmp_path / "here.csv"), "lines.csv", "--all"]
    assert [near(word) for word in words] == ["lines.csv", str(tmp_path / "here.csv"), "lines.csv", "--all"]
