#!/usr/bin/env python3
"""Asks a server with the common chat-completions shape for candidates:
``crashwright reproduce crash.txt --candidate-program "python examples/suggest/chat.py"``.

Its environment says which: SUGGEST_URL (the whole address of the completions), SUGGEST_MODEL, SUGGEST_KEY (may be empty),
SUGGEST_SECONDS (default 90). The report, the code of its frames and the best tests are sent there: use a server that may see
them. Standard library only.
"""

from __future__ import annotations

import json
import os
import re
import sys
import urllib.error
import urllib.request

PYTHON = re.compile(r"```(?:python|py)?[ \t]*\n(.*?)```", re.DOTALL)
ROLE = (
    "You reproduce crashes of Python programs. Answer with one to three short scripts, each in a code block of its own "
    "(```python), the likeliest first. Each imports what it needs, calls public functions, and neither catches nor raises the "
    "exception itself."
)


def asked(question: dict[str, object]) -> str:
    """The question in words."""
    tried = json.dumps(question.get("tried"), indent=1)
    frames = json.dumps(question.get("frames"), indent=1)
    again = "The scripts so far did not do it; what was tried:\n" + tried if question.get("call") != 1 else ""
    return f"{question['wanted']}\n\nThe report:\n{question['report']}\n\nThe code of its frames:\n{frames}\n\n{again}"


def completion(text: str) -> str:
    """What the server answers."""
    body = {
        "model": os.environ["SUGGEST_MODEL"],
        "messages": [{"role": "system", "content": ROLE}, {"role": "user", "content": text}],
    }
    headers = {"Content-Type": "application/json"}
    if os.environ.get("SUGGEST_KEY"):
        headers["Authorization"] = f"Bearer {os.environ['SUGGEST_KEY']}"
    request = urllib.request.Request(os.environ["SUGGEST_URL"], json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=float(os.environ.get("SUGGEST_SECONDS", "90"))) as response:
        answer = json.load(response)
    return str(answer["choices"][0]["message"]["content"])


def main() -> int:
    """Read the question, write candidates."""
    missing = [name for name in ("SUGGEST_URL", "SUGGEST_MODEL") if not os.environ.get(name)]
    if missing:
        print(f"set {' and '.join(missing)}", file=sys.stderr)
        return 2
    try:
        answer = completion(asked(json.load(sys.stdin)))
    except (urllib.error.URLError, OSError, ValueError, KeyError, IndexError, TypeError) as error:
        print(f"no answer: {error}", file=sys.stderr)
        return 1
    for block in PYTHON.findall(answer) or [answer]:
        print(json.dumps({"code": block}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
