from __future__ import annotations

import math

import pytest

from crashwright.core.errors import UsageError
from crashwright.core.settings import Budget, SearchSettings
from crashwright.workflows.deadline import Deadline
from crashwright.workflows.reproduce.request import Request


def test_command_repeats_the_run() -> None:
    assert Request("", "crash.txt").command == "crashwright reproduce crash.txt --seed 1"
    request = Request(
        "",
        "my crash.txt",
        index="2",
        path=("src",),
        package="shop",
        frame=3,
        budget=Budget(None, 500),
        search=SearchSettings(seed=7),
    )
    assert request.command == (
        "crashwright reproduce 'my crash.txt' --path src --report-number 2 --package shop --target-frame 3 --evaluations 500 "
        "--seed 7"
    )


def test_command_names_the_choices_that_are_not_the_default() -> None:
    chosen = SearchSettings(
        fitness="weighted-sum", trace_distance="prefix", secondary="bbc-literal", operators="evocrash", schedule="restart"
    )
    assert Request("", "crash.txt", search=chosen).command == (
        "crashwright reproduce crash.txt --fitness weighted-sum --trace-distance prefix --secondary bbc-literal "
        "--operators evocrash --schedule restart --seed 1"
    )


@pytest.mark.parametrize(
    "make",
    [
        lambda: Request("", expect="explode"),
        lambda: Request("", search=SearchSettings(algorithm="magic")),
        lambda: Request("", search=SearchSettings(fitness="x")),
        lambda: Request("", search=SearchSettings(trace_distance="x")),
        lambda: Request("", search=SearchSettings(secondary="x")),
        lambda: Request("", search=SearchSettings(schedule="x")),
        lambda: Request("", frame=-1),
        lambda: Request("", budget=Budget(0.0)),
        lambda: Request("", budget=Budget(None, 0)),
    ],
)
def test_nonsense_is_refused(make: object) -> None:
    with pytest.raises(UsageError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.advice


def test_reserve_is_a_share_with_bounds() -> None:
    def reserve(seconds: float | None, imported: float = 0.0) -> float:
        return Deadline(lambda: 0.0, 0.0, seconds).reserve(imported)

    assert reserve(60) == pytest.approx(6)
    assert reserve(600) == 6
    assert reserve(20) == pytest.approx(3)
    assert reserve(2) == pytest.approx(0.8)
    assert reserve(60, imported=4.0) > 15
    assert reserve(None) == 0
    busy = Deadline(lambda: 0.0, 0.0, 10.0)
    assert busy.reserve(0.1, 0.3) < 3.0 < busy.reserve(0.1, 0.8) <= 4.0, "as slow as the engine"
    assert Deadline(lambda: 0.0, 0.0, None).left() == math.inf


def test_the_command_names_the_interpreter_that_was_asked_for() -> None:
    request = Request("", report_name="crash.txt", python="/x/.venv/bin/python", asked_python=".venv/bin/python")
    assert request.command == "crashwright reproduce crash.txt --python .venv/bin/python --seed 1"
