"""What a test is about where no engine had the time to say so."""

from __future__ import annotations

import pytest

from crashwright.engine.subject.api.callee import Callee, CalleeKind
from crashwright.engine.testcase import statements as st
from crashwright.engine.testcase.testcase import TestCase
from crashwright.finishing.suite.draft import subject_of

SHELF = Callee("shop.shelves", "Shelf", CalleeKind.CLASS)
TAKE = Callee("shop.shelves", "Shelf.take", CalleeKind.METHOD)
PRICE = Callee("shop", "price", CalleeKind.FUNCTION)
JOIN = Callee("os.path", "join", CalleeKind.FUNCTION)


def called(*callees: Callee) -> TestCase:
    none = st.Arguments(())
    return TestCase(
        tuple(
            st.MethodCall(number, 0, one.name, none, one) if one.kind is CalleeKind.METHOD else st.Call(number, one, none)
            for number, one in enumerate(callees)
        )
    )


@pytest.mark.parametrize(
    ("callees", "subject"),
    [
        ((SHELF, TAKE), "Shelf.take"),
        ((SHELF,), "Shelf"),
        ((SHELF, TAKE, PRICE, JOIN), "Shelf.take"),
        ((PRICE, JOIN), "price"),
        ((JOIN,), "join"),
        ((), ""),
    ],
)
def test_the_last_callable_of_the_module_is_the_subject_else_of_its_package_else_any(
    callees: tuple[Callee, ...], subject: str
) -> None:
    assert subject_of(called(*callees), "shop.shelves") == subject
