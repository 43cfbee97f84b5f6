"""Whatever is in the user's cache folder, an engine runs the same tests; it leaves there what the next one need not compile."""

from __future__ import annotations

from pathlib import Path

import pytest
from trails import trails

EVALUATIONS = 200


def test_the_same_tests_are_run_with_and_without_it(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    without = trails(EVALUATIONS)
    assert without
    assert trails(EVALUATIONS, cache=str(cache)) == without
    (file,) = cache.iterdir()
    written, whole = file.stat().st_mtime_ns, file.read_bytes()
    assert trails(EVALUATIONS, cache=str(cache)) == without
    assert file.stat().st_mtime_ns == written  # all was there: nothing was compiled
    file.write_bytes(whole[:-100])
    told, *rest = trails(EVALUATIONS, cache=str(cache))
    assert "is damaged: it is written anew" in told
    assert rest == without
    assert len(file.read_bytes()) == len(whole)


@pytest.mark.nightly
def test_a_folder_that_cannot_be_made_is_no_problem(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert trails(EVALUATIONS, cache=str(tmp_path / "file" / "cache"))
    assert [one.name for one in tmp_path.iterdir()] == ["file"]
