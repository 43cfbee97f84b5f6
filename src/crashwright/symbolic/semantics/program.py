"""What the instructions know of the program around them: modules by their source, classes, and what a call may lead to."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from crashwright.symbolic.ir.nodes import Function, Node, Operand

Types = frozenset[str]
"""Names of types, builtin ones bare (``int``, ``NoneType``), classes of the program as ``module:qualname``. Empty: nothing is
known."""


class Target(NamedTuple):
    """What a call may lead to. ``function``: None for a class without ``__init__``. ``receiver``: the class of the object that the
    method is called on, or that is made (``makes``); ``asked``: the method is looked up in the class itself. ``binds``: whether the
    first parameter is passed by the look-up: it is the receiver, or the class that ``given`` names."""

    function: Function | None
    receiver: str | None = None
    makes: bool = False
    binds: bool = False
    given: str = ""
    asked: bool = False


class Program(Protocol):
    """The source of the subject, as far as it was found."""

    def types(self, function: Function, node: Node, operand: Operand) -> Types:
        """What an operand of a node may be, from annotations, literals and flow."""

    def likely(self, function: Function, node: Node, operand: Operand) -> Types:
        """The same, by what the function does with it too: what is said so is not certain."""

    def constant(self, module: str, name: str) -> tuple[object] | None:
        """A global that is assigned once, to a constant."""

    def pattern(self, function: Function, text: str) -> str | None:
        """The regular expression that a dotted name was compiled from, where a module or a class body says it."""

    def named(self, module: str, text: str) -> str | None:
        """The class or function that a dotted name of the module stands for, as ``module:qualname``."""

    def object_named(self, module: str, name: str) -> str | None:
        """The class, function or module that a global certainly is, those of the builtins too."""

    def is_class(self, address: str) -> bool:
        """Whether an address is that of a class."""

    def having(self, attribute: str) -> tuple[str, ...]:
        """Classes of the program that have a method, property or class attribute of that name, or inherit it."""

    def fields(self, address: str) -> frozenset[str]:
        """The attributes that methods of the class, or of one above it, assign."""

    def method(self, address: str, name: str) -> Function | None:
        """The method that instances of exactly this class have by the name."""

    def form(self, address: str, name: str) -> str:
        """How a class has a method: "method", "static", "class" or "property"; "" where it has none."""

    def function(self, address: str) -> Function | None:
        """By ``module:qualname``."""

    def class_value(self, address: str, name: str) -> tuple[object] | None:
        """What a class attribute is, where it is a constant."""

    def subclasses(self, address: str) -> tuple[str, ...]:
        """The class and those below it that are known."""

    def targets(self, function: Function, node: Node) -> tuple[Target, ...]:
        """What a CALL may lead to, and reading a property; nothing where that is not known."""

    def handed(self, function: Function, node: Node) -> tuple[Function, ...]:
        """Functions that a CALL hands to what it calls."""

    def heap_written(self, function: Function) -> frozenset[str]:
        """Arrays that a function, or what it calls, may write."""
