"""Digests of what seeded runs find, for comparing two states of the program: a pure move changes none of them.

python -m benchmarks.digests PROGRAM --out FILE [--report FILE=PYTHON]... [--module MODULE=PYTHON]...
                         [--seeds 1,2] [--evaluations N]
    runs PROGRAM (a ``crashwright`` command) on each report and each module with each seed and a budget of evaluations, and writes
    FILE: for each run its exit code, how many evaluations it took, and the digest of the file that it wrote.
python -m benchmarks.digests --compare ONE OTHER
    tells the runs that differ; exit code 1 where there are any.

PYTHON is the interpreter that can import the package. A digest is of the statements: comments and texts of documentation, which
name the program and its version, do not count.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.digests", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", nargs="?", default="crashwright", help="the command to run [default: %(default)s]")
    parser.add_argument("--report", action="append", default=[], metavar="FILE=PYTHON")
    parser.add_argument("--module", action="append", default=[], metavar="MODULE=PYTHON")
    parser.add_argument("--seeds", default="1,2", help="[default: %(default)s]")
    parser.add_argument("--evaluations", type=int, default=1500, help="of each run [default: %(default)s]")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("ONE", "OTHER"))
    parsed = parser.parse_args(arguments)
    if parsed.compare is None and (parsed.out is None or not parsed.report + parsed.module):
        parser.error("what to run, and --out")
    return parsed


def main(arguments: Sequence[str]) -> int:
    """Run or compare; the exit code."""
    options = parse(arguments)
    if options.compare is not None:
        return compare(*(json.loads(path.read_text()) for path in options.compare))
    found: dict[str, dict[str, Any]] = {}
    for command, subject, python in runs_of(options):
        for seed in options.seeds.split(","):
            key = f"{command} {subject} seed {seed}"
            found[key] = run([options.program, command, subject, "--python", python], seed, options.evaluations)
            print(key, found[key], flush=True)
            options.out.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    return 0


def runs_of(options: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    """Command, report or module, and interpreter."""
    for command, given in (("reproduce", options.report), ("generate", options.module)):
        for one in given:
            subject, _, python = one.partition("=")
            yield command, str(Path(subject).resolve()) if command == "reproduce" else subject, python or sys.executable


def run(command: list[str], seed: str, evaluations: int) -> dict[str, Any]:
    """One run in a folder of its own."""
    more = ["--seed", seed, "--evaluations", str(evaluations), "--json", *(["--no-cache"] if command[1] == "reproduce" else [])]
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([*command, *more], cwd=folder, capture_output=True, text=True, check=False)
        tests = {path.name: digest(path.read_text()) for path in sorted(Path(folder).glob("test_*.py"))}
    return {"code": done.returncode, "evaluations": counted(json.loads(done.stdout or "{}")), "tests": tests}


def counted(document: Any) -> int:
    """The evaluations that a result tells of, wherever in it."""
    if isinstance(document, dict):
        own = document.get("evaluations")
        return own if isinstance(own, int) else sum(counted(value) for value in document.values())
    return sum(map(counted, document)) if isinstance(document, list) else 0


def digest(source: str) -> str:
    """Of the statements of a test file."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()[:16]


def compare(one: dict[str, Any], other: dict[str, Any]) -> int:
    """Tell what differs."""
    different = [key for key in sorted({*one, *other}) if one.get(key) != other.get(key)]
    for key in different:
        print(f"{key}\n  {one.get(key)}\n  {other.get(key)}")
    print(f"{len({*one, *other}) - len(different)} the same, {len(different)} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
