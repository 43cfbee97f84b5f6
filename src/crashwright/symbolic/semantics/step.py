"""One instruction, walked backwards: what was before it, in terms of what is after it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from crashwright.core.location import CodeKey
from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Constant, Function, Global, Node, Operand, Place
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, OF_CLASSES, SCALARS
from crashwright.symbolic.semantics.path import (
    Name,
    Path,
    PathActivation,
    PathOrigin,
    State,
    Variable,
    array_sort,
    equality,
    variable,
)
from crashwright.symbolic.semantics.program import Program, Types
from crashwright.symbolic.values import arrays, literals, numbers, tags
from crashwright.symbolic.values.logic import and_, equal, or_


class Step:
    """The view that an instruction has. Its result and the heap arrays that it writes are taken at once (``after``): what is read
    from then on is what was before."""

    def __init__(
        self,
        path: Path,
        state: State,
        activation: PathActivation,
        node: Node,
        program: Program,
        writes: Iterable[str] = (),
        *,
        assumes: bool = False,
    ) -> None:
        """``assumes``: types that are only likely are taken to be so, and asserted."""
        self.path = path
        self.node = node
        self.activation = activation
        self.program = program
        self._state = state
        self._names: set[Name] = set()
        self.post = None if node.target is None else state.versions.pop(self.name_of(node.target), None)
        if node.target is not None and self.post is not None:
            self._names.add(self.name_of(node.target))
        self._after = {name: state.versions.pop(name) for name in writes if name in state.versions}
        self._names.update(self._after)
        self._written: set[str] = set()
        self.assumes = assumes and not path.is_wide
        self._assumed: dict[Operand, Types] = {}

    @property
    def function(self) -> Function:
        """Whose instruction it is."""
        return self.activation.function

    def name_of(self, place: Place) -> Name:
        """Under which it has versions."""
        return variable(self.activation, place)

    def value(self, operand: Operand) -> Term:
        """What it was before."""
        if isinstance(operand, Constant):
            return self.constant(operand.value)
        if isinstance(operand, Global):
            known = self._global(operand.name)
            if known is not None:
                return known
        return self.version(self.name_of(operand), Sort.VALUE, operand.name)

    def values(self) -> list[Term]:
        """Of all operands."""
        return [self.value(one) for one in self.node.operands]

    def constant(self, value: object) -> Term:
        """A constant of the source. Tuples are objects of the heap that are made here."""
        if isinstance(value, tuple):
            return self.made("builtins:tuple", [self.constant(one) for one in value])
        known = tags.constant(value)
        return self.path.not_modelled(Sort.VALUE, f"the constant {value!r:.40}") if known is None else known

    def types(self, place: int) -> Types:
        """What the operand at a place may be; empty where nothing is known."""
        return self.types_of(self.node.operands[place])

    def types_of(self, operand: Operand) -> Types:
        """The same of any operand that is read here."""
        known = self.known_types(operand)
        if known or not self.assumes or isinstance(operand, Constant):
            return known
        if operand not in self._assumed:
            self._assumed[operand] = likely = self.program.likely(self.function, self.node, operand)
            if likely:
                value = self.value(operand)
                self.need(or_(*[self._is_likely(value, one) for one in sorted(likely)]))
        return self._assumed[operand]

    def known_types(self, operand: Operand) -> Types:
        """What is known for sure, of the target too."""
        return self.program.types(self.function, self.node, operand)

    def version(self, name: Name, sort: Sort, hint: str) -> Term:
        """The present constant of a name."""
        found = self._state.versions.get(name)
        if found is None:
            found = self._state.versions[name] = self.path.fresh(sort, hint)
        self._names.add(name)
        return found

    def array(self, name: str) -> Term:
        """An array of the heap as it was before."""
        if name == "classes":
            return literals.given(Sort.CLASSES, name)
        return self.version(name, array_sort(name), name)

    def asked_fields(self, beginning: str) -> list[str]:
        """The arrays with such names that the condition speaks of."""
        return [name for name in self._state.versions if isinstance(name, str) and name.startswith(beginning)]

    def is_asked(self, name: str) -> bool:
        """Whether what this instruction leaves in an array matters."""
        return name in self._after

    def write(self, name: str, value: Callable[[Term], Term]) -> None:
        """The array afterwards, made of the array before. ``name`` was among ``writes``."""
        after = self._after.get(name)
        if after is not None:
            self._written.add(name)
            self._define(after, value(self.array(name)))

    def leave(self, name: str) -> None:
        """What nothing was written into is as it was before."""
        after = self._after.get(name)
        if after is None or name in self._written:
            return
        before = self._state.versions.setdefault(name, after)
        if before is not after:
            self._define(after, before)

    def forget(self, name: str, reason: str) -> None:
        """What was not written by the model may be anything afterwards."""
        if name in self._after and name not in self._written:
            self.path.unmodelled.append(reason)

    def define(self, value: Term) -> None:
        """The result."""
        if self.post is not None:
            self._define(self.post, value)

    def taken(self, name: Name) -> Term | None:
        """What else is asked for after this instruction; from then on ``version`` is what was before."""
        found = self._state.versions.pop(name, None)
        if found is not None:
            self._names.add(name)
        return found

    def say(self, post: Term, value: Term) -> None:
        """What was ``taken`` is this."""
        self._define(post, value)

    def need(self, condition: Term) -> None:
        """It holds, or the way was another."""
        self.path.hold(condition, self._origin)

    def suppose(self, condition: Term) -> None:
        """What is modelled of this instruction is what it makes of such values: other values are another way. Where every way
        counts, it is not asked: what is said then speaks of such values, as Python's own words would."""
        if not self.path.is_wide:
            self.need(condition)

    def crash(self, condition: Term) -> None:
        """It held when the crash happened."""
        self.path.hold(condition, self._origin._replace(is_crash=True))

    def fact(self, condition: Term) -> None:
        """It is so of an object that is made here."""
        self.path.hold(condition, self._origin, is_fact=True)

    def unknown(self, reason: str) -> None:
        """The result is not modelled."""
        if self.post is not None:
            self._define(self.post, self.path.not_modelled(Sort.VALUE, reason))

    # -- objects

    def class_of(self, reference: Term) -> Term:
        """The class of an object."""
        return arrays.select(self.array("classes"), reference)

    def is_exactly(self, value: Term, *addresses: str) -> Term:
        """Whether a value is an object of exactly one of the classes."""
        known = or_(*[equal(self.class_of(tags.reference_in(value)), literals.class_named(one)) for one in addresses])
        return tags.is_reference(value) if not addresses else and_(tags.is_reference(value), known)

    def has_type(self, value: Term, name: str) -> Term:
        """Whether a value is of the type that a message names, or an annotation: exactly that, and no subclass."""
        if name in SCALARS:
            return tags.is_(SCALARS[name][0], value)
        if name in CONTAINERS:
            return self.is_exactly(value, CONTAINERS[name][0])
        return tags.is_class(value) if name in OF_CLASSES else self.is_exactly(value, name)

    def size(self, reference: Term) -> Term:
        """How many elements or keys an object has; never less than none."""
        return arrays.select(self.array("size"), reference)

    def made(self, address: str, elements: list[Term]) -> Term:
        """A new sequence. What it holds is said of it, not written into the heap: building one is no assignment."""
        reference = self.path.allocated()
        self.fact(equal(self.class_of(reference), literals.class_named(address)))
        self.fact(equal(arrays.select(self.array("size"), reference), literals.integer(len(elements))))
        for place, one in enumerate(elements):
            held = arrays.select(arrays.select(self.array("elements"), reference), literals.integer(place))
            self.fact(equal(held, one))
        return tags.of(reference)

    def put_together(self, address: str, one: Term, other: Term) -> Term:
        """A new sequence: the parts of one, then those of the other."""
        first, second, new = tags.reference_in(one), tags.reference_in(other), self.path.allocated()
        size = self.size(first)
        self.fact(equal(self.class_of(new), literals.class_named(address)))
        self.fact(equal(arrays.select(self.array("size"), new), numbers.add(size, self.size(second))))
        elements = self.array("elements")
        joined = arrays.joined(arrays.select(elements, first), size, arrays.select(elements, second))
        self.fact(equal(arrays.select(elements, new), joined))
        return tags.of(new)

    def _is_likely(self, value: Term, name: str) -> Term:
        declared = self.program.is_class(name)
        return self.is_exactly(value, *self.program.subclasses(name)) if declared else self.has_type(value, name)

    def _global(self, name: str) -> Term | None:
        if Variable(0, Global(f"{self.function.module}:{name}")) in self._state.versions:
            return None
        address = self.program.object_named(self.function.module, name)
        if address is not None:
            return tags.of(literals.class_named(address))
        known = self.program.constant(self.function.module, name)
        return None if known is None else self.constant(known[0])

    def _define(self, post: Term, value: Term) -> None:
        self.path.hold(equality(post, value), self._origin, defined=(post, value))

    @property
    def _origin(self) -> PathOrigin:
        function, position = self.function, self.node.position
        return PathOrigin(
            frozenset(self._names),
            (*self.activation.calls, (self.activation.number, self.node.number)),
            position.line if position else 0,
            CodeKey(function.module, function.qualname, function.first_line),
        )
