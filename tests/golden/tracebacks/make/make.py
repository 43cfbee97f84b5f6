"""Makes the golden reports with the tools themselves: ``python make.py PYTHON311 PYTHON312 PYTHON313`` (paths of interpreters).

PYTHON312 has to have the tools (a throw-away venv with ``pip install loguru rich ipython django``). Every file is written next to
this folder as TOOL_CRASH.txt; what the readers shall make of it stands in TOOL_CRASH.json (see ``record.py``).
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = Path("/tmp/shop")  # its path stands in the reports
ALWAYS = ("chained", "noted", "recursion", "group", "syntax")
CASES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    # name: interpreter, tool, crashes
    "python311": ("3.11", "plain", (*ALWAYS, "paragraphs")),
    "python312": ("3.12", "plain", ("chained", "syntax")),
    "python313": ("3.13", "plain", (*ALWAYS, "group_in_the_middle", "indentation", "importing", "spread", "attribute_of_call")),
    "python313_coloured": ("3.13", "coloured", ("chained", "group", "syntax")),
    "python313_locals": ("3.13", "locals", ("chained", "spread")),
    "logging": ("3.13", "logging", ALWAYS),
    "json_log": ("3.11", "json", ALWAYS),
    "container_log": ("3.13", "container", ("chained", "noted", "group")),
    "loguru": ("3.12", "loguru", (*ALWAYS, "paragraphs", "bare_assertion")),
    "loguru_backtrace": ("3.12", "loguru-backtrace", ("chained", "group")),
    "loguru_terse": ("3.12", "loguru-terse", ("chained", "noted")),
    "loguru_ascii": ("3.12", "loguru", ("chained", "group")),
    "ipython": ("3.12", "ipython", ("chained", "noted", "recursion", "paragraphs")),
    "django": ("3.12", "django", ("chained", "noted", "paragraphs")),
    "rich": ("3.12", "rich", (*ALWAYS, "paragraphs", "importing")),
    "rich_locals": ("3.12", "rich-locals", ("chained", "group", "large_values")),
    "rich_narrow": ("3.12", "rich-narrow", ("chained", "group", "large_values")),
    "rich_wide": ("3.12", "rich-wide", ("chained", "large_values")),
    "rich_ascii": ("3.12", "rich-legacy", ("chained", "group", "importing")),
}


def main(interpreters: dict[str, str]) -> None:
    FOLDER.mkdir()
    try:
        for name in ("crashes.py", "report.py"):
            shutil.copy(HERE / name, FOLDER)
        shutil.copy(HERE / "broken_module.txt", FOLDER / "broken_module.py")
        for name, (python, tool, crashes) in CASES.items():
            encoding = "ascii:replace" if name.endswith("_ascii") else "utf-8"
            for crash in crashes:
                printed = subprocess.run(
                    [interpreters[python], "-B", str(FOLDER / "report.py"), tool, crash],
                    env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "1"},
                    stdout=subprocess.PIPE,
                    check=True,
                ).stdout
                (HERE.parent / f"{name}_{crash}.txt").write_bytes(printed)
    finally:
        shutil.rmtree(FOLDER)


if __name__ == "__main__":
    main(dict(zip(("3.11", "3.12", "3.13"), sys.argv[1:], strict=True)))
