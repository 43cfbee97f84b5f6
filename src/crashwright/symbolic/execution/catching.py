"""Which exceptions an ``except`` clause catches, by the names of the classes."""

from __future__ import annotations

import builtins

from crashwright.symbolic.ir.nodes import Caught


def may_catch(caught: Caught, exception: str) -> bool:
    """Whether a clause may get an exception, by its name."""
    if any(_inherits(exception, one) for one in caught.besides):
        return False
    return not caught.types or any(_inherits(exception, one) is not False for one in caught.types)


def _inherits(exception: str, wanted: str) -> bool | None:
    """None where that is not known: of names that stand for several classes, perhaps. A class of the program's own is above no
    builtin exception."""
    last = exception.rpartition(".")[2]
    if last == wanted.rpartition(".")[2]:
        return True
    one, other = vars(builtins).get(last), vars(builtins).get(wanted)
    if not isinstance(other, type):
        name = wanted.rpartition(".")[2]
        return False if isinstance(one, type) and name[:1].isupper() and not name.isupper() else None
    return issubclass(one, other) if isinstance(one, type) else other in (Exception, BaseException) or None
