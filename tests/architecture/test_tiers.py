"""Each test is in one of three tiers, which the gate and the night run; what runs at night leaves the gate a test of its kind."""

from __future__ import annotations

import ast
import re
from pathlib import Path, PurePath

import pytest
import yaml
from tiers import CHOSEN, Tier, may_hold, tier_of

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
QUALITY = TESTS / "quality"
UNIT, SEARCH = PurePath("unit/core/test_it.py"), PurePath("quality/test_it.py")


@pytest.mark.parametrize(
    ("file", "markers", "tier"),
    [
        (UNIT, set(), Tier.FAST),
        (UNIT, {"parametrize", "slow"}, Tier.SLOW),
        (UNIT, {"nightly"}, Tier.NIGHTLY),
        (SEARCH, {"skipif"}, Tier.SLOW),
        (SEARCH, {"smoke"}, Tier.FAST),
        (SEARCH, {"nightly"}, Tier.NIGHTLY),
    ],
)
def test_a_marker_moves_a_test_from_the_tier_of_its_folder(file: PurePath, markers: set[str], tier: Tier) -> None:
    assert tier_of(file, markers) is tier


@pytest.mark.parametrize("markers", [{"slow", "nightly"}, {"smoke", "nightly"}, {"smoke", "slow"}])
def test_no_test_is_in_two_tiers(markers: set[str]) -> None:
    with pytest.raises(ValueError, match="a test is in one tier"):
        tier_of(SEARCH, markers)


def test_each_tier_is_chosen_alone_and_files_say_which_they_hold() -> None:
    assert sorted(next(iter(tiers)) for tiers in CHOSEN.values() if len(tiers) == 1) == sorted(Tier)
    assert may_hold(UNIT, "") == {Tier.FAST}
    assert may_hold(UNIT, "@pytest.mark.slow\ndef test(): ...\n") == {Tier.FAST, Tier.SLOW}
    assert may_hold(UNIT, "pytestmark = pytest.mark.slow\n") == {Tier.SLOW}
    assert may_hold(SEARCH, "pytestmark = [pytest.mark.nightly, pytest.mark.skipif(True)]\n") == {Tier.NIGHTLY}
    assert may_hold(SEARCH, "pytest.param(1, marks=pytest.mark.smoke)\n") == {Tier.FAST, Tier.SLOW}


def nightly_alone(function: ast.FunctionDef) -> bool:
    """Whether all of a test runs at night, not only some of its parameters."""
    return any(ast.unparse(each) == "pytest.mark.nightly" for each in function.decorator_list)


def test_what_the_searches_are_good_at_is_asked_in_the_gate_too() -> None:
    """Each file is about a mechanism, each subject a crash or a module that takes one."""
    kept = ""
    for file in sorted(QUALITY.glob("test_*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        tests = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")]
        assert not all(map(nightly_alone, tests)), f"{file.name}: all of it runs at night"
        kept += "\n".join(ast.unparse(each) for each in tree.body if each not in tests or not nightly_alone(each))
    subjects = {path.stem for folder in ("subjects", "suite_subjects") for path in (QUALITY / folder).glob("*.py")}
    assert subjects
    assert [name for name in sorted(subjects) if not re.search(rf"""['"]{name}['"]""", kept)] == []


def test_folders_of_slow_tests_have_no_file_that_only_says_so_again() -> None:
    """A file that is marked as a whole holds no test of another tier: a marker of one of its tests would be the second."""
    for file in sorted(TESTS.rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        whole = re.search(r"^pytestmark = .*pytest\.mark\.(slow|nightly)\b.*$", text, re.MULTILINE)
        rest = text.replace(whole[0], "") if whole else ""
        assert not re.search(r"(@|marks=\[?)pytest\.mark\.(smoke|slow|nightly)\b", rest), file


def test_the_night_runs_what_the_gate_leaves_out() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8"))
    assert workflow[True]["schedule"], "YAML reads the key `on` as true"
    assert ".ci/run --nightly" in [step.get("run") for step in workflow["jobs"]["gate"]["steps"]]
    assert "`-m nightly`" in (ROOT / "README.md").read_text(encoding="utf-8")
