"""Types as the factory needs them: live classes with arguments, unions, literal choices. Made from annotations and from values."""

from __future__ import annotations

from typing import NamedTuple


class AnyHint(NamedTuple):
    """Nothing is known."""


class ClassHint(NamedTuple):
    """An instance of ``cls`` (``list[int]``: cls list, arguments (int,)); for ``Callable`` the cls is ``collections.abc.Callable`` and
    the arguments are the parameter hints and last the result's."""

    cls: type
    arguments: tuple[Hint, ...] = ()


class UnionHint(NamedTuple):
    """One of several; ``Optional[X]`` is the union of X and ``ClassHint(NoneType)``."""

    members: tuple[Hint, ...]


class ChoiceHint(NamedTuple):
    """One of these very values (``Literal``, enums, documented choices)."""

    values: tuple[object, ...]


class TypeHint(NamedTuple):
    """The class itself or a subclass of it (``type[X]``)."""

    cls: type


Hint = AnyHint | ClassHint | UnionHint | ChoiceHint | TypeHint
ANY = AnyHint()
NONE = ClassHint(type(None))
