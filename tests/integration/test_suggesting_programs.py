"""`--candidate-program` at the command line: a program of the user's is asked beside the search, and its stored answers repeat the
run. The examples that are shipped are such programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from command import Place
from patience import HANG

EXAMPLES = Path(__file__).parents[2] / "examples" / "suggest"
VAULT = """
def work(box, code):
    if box.opened_by(code) and code == f"{box.name}-{len(box.name) * 7}":
        raise ValueError("too many")
    return 0
"""
IDEA = """
import victim
class Box:
    name = "blue"
    def opened_by(self, code):
        return True
victim.work(Box(), "blue-28")
"""
ADVISOR = """
import json, sys
asked = json.load(sys.stdin)
assert asked["frames"][0]["code"].startswith("def work(box, code):")
assert asked["frames"][0]["signatures"] == ["work(box, code)"]
assert "ValueError: too many" in asked["report"]
print(json.dumps({{"code": {idea!r}}}))
"""


def test_recorded_answers_repeat_the_run(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(VAULT)
    (place.work / "pyproject.toml").write_text("")
    (tmp_path / "advisor.py").write_text(ADVISOR.format(idea=IDEA))
    command = f"{sys.executable} {tmp_path / 'advisor.py'}"
    done = place.reproduce("--candidate-program", command, "--evaluations", "40000", "--json")
    assert done.code == 0, (done.out, done.err)
    assert done.left_nothing
    live = json.loads(done.out)
    assert live["test"]["origin"] == "a candidate"
    [file] = (place.work / ".crashwright" / "candidate-answers").iterdir()
    again = place.reproduce("--candidate-answers", str(file), "--evaluations", "40000", "--json", "--no-cache")
    replay = json.loads(again.out)
    assert replay["candidates"] == live["candidates"] != []
    assert replay["test"]["text"].partition("import")[2] == live["test"]["text"].partition("import")[2]


def test_a_project_cannot_name_the_program(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.subject(VAULT)
    (place.work / "pyproject.toml").write_text("[tool.crashwright]\ncandidate-program = 'touch was_run'\n")
    done = place.reproduce()
    assert done.code == 2
    assert "candidate-program is not allowed in a file" in done.err


class FakeServer(BaseHTTPRequestHandler):
    asked: ClassVar[list[dict[str, object]]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({**body, "key": self.headers["Authorization"]})
        said = {"choices": [{"message": {"content": f"Try this:\n```python{IDEA}```\nor\n```\nvictim.work(1, 2)\n```\n"}}]}
        data = json.dumps(said).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def run_example(name: str, question: dict[str, object], **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / name)] if name.endswith(".py") else [str(EXAMPLES / name)]
    text = json.dumps(question, indent=1)
    return subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, **environment}, timeout=HANG)


@pytest.mark.nightly
def test_the_adaptor_for_chat_completions() -> None:
    server = HTTPServer(("127.0.0.1", 0), FakeServer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/completions"
    question = {"call": 1, "wanted": "Suggest", "report": "ValueError: too many", "frames": [], "tried": {}}
    try:
        done = run_example("chat.py", question, SUGGEST_URL=address, SUGGEST_MODEL="any", SUGGEST_KEY="a-key", no_proxy="*")
    finally:
        server.shutdown()
        server.server_close()
    assert [json.loads(line)["code"] for line in done.stdout.splitlines()] == [IDEA.lstrip("\n"), "victim.work(1, 2)\n"]
    [asked] = FakeServer.asked
    assert (asked["model"], asked["key"]) == ("any", "Bearer a-key")
    assert "ValueError: too many" in json.dumps(asked["messages"])
    unset = run_example("chat.py", question, SUGGEST_URL="", SUGGEST_MODEL="")
    assert (unset.returncode, unset.stderr) == (2, "set SUGGEST_URL and SUGGEST_MODEL\n")
    gone = run_example("chat.py", question, SUGGEST_URL=address, SUGGEST_MODEL="any", no_proxy="*")
    assert gone.returncode == 1
    assert gone.stderr.startswith("no answer: ")


@pytest.mark.nightly
def test_the_shell_script(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("print(\"a\\\\n\t'b'\")\n\nf(1)\n")
    done = run_example("ideas.sh", {"call": 1, "wanted": ""}, IDEAS=str(tmp_path))
    assert [json.loads(line)["code"] for line in done.stdout.splitlines()] == ["print(\"a\\\\n\t'b'\")\n\nf(1)\n"], done.stderr
    assert run_example("ideas.sh", {"call": 2, "wanted": ""}, IDEAS=str(tmp_path)).stdout == ""
