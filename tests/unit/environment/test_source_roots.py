"""Reports of other machines, and where the code of a project lies."""

from pathlib import Path

import pytest

from crashwright.crash.examine import ExaminedReport, examine
from crashwright.crash.readers.registry import read_reports
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.source_roots import project_root, source_roots

INVOICE = "from orders.money import total\n\n\ndef invoice(lines):\n    return total(lines)[0]\n"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = ["code"]'),
        ("pyproject.toml", '[tool.pytest.ini_options]\npythonpath = "code more"'),
        ("pyproject.toml", '[tool.setuptools]\npackage-dir = {"" = "code"}'),
        ("pyproject.toml", '[tool.setuptools.packages.find]\nwhere = ["code"]'),
        ("pyproject.toml", '[tool.hatch.build.targets.wheel]\npackages = ["code/orders"]'),
        ("pyproject.toml", '[tool.poetry]\npackages = [{include = "orders", from = "code"}]'),
        ("pytest.ini", "[pytest]\npythonpath = code"),
        ("tox.ini", "[pytest]\npythonpath = code"),
        ("setup.cfg", "[tool:pytest]\npythonpath = code"),
        ("setup.cfg", "[options]\npackage_dir =\n    = code"),
        ("setup.cfg", "[options.packages.find]\nwhere = code"),
    ],
)
def test_settings_name_the_roots(tmp_path: Path, file: str, text: str) -> None:
    (tmp_path / "code" / "orders").mkdir(parents=True)
    (tmp_path / file).write_text(text)
    assert source_roots(tmp_path / "code" / "orders") == (
        str(tmp_path / "code"),
        str(tmp_path),
        str(tmp_path / "code" / "orders"),
    )


def test_usual_folders_and_broken_settings(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.pytest")
    (tmp_path / "setup.cfg").write_text("not an ini file")
    assert source_roots(tmp_path) == (str(tmp_path / "src"), str(tmp_path))
    assert project_root(tmp_path / "src") == tmp_path


def write(root: Path, *files: str, text: str = INVOICE) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text if file.endswith("invoice.py") else "")


def examined(root: Path, path: str, function: str = "invoice", source: str = "return total(lines)[0]") -> ExaminedReport:
    text = f'Traceback (most recent call last):\n  File "{path}", line 5, in {function}\n    {source}\nIndexError: no lines\n'
    found = Interpreter("python", (3, 11, 7), (), (), True, str(root))
    return examine(read_reports(text)[-1], found)


@pytest.mark.parametrize(
    "path", ["/app/orders/invoice.py", "C:\\work\\Orders\\invoice.py", "/srv/venv/site-packages/orders/invoice.py"]
)
@pytest.mark.parametrize("folder", ["", "src/", "services/billing/", "services/billing/src/"])
@pytest.mark.parametrize("package", [True, False])
def test_paths_of_other_machines_are_looked_for_in_the_project(tmp_path: Path, path: str, folder: str, package: bool) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    write(tmp_path, f"{folder}orders/invoice.py", f"{folder}orders/money.py", *([f"{folder}orders/__init__.py"] if package else []))
    if folder.startswith("services") and "site-packages" in path:
        found = examined(tmp_path, path)
        assert found.problem is not None
        assert "pip install" not in found.problem.advice
        return
    found = examined(tmp_path, path)
    assert found.target is not None, found.problem
    assert found.target.crash_frame.key.module == "orders.invoice"
    assert found.extra_path == (str(tmp_path / folder).rstrip("/"),)


def test_a_namesake_is_told_by_its_lines(tmp_path: Path) -> None:
    write(tmp_path, "src/orders/invoice.py", "src/orders/money.py")
    write(tmp_path, "old/orders/invoice.py", text="def invoice(lines):\n    return lines\n")
    found = examined(tmp_path, "/app/orders/invoice.py")
    assert found.target is not None
    assert found.target.crash_frame.path == str(tmp_path / "src/orders/invoice.py")


def test_ambiguity_is_named(tmp_path: Path) -> None:
    write(tmp_path, "one/orders/invoice.py", "two/orders/invoice.py")
    found = examined(tmp_path, "/app/orders/invoice.py")
    assert found.target is None
    assert "one/orders/invoice.py" in found.frames[0].reason
    assert "two/orders/invoice.py" in found.frames[0].reason
    assert "--path" in found.frames[0].reason


def test_what_is_installed_into_the_project_is_not_looked_at(tmp_path: Path) -> None:
    write(tmp_path, ".venv/orders/invoice.py", "env/orders/invoice.py", "env/pyvenv.cfg", "node_modules/orders/invoice.py")
    assert examined(tmp_path, "/app/orders/invoice.py").target is None


def test_folders_that_the_file_imports_from_come_along(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = shared")
    write(tmp_path, "services/invoice.py", "shared/orders/money.py")
    found = examined(tmp_path, "/app/invoice.py")
    assert found.extra_path == (str(tmp_path / "services"), str(tmp_path / "shared"))
