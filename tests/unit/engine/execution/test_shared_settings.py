"""What tests set on objects that modules hold does not stay."""

from __future__ import annotations

from crashwright.engine.execution.executor import Executor
from crashwright.engine.execution.shared_settings import SharedSettings
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.statements import Named
from crashwright.engine.testcase.testcase import TestCase


class OfALibrary:
    """Its module says so."""

    __module__ = "library"
    client: object = None


def state_after(module: str) -> dict[str, object]:
    application = OfALibrary()
    vars(application)["name"] = "web"
    statements = (
        st.Reference(0, Named(module, "app", application)),
        st.Literal(1, "x"),
        st.SetAttribute(0, "client", 1),
        st.SetAttribute(0, "name", 1),
        st.DeleteAttribute(0, "name"),
    )
    shared = SharedSettings(statements)
    assert Executor().run(TestCase(statements)).error is None
    assert vars(application) == {"client": "x"}
    shared.put_back()
    return vars(application)


def test_what_is_set_on_an_object_of_a_library_is_put_back() -> None:
    assert state_after("shop") == {"name": "web"}


def test_what_is_set_on_an_object_of_the_package_is_the_business_of_others() -> None:
    assert state_after("library.parts") == {"client": "x"}
