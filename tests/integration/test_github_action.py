"""The steps of the GitHub Action as its runner runs them, on a sample event, with a server in the place of GitHub's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

STEPS = Path(__file__).parents[2] / "action" / "answer_issue.py"
SHOP = "def reserve(items, number):\n    return take(items, number)\n\n\ndef take(items, number):\n    return items[number]\n"
BODY = """\
It crashed, and I do not know why:

```
Traceback (most recent call last):
  File "/x/main.py", line 3, in <module>
    reserve([], 3)
  File "/x/site-packages/tiny_store.py", line 2, in reserve
    return take(items, number)
  File "/x/site-packages/tiny_store.py", line 6, in take
    return items[number]
IndexError: list index out of range
```
"""


class Forge(HTTPServer):
    """Takes comments."""

    def __init__(self) -> None:
        self.taken: list[tuple[str, str, dict[str, Any]]] = []
        super().__init__(("127.0.0.1", 0), Taking)


class Taking(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Forge)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.taken.append((self.path, self.headers["Authorization"], body))
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def forge() -> Iterator[Forge]:
    server = Forge()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_labelled_issue_is_answered_with_a_test(forge: Forge, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tiny_store.py").write_text(SHOP)
    event = {
        "action": "labeled",
        "label": {"name": "crash"},
        "issue": {"number": 7, "body": BODY},
        "repository": {"default_branch": "main"},
    }
    (tmp_path / "event.json").write_text(json.dumps(event))
    environment = {
        **os.environ,
        "GITHUB_EVENT_PATH": str(tmp_path / "event.json"),
        "GITHUB_REF": "refs/heads/main",
        "GITHUB_REPOSITORY": "somebody/store",
        "GITHUB_API_URL": f"http://127.0.0.1:{forge.server_port}",
    }
    settings = {"CRASHWRIGHT_PATH": "src", "CRASHWRIGHT_BUDGET": "30", "CRASHWRIGHT_PYTHON": sys.executable}
    file = tmp_path / "answer.md"
    for step, more in (("reproduce", settings), ("comment", {"CRASHWRIGHT_TOKEN": "the-token"})):
        done = subprocess.run(
            [sys.executable, str(STEPS), step, str(file)],
            cwd=tmp_path, env={**environment, **more}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    [(path, authorization, comment)] = forge.taken
    assert (path, authorization) == ("/repos/somebody/store/issues/7/comments", "Bearer the-token")
    assert "in all 2 of its frames and with its message" in comment["body"]
    assert "tiny_store.reserve(" in comment["body"] or "reserve(" in comment["body"]
    assert not list(tmp_path.glob("test_*.py"))
