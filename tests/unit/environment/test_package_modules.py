"""Modules, packages and files are found where the interpreter would import them from, and nothing is imported."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from crashwright.core.errors import EnvironmentProblem, UsageError
from crashwright.environment.interpreter import Interpreter
from crashwright.environment.package_modules import SubjectModules, find_subject

SOURCE = "def work(items):\n    for item in items:\n        print(item)\n\n\nclass Box:\n    def open(self):\n        return 1\n"
IMPORTED = "raise SystemExit('imported')\n"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of ``sys.path`` with a package, a compiled module, a namespace package and a single module."""
    folder = tmp_path / "site"
    for name, text in {
        "shop/__init__.py": IMPORTED,
        "shop/stock.py": SOURCE + IMPORTED,
        "shop/orders/__init__.py": "def order():\n    return 1\n",
        "shop/orders/lines.py": SOURCE,
        "shop/constants.py": "LIMIT = 3\n",
        "shop/__main__.py": SOURCE,
        "shop/test_stock.py": SOURCE,
        "shop/tests/__init__.py": SOURCE,
        "shop/fast.cpython-311-x86_64-linux-gnu.so": "",
        "spread/inner/deep.py": SOURCE,
        "single.py": SOURCE,
        "bare.pyc": "",
        "broken.py": "def work(:\n",
        "empty.py": "",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


def find(name: str, site: Path, here: Path) -> SubjectModules:
    return find_subject(name, Interpreter(sys.executable, sys.version_info[:3], (str(site),), (), True), here)


def test_module_with_its_names_and_its_size(site: Path, here: Path) -> None:
    [module] = find("shop.stock", site, here).modules
    assert (module.name, module.file) == ("shop.stock", str(site / "shop" / "stock.py"))
    assert module.names == ("work", "Box", "Box.open")
    assert module.weight == 1 + 5  # two definitions, a loop, a call, a return


def test_package_is_all_its_modules_but_tests_and_programs(site: Path, here: Path) -> None:
    subject = find("shop", site, here)
    assert subject.is_package
    assert [module.name for module in subject.modules] == ["shop.constants", "shop.orders", "shop.orders.lines", "shop.stock"]
    assert [module.has_callables for module in subject.modules] == [False, True, True, True]
    assert subject.notes == ("shop.fast is compiled: skipped",)


def test_file_is_its_module_also_that_of_a_package_itself(site: Path, here: Path) -> None:
    for file, name in {
        site / "shop" / "stock.py": "shop.stock",
        site / "shop" / "orders" / "__init__.py": "shop.orders",
        site / "spread" / "inner" / "deep.py": "spread.inner.deep",
    }.items():
        subject = find(str(file), site, here)
        assert ([module.name for module in subject.modules], subject.is_package, subject.extra_path) == ([name], False, ())
    assert find(str(site / "shop"), site, here).is_package


def test_file_elsewhere_brings_its_folder(site: Path, here: Path) -> None:
    (here / "pack").mkdir()
    (here / "pack" / "__init__.py").touch()
    (here / "pack" / "tool.py").write_text(SOURCE)
    subject = find("pack/tool.py", site, here)
    assert (subject.name, subject.extra_path) == ("pack.tool", (str(here),))


def test_module_of_the_project_around_is_found(site: Path, here: Path) -> None:
    (here / "pyproject.toml").touch()
    (here / "src").mkdir()
    (here / "src" / "mine.py").write_text(SOURCE)
    (here / "loose.py").write_text(SOURCE)
    assert find("mine", site, here).extra_path == (str(here / "src"),)
    assert find("loose", site, here).extra_path == (str(here),)
    assert find("single", site, here).extra_path == ()


def test_namespace_package_is_its_packages(site: Path, here: Path) -> None:
    assert [module.name for module in find("spread.inner", site, here).modules] == ["spread.inner.deep"]


@pytest.mark.parametrize(
    ("name", "message", "advice"),
    [
        ("shop.stok", "no module stok in shop", "Did you mean shop.stock?"),
        ("shpo.stock", "no module shpo", "Did you mean shop.stock?"),
        ("nowhere_at_all", "no module nowhere_at_all", "--python"),
        ("shop.fast", "compiled extension", "source"),
        ("sys", "built into the interpreter", "source"),
        ("bare", "without its source", "source"),
        ("shop.stock.work", "is a module, not a package", "--target work"),
        ("none.py", "no file none.py", "package.module"),
    ],
)
def test_what_cannot_be_searched_is_said_clearly(name: str, message: str, advice: str, site: Path, here: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=message) as caught:
        find(name, site, here)
    assert advice in caught.value.advice


@pytest.mark.parametrize("name", ["", "a-b", "shop.", "..", "shop stock"])
def test_what_is_no_name_at_all(name: str, site: Path, here: Path) -> None:
    with pytest.raises(UsageError):
        find(name, site, here)


def test_source_that_our_own_python_cannot_parse_is_for_the_other_one_to_judge(site: Path, here: Path) -> None:
    [module] = find("broken", site, here).modules
    assert module.names is None
    assert module.has_callables


def test_empty_module_has_no_callables(site: Path, here: Path) -> None:
    assert not find("empty", site, here).modules[0].has_callables
