"""A file whose name is no identifier is a module that no import statement can name."""

from __future__ import annotations

import pytest

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.printing.printing import print_test
from crashwright.engine.testcase.statements import Arguments, Call
from crashwright.engine.testcase.testcase import TestCase


@pytest.mark.parametrize("module", ["shop.migrations.0001_initial", "shop.class"])
def test_it_is_imported_by_a_function(module: str) -> None:
    printed = print_test(TestCase((Call(0, Callee(module, "forwards", CalleeKind.FUNCTION), Arguments(())),)))
    assert printed.imports == ("import importlib",)
    assert printed.body == (f'importlib.import_module("{module}").forwards()',)
