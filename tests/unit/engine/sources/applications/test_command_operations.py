"""The command lines that a program is asked with, by the grammar of its parser."""

from __future__ import annotations

import argparse
import ast
from datetime import date

from crashwright.core.invocation import GivenCommand
from crashwright.crash.invocations import commands_of
from crashwright.engine.sources.applications.command_operations import MOST_ASKED, LineProgram, command_operations
from crashwright.engine.sources.applications.conversation import Conversation
from crashwright.engine.sources.applications.operations import ARGV, OpenPlace, by_process, leaves_of, text_of, written
from crashwright.engine.sources.applications.replies import reply_of, reply_raised
from crashwright.engine.subject.usage.command_lines import grammar_of


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser()
    commands = made.add_subparsers(required=True)
    enter = commands.add_parser("enter")
    enter.add_argument("sail")
    enter.add_argument("--yardstick", type=int)
    race = commands.add_parser("race")
    race.add_argument("--on", type=date.fromisoformat, required=True)
    commands.add_parser("standings")
    return made


PROGRAM = LineProgram("main", grammar_of(parser()))
RESULT = GivenCommand("regatta", ("--db", "/home/x.db", "enter", "AUT 5"))
STANDINGS = GivenCommand("regatta", ("standings",))


def lines(calls: tuple[ast.Call, ...]) -> list[str]:
    return [ast.unparse(written(one)) for one in calls]


def test_each_command_is_asked_with_what_it_needs_then_with_each_option() -> None:
    asking = command_operations(PROGRAM, (), (), ())
    assert [one.name for one in asking.others] == ["enter", "race", "standings"]
    enter, race, standings = (lines(one.ways) for one in asking.others)
    assert enter == ["main(['enter', None])", "main(['enter', None])", "main(['enter', '--yardstick', None, None])"]
    assert race[0] == "main(['race', '--on', None])"
    assert standings[0] == "main(['standings'])"
    assert leaves_of(asking.others[0].ways[2]) == [OpenPlace("yardstick", None), OpenPlace("sail", None)]


def test_the_last_command_of_the_report_is_the_one_that_crashed() -> None:
    asking = command_operations(PROGRAM, (STANDINGS, RESULT), (), ())
    assert [one.name for one in asking.targets] == ["standings"]
    assert asking.told == ("enter", "standings")
    assert "AUT 5" in asking.others[0].words
    assert "/home/x.db" not in asking.others[0].words


def test_of_many_commands_those_of_the_report_are_asked_in_any_case() -> None:
    many = argparse.ArgumentParser()
    commands = many.add_subparsers(required=True)
    for number in range(MOST_ASKED + 4):
        commands.add_parser(f"c{number}")
    last, same = GivenCommand("many", (f"c{MOST_ASKED + 2}",)), GivenCommand("many", (f"c{MOST_ASKED + 1}",))
    asking = command_operations(LineProgram("main", grammar_of(many)), (last, same, same), (), ())
    assert [one.name for one in asking.targets] == [last.words[0]]
    assert asking.told == (same.words[0], last.words[0])
    assert len(asking.others) == MOST_ASKED
    assert lines(asking.session) == [f"main({[*one.words]})" for one in (same, same, last)]


def test_a_program_that_another_one_runs_is_asked_once() -> None:
    told = [one for line in ("poetry run regatta standings", "poetry run regatta enter x") for one in commands_of(line)]
    assert lines(command_operations(PROGRAM, told, (), ()).session) == ["main(['enter', 'x'])", "main(['standings'])"]


def test_a_command_that_looks_like_a_program_is_one_of_the_program_before_it() -> None:
    told = list(commands_of("regatta enter boats.csv --yardstick 5"))
    assert ("enter", "boats.csv", "--yardstick", "5") in [(one.program, *one.words) for one in told]
    asking = command_operations(PROGRAM, told, (), ())
    assert lines(asking.session) == ["main(['enter', 'boats.csv', '--yardstick', '5'])"]
    assert asking.told == ("enter",)


def test_without_a_command_in_the_report_the_frames_say_which() -> None:
    asking = command_operations(PROGRAM, (), (), ("main", "show_standings"))
    assert [one.name for one in asking.targets] == ["standings"]


def test_one_command_makes_no_state_for_another() -> None:
    alone = argparse.ArgumentParser()
    alone.add_argument("file")
    assert command_operations(LineProgram("main", grammar_of(alone)), (), (), ()).targets == ()


def test_the_line_may_be_a_keyword_and_have_words_before_it() -> None:
    asking = command_operations(LineProgram("app", grammar_of(parser()), "argv", ("prog",), {"exits": False}), (), (), ())
    assert lines(asking.others[2].ways)[0] == "app(argv=['prog', 'standings'], exits=False)"


def test_what_a_parser_says_is_wrong_is_given_another_value() -> None:
    asked: list[str] = []

    def ask(call: ast.Call):  # type: ignore[no-untyped-def]
        asked.append(ast.unparse(written(call)))
        argument = ast.literal_eval(call.args[0])
        try:
            date.fromisoformat(argument[2])
        except ValueError:
            return reply_raised(
                SystemExit(2), f"usage: race --on ON sail\nrace: error: argument --on: invalid value: {argument[2]!r}\n"
            )
        return reply_of(0, "race 3\n")

    conversation = Conversation()
    race = command_operations(PROGRAM, (), (), ()).others[1]
    filling = conversation.fill(ask, race)
    assert filling.call is not None
    assert asked[-1] == "main(['race', '--on', '2020-01-02'])"
    assert len(asked) < 5
    assert conversation.known["race"] == (3,)


def test_the_end_of_a_program_tells_whether_it_failed() -> None:
    assert reply_raised(SystemExit(0), "done\n").succeeded
    assert reply_raised(SystemExit(None)).succeeded
    assert reply_raised(SystemExit("no such boat")).text == "no such boat"
    assert reply_raised(SystemExit(2), "usage: x\nx: error: y\n").text == "x: error: y"
    assert not reply_of(1, "failed\n").succeeded
    assert reply_of(None, "order #17 is open\n").values == {"order": (17,)}


def test_a_line_may_be_that_of_the_process() -> None:
    asking = command_operations(LineProgram("main", grammar_of(parser()), ARGV), (), (), ())
    way = asking.others[2].ways[0]
    assert by_process(way) == ["standings"]
    assert text_of(way) == "monkeypatch.setattr('sys.argv', ['program', 'standings'])\nmain()"
    assert by_process(command_operations(PROGRAM, (), (), ()).others[2].ways[0]) is None


def test_what_the_report_says_is_said_word_for_word_with_files_in_the_folder_of_the_test() -> None:
    asking = command_operations(PROGRAM, (STANDINGS, RESULT), (), ())
    assert lines(asking.session) == ["main(['--db', 'x.db', 'enter', 'AUT 5'])", "main(['standings'])"]


def test_a_program_with_one_command_is_asked_what_was_typed_and_nothing_else() -> None:
    alone = argparse.ArgumentParser()
    alone.add_argument("paths", nargs="+")
    program = LineProgram("cli", grammar_of(alone))
    told = [*commands_of("convert first.csv second.csv"), GivenCommand("convert", ("other.csv",), documented=True)]
    asking = command_operations(program, told, (), ())
    assert "cli(['first.csv', 'second.csv'])" in lines(asking.session)
    assert not any("other.csv" in line for line in lines(asking.session))
    assert (asking.targets, asking.others) == ((), ())
    assert command_operations(program, (), (), ()).session == ()
