"""Digests are of statements; a comparison names each run that differs."""

from __future__ import annotations

import pytest
from benchmarks.digests import compare, counted, digest


def test_only_statements_count() -> None:
    plain = 'def test_it():\n    assert f(1) == "a"\n'
    told = '"""Made by a program, version 2."""\n\n\ndef test_it():\n    """It crashes."""\n    # here\n    assert f(1) == "a"\n'
    assert digest(plain) == digest(told)
    assert digest(plain) != digest(plain.replace("1", "2"))


def test_evaluations_are_counted_once_each() -> None:
    assert counted({"evaluations": 7, "best": {"evaluations": 3}}) == 7
    assert counted({"modules": [{"evaluations": 2}, {"search": {"evaluations": 3}}], "exit_code": 0}) == 5


def test_differences_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    one = {"generate m seed 1": {"code": 0}, "generate n seed 1": {"code": 0}}
    assert compare(one, dict(one)) == 0
    assert "2 the same, 0 different" in capsys.readouterr().out
    assert compare(one, {"generate m seed 1": {"code": 1}}) == 1
    told = capsys.readouterr().out
    assert "generate m seed 1" in told
    assert "0 the same, 2 different" in told
