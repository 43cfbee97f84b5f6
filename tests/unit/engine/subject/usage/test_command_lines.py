"""Lines that a live parser declares: each is taken by it, and each option, value and command stands in one of the first."""

from __future__ import annotations

import argparse
import enum
import optparse
from collections import OrderedDict, deque
from datetime import date, datetime
from itertools import islice
from pathlib import Path
from random import Random
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as some

from crashwright.engine.subject.usage.command_lines import Grammar, Taken, grammar_of, lines_of


def shelves() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("shelves", exit_on_error=False)
    parser.add_argument("--version", action="version", version="1")
    parser.add_argument("-l", "--level", type=int, default=1)
    parser.add_argument("--at", required=True, type=float)
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add")
    add.add_argument("names", nargs="+")
    add.add_argument("--colour", choices=["red", "green"])
    drop = commands.add_parser("drop")
    drop.add_argument("count", type=int, nargs="?")
    drop.add_argument("--force", action="store_true")
    return parser


def lines(parser: object, count: int, seed: int = 1) -> list[list[str]]:
    return list(islice(lines_of(grammar_of(parser), lambda: "word", Random(seed)), count))


def day_of(text: str) -> date:
    return datetime.strptime(text, "%d/%m/%Y").date()


def size_of(text: str) -> int:
    if text not in ("small", "large"):
        raise argparse.ArgumentTypeError(text)
    return len(text)


class Colour(enum.Enum):
    RED = "red"


def test_what_turns_a_word_into_something_is_asked_which_words_it_takes() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    kinds = (date.fromisoformat, day_of, size_of, Colour, UUID, lambda text: text.split("=", 1)[1])
    for place, kind in enumerate(kinds):
        parser.add_argument(f"--o{place}", type=kind, required=True)
    parser.add_argument("--any", type=Path)
    parser.add_argument("--file", type=argparse.FileType("w"))
    parser.add_argument("--none", type=lambda text: 1 / 0)
    texts = {one.flags[0]: one.texts for one in grammar_of(parser).options}
    assert texts["--o0"][0] == "2020-01-02"
    assert texts["--o1"][0] == "02/01/2020"
    assert sorted(texts["--o2"]) == ["large", "small"]
    assert texts["--o3"] == ("red",)
    assert "a=1" in texts["--o5"]
    assert texts["--any"] == texts["--file"] == texts["--none"] == ()
    [line] = lines(parser, 1)
    assert parser.parse_args(line).o1 == date(2020, 1, 2)


@given(some.integers(0, 10**6))
def test_a_parser_takes_its_lines(seed: int) -> None:
    parser = shelves()
    for line in lines(parser, 30, seed):
        assert parser.parse_args(line).command in ("add", "drop")


def test_each_option_value_and_command_stands_in_one_of_the_first() -> None:
    parser = shelves()
    found = [vars(parser.parse_args(line)) for line in lines(parser, 16)]
    assert {one["command"] for one in found} == {"add", "drop"}
    assert {one.get("colour") for one in found} == {None, "red", "green"}
    assert {one.get("force") for one in found} == {None, True, False}
    assert {one["level"] for one in found} >= {1, 3, 0, -1}
    assert {one["at"] for one in found} >= {1.5, 0.0}
    assert all(one not in ("--version", "-h", "--help") for line in lines(parser, 60) for one in line)


def test_no_line_comes_twice_among_the_first() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-q", action="store_true")
    found = lines(parser, 2)
    assert sorted(found) == [[], ["-q"]]


def test_optparse_declares_types_and_choices() -> None:
    parser = optparse.OptionParser(version="1")
    parser.add_option("-l", "--limit", type="int")
    parser.add_option("--mode", type="choice", choices=["fast", "slow"])
    parser.add_option("-q", action="store_true")
    found = [parser.parse_args(line) for line in lines(parser, 12)]
    assert {options.mode for options, _ in found} == {None, "fast", "slow"}
    assert {options.limit for options, _ in found} >= {None, 3, 0}
    assert {options.q for options, _ in found} == {None, True}
    assert any(rest for _, rest in found)


def test_choices_of_a_set_come_in_one_order_and_other_things_are_no_parsers() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("place", choices={"b", "a", "c"})
    assert grammar_of(parser).places == (Taken((), ("a", "b", "c"), 1, 1, True, "place"),)
    assert grammar_of(object()) == Grammar()


def test_choices_may_stand_in_any_table() -> None:
    parser = argparse.ArgumentParser(exit_on_error=False)
    table = OrderedDict(first=1, second=2)
    for place, choices in enumerate((table, table.keys(), table.values(), deque(["third"]))):
        parser.add_argument(f"--o{place}", choices=choices)
    assert [one.texts for one in grammar_of(parser).options] == [("first", "second"), ("first", "second"), ("1", "2"), ("third",)]
