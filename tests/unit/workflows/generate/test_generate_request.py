"""What may be asked of ``generate``, and the command that repeats it."""

from __future__ import annotations

import shlex
from typing import Any

import pytest

from crashwright.core.errors import UsageError
from crashwright.core.settings import Budget
from crashwright.core.suite import CRITERIA
from crashwright.workflows.generate.request import SuiteRequest, criteria_of, suite_search


@pytest.mark.parametrize(
    "wrong",
    [
        {"criteria": ("branches",)},
        {"criteria": ()},
        {"selection": "clever"},
        {"flags": "some"},
        {"search": suite_search("guided")},
        {"allow": ("everything",)},
        {"budget": Budget(0.0)},
        {"budget": Budget(None, -1)},
        {"jobs": 0},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError) as caught:
        SuiteRequest("shop", **wrong)
    assert caught.value.advice


def test_command_repeats_what_matters() -> None:
    request = SuiteRequest(
        "shop.stock", "/venv/bin/python", ("src",), "out", ("Box.open",), ("branch", "line"), budget=Budget(None, 500), jobs=2
    )
    assert shlex.split(request.command) == shlex.split(
        "crashwright generate shop.stock --path src --target Box.open --criteria branch,line --jobs 2 --evaluations 500 --seed 1"
    )
    assert (
        SuiteRequest("shop", flags="none", budget=Budget(3.0)).command
        == "crashwright generate shop --flags none --budget 3 --seed 1"
    )
    assert SuiteRequest("shop", budget=Budget(30.0)).command == "crashwright generate shop --budget 30 --seed 1"


def test_criteria_are_in_the_order_of_the_report() -> None:
    assert criteria_of("line, branch,line") == ("branch", "line")
    assert criteria_of(",".join(reversed(CRITERIA))) == CRITERIA
    with pytest.raises(UsageError, match="--selection lines"):
        criteria_of("lines", "--selection")


def test_command_names_the_interpreter_that_was_asked_for() -> None:
    asked = SuiteRequest("shop", python="/x/.venv/bin/python", asked_python=".venv/bin/python", budget=Budget(30.0))
    assert asked.command == "crashwright generate shop --python .venv/bin/python --budget 30 --seed 1"
