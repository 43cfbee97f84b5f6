"""What candidates that nearly reproduce a crash are worth: printed tests are damaged, and given back as candidates.

usage: damaged_candidates.py PACK TESTS VENVS --out FILE [--crashes N] [--seconds 20] [--python CRASHWRIGHT_PYTHON] [--offset N]

PACK holds a folder with traceback.txt for each crash, TESTS printed tests of crashes that are reproduced (ID-SEED-*.py), VENVS
their environments. Each test is damaged in four ways: a statement is dropped (an argument, where there is but one), a literal
changed, a call misspelt, a class definition added. Each damaged test is given to ``reproduce --candidate`` for so many seconds; so
is none, to compare with. One line of JSON a run.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

Damage = Callable[[ast.Module, random.Random], bool]
_EXTRA = "class Unneeded:\n    size = 3\n\n    def measure(self):\n        return self.size\n"


def dropped(tree: ast.Module, rng: random.Random) -> bool:
    """A statement of the test, or above it, is gone; where there is but one, an argument of it."""
    test = _test(tree)
    lines = [(test.body, line) for line in test.body[:-1] if not isinstance(line, ast.Pass)]
    lines += [(tree.body, line) for line in tree.body if isinstance(line, ast.ClassDef | ast.FunctionDef) and line is not test]
    if lines:
        body, line = rng.choice(lines)
        body.remove(line)
        return True
    calls = [node for node in ast.walk(test) if isinstance(node, ast.Call) and (node.args or node.keywords)]
    if not calls:
        return False
    call = rng.choice(calls)
    arguments: list[ast.AST] = [*call.args, *call.keywords]
    gone = rng.choice(arguments)
    call.args = [one for one in call.args if one is not gone]
    call.keywords = [one for one in call.keywords if one is not gone]
    return True


def changed(tree: ast.Module, rng: random.Random) -> bool:
    """One literal is another one."""
    literals = [node for node in ast.walk(_test(tree)) if isinstance(node, ast.Constant) and not _is_docstring(node, tree)]
    if not literals:
        return False
    node = rng.choice(literals)
    node.value = _other(node.value, rng)
    return True


def misspelt(tree: ast.Module, rng: random.Random) -> bool:
    """Two letters of a called name have changed places, everywhere but where it is imported."""
    called = [node.func for node in ast.walk(_test(tree)) if isinstance(node, ast.Call)]
    names = [node for node in called if len(_name(node)) > 3]
    if not names:
        return False
    node = rng.choice(names)
    name = _name(node)
    place = rng.randrange(1, len(name) - 1)
    wrong = name[:place] + name[place + 1] + name[place] + name[place + 2 :]
    wrong = wrong if wrong != name else name[:place] + name[place + 1 :]
    if isinstance(node, ast.Attribute):
        node.attr = wrong
    elif isinstance(node, ast.Name):
        node.id = wrong
    return True


def added(tree: ast.Module, _rng: random.Random) -> bool:
    """A class that nobody needs is defined, and made."""
    test = _test(tree)
    tree.body.insert(tree.body.index(test), ast.parse(_EXTRA).body[0])
    test.body.insert(0, ast.parse("unneeded = Unneeded()").body[0])
    return True


DAMAGES: dict[str, Damage] = {"dropped": dropped, "changed": changed, "misspelt": misspelt, "added": added}


def _test(tree: ast.Module) -> ast.FunctionDef | ast.AsyncFunctionDef:
    found = (one for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name.startswith("test"))
    return next(found)


def _is_docstring(node: ast.Constant, tree: ast.Module) -> bool:
    return any(isinstance(one, ast.Expr) and one.value is node for one in ast.walk(tree))


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _other(value: object, rng: random.Random) -> str | bytes | int | float | None:
    if isinstance(value, bool) or value is None:
        return 1
    if isinstance(value, int | float):
        return value + rng.choice((-1, 1, 7))
    if isinstance(value, str) and value:
        place = rng.randrange(len(value))
        return value[:place] + rng.choice(("", "x")) + value[place + 1 :]
    return b"x" if isinstance(value, bytes) else "x"


def damaged(text: str, seed: int) -> Iterator[tuple[str, str]]:
    """The ways in which a test can be damaged, with what it then is."""
    for name, damage in DAMAGES.items():
        tree = ast.parse(text)
        if damage(tree, random.Random(f"{seed}-{name}")):
            yield name, ast.unparse(ast.fix_missing_locations(tree))


def run(report: Path, python: Path, candidate: str | None, seconds: float, own: str) -> dict[str, object]:
    """One run of ``reproduce``; exit code, level, origin, tests."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["reproduce", str(report), "--python", str(python), "--budget", f"{seconds:g}", "--no-cache", "--json"]
        if candidate is not None:
            file = Path(folder) / "candidate.txt"
            file.write_text(candidate, encoding="utf-8")
            words += ["--candidate", str(file)]
        done = subprocess.run([own, "-m", "crashwright", *words], cwd=folder, capture_output=True, text=True, check=False)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        return {"exit_code": done.returncode, "error": done.stderr[-300:]}
    test = result.get("test") or {}
    tried = [one["level"] for one in result.get("candidates", ())]
    facts = {
        "exit_code": done.returncode,
        "level": test.get("level", 0),
        "origin": test.get("origin", ""),
        "as_it_is": max(tried, default=0),
    }
    return {**facts, "evaluations": result.get("evaluations", 0), "seconds": result.get("timing", {}).get("total", 0.0)}


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser()
    for name in ("pack", "tests", "venvs"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--crashes", type=int, default=40)
    parser.add_argument("--offset", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--python", default=sys.executable)
    chosen = parser.parse_args()
    tests = {file.name.rsplit("-", 2)[0]: file for file in sorted(chosen.tests.glob("*-test_crash.py"))}
    known = [one for one in tests if "PARTIAL" not in tests[one].read_text(encoding="utf-8")]
    restored: Counter[str] = Counter()
    runs: Counter[str] = Counter()
    with chosen.out.open("a", encoding="utf-8") as out:
        for crash in known[chosen.offset : chosen.offset + chosen.crashes]:
            report, python = chosen.pack / crash / "traceback.txt", chosen.venvs / crash / "bin" / "python"
            text = tests[crash].read_text(encoding="utf-8")
            for name, candidate in (("none", None), *damaged(text, 1)):
                found = run(report, python, candidate, chosen.seconds, chosen.python)
                runs[name] += 1
                restored[name] += found["exit_code"] == 0
                print(json.dumps({"crash": crash, "damage": name, **found}), file=out, flush=True)
    for name, count in runs.items():
        print(f"{name:10} {restored[name]} of {count}")


if __name__ == "__main__":
    main()
