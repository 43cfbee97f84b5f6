"""The pages of the site are true: the reference is what the program says, and commands that pages show can be given so."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.mark.parametrize("script", ["render_reference.py", "render_schemas.py"])
def test_what_is_rendered_is_what_the_program_says(script: str) -> None:
    line = [sys.executable, str(ROOT / "scripts" / script), "--check"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _options() -> dict[str, set[str]]:
    sections = re.split(r"^## ", (DOCS / "reference.md").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {section.split()[0]: {"--help", *re.findall(r"^\| `(--[a-z-]+)`", section, re.MULTILINE)} for section in sections}


def _shown(page: Path) -> list[list[str]]:
    """The command lines in the code blocks of a page."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    return [shlex.split(line, comments=True) for line in lines if line.startswith("crashwright ")]


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_commands_that_pages_show_exist(page: Path) -> None:
    known = _options()
    for words in _shown(page):
        if words[1].isupper() or page.stem == "reference":
            continue
        used = {word.partition("=")[0] for word in words[2:] if word.startswith("--")}
        assert used <= known[words[1]], f"{page.name} shows {shlex.join(words)}"


def test_every_page_of_the_navigation_is_there() -> None:
    named = re.findall(r": ([a-z-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(named) > 10
    assert [name for name in named if not (DOCS / name).is_file()] == []


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_files_that_pages_include_are_there(page: Path) -> None:
    """``--8<-- "FILE"``, or the file on a line of its own between two marks, which formatters leave alone."""
    text = page.read_text(encoding="utf-8")
    assert "--8 <" not in text
    named = re.findall(r'^--8<-- "(.+)"$', text, re.MULTILINE) + re.findall(r"^--8<--\n(.+)\n--8<--$", text, re.MULTILINE)
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_decisions_are_not_in_the_navigation() -> None:
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert "not_in_nav: /decisions/" in config
    assert "decisions" not in config.partition("\nnav:")[2]
