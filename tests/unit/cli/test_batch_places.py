"""Where `crashwright batch` works: here, or on a cluster where its library is installed."""

from __future__ import annotations

import sys

import pytest

from crashwright.cli.main import run


def test_a_cluster_without_its_library_is_one_clear_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path_factory.mktemp("work")
    (folder / "app.log").write_text('Traceback (most recent call last):\n  File "/a/b.py", line 1, in f\n    x\nKeyError: 1\n')
    monkeypatch.chdir(folder)
    for name in [one for one in sys.modules if one.partition(".")[0] == "distributed"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("cluster", "on_worker", "workers"):
        monkeypatch.delitem(sys.modules, f"crashwright.workflows.places.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["batch", "app.log", "--cluster", "tcp://127.0.0.1:8786"]) == 3
    lines = capsys.readouterr().err.splitlines()
    assert "--cluster needs the package distributed" in lines[0]
    assert "pip install 'crashwright[cluster]'" in lines[1]
