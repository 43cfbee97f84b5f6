"""`generate --candidate`: what somebody suggests is where the search for a suite begins."""

from __future__ import annotations

import json
from pathlib import Path

from crashwright.cli.main import run

MODULE = """
def locked(box, code):
    if code == f"{box['name']}-{sum(box['parts']) * 7}" and len(box["parts"]) == 3:
        return "open"
    return "shut"
"""
CANDIDATE = """
import keyed_vault
parts = []
for part in (1, 2, 3):
    parts.append(part)
keyed_vault.locked({"name": "blue", "parts": parts}, "blue-42")
"""


def test_a_suite_takes_the_branch_that_only_the_candidate_takes(tmp_path: Path, capsys) -> None:
    (tmp_path / "keyed_vault.py").write_text(MODULE)
    (tmp_path / "idea.py").write_text(CANDIDATE)
    (tmp_path / "bad.py").write_text("no python here")
    given = ["--candidate", str(tmp_path / "idea.py"), "--candidate", str(tmp_path / "bad.py")]
    words = ["generate", "keyed_vault", "--path", str(tmp_path), "--output", str(tmp_path), "--evaluations", "60", "--json"]
    assert run([*words, *given]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [note for note in document["notes"] if "bad.py: not valid Python" in note]
    assert '== "open"' in (tmp_path / "test_keyed_vault.py").read_text()
