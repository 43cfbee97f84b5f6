"""What a class of one test calls its methods is no matter to the variables of the others in the file."""

from __future__ import annotations

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase.printing.imports import Imports
from crashwright.engine.testcase.printing.printing import Setting, print_test
from crashwright.engine.testcase.statements import Arguments, Call, CallValue, Definition, MethodCall
from crashwright.engine.testcase.testcase import TestCase

PLAN = Callee("shop", "Plan", CalleeKind.CLASS)
CHECK = Callee("shop", "check", CalleeKind.FUNCTION)
SOURCE = "class My:\n    def plan(self):\n        return 1"


def test_a_variable_may_be_called_as_a_method_of_a_class_in_another_test() -> None:
    setting = Setting(imports=Imports())
    print_test(TestCase((Definition(0, SOURCE), CallValue(1, 0, Arguments()))), setting=setting)
    plan = Call(0, PLAN, Arguments())
    called = MethodCall(1, 0, "start", Arguments())
    printed = print_test(TestCase((plan, called, Call(2, CHECK, Arguments((0, 1))))), setting=setting)
    assert printed.body[0] == "plan = Plan()"


def test_no_import_hides_behind_such_a_name() -> None:
    imports = Imports()
    print_test(TestCase((Definition(0, SOURCE), CallValue(1, 0, Arguments()))), setting=Setting(imports=imports))
    assert "plan" in imports.names
    assert "plan" not in imports.bound
    assert imports.text("shop", "plan") != "plan"
