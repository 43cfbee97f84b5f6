"""Programs of real libraries of command lines, with the grammar that each declares."""

from __future__ import annotations

import datetime
import enum
import sys
import types
from collections.abc import Iterator

import click
import pytest
import typer

from crashwright.engine.frameworks.click import grammar_of_command, live_command, programs_of
from crashwright.engine.frameworks.django import management_commands
from crashwright.engine.subject.api.code_index import key_of
from crashwright.engine.subject.usage.command_lines import Taken


class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"


@click.group()
@click.option("--debug", is_flag=True)
def fleet(debug: bool) -> None: ...


@fleet.command()
@click.argument("plate")
@click.option("--kind", type=click.Choice(["car", "van"]), required=True)
@click.option("--seats", type=click.IntRange(1, 9))
def add(plate: str, kind: str, seats: int) -> None: ...


@fleet.command()
@click.argument("files", nargs=-1)
def report(files: tuple[str, ...]) -> None: ...


hours = typer.Typer()


@hours.command()
def week(number: int = typer.Argument(None, min=1, max=53), colour: Colour = Colour.RED) -> None: ...


@hours.command()
def since(day: datetime.datetime) -> None: ...


@pytest.fixture
def package() -> Iterator[str]:
    made = types.ModuleType("fleet_program")
    vars(made).update(fleet=fleet, hours=hours, add=add, number=3)
    sys.modules["fleet_program"] = made
    yield "fleet_program"
    del sys.modules["fleet_program"]


def test_what_a_command_takes_is_read_from_it(package: str) -> None:
    found = {one.name: one.lines for one in programs_of([package])}
    commands = dict(found["fleet"].commands)
    assert found["fleet"].options == (Taken(("--debug",), (), 0, 0, False, "debug"),)
    assert commands["add"].options == (
        Taken(("--kind",), ("car", "van"), 1, 1, True, "kind"),
        Taken(("--seats",), ("9", "1"), 1, 1, False, "seats"),
    )
    assert commands["add"].places == (Taken((), (), 1, 1, True, "plate"),)
    assert commands["report"].places == (Taken((), (), 0, 2, False, "files"),)
    assert set(found) == {"fleet", "hours", "add"}


def test_types_of_parameters_tell_what_they_take(package: str) -> None:
    commands = dict(next(one for one in programs_of([package]) if one.name == "hours").lines.commands)
    (number,), (colour,) = commands["week"].places, commands["week"].options
    assert (number.texts, number.least) == (("53", "1"), 0)
    assert colour.texts == ("red", "green")
    (day,) = commands["since"].places
    assert day.texts[0].startswith("2026-01-31")


def test_commands_on_the_path_of_the_crash_are_those_that_count(package: str) -> None:
    assert add.callback is not None
    found = {one.name: one.lines for one in programs_of([package], {key_of(add.callback)})}  # type: ignore[arg-type]
    assert [name for name, _ in found["fleet"].commands] == ["add"]
    assert [name for name, _ in found["hours"].commands] == ["week", "since"]


def test_options_that_a_library_adds_are_none_of_the_program() -> None:
    lines = grammar_of_command(live_command(hours))
    assert not lines.options


def test_django_tells_what_it_manages() -> None:
    assert "migrate" in management_commands().names
