"""Options by their former names."""

from __future__ import annotations

import pytest

from crashwright.cli.former_names import RENAMED, by_their_names
from crashwright.cli.main import run


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["reproduce", "a.txt", "--index", "2", "--frame=3"], ["reproduce", "a.txt", "--report-number", "2", "--target-frame=3"]),
        (["generate", "m", "--keep", "all"], ["generate", "m", "--keep-redundant"]),
        (["generate", "m", "--keep=needed", "--accidents"], ["generate", "m", "--accidental-exceptions"]),
        (["generate", "m", "--keep", "some"], ["generate", "m", "--keep", "some"]),
        (["reproduce", "--keep-best", "--", "--index"], ["reproduce", "--keep-best", "--", "--index"]),
    ],
)
def test_former_names_mean_what_they_meant(given: list[str], meant: list[str]) -> None:
    assert by_their_names(given) == meant


def test_a_report_is_chosen_by_the_former_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "no such file.txt", "--index", "2"]) == 2
    assert "Unknown option" not in capsys.readouterr().err


@pytest.mark.parametrize("name", sorted(RENAMED))
def test_no_option_has_a_former_name_now(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("reproduce", "generate", "batch", "explain", "verify"):
        run([command, "--help"])
    assert f" {name} " not in capsys.readouterr().out
