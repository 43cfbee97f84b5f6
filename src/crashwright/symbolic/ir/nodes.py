"""The instructions of a function and how they hang together.

Lowered from the syntax tree, not from bytecode: it is the same from Python 3.11 on, its blocks are structured (which pruning
needs), and every instruction keeps the source range that the caret line of a traceback shows.

Invariants (``ir.checks`` tests them):

- Numbers of nodes grow in source order; a block is a range of numbers, with the join behind it.
- A node that is no JOIN, HEAD or HANDLER has exactly one predecessor by NORMAL; the entry has none.
- Branching happens at JOIN, HEAD, HANDLER and calls only: walking back, everything else has one way.
- What an instruction may raise is its *guard*: on the normal way it did not. Within ``try`` an edge RAISED leads from each
  instruction that may raise to the handlers; who walks it back asserts that it did, with an exception of the handler's types.
- ``finally`` is written out for each way that leads through it.
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
    """target <- [value]; target may be any Place."""
    DELETE = "delete"
    """A variable: the target is unbound afterwards."""
    ASSUME = "assume"
    """[value] is true or false <bool>."""
    ATTRIBUTE, SET_ATTRIBUTE, DELETE_ATTRIBUTE = "attribute", "set attribute", "delete attribute"
    """target <- [object].<str>; [object, value]; [object]."""
    METHOD = "method"
    """The look-up in ``object.name(...)``: a guard alone, [object] <str>; the call is a CALL with a MethodCallee."""
    INDEX, SET_INDEX, DELETE_INDEX = "index", "set index", "delete index"
    """target <- [object, key]; [object, key, value]; [object, key]."""
    SLICE, SET_SLICE, DELETE_SLICE = "slice", "set slice", "delete slice"
    """target <- [object, start, stop, step]; [object, start, stop, step, value]; absent bounds are Constant(None)."""
    CALL = "call"
    """target <- <Call>: callee and arguments; [all argument operands, the receiver of a method first]."""
    UNARY = "unary"
    """target <- <str: - + ~ not> [value]."""
    BINARY = "binary"
    """target <- [left, right] <Binary>."""
    COMPARE = "compare"
    """target <- [left, right] <str: == != < <= > >= is, is not, in, not in>."""
    DISPLAY = "display"
    """target <- a new list, tuple, set (all operands) or dict (keys and values in turn) <Display>."""
    FORMAT = "format"
    """target <- an f-string of [parts]: texts are Constants <tuple of conversions: "" | "s" | "r" | "a" | ":spec">."""
    ITERATE, MORE, NEXT = "iterate", "more", "next"
    """target <- iter([object]); target <- whether [iterator] has one more; target <- the next of [iterator]. ``for`` is ITERATE,
    then at the head MORE and ASSUME, then NEXT. ``detail`` of ITERATE is "async" for ``async for``."""
    UNPACK = "unpack"
    """The check of ``a, b, *c = x``: [object] has <Unpacked> parts; the parts are ELEMENTs."""
    ELEMENT = "element"
    """target <- part <int> of the unpacked [object] (negative: from the end); <(from, to)> of a starred target: a new list."""
    FUNCTION, CLASS = "function", "class"
    """target <- a function or class defined here <str: qualified name>; [defaults and cells that it reads]."""
    IMPORT = "import"
    """target <- a module or a name of it <(module, name or "")>."""
    AWAIT, YIELD = "await", "yield"
    """target <- what comes back; [value]. <"from" for yield from>."""
    ENTER, EXIT = "enter", "exit"
    """target <- [manager].__enter__(); [manager].__exit__(...), on the normal way. <"async">."""
    MATCHED = "matched"
    """target <- whether [value] fits a class or mapping pattern <Pattern>; other patterns are lowered to comparisons."""
    RAISE = "raise"
    """[exception, cause or nothing] <str: the type as written, "" for a bare raise>."""
    RETURN = "return"
    """[value]"""
    HANDLER = "handler"
    """target <- the exception caught <tuple of type texts; empty: any>."""
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
    """``kind``: list, tuple, set, dict. ``starred``: the places of operands that are unpacked into it (of a dict: in its pairs,
    whose key is Constant(None))."""

    kind: str
    starred: tuple[int, ...] = ()


class Unpacked(NamedTuple):
    """How many parts stand before the starred one, and behind it; ``starred`` is false where there is none."""

    before: int
    behind: int = 0
    starred: bool = False


class Pattern(NamedTuple):
    """``class_name`` as written, or "" for a mapping; ``names``: keyword attributes, or the keys as written."""

    class_name: str
    names: tuple[str, ...] = ()
    positional: int = 0


class NamedCallee(NamedTuple):
    """A call by a dotted name that starts at a Local, Cell or Global: ``text`` as written."""

    start: Place
    text: str


class MethodCallee(NamedTuple):
    """``receiver.name(...)``: the receiver is the first operand. ``by_super``: through ``super()``, and the receiver is self."""

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
    ``leaves``: a return, raise, break or continue out of it, or an instruction that hands to a handler outside."""

    start: int
    end: int = -1
    entries: tuple[Edge, ...] = ()
    leaves: bool = False
    locals_written: frozenset[Place] = frozenset()
    heap_written: frozenset[str] = frozenset()
    """Names of heap arrays: ``.name`` of attributes, and ``size elements keys mappings``; ``*`` is all. Calls are not looked
    into."""
    calls: tuple[int, ...] = ()
    """The CALL nodes within it, whose callees write too."""


@dataclass(slots=True)
class Node:
    """One instruction. ``position`` is the range in the source that it stands for. ``block``: the one that ends at this JOIN, or
    that starts at this HEAD."""

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
    text."""

    name: str
    form: str = "either"
    annotation: str = ""
    default: str | None = None


@dataclass(slots=True)
class Function:
    """A function (or lambda, module or class body) of a source file. ``class_name`` is the qualified name of the class whose body
    it stands in. ``unmodelled`` says what was lowered to OPAQUE, and why."""

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
    """function, async, generator, async generator, lambda, comprehension, module, class."""
    decorators: tuple[str, ...] = ()
    return_annotation: str = ""
    unmodelled: tuple[str, ...] = ()
