from __future__ import annotations

import json
from pathlib import Path

import pytest
from shown_results import RESULT

from crashwright.cli.main import run
from crashwright.cli.page_file import write_page
from crashwright.core.errors import ExitCode
from crashwright.reporting.json_result import document, error_document


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_saved_document_becomes_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    Path("crash.json").write_text(json.dumps(document(RESULT)))
    assert run(["page", "crash.json", "--output", "crash.html"]) == 0
    assert capsys.readouterr().out == "wrote crash.html\n"
    assert "<h1>IndexError" in Path("crash.html").read_text(encoding="utf-8")
    assert run(["page", "crash.json", "crash.json"]) == 0
    assert '<table id="table"' in Path("crashwright.html").read_text(encoding="utf-8")


def test_several_documents_have_a_page_each_if_they_are_wanted() -> None:
    Path("crash.json").write_text(json.dumps(document(RESULT)))
    Path("failed.json").write_text(json.dumps(error_document(ExitCode.USAGE, "no report", "name one")))
    assert run(["page", "crash.json", "failed.json", "-o", "all.html", "--pages", "pages/of all"]) == 0
    assert [file.name for file in Path("pages/of all").iterdir()] == ["0001-crash.json.html"]
    assert 'href="./pages/of%20all/0001-crash.json.html"' in Path("all.html").read_text(encoding="utf-8")
    Path("file").write_text("")
    assert run(["page", "crash.json", "crash.json", "--pages", "file/pages"]) == ExitCode.ENVIRONMENT


@pytest.mark.parametrize("text", ["", "hello", "[]", "{}", '{"target": 3}'])
def test_what_is_no_document_is_one_message(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("crash.json").write_text(text)
    assert run(["page", "crash.json"]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert err.startswith("crashwright: ")
    assert len(err.splitlines()) == 2
    assert not Path("crashwright.html").exists()


@pytest.mark.parametrize("command", [["page", "-"], ["reproduce", "-"], ["generate", "json"], ["batch", "."]])
def test_a_page_that_cannot_be_written_is_told_before_anything_is_done(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    option = "--output" if command[0] == "page" else "--html"
    assert run([*command, option, "no/such/folder/x.html"]) == ExitCode.ENVIRONMENT
    assert "no/such/folder" in capsys.readouterr().err


def test_what_was_found_is_not_lost_with_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert write_page("gone/x.html", lambda: "page", ExitCode.SUCCESS) == ExitCode.ENVIRONMENT
    assert write_page("gone/x.html", lambda: "page", ExitCode.PARTIAL) == ExitCode.PARTIAL
    assert capsys.readouterr().err.count("gone/x.html could not be written") == 2
    assert write_page(None, lambda: "page", ExitCode.PARTIAL) == ExitCode.PARTIAL
