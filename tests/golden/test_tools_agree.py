"""What the readers make of one crash is the same, whichever tool printed it (``tracebacks/make/``): no file is its own witness."""

import json
from pathlib import Path

import pytest

from crashwright.core.report import CrashReport, ReportedException
from crashwright.crash.readers.registry import read_reports

FOLDER = Path(__file__).parent / "tracebacks"
WITNESS = "python313"
TOOLS = (
    "python311 python312 python313_coloured python313_locals logging json_log container_log "
    "loguru loguru_backtrace loguru_terse ipython django rich rich_locals rich_narrow rich_wide"
).split()
CRASHES = ("chained", "noted", "recursion", "group", "syntax", "importing", "spread")
CASES = [(tool, crash) for tool in TOOLS for crash in CRASHES if (FOLDER / f"{tool}_{crash}.txt").exists()]


def read(tool: str, crash: str) -> CrashReport:
    (report,) = read_reports((FOLDER / f"{tool}_{crash}.txt").read_text(encoding="utf-8"))
    return report


def told(exception: ReportedException, members: bool) -> object:
    """What every tool tells: rich and IPython leave out modules, some only show how notes are broken into lines."""
    frames = [
        (frame.line, frame.function, min(frame.repeated, 1))
        for frame in exception.frames
        if frame.path.endswith("/crashes.py") and frame.function != "again"
    ]
    place = exception.place
    return (
        exception.short_type,
        exception.message,
        "\n".join(exception.notes),
        exception.link,
        frames,
        (place.source, place.columns and place.columns[0]) if place else None,
        [told(member.crash, members) for member in exception.group] if members else None,
    )


@pytest.mark.parametrize(("tool", "crash"), CASES)
def test_tools_agree(tool: str, crash: str) -> None:
    found, expected = read(tool, crash), read(WITNESS, crash)
    if tool == "django":  # it shows no types of causes, and no members of groups
        assert told(found.crash, False) == told(expected.crash, False)
        return
    assert [told(one, True) for one in found.exceptions] == [told(one, True) for one in expected.exceptions]


@pytest.mark.parametrize("tool", ["python313", "python311", "json_log", "loguru", "ipython", "rich"])
def test_recursions_are_as_deep(tool: str) -> None:
    frames = [frame for frame in read(tool, "recursion").crash.frames if frame.function == "again"]
    assert 980 < sum(1 + frame.repeated for frame in frames) <= 1000
    assert len(frames) == 3


def test_the_witness_is_right() -> None:
    """Checked by hand against ``make/crashes.py``."""
    chain = read(WITNESS, "chained").exceptions
    assert [(one.type, one.link) for one in chain] == [
        ("json.decoder.JSONDecodeError", "cause"),
        ("KeyError", "context"),
        ("IndexError", None),
    ]
    last = chain[-1].frames[-1]
    assert (last.function, last.source) == ("take", 'return self.slots[wanted["count"] - 1] + int(polite)')
    assert last.source is not None
    assert last.columns is not None
    assert last.anchor is not None
    assert last.source[slice(*last.columns)] == 'self.slots[wanted["count"] - 1]'
    assert last.source[slice(*last.anchor)] == '[wanted["count"] - 1]'
    group = read(WITNESS, "group").crash
    assert group.notes == ("a note of the outer group",)
    assert [member.crash.short_type for member in group.group] == ["KeyError", "ExceptionGroup", "IndexError"]
    assert [one.link for one in group.group[0].exceptions] == ["cause", None]
    inner = group.group[1].crash
    assert inner.notes == ("a note of the inner group",)
    assert [member.crash.message for member in inner.group] == ["größer\nas two lines", "never raised"]
    assert read(WITNESS, "syntax").crash.place is not None


def test_cut_off_groups_and_values_in_frames() -> None:
    many = read(WITNESS, "group_in_the_middle").exceptions[-2]
    assert (many.message, len(many.group)) == ("many (20 sub-exceptions)", 15)
    for tool in ("python313_locals", "loguru", "loguru_backtrace", "rich_locals", "rich_narrow", "rich_wide"):
        values = read(tool, "chained").crash.frames[-1].local_values
        assert values["polite"] == "True"
        assert values["wanted"] == "{'count': 3, 'label': 'Größe → ünïcode ✓'}"
        assert values["self"] == "<Shelf 'bolts'>"
    large = read("rich_locals", "large_values").crash.frames[-1]
    assert large.source is None  # cut off in the box
    assert large.local_values["lines"] == repr("one\ntwo\n\tthree")


def test_every_recorded_report_has_an_exception() -> None:
    for path in FOLDER.glob("*.json"):
        for report in json.loads(path.read_text(encoding="utf-8")):
            assert report["exceptions"], path
