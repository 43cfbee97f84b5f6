"""What an except clause catches."""

from __future__ import annotations

import pytest

from crashwright.symbolic.execution.catching import may_catch
from crashwright.symbolic.ir.nodes import Caught


@pytest.mark.parametrize(
    ("clause", "exception", "expected"),
    [
        (Caught(("KeyError",)), "KeyError", True),
        (Caught(("KeyError",)), "IndexError", False),
        (Caught(("LookupError",)), "IndexError", True),
        (Caught(("Exception",), ("KeyError",)), "KeyError", False),
        (Caught(("Exception",), ("KeyError",)), "TypeError", True),
        (Caught(), "ZeroDivisionError", True),
        (Caught(("shop.StockError",)), "StockError", True),
        (Caught(("StockError",)), "KeyError", False),
        (Caught(("_ERRORS",)), "KeyError", True),
        (Caught(("Exception",)), "StockError", True),
        (Caught(("KeyError",)), "StockError", True),
    ],
)
def test_by_the_names_of_the_classes(clause: Caught, exception: str, expected: bool) -> None:
    assert may_catch(clause, exception) is expected
