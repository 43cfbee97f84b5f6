"""Runs of a module as they are written: by ``runpy``, or by an import; what may end the process under what lets the test go on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.printing.expressions import call
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.layout import Doc
from crashwright.engine.testcase.printing.literals import quoted


def is_program(statement: st.RunModule, before: Sequence[object]) -> bool:
    """Whether it is run as one: as a script, or in a process that was given arguments."""
    return statement.as_main or any(isinstance(one, st.Ambient) and one.place == "argv" for one in before)


def going_on(imports: Imports) -> str:
    """The line above what may end the process."""
    return f"with {imports.text('contextlib', 'suppress')}(SystemExit):"


def run_of(statement: st.RunModule, imports: Imports) -> Doc | None:
    """The call that runs a script; None where the module is imported."""
    if statement.path is None and not statement.as_main:
        return None
    run, what = ("run_module", statement.module) if statement.path is None else ("run_path", statement.path)
    return call(imports.text("runpy", run), Doc(quoted(what)), Doc('run_name="__main__"'))


def import_of(statement: st.RunModule, imports: Imports, name: str, other: Callable[[], str]) -> str:
    """The line that imports it, by its ``name`` in the test if it has one. A bare import binds a local name, which must not hide
    one that the test imports: then it has the ``other`` name."""
    hides = statement.module.partition(".")[0] in imports.names
    name = other() if hides and not name else name
    return f"import {statement.module} as {name}" if name else f"import {statement.module}"
