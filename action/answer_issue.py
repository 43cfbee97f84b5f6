"""The steps of the GitHub Action: ``reproduce FILE`` writes the answer to an issue, ``comment FILE`` sends it.

What the issue says is hostile: it is handed over on standard input, stands in the answer in code blocks that it cannot end, and
names nobody. The first step runs code of the project and has no token; the second has the token and runs none.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

LONGEST = 60_000
"""Characters of an answer: GitHub takes 65,536."""
_LONGEST_TEXT = 600
_MARK = "<!-- crashwright -->"
_LATER = 300.0
"""Seconds beyond the budget after which a command is ended that does not end by itself."""


def main(arguments: list[str], environment: Mapping[str, str]) -> int:
    """Run a step; the exit code."""
    if len(arguments) != 2 or arguments[0] not in ("reproduce", "comment"):
        print("usage: answer_issue.py reproduce|comment FILE", file=sys.stderr)
        return 2
    event = json.loads(Path(environment["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    file = Path(arguments[1])
    if arguments[0] == "comment":
        return comment(event, file, environment)
    reason = refusal(event, environment)
    if reason:
        print(f"nothing to do: {reason}")
        return 0
    document = reproduced(str(event["issue"].get("body") or ""), environment)
    file.write_text(answer(document), encoding="utf-8", errors="replace")
    print(f"{document.get('verdict', 'no answer')}: the answer is in {file}")
    return 0


def refusal(event: Mapping[str, Any], environment: Mapping[str, str]) -> str:
    """Why this event is none to answer; "" where it is."""
    label = environment.get("CRASHWRIGHT_LABEL", "crash")
    if event.get("action") != "labeled" or event.get("label", {}).get("name") != label:
        return f"no issue was labelled {label}"
    if "pull_request" in event.get("issue", {}):
        return "it is a pull request"
    branch = event.get("repository", {}).get("default_branch")
    if environment.get("GITHUB_REF") != f"refs/heads/{branch}":
        return "this is not the default branch"
    return ""


def reproduced(report: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """The JSON document of ``crashwright reproduce`` for the text of the issue."""
    seconds = environment.get("CRASHWRIGHT_BUDGET", "120")
    python = environment.get("CRASHWRIGHT_PYTHON", "python")
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "crashwright", "reproduce", "-", "--json", f"--output={folder}/test_crash.py", "--no-cache"]
        words += [f"--budget={seconds}", f"--python={shutil.which(python) or python}"]
        words += [f"--{name}={value}" for name in ("package", "path") if (value := environment.get(f"CRASHWRIGHT_{name.upper()}"))]
        try:
            done = subprocess.run(
                words, input=report.encode(errors="replace"), capture_output=True, timeout=float(seconds) + _LATER, check=False
            )
        except subprocess.TimeoutExpired:
            return {"verdict": "no answer", "error": {"message": "The reproduction did not end in time.", "advice": ""}}
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = None
    if isinstance(document, dict):
        return document
    print(done.stderr.decode(errors="replace")[-2000:], file=sys.stderr)
    return {"verdict": "no answer", "error": {"message": "crashwright ended without a result.", "advice": ""}}


def answer(document: Mapping[str, Any]) -> str:
    """What the issue is told."""
    test, error = document.get("test"), document.get("error")
    if error:
        lines = ["No test could be made of this report.", "", block(f"{error.get('message', '')}\n{error.get('advice', '')}")]
    elif test and test.get("level") == 4:
        lines = [_whole(document, test), "", block(str(test.get("text", "")), "python")]
    else:
        lines = _missed(document, test)
    told = "\n".join([_MARK, *lines, "", f"<sub>{_facts(document)}</sub>"])
    return told if len(told) <= LONGEST else "\n".join([_MARK, "The test is too long for a comment: it is in the log of the run."])


def block(text: str, language: str = "") -> str:
    """A code block that nothing in ``text`` can end."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip()}\n{fence}"


def _whole(document: Mapping[str, Any], test: Mapping[str, Any]) -> str:
    runs = len(test.get("levels") or ())
    total = document.get("frames_total")
    near = "; it may be another bug: another value in the message" if test.get("near_miss") else ""
    return (
        f"This test crashes as the report says, in all {total} of its frames and with its message, "
        f"in {runs} fresh interpreters{near}. It is red until the bug is fixed:"
    )


def _missed(document: Mapping[str, Any], test: Mapping[str, Any] | None) -> list[str]:
    reached, total = document.get("frames_reached"), document.get("frames_total")
    lines = [f"The crash was not reproduced: {reached} of {total} frames were entered."]
    reasons = [str(one) for one in (document.get("hints") or ())[:4]] + ([str(test.get("missing", ""))] if test else [])
    told = "\n".join(one[:_LONGEST_TEXT] for one in reasons if one)
    if told:
        lines += ["", block(told)]
    if test:
        lines += ["", "The nearest test so far:", "", block(str(test.get("text", "")), "python")]
    return lines


def _facts(document: Mapping[str, Any]) -> str:
    """Numbers alone: nothing of the report stands outside of a code block."""
    numbers = [f"{document['evaluations']:,} tests"] if isinstance(document.get("evaluations"), int) else []
    seed = document.get("seed")
    return ", ".join(["crashwright", *numbers, *([f"seed {seed}"] if isinstance(seed, int) else [])])


def comment(event: Mapping[str, Any], file: Path, environment: Mapping[str, str]) -> int:
    """Send the answer, where there is one."""
    if not file.exists():
        print("nothing to say")
        return 0
    base = environment.get("GITHUB_API_URL", "https://api.github.com")
    repository, number = environment["GITHUB_REPOSITORY"], int(event["issue"]["number"])
    request = urllib.request.Request(
        f"{base}/repos/{repository}/issues/{number}/comments",
        data=json.dumps({"body": file.read_text(encoding="utf-8")}).encode(),
        headers={
            "Authorization": f"Bearer {environment['CRASHWRIGHT_TOKEN']}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
        },
        method="POST",
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        print(f"commented: {response.status}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ))
