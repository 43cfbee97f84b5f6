"""docs/formats.md shows what ``explain`` says of each report, word for word: paths of this machine and addresses of objects apart,
and lists of further reports may be cut."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from crashwright.cli.main import run

ROOT = Path(__file__).parents[2]
FOLDER = "tests/golden/tracebacks"
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
SECTION = re.compile(
    r"^`([\w.-]+)`(?:, `--report-number ([\d.-]+)`)?, exit code (\d):\n\n```\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
LISTED = re.compile(r" {11,13}\d[\d.-]* ")
"""A line of the list of reports that is not the first one."""
LOCAL = (
    (r"Python \d\.\d+\.\d+ at \S+", "Python at PYTHON"),
    (r"installed for \S+?(?=\.?$)", "installed for PYTHON"),
    (r"runs on \d\.\d+\.\d+", "runs on VERSION"),
    (r"\S*/lib/python\d\.\d+/", "/lib/python/"),
    (r"0x[0-9a-f]{6,}", "0xADDRESS"),
)


class Shown(NamedTuple):
    """What the page says of one report."""

    report: str
    index: str
    code: str
    text: str


SHOWN = [Shown(*one) for one in SECTION.findall(PAGE)]


def lines(text: str) -> list[str]:
    for pattern, word in LOCAL:
        text = re.sub(pattern, word, text, flags=re.MULTILINE)
    return text.splitlines()


def test_every_format_has_a_report() -> None:
    # The last section is on addresses.
    assert len(SHOWN) == len(re.findall("^## ", PAGE, re.MULTILINE)) - 1 > 15


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the page shows the lines of the standard library of 3.11")
@pytest.mark.parametrize("shown", SHOWN, ids=lambda one: f"{one.report}-{one.index}")
def test_the_page_shows_what_explain_says(
    shown: Shown, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    chosen = ["--report-number", shown.index] if shown.index else []
    code = run(["explain", f"{FOLDER}/{shown.report}", "--path", f"{FOLDER}/make", *chosen])
    told = lines(shown.text)
    said = [line for line in lines(capsys.readouterr().out) if line in told or not LISTED.match(line)]
    assert (str(int(code)), told) == (shown.code, said)
