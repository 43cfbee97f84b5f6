"""Printed files, word for word, and as the formatters would leave them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from crashwright.core.location import CodeKey
from crashwright.core.preparation import Preparation, SetUpPart
from crashwright.core.target import CrashTarget, TargetFrame
from crashwright.crash.frameworks.django import DjangoSetUp
from crashwright.crash.frameworks.flask import FlaskSetUp
from crashwright.engine.testcase.printing.printing import PrintedTest
from crashwright.finishing.crash.header import Header
from crashwright.finishing.crash.legality import legality
from crashwright.finishing.crash.pytest_file import CrashPoint, pytest_file
from crashwright.finishing.running.agreement import Agreement

TARGET = CrashTarget(
    "inventory",
    "IndexError",
    "list index out of range",
    (
        TargetFrame(CodeKey("inventory.api", "Inventory.reserve", 1), "/x/inventory/api.py", 12, "", None, True),
        TargetFrame(CodeKey("inventory.stock", "Shelf._locate", 1), "/x/inventory/stock.py", 88, "", None, True),
    ),
)
PLAIN = PrintedTest(
    ("import json", "from inventory import Inventory"),
    ("inventory = Inventory(shelves=1)", "inventory.clear(0)", 'inventory.reserve("bolt")'),
)
WITH = PrintedTest(
    ("from inventory import Shelf",), ("with Shelf(1) as shelf:", "    shelf.put(1)", "    shelf.reserve(2)"), ("tmp_path",)
)
ASYNC = PrintedTest(("from inventory import Inventory",), ("inventory = Inventory()", "await inventory.reserve(1)"), (), True)
NOTHING = PrintedTest((), ("[].pop()",))
POINT = CrashPoint("IndexError", "builtins", "list index out of range")


def text(printed: PrintedTest, form: str, point: CrashPoint = POINT, found: Agreement | None = None) -> str:
    header = Header(TARGET, found or Agreement(4, 2, 2), form, "crashwright reproduce crash.txt --seed 1")
    return pytest_file(printed, header, "test_reserve_raises_index_error", point).text


def test_default_form() -> None:
    assert text(PLAIN, "fail") == (
        '"""IndexError in inventory/stock.py:88 (Shelf._locate), reached from Inventory.reserve.\n'
        "\n"
        "Both frames and the message of the report. Red until the bug is fixed.\n"
        "crashwright reproduce crash.txt --seed 1\n"
        '"""\n'
        "\n"
        "import json\n"
        "\n"
        "from inventory import Inventory\n"
        "\n"
        "\n"
        "def test_reserve_raises_index_error():\n"
        "    inventory = Inventory(shelves=1)\n"
        "    inventory.clear(0)\n"
        '    inventory.reserve("bolt")  # IndexError: list index out of range\n'
    )


def test_raises_covers_the_crashing_statement_only() -> None:
    assert text(PLAIN, "raises").endswith(
        "    inventory.clear(0)\n"
        '    with pytest.raises(IndexError, match="list index out of range"):\n'
        '        inventory.reserve("bolt")\n'
    )


def test_xfail_is_strict() -> None:
    point = CrashPoint("StockError", "inventory.errors", "")
    printed = text(WITH, "xfail", point)
    assert "import pytest\nfrom inventory import Shelf\nfrom inventory.errors import StockError\n" in printed
    assert "@pytest.mark.xfail(strict=True, raises=StockError)\ndef test_reserve_raises_index_error(tmp_path):\n" in printed


def test_class_that_cannot_be_imported_is_caught_as_exception() -> None:
    assert "pytest.raises(Exception" in text(PLAIN, "raises", CrashPoint("make.<locals>.Odd", "inventory", "x"))


def test_async_test_runs_itself() -> None:
    assert text(ASYNC, "fail").endswith(
        "def test_reserve_raises_index_error():\n"
        "    async def scenario():\n"
        "        inventory = Inventory()\n"
        "        await inventory.reserve(1)  # IndexError: list index out of range\n"
        "\n"
        "    asyncio.run(scenario())\n"
    )


@pytest.mark.parametrize(
    ("printed", "slept", "opening"),
    [
        (WITH, 2.0, "(tmp_path):\n    with Shelf"),
        (WITH, 3600.0, '(tmp_path, monkeypatch):\n    monkeypatch.setattr("time.sleep", lambda seconds: None)  # 3,600 seconds\n'),
        (
            ASYNC,
            90.0,
            "(monkeypatch):\n    sleep = asyncio.sleep  # the test sleeps for 90 seconds\n"
            '    monkeypatch.setattr("asyncio.sleep", lambda delay, result=None: sleep(0, result))\n    async def scenario',
        ),
    ],
)
def test_a_long_sleep_is_patched_in_the_standard_library(printed: PrintedTest, slept: float, opening: str) -> None:
    header = Header(TARGET, Agreement(4, 2, 2), "fail", "crashwright reproduce crash.txt")
    file = pytest_file(printed, header, "test_it", POINT, slept)
    assert f"def test_it{opening}" in file.text
    assert file.text.splitlines()[file.body_line - 1].strip() == printed.body[0]
    assert legality(file.text, TARGET).text == "legal"


def test_known_line_decides_where_the_comment_goes() -> None:
    assert "    inventory.clear(0)  # IndexError: list" in text(
        PLAIN, "fail", CrashPoint("IndexError", "builtins", "list index", 1)
    )


def test_partial_is_marked() -> None:
    assert "\nPARTIAL, not the crash of the report: nothing is raised.\n" in text(PLAIN, "fail", found=Agreement(1, 1, 2))


@pytest.mark.parametrize("form", ["fail", "raises", "xfail"])
def test_lines_of_the_crashing_statement_are_told(form: str) -> None:
    for printed, last in ((PLAIN, 'inventory.reserve("bolt")'), (WITH, "shelf.reserve(2)"), (ASYNC, "await inventory.reserve(1)")):
        header = Header(TARGET, Agreement(4, 2, 2), form, "crashwright")
        for message in ("short", "long " * 20):
            file = pytest_file(printed, header, "test_x", CrashPoint("IndexError", "builtins", message))
            assert file.statement[0] == file.statement[1]
            assert file.text.splitlines()[file.statement[0] - 1].strip().startswith(last)


def test_formatters_agree(tmp_path: Path) -> None:
    messages = ["", "list index out of range", "x" * 300, 'it\'s "both" \\ and\nmore', '"quoted"', "'1000'", "\x00\x1b"]
    for number, message in enumerate(messages):
        for printed, name in ((PLAIN, "plain"), (WITH, "with"), (ASYNC, "async"), (NOTHING, "nothing")):
            for form in ("fail", "raises", "xfail"):
                source = text(printed, form, CrashPoint("IndexError", "builtins", message))
                compile(source, "test.py", "exec")
                (tmp_path / f"test_{name}_{form}_{number}.py").write_text(source)
    checks: list[list[str]] = [["black", "--check", "-q"], ["ruff", "format", "--check", "--isolated", "--line-length", "88"]]
    for check in checks:
        done = subprocess.run([sys.executable, "-m", *check, str(tmp_path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


STATEMENTS = (
    "def test_x():\n    inventory = Inventory(shelves=1)\n    inventory.clear(0)\n"
    '    inventory.reserve("bolt")  # IndexError: list index out of range\n'
)


def test_what_is_set_up_first() -> None:
    header = Header(TARGET, Agreement(4, 2, 2), "fail", "crashwright reproduce crash.txt --seed 1")
    preparation = Preparation(DjangoSetUp().at("conf.settings"), "shop.testing:begin")
    made = pytest_file(PLAIN, header, "test_x", POINT, preparation=preparation)
    text = made.text.partition('"""\n\n')[2]
    assert text == (
        "import os\n\nimport django\n\n"
        'os.environ.setdefault("DJANGO_SETTINGS_MODULE", "conf.settings")\n'
        "django.setup()\n\n"
        "import json  # noqa: E402\n\nimport pytest  # noqa: E402\nimport shop.testing  # noqa: E402\n"
        "from inventory import Inventory  # noqa: E402\n\n\n"
        "@pytest.fixture(autouse=True)\ndef set_up():\n    shop.testing.begin()\n\n\n" + STATEMENTS
    )
    assert made.text.splitlines()[made.statement[0] - 1].startswith('    inventory.reserve("bolt")')


def test_a_request_context_is_entered_first() -> None:
    header = Header(TARGET, Agreement(4, 2, 2), "fail", "crashwright reproduce crash.txt --seed 1")
    preparation = Preparation(FlaskSetUp().at("shop.web:create_app()"), "shop.testing:begin")
    text = pytest_file(PLAIN, header, "test_x", POINT, preparation=preparation).text.partition('"""\n\n')[2]
    assert text == (
        "import json\n\nimport pytest\nimport shop.testing\nimport shop.web\nfrom inventory import Inventory\n\n\n"
        "@pytest.fixture(autouse=True)\ndef request_context():\n"
        "    with shop.web.create_app().test_request_context():\n        yield\n\n\n"
        "@pytest.fixture(autouse=True)\ndef set_up():\n    shop.testing.begin()\n\n\n" + STATEMENTS
    )


def test_a_database_is_set_up_for_what_stores_or_asks() -> None:
    header = Header(TARGET, Agreement(4, 2, 2), "fail", "crashwright reproduce crash.txt --seed 1")
    preparation = Preparation(DjangoSetUp().at("conf.settings", SetUpPart.DATABASE))
    storing = PLAIN._replace(body=("Shelf.objects.create()", *PLAIN.body[1:]))
    text = pytest_file(storing, header, "test_x", POINT, preparation=preparation).text
    assert "from django.test.utils import setup_databases, teardown_databases  # noqa: E402\n" in text
    assert "import pytest  # noqa: E402\n" in text
    fixture = "@pytest.fixture(autouse=True)\ndef database():\n    before = setup_databases(verbosity=0, interactive=False)\n"
    assert f"{fixture}    yield\n    teardown_databases(before, verbosity=0)\n\n\ndef test_x():" in text
    assert "databases" not in pytest_file(PLAIN, header, "test_x", POINT, preparation=preparation).text
    marked = Preparation(DjangoSetUp().at("conf.settings", SetUpPart.DATABASE, SetUpPart.MARK))
    text = pytest_file(storing, header, "test_x", POINT, preparation=marked).text
    assert "\n\n\n@pytest.mark.django_db\ndef test_x():" in text
    assert "import pytest  # noqa: E402\n" in text
    assert "databases" not in text
