"""What existing tests cover, as the engine is told."""

from __future__ import annotations

from pathlib import Path

from crashwright.core.codec import from_json, to_json
from crashwright.core.suite import KnownCoverage, ModuleTarget
from crashwright.finishing.suite.existing import ExistingCoverage
from crashwright.workflows.generate.existing import known_from


def test_coverage_is_told_in_a_fixed_order_and_survives_the_wire(tmp_path: Path) -> None:
    coverage = ExistingCoverage(
        frozenset({7, 2, 3}), frozenset({(2, 3), (-1, 2)}), frozenset({"halve", "Box.open"}), (tmp_path / "test_box.py",)
    )
    known = known_from(coverage)
    assert known == KnownCoverage((2, 3, 7), ((-1, 2), (2, 3)), ("Box.open", "halve"), (str(tmp_path / "test_box.py"),))
    target = ModuleTarget("box", known=known)
    assert from_json(ModuleTarget, to_json(target)) == target
