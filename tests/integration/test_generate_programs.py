"""``crashwright generate`` for programs of click: commands are run by the library's own runner, and asked what they printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_generate import Place

SHELF = '''\
"""A shelf in a file."""

from pathlib import Path

import click


@click.group()
@click.option("--file", "name", default="shelf.txt")
@click.pass_context
def main(context, name):
    """Keep titles."""
    context.obj = Path(name)


@main.command()
@click.argument("title")
@click.pass_obj
def add(file, title):
    """Add a title."""
    known = file.read_text().splitlines() if file.exists() else []
    if title in known:
        raise click.ClickException(f"{title} is here already")
    file.write_text("\\n".join([*known, title]))
    click.echo(f"added {title}")


@main.command("list")
@click.option("--reverse", is_flag=True)
@click.pass_obj
def list_titles(file, reverse):
    """List titles."""
    if not file.exists():
        click.echo("nothing here", err=True)
        raise SystemExit(1)
    for title in sorted(file.read_text().splitlines(), reverse=reverse):
        click.echo(title)
'''


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_commands_are_run_as_people_test_them(place: Place) -> None:
    place.module("shelf.py", SHELF)
    code, document = place.generate("shelf", "--evaluations", "500")
    assert code == 0, document
    [module] = document["modules"]
    branch = next(one for one in module["coverage"] if one["criterion"] == "branch")
    assert branch["covered"] >= branch["total"] - 1
    assert module["mutants_killed"] >= 0.8 * module["mutants_total"]
    text = (place.work / "test_shelf.py").read_text()
    assert "from click.testing import CliRunner" in text
    assert "exit_code == 1" in text
    assert 'output == "Error: title is here already\\n"' in text
    assert "monkeypatch.chdir(tmp_path)" in text
    assert ".callback(" not in text
    assert "def test_add" in text
    assert "def test_list_titles" in text
    assert "catch_exceptions" not in text
    place.passes("test_shelf.py")
