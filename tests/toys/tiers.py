"""Three tiers of tests: fast ones always run, slow ones in the gate, nightly ones at night.

Folders say which tests are slow; a marker says otherwise: ``smoke`` of a test in a folder of slow ones that is fast all the same,
``slow`` of one elsewhere, ``nightly`` of one anywhere. A test has one of these markers at most, so it is in one tier.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum
from pathlib import PurePath

SLOW_FOLDERS = ("browser", "integration", "quality")
FAST_ALONE = "not slow and not nightly"
"""What ``-m`` says where it says nothing."""


class Tier(StrEnum):
    """The name of the marker by which ``-m`` chooses, but for fast tests, which have none."""

    FAST = "fast"
    SLOW = "slow"
    NIGHTLY = "nightly"


MARKERS = {"smoke": Tier.FAST, "slow": Tier.SLOW, "nightly": Tier.NIGHTLY}
CHOSEN = {
    FAST_ALONE: frozenset({Tier.FAST}),
    "slow": frozenset({Tier.SLOW}),
    "nightly": frozenset({Tier.NIGHTLY}),
    "slow or nightly": frozenset({Tier.SLOW, Tier.NIGHTLY}),
    "not nightly": frozenset({Tier.FAST, Tier.SLOW}),
}
"""The tiers that a choice by ``-m`` takes its tests from; any other choice may take them from each."""


def tier_of(file: PurePath, markers: Collection[str]) -> Tier:
    """The tier of a test of this file (as seen from the folder of all tests) that has these markers."""
    told = [MARKERS[name] for name in MARKERS if name in markers]
    if len(told) > 1:
        raise ValueError(
            f"{file}: a test is in one tier, and one of {file.name} is marked as {' and '.join(set(markers) & MARKERS.keys())}"
        )
    return told[0] if told else usual_tier(file)


def usual_tier(file: PurePath) -> Tier:
    """That of tests of this file that no marker moves."""
    return Tier.SLOW if file.parts[0] in SLOW_FOLDERS else Tier.FAST


def may_hold(file: PurePath, text: str) -> frozenset[Tier]:
    """The tiers that tests of a file with this text may be in: read, not imported."""
    named = {MARKERS[name] for name in re.findall(r"pytest\.mark\.(\w+)", text) if name in MARKERS}
    whole = re.search(r"^pytestmark = .*pytest\.mark\.(slow|nightly)\b", text, re.MULTILINE)
    return frozenset({MARKERS[whole[1]]}) if whole else frozenset({usual_tier(file), *named})
