"""The commands of the README as they stand, in a folder as a user has it: a package in ``src``, a report, a ``.venv``, and a branch
``main`` on which the crash is mended."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from command import PROGRAM
from patience import HANG

README = Path(__file__).parents[2] / "README.md"
SOURCE = """
class Shelf:
    def __init__(self, slots):
        self.slots = slots

    def take(self, number):
        return self.slots[number]


class Parser:
    def parse(self, text):
        return text.split(",") if text else []
"""
REPORT = """Traceback (most recent call last):
  File "/srv/app.py", line 5, in <module>
    Shelf([]).take(3)
  File "/srv/inventory/__init__.py", line 6, in take
    return self.slots[number]
           ~~~~~~~~~~^^^^^^^^
IndexError: list index out of range
"""
TEST = "from inventory import Shelf\n\n\ndef test_it():\n    Shelf([]).take(3)\n"


def commands(word: str) -> list[str]:
    """The lines of the README's code blocks that call the command, without those whose budget is minutes."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line.partition("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith(f"crashwright {word}") and "--budget" not in line and "examples/" not in line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    (root / "src" / "package").mkdir(parents=True)
    (root / "src" / "inventory").mkdir()
    (root / "src" / "inventory" / "__init__.py").write_text(SOURCE.lstrip())
    (root / "src" / "package" / "__init__.py").write_text("")
    (root / "src" / "package" / "module.py").write_text(SOURCE.lstrip())
    (root / "pyproject.toml").write_text("[tool.crashwright]\nbudget = 15\n[tool.crashwright.generate]\nevaluations = 300\n")
    (root / "crash.txt").write_text(REPORT)
    (root / "test_it.py").write_text(TEST)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / ".venv")], check=True)
    home = sysconfig.get_path("purelib", vars={"base": str(root / ".venv")})
    Path(home).mkdir(parents=True, exist_ok=True)
    (Path(home) / "project.pth").write_text(f"{root / 'src'}\n")
    mended_on_main(root)
    return root


def mended_on_main(root: Path) -> None:
    """A repository of ``src`` with two commits: the mended one is on ``main``, the other one is checked out."""
    subject = root / "src" / "inventory" / "__init__.py"
    git = ["git", "-C", str(root), "-c", "user.name=Somebody", "-c", "user.email=somebody@example.com"]
    subject.write_text(SOURCE.lstrip().replace("self.slots[number]", "self.slots[number] if number < len(self.slots) else None"))
    for words in (["init", "-q", "-b", "main"], ["add", "src"], ["commit", "-q", "-m", "Mended"], ["switch", "-q", "-c", "old"]):
        subprocess.run([*git, *words], check=True)
    subject.write_text(SOURCE.lstrip())
    subprocess.run([*git, "commit", "-q", "-a", "-m", "As it crashed"], check=True)


def done(line: str, folder: Path) -> tuple[int, str]:
    words = shlex.split(line)
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words[1:]], cwd=folder, capture_output=True, text=True, timeout=HANG, check=False
    )
    return run.returncode, run.stdout + run.stderr


@pytest.mark.smoke
def test_the_readme_has_them() -> None:
    assert len(commands("reproduce")) >= 3
    assert any("--python .venv/bin/python" in line for line in commands("reproduce"))
    assert any("--python .venv/bin/python" in line for line in commands("generate"))


@pytest.mark.parametrize("line", commands("reproduce crash.txt --p"))
def test_reproduce(line: str, folder: Path) -> None:
    code, said = done(line, folder)
    assert code == 0, said
    [tried] = re.findall(r"try it:  (.*)", said)
    if " -m pytest " not in tried:  # the pytest of this interpreter
        subprocess_line = tried.replace("pytest ", f"{sys.executable} -m pytest ", 1)
        assert subprocess.run(subprocess_line, shell=True, cwd=folder, capture_output=True, check=False).returncode == 1
    else:
        assert tried.startswith(".venv/bin/python -m pytest ")


@pytest.mark.smoke
@pytest.mark.parametrize("line", [*commands("explain"), *commands("doctor")])
def test_explain_and_doctor(line: str, folder: Path) -> None:
    code, said = done(line, folder)
    assert code == 0, said


@pytest.mark.smoke
@pytest.mark.parametrize("line", [f"{one} --path src" for one in commands("verify test_it.py")])
def test_verify(line: str, folder: Path) -> None:
    code, said = done(line, folder)
    assert code == 0, said


@pytest.mark.parametrize("line", [one for one in commands("generate") if "--python" in one])
def test_generate(line: str, folder: Path) -> None:
    code, said = done(line, folder)
    assert code == 0, said
    assert "test_module.py" in said
