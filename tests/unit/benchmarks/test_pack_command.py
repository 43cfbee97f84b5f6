"""The crash pack's command line: what is wrong with it is said at once, before anything is installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from benchmarks.pack.__main__ import main
from benchmarks.pack.running import complaint

RUN = ["run", "--rows", "rows.jsonl", "--tool"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run", "--tool", "true {trace} {out}"], "run needs --rows"),
        ([*RUN, ""], "needs {trace} and {out}"),
        ([*RUN, "true {trace}"], "needs {trace} and {out}"),
        ([*RUN, "true {trace} {out} {report}"], "cannot be filled in ('report')"),
        ([*RUN, "no-such-tool {trace} {out}"], "no such command can be started"),
        (["check", "--only", "no-such-case"], "no case is named no-such-case"),
        (["verify", "no-such-case", "test_crash.py"], "no case is named no-such-case"),
        (["verify", "columnar-no-rows"], "verify takes 2 words, not 1"),
        (["verify", "columnar-no-rows", "no-such-file.py"], "there is no file no-such-file.py"),
        (["table"], "table needs the files with rows"),
        (["table", "no-such-rows.jsonl"], "there is no file no-such-rows.jsonl"),
    ],
)
def test_a_wrong_command_line_is_refused(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as refusal:
        main(arguments)
    assert refusal.value.code == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_interpreter_of_the_case_may_be_the_command() -> None:
    assert complaint(f"{sys.executable} tool.py {{trace}} {{out}}") == complaint("{python} tool.py {trace} {out}") == ""
