"""Programs of a module, what runs them in tests, and what their results show."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator

import click
import pytest
import typer
from click.testing import CliRunner
from typer.testing import CliRunner as TyperRunner

from crashwright.engine.frameworks.click_runner import is_result, is_runner, run_programs, swallowed
from crashwright.engine.subject.api.code_index import key_of

hours = typer.Typer()


@click.group()
def fleet() -> None: ...


@fleet.group()
def cars() -> None: ...


@cars.command("add")
@click.argument("plate")
def add_car(plate: str) -> None:
    raise KeyError(plate)


@fleet.command()
@click.pass_context
def stop(context: click.Context) -> None:
    context.exit(3)


@hours.command()
def week(number: int) -> None: ...


@hours.command()
def month(number: int) -> None: ...


@pytest.fixture
def module() -> Iterator[str]:
    name = __name__
    made = types.ModuleType(name)
    vars(made).update(fleet=fleet, add_car=add_car, cars=cars, hours=hours, _hidden=click.Command("hidden"), number=3)
    before = sys.modules.get(name)
    sys.modules[name] = made
    yield name
    if before is not None:
        sys.modules[name] = before


def test_a_module_has_programs_and_each_has_a_runner(module: str) -> None:
    found = {one.program.qualname: one for one in run_programs(module)}
    assert set(found) == {"fleet", "hours"}
    assert found["fleet"].runner is CliRunner
    assert found["hours"].runner is TyperRunner
    commands = {one.words: one.keys[-1] for one in found["fleet"].commands}
    assert set(commands) == {("cars", "add"), ("cars",), ("stop",), ()}
    assert commands["cars", "add"] == key_of(add_car.callback)  # type: ignore[arg-type]
    assert [one.words for one in run_programs(module, ["week"])[0].commands] == [("week",)]


def test_words_choose_the_innermost_command(module: str) -> None:
    fleet_program = run_programs(module)[0]
    chosen = fleet_program.command_of(("cars", "--all", "add", "plate"))
    assert chosen is not None
    assert chosen.words == ("cars", "add")
    other = fleet_program.command_of(("--help",))
    assert other is not None
    assert other.words == ()


def test_a_result_may_have_an_exception_that_nobody_sees() -> None:
    runner = CliRunner()
    assert is_runner(CliRunner)
    assert is_runner(TyperRunner)
    assert not is_runner(Iterator)
    broken, ended = runner.invoke(fleet, ["cars", "add", "x"]), runner.invoke(fleet, ["stop"])
    assert is_result(broken)
    assert swallowed(broken)
    assert ended.exit_code == 3
    assert not swallowed(ended)
    assert not swallowed(3)
