"""The lines of a printed test that set up what its calls need: of a framework (``crash.frameworks``) and a function of the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from crashwright.core.preparation import Preparation
from crashwright.crash.frameworks.table import FRAMEWORKS, row_of


def needed(preparation: Preparation, body: Iterable[str]) -> Preparation:
    """What a test with this body needs."""
    set_up = preparation.framework
    return preparation if set_up is None else replace(preparation, framework=row_of(set_up).needed(set_up, "\n".join(body)))


def with_imports(preparation: Preparation, imports: list[str]) -> list[str]:
    """The import lines, after what has to stand before them; linters are told that it has to."""
    before = _before(preparation)
    told = (f"{line}  # noqa: E402" if line.startswith(("import ", "from ")) else line for line in imports)
    return [*before, "", *told] if before else imports


def _before(preparation: Preparation) -> list[str]:
    """What has to run before the subject is imported."""
    set_up = preparation.framework
    lines = [] if set_up is None else row_of(set_up).before(set_up)
    if preparation.early:
        module, _, name = preparation.function.partition(":")
        lines += [*([""] if lines else []), f"import {module}{'  # noqa: E402' if lines else ''}", "", f"{module}.{name}()"]
    return lines


def imports(preparation: Preparation) -> list[str]:
    """What the fixtures and marks import."""
    set_up = preparation.framework
    lines = [] if set_up is None else row_of(set_up).imports(set_up)
    lines += [f"import {preparation.function.partition(':')[0]}"] if preparation.function and not preparation.early else []
    lines.sort(key=lambda line: line.startswith("from "))
    return [*lines, "import pytest"] if fixtures(preparation) or marks(preparation) else []


def fixtures(preparation: Preparation, scope: str = "function") -> list[str]:
    """The fixtures, each with the two lines that follow a function; ``scope`` is that of a database."""
    set_up = preparation.framework
    lines = [] if set_up is None else row_of(set_up).fixtures(set_up, scope)
    if preparation.function and not preparation.early:
        lines += ["@pytest.fixture(autouse=True)", "def set_up():", f"    {preparation.function.replace(':', '.')}()", "", ""]
    return lines


def marks(preparation: Preparation) -> list[str]:
    """The decorators of the test."""
    return [] if preparation.framework is None else row_of(preparation.framework).marks(preparation.framework)


def is_set_up_by(source: str) -> bool:
    """Whether a test file does itself what has to run first for a framework."""
    return any(one.is_done_by(source) for one in FRAMEWORKS)


def plugins_for(text: str) -> tuple[str, ...]:
    """The plugins of pytest that the marks in a test file need."""
    return tuple(plugin for one in FRAMEWORKS for mark, plugin in one.plugins if mark in text)
