"""With installed libraries alone in a report the one is blamed that was called, not the one that it crashed in."""

from __future__ import annotations

from pathlib import Path

import pytest

from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.readers.registry import read_reports
from crashwright.environment.interpreter import Interpreter

FILES = {
    "client/__init__.py": "def fetch(url):\n    return go(url)\n\ndef go(url):\n    return pool.get(url)\n",
    "client-1.0.dist-info/METADATA": "Name: client\nRequires-Dist: Pool_Ware (>=2) ; extra == 'all'\n",
    "client-1.0.dist-info/RECORD": "client/__init__.py,,\n",
    "pool/__init__.py": "def get(url):\n    return url[0]\n",
    "pool_ware-2.1.dist-info/METADATA": "Name: pool-ware\n",
    "pool_ware-2.1.dist-info/RECORD": "pool/__init__.py,,\npoolcore.py,,\n",
    "poolcore.py": "def first(url):\n    return url[0]\n",
    "frame/__init__.py": "def run(main):\n    return main()\n",
    "loose.py": "def use(url):\n    import client\n    return client.fetch(url)\n",
}
CALLED = ("client/__init__.py:2:fetch", "client/__init__.py:5:go")
MAIN = "/home/app/main.py:3:<module>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for file, text in FILES.items():
        (tmp_path / "site-packages" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site-packages" / file).write_text(text)
    return tmp_path / "site-packages"


def examined(site: Path, *frames: str, package: str | None = None) -> ExaminedReport:
    text = "Traceback (most recent call last):\n"
    for frame in frames:
        file, line, function = frame.split(":")
        path = file if file.startswith(("/", "<")) else f"/home/app/venv/lib/python3.11/site-packages/{file}"
        known = site / file
        source = known.read_text().splitlines()[int(line) - 1].strip() if known.is_file() else "work()"
        text += f'  File "{path}", line {line}, in {function}\n    {source}\n'
    interpreter = Interpreter("python", (3, 11, 7), (str(site),), (), True)
    return examine(read_reports(text + "IndexError: list index out of range\n")[-1], interpreter, package)


def blamed(found: ExaminedReport) -> tuple[str, list[str]]:
    assert found.target is not None, found.problem
    return found.target.package, [f"{one.key.module}:{one.key.qualname}" for one in found.target.package_frames]


def test_a_library_that_requires_the_one_that_it_crashed_in(site: Path) -> None:
    found = examined(site, MAIN, *CALLED, "pool/__init__.py:2:get")
    assert blamed(found) == ("client", ["client:fetch", "client:go", "pool:get"])
    assert found.why_package == "it was called, and led to the crash in pool, which it needs"


def test_a_library_that_imports_the_one_that_it_crashed_in(site: Path) -> None:
    assert blamed(examined(site, MAIN, "loose.py:3:use", *CALLED))[0] == "loose"


def test_two_packages_of_one_distribution_are_one_library(site: Path) -> None:
    assert blamed(examined(site, MAIN, "pool/__init__.py:2:get", "poolcore.py:2:first"))[0] == "pool"


def test_a_framework_that_calls_back_was_not_called_for_this(site: Path) -> None:
    found = examined(site, MAIN, "frame/__init__.py:2:run", *CALLED, "pool/__init__.py:2:get")
    assert blamed(found)[0] == "client"


def test_a_frame_of_the_users_ends_the_way_out(site: Path) -> None:
    found = examined(site, MAIN, "loose.py:3:use", "/home/app/jobs.py:9:nightly", *CALLED, "pool/__init__.py:2:get")
    assert blamed(found)[0] == "client"
    found = examined(site, "client/__init__.py:2:fetch", "<stdin>:1:<module>", "pool/__init__.py:2:get")
    assert blamed(found)[0] == "pool"


def test_the_user_has_the_last_word(site: Path) -> None:
    found = examined(site, MAIN, *CALLED, "pool/__init__.py:2:get", package="pool")
    assert blamed(found) == ("pool", ["pool:get"])
