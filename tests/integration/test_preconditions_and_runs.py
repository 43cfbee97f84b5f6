"""The sentences of ``explain --preconditions`` are held against runs of the package, confined."""

from __future__ import annotations

import json
from pathlib import Path

from command import Done, Place

SHELVES = """
def work(shelf, number):
    if number < 100:
        raise ValueError("too many")
    return shelf
"""


def explained(place: Place, *arguments: str) -> Done:
    return place.run("explain", str(place.report), "--path", str(place.code), "--preconditions", *arguments)


def test_sentences_are_held_against_runs_which_leave_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(SHELVES)
    done = explained(place, "--json")
    assert done.code == 0, done.err
    assert done.left_nothing
    conditions = json.loads(done.out)["conditions"]
    assert conditions["runs"] > 100
    (frame,) = [one for one in conditions["frames"] if one["level"] == 1]
    assert "`number` < 100" in frame["always"] + frame["conditions"]
    assert not frame["contradicted"]


def test_a_package_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject("import nowhere_at_all\n" + SHELVES)
    done = explained(place)
    assert "not checked" in done.out
    assert "nowhere_at_all" in done.out
