"""What a test can call, and by which name: the vocabulary that tests, the API model and the printer share."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple

from crashwright.engine.subject.api.types import ANY, Hint

MOCKS = "unittest.mock"
"""The module of what tests hand over in the place of others."""


class ParameterKind(IntEnum):
    """As in ``inspect``."""

    POSITIONAL_ONLY = 0
    POSITIONAL_OR_KEYWORD = 1
    VAR_POSITIONAL = 2
    KEYWORD_ONLY = 3
    VAR_KEYWORD = 4


class Parameter(NamedTuple):
    """One parameter. ``default`` counts only where ``required`` is false. ``hint`` is what the annotation says, or else what the
    default shows, or ANY; ``declared`` where it is the annotation."""

    name: str
    kind: ParameterKind
    hint: Hint = ANY
    required: bool = True
    default: object = None
    declared: bool = False


class CalleeKind(Enum):
    """How a callee is written in a test."""

    FUNCTION = "function"
    CLASS = "class"
    STATIC = "static"
    CLASSMETHOD = "classmethod"
    METHOD = "method"
    PROPERTY = "property"


class Callee:
    """One callable of the subject (or of the standard library). Compared by identity: the API model makes each once.

    ``module`` and ``qualname`` are the *importable* address that a test uses (a re-export where that is shorter or public), not
    where the code lives. METHOD and PROPERTY are reached through a receiver of ``owner``; their ``qualname`` is ``Owner.name``.
    ``live`` is the object itself (None on the host's side, and for METHOD the plain function). ``parameters`` leave out ``self``
    and ``cls``.
    """

    __slots__ = (
        "is_async",
        "is_generator",
        "kind",
        "live",
        "module",
        "name",
        "owner",
        "parameters",
        "private",
        "qualname",
        "returns",
    )

    def __init__(
        self,
        module: str,
        qualname: str,
        kind: CalleeKind,
        parameters: tuple[Parameter, ...] = (),
        returns: Hint = ANY,
        live: object = None,
        owner: type | None = None,
        is_async: bool = False,
        is_generator: bool = False,
    ) -> None:
        self.module = module
        self.qualname = qualname
        self.kind = kind
        self.parameters = parameters
        self.returns = returns
        self.live = live
        self.owner = owner
        self.is_async = is_async
        self.is_generator = is_generator
        self.name = qualname.rpartition(".")[2]
        self.private = any(part.startswith("_") and not part.endswith("__") for part in (*module.split("."), *qualname.split(".")))

    @property
    def address(self) -> str:
        """``module:qualname``."""
        return f"{self.module}:{self.qualname}"

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.address}>"
