"""Attributes: of objects they stand in the heap by their names, of classes and scalars they are known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from crashwright.core.terms import Op, Term
from crashwright.symbolic.ir.nodes import Global, Kind, Local, Node
from crashwright.symbolic.semantics import matching
from crashwright.symbolic.semantics.builtin_types import CONTAINERS, SCALARS
from crashwright.symbolic.semantics.failure import Failure
from crashwright.symbolic.semantics.kinds import has_type
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import and_, choice, equal, not_, or_
from crashwright.symbolic.values.tags import Tag


def reading_fails(step: Step) -> Iterator[Failure]:
    """``object.name`` where there is no such attribute."""
    if step.node.kind is Kind.METHOD and hasattr(re.Pattern, _name(step)) and matching.compiled(step, step.node.operands[0]):
        return
    value = step.value(step.node.operands[0])
    if step.assumes and _is_of_module(step):
        return  # what a module has is nobody's to give
    yield Failure("AttributeError", lacks(step, value, _name(step)), (value,))


def dotted(step: Step, node: Node) -> str:
    """``a.b.c`` of an attribute that is read; nothing where it does not start at a global."""
    start, text = node.operands[0], str(node.detail)
    if isinstance(start, Global):
        return f"{start.name}.{text}"
    makers = [one for one in step.function.nodes if one.target == start]
    is_known = len(makers) == 1 and makers[0].kind is Kind.ATTRIBUTE and makers[0].number < node.number  # no ``node = node.above``
    before = dotted(step, makers[0]) if is_known else ""
    return f"{before}.{text}" if before else ""


def _is_of_module(step: Step) -> bool:
    """Whether the attribute is one of a module, or of what stands in it."""
    first = dotted(step, step.node).partition(".")[0]
    address = step.program.object_named(step.function.module, first) if first else None
    return address is not None and address.endswith(":")


def writing_fails(step: Step) -> Iterator[Failure]:
    """``object.name = value`` of what takes no attributes."""
    value = step.value(step.node.operands[0])
    yield Failure("AttributeError", or_(*[tags.is_(tag, value) for tag, _ in SCALARS.values()]), (value,))


def read(step: Step) -> None:
    """The field, or what the class has where the object has none."""
    if step.post is None:
        return
    if _is_of_module(step):
        step.unknown(dotted(step, step.node))
        return
    value, name = step.value(step.node.operands[0]), _name(step)
    classes = _classes(step, value)
    if classes:
        _read_of_class(step, classes, name)
        return
    if tags.tags_of(value).isdisjoint({Tag.REFERENCE}):
        step.unknown(f"the attribute {name}")
        return
    found = held_by(step, value, name)
    step.suppose(tags.is_reference(value))
    step.define(found)
    # What a field may be is what the class assigns to it: a likely invariant, as the paper's pruning by types has it.
    known = step.known_types(step.node.target) if step.node.target is not None else frozenset()
    if known and not step.path.is_wide:
        step.need(or_(*[has_type(step, found, one) for one in sorted(known)]))


def _classes(step: Step, value: Term) -> tuple[str, ...]:
    """The classes of which a value is one, where it certainly is: named in the source, or the parameter of a class method."""
    if value.op is Op.OF_CLASS and value.args[0].op is Op.LITERAL:
        return (str(value.args[0].payload),)
    function = step.function
    own = f"{function.module}:{function.class_name}"
    is_first = bool(function.parameters) and step.node.operands[0] == Local(function.parameters[0].name)
    if function.class_name is None or not is_first or step.program.form(own, function.qualname.rpartition(".")[2]) != "class":
        return ()
    return step.program.subclasses(own)


def _read_of_class(step: Step, classes: tuple[str, ...], name: str) -> None:
    """The constant of the class body that all of them have; methods may write others into the class."""
    known = [step.program.class_value(one, name) for one in classes if step.program.is_class(one)]
    if len(known) == len(classes) and len(set(map(repr, known))) == 1 and known[0] is not None:
        step.define(step.constant(known[0][0]))
    else:
        step.unknown(f"the attribute {name}")


def held_by(step: Step, value: Term, name: str) -> Term:
    """What an object has as the attribute."""
    held = tags.reference_in(value)
    field = arrays.select(step.array(f".{name}"), held)
    found: Term = field
    for address in step.program.having(name):
        constant = step.program.class_value(address, name)
        if constant is None:
            if name not in step.program.fields(address):
                found = choice(
                    equal(step.class_of(held), literals.class_named(address)),
                    step.path.not_modelled(field.sort, f"{address.rpartition(':')[2]}.{name}"),
                    found,
                )
            continue
        whose = and_(tags.is_undefined(field), equal(step.class_of(held), literals.class_named(address)))
        found = choice(whose, step.constant(constant[0]), found)
    return found


def write(step: Step) -> None:
    """The field of one object."""
    value, new = step.values()[:2]
    step.write(f".{_name(step)}", lambda before: arrays.store(before, tags.reference_in(value), new))
    step.need(or_(tags.is_reference(value), tags.is_class(value)))


def delete(step: Step) -> None:
    """No field any more."""
    value = step.value(step.node.operands[0])
    step.write(f".{_name(step)}", lambda before: arrays.store(before, tags.reference_in(value), literals.UNDEFINED))


def lacks(step: Step, value: Term, name: str) -> Term:
    """None and other scalars without it; objects without the field, whose class has none either."""
    scalar = [tags.is_(tag, value) for tag, kind in SCALARS.values() if not hasattr(kind, name)]
    if tags.tags_of(value).isdisjoint({Tag.REFERENCE}):
        return or_(*scalar)
    held = tags.reference_in(value)
    which = step.class_of(held)
    having = [address for address, kind in CONTAINERS.values() if hasattr(kind, name)]
    having += [*step.program.having(name), *([matching.MATCH] if hasattr(re.Match, name) else [])]
    field = arrays.select(step.array(f".{name}"), held)
    absent = and_(*[not_(equal(which, literals.class_named(address))) for address in having], tags.is_undefined(field))
    return or_(*scalar, and_(tags.is_reference(value), absent))


def _name(step: Step) -> str:
    return str(step.node.detail)
