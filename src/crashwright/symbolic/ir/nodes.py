"""The instructions of a function and how they hang together.

Lowered from the syntax tree, not from bytecode: it is the same from Python 3.11 on, its blocks are structured (which pruning
needs), and every instruction keeps the source range that the caret line of a traceback shows.

Invariants (``ir.checks`` tests them):

- Numbers of nodes grow in source order; a block is a range of numbers, with the join behind it. A block that is no loop is
  entered by one edge.
- A node that is no JOIN, HEAD or HANDLER has exactly one predecessor by NORMAL; the entry has none.
- Branching happens at JOIN, HEAD, HANDLER and calls only: walking back, everything else has one way.
- Operands of other instructions than LOAD are bound: a variable that may be unbound is read by a LOAD into a temporary.
- A temporary is assigned by one instruction, or by one COPY on each way to a join; no operand's value changes between its place in
  the source and the instruction that has it.
- What an instruction may raise is its *guard*: on the normal way it did not. Within ``try`` an edge RAISED leads from each
  instruction that may raise to the handlers; who walks it back asserts that it did, with an exception of the handler's types.
- ``finally`` is written out for each way that leads through it; an exception that passes through ends in a RAISE without position.
- Comprehensions are written out where they stand, under names of their own (``x%2`` for ``x``), as loops that fill a fresh display.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from crashwright.core.location import Position


class Constant(NamedTuple):
    """None, a bool, number, text, bytes, Ellipsis, or a tuple of such."""

    value: object


class Local(NamedTuple):
    """A local variable of the function; temporaries have names that no source has (``%3``)."""

    name: str


class Cell(NamedTuple):
    """A variable of an enclosing function, or of this one that inner functions share. ``owner`` is the qualified name of the
    function that owns it."""

    name: str
    owner: str


class Global(NamedTuple):
    """A name of the module, else of the builtins."""

    name: str


Operand = Constant | Local | Cell | Global
Place = Local | Cell | Global
"""What can be assigned to."""


class Kind(Enum):
    """Instructions: ``target <- what``. Operands in brackets; what else it needs is ``detail``, of the type that stands in
    angles."""

    ENTRY = "entry"
    COPY = "copy"
    """target <- [value]; target may be any Place, that of other kinds is a Local."""
    LOAD = "load"
    """target <- [variable], which may be unbound: NameError is its guard. Python 3.11 runs some pairs of accesses to locals as one
    instruction, and then says the place of the first for the second (in the line before, perhaps): the message has the name."""
    DELETE = "delete"
    """A variable: the target is unbound afterwards."""
    ASSUME = "assume"
    """The truth of [value] is <bool>."""
    ATTRIBUTE, SET_ATTRIBUTE, DELETE_ATTRIBUTE = "attribute", "set attribute", "delete attribute"
    """target <- [object].<str>; [object, value]; [object]. Private names are mangled."""
    METHOD = "method"
    """The look-up in ``object.name(...)``: a guard alone, [object] <str>; the CALL looks it up again, without its guard."""
    INDEX, SET_INDEX, DELETE_INDEX = "index", "set index", "delete index"
    """target <- [object, key]; [object, key, value]; [object, key]."""
    SLICE, SET_SLICE, DELETE_SLICE = "slice", "set slice", "delete slice"
    """target <- [object, start, stop, step]; [object, start, stop, step, value]; absent bounds are Constant(None)."""
    CALL = "call"
    """target <- <Call>: callee and arguments; [all argument operands, the receiver of a method first]. What a comprehension adds to
    its display is a call of ``append`` or ``add`` without METHOD, or a SET_INDEX."""
    UNARY = "unary"
    """target <- <str: - + ~ not> [value]."""
    BINARY = "binary"
    """target <- [left, right] <Binary>."""
    COMPARE = "compare"
    """target <- [left, right] <str: == != < <= > >= is, is not, in, not in>."""
    DISPLAY = "display"
    """target <- a new list, tuple, set (all operands) or dict (keys and values in turn) <Display>."""
    FORMAT = "format"
    """target <- the text of one field of an f-string: [value] or [value, specification] <str: conversion "" "s" "r" "a">."""
    TEXT = "text"
    """target <- an f-string of [parts], which are texts."""
    ITERATE, MORE, NEXT = "iterate", "more", "next"
    """target <- iter([object]); target <- whether [iterator] has one more; target <- the next of [iterator]. ``for`` is ITERATE,
    then at the head MORE and ASSUME, then NEXT. MORE runs the iterator, and may raise. ``detail`` is "async" for ``async for``."""
    UNPACK = "unpack"
    """target <- the parts of [object], for ``a, b, *c = x``; its guard is that it has <Unpacked> parts. The parts are ELEMENTs."""
    ELEMENT = "element"
    """target <- part <int> of [what UNPACK or MATCHED made] (negative: from the end); <(from, to)> of a starred one: a new list,
    to a place that is 0 or negative: from the end."""
    FUNCTION, CLASS = "function", "class"
    """target <- a function or class defined here <Definition>; [defaults; bases and keywords]."""
    IMPORT = "import"
    """target <- a module or a name of it <Imported>."""
    AWAIT, YIELD = "await", "yield"
    """target <- what comes back; [value]. <"from" for yield from>."""
    ENTER, EXIT = "enter", "exit"
    """target <- [manager].__enter__(); of [manager] on the normal way; target <- whether it swallows the exception, of [manager,
    exception]. <"async">."""
    MATCHED = "matched"
    """target <- the parts of [value] (and [class, keys]) that a sequence, mapping or class pattern <Pattern> takes, or None where
    it does not fit. Other patterns are lowered to comparisons."""
    RAISE = "raise"
    """[exception, cause or nothing] <str: the type as written, "" for a bare raise or for passing on what ``finally``, ``with`` or
    other handlers let through>. [] where a bare raise has no handler about it."""
    RETURN = "return"
    """[value]"""
    HANDLER = "handler"
    """target <- the exception caught <Caught>."""
    JOIN, HEAD = "join", "head"
    OPAQUE = "opaque"
    """target <- something that is not modelled [what it reads] <str: the reason>."""


class Way(Enum):
    """How one comes from a node to the next."""

    NORMAL = "normal"
    RAISED = "raised"


class Edge(NamedTuple):
    """To a predecessor."""

    node: int
    way: Way = Way.NORMAL


class Binary(NamedTuple):
    """``operator`` as in the source; ``in_place`` for ``x += y``, which may change x instead of making a new object."""

    operator: str
    in_place: bool = False


class Display(NamedTuple):
    """``kind``: list, tuple, set, dict; ``generator`` for a generator expression, whose one operand is the list of what it gives.
    ``starred``: the places of operands that are unpacked into it (in a dict they stand where a key would, before a
    Constant(None))."""

    kind: str
    starred: tuple[int, ...] = ()


class Unpacked(NamedTuple):
    """How many parts stand before the starred one, and behind it; ``starred`` is false where there is none."""

    before: int
    behind: int = 0
    starred: bool = False


class Pattern(NamedTuple):
    """``form`` is "sequence" (``parts`` says how many), "mapping" (``rest``: what is left over is the last part) or "class", whose
    parts are ``positional`` ones and then the attributes ``names``."""

    form: str
    parts: Unpacked = Unpacked(0)
    positional: int = 0
    names: tuple[str, ...] = ()
    rest: bool = False


class Definition(NamedTuple):
    """What FUNCTION or CLASS makes: the function by the names of its code; ``named``: of a function the parameters whose defaults
    the operands are, of a class "", "*", "**" or a keyword for each operand."""

    qualname: str
    first_line: int
    named: tuple[str, ...] = ()


class Imported(NamedTuple):
    """``name`` is "" for the module itself, or with ``top`` for its outermost package; ``level`` counts the dots before it."""

    module: str
    name: str = ""
    level: int = 0
    top: bool = False


class Caught(NamedTuple):
    """``types`` as written, any exception where there are none, and none of ``besides``, which other clauses before it catch."""

    types: tuple[str, ...] = ()
    besides: tuple[str, ...] = ()


class NamedCallee(NamedTuple):
    """A call of a variable, or by a dotted name that starts at an import or a class of the module: ``text`` as written."""

    start: Place
    text: str


class MethodCallee(NamedTuple):
    """``receiver.name(...)``: the receiver is the first operand. ``by_super``: through ``super()``, and the receiver is self (or
    the class, in a class method)."""

    name: str
    by_super: bool = False


class ValueCallee(NamedTuple):
    """Any other expression: its value is the first operand."""


Callee = NamedCallee | MethodCallee | ValueCallee


class Call(NamedTuple):
    """How the operands behind the callee's are passed: for each "" (by position), "*", "**" or a keyword."""

    callee: Callee
    passed: tuple[str, ...] = ()


@dataclass(slots=True)
class Block:
    """A stretch that can be passed over: numbers ``start`` to ``end`` (both included). ``entries`` lead into it from outside.
    ``leaves``: it holds a return or raise, or a break or continue of a loop outside. What its instructions may raise is no way out:
    on the normal way they did not."""

    start: int
    end: int = -1
    entries: tuple[Edge, ...] = ()
    leaves: bool = False
    locals_written: frozenset[Place] = frozenset()
    heap_written: frozenset[str] = frozenset()
    """Names of heap arrays: ``.name`` of attributes, and ``size elements keys mappings``; ``*`` is all. Calls are not looked
    into. An iterator's own state is no array."""
    calls: tuple[int, ...] = ()
    """The CALL nodes within it, whose callees write too."""


@dataclass(slots=True)
class Node:
    """One instruction. ``position`` is that of the bytecode instruction that raises what this one may raise. ``block``: the one
    that ends before this JOIN, or that starts at this HEAD."""

    number: int
    kind: Kind
    target: Place | None = None
    operands: tuple[Operand, ...] = ()
    detail: object = None
    position: Position | None = None
    before: list[Edge] = field(default_factory=list)
    block: Block | None = None


class Parameter(NamedTuple):
    """``form`` is "positional only", "either", "keyword only", "*" or "**"; ``default``: None where there is none, else its
    text. A parameter that inner functions share is read as a Cell."""

    name: str
    form: str = "either"
    annotation: str = ""
    default: str | None = None


@dataclass(slots=True)
class Function:
    """A function (or lambda, module or class body) of a source file. ``class_name`` is the qualified name of the class whose body
    it stands in. ``unmodelled`` says what was lowered to OPAQUE or only nearly right, and why."""

    module: str
    qualname: str
    first_line: int
    parameters: tuple[Parameter, ...]
    nodes: list[Node]
    returns: tuple[int, ...] = ()
    raises: tuple[int, ...] = ()
    blocks: tuple[Block, ...] = ()
    class_name: str | None = None
    kind: str = "function"
    """function, async, generator, async generator, lambda, module, class."""
    decorators: tuple[str, ...] = ()
    return_annotation: str = ""
    unmodelled: tuple[str, ...] = ()
