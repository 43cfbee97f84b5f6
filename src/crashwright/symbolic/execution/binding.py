"""How a call passes its arguments, walked backwards: what the callee's parameters are, in terms of the caller's operands."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from crashwright.core.terms import Sort, Term
from crashwright.symbolic.ir.nodes import Call, Cell, Function, MethodCallee, Parameter, ValueCallee
from crashwright.symbolic.semantics.path import Name, PathActivation, State, Variable
from crashwright.symbolic.semantics.program import Target
from crashwright.symbolic.semantics.step import Step
from crashwright.symbolic.values import arrays, literals, tags
from crashwright.symbolic.values.logic import equal


def bind(step: Step, state: State, callee: PathActivation, target: Target, receiver: Term | None) -> None:
    """Say of each parameter that has a version what is passed for it, and of each other local of the callee that it was unbound.

    ``step`` is the caller's CALL; ``receiver`` is a new object whose constructor it is.
    """
    call = step.node.detail
    assert isinstance(call, Call)
    first, values = _received(step, call, target, receiver)
    passed = call.passed or ("",) * len(values)
    known = _arguments(callee.function.parameters, first, list(zip(passed, values, strict=True)))
    for name, place in own_variables(state, callee):
        post = state.versions.pop(name)
        parameter = next((one for one in callee.function.parameters if one.name == place), None)
        if parameter is None:
            step.say(post, literals.UNDEFINED)
        elif parameter.name in known:
            step.say(post, known[parameter.name])
        else:
            step.say(post, _default(step, callee.function, parameter))


def _received(step: Step, call: Call, target: Target, receiver: Term | None) -> tuple[list[Term], list[Term]]:
    """What the look-up passes first, and the arguments."""
    values = step.values()
    given = [tags.of(literals.class_named(target.given))] if target.given else []
    first: list[Term] = []
    if isinstance(call.callee, MethodCallee):
        first = given or [values[0] if receiver is None else receiver]
        values = values[1:]
    else:
        if target.binds:
            first = given or [_held(step, target) if receiver is None else receiver]
        values = values[1:] if isinstance(call.callee, ValueCallee) else values
    return first if target.binds else [], values


def _held(step: Step, target: Target) -> Term:
    """The receiver of a method that is called by a name of its own: somewhere it was bound to it."""
    function = target.function
    parameters = () if function is None else function.parameters
    named = f"{parameters[0].name} of {function.qualname}()" if function is not None and parameters else "a receiver"
    return step.path.not_modelled(Sort.VALUE, f"what {named} is")


def own_variables(state: State, callee: PathActivation) -> list[tuple[Name, str]]:
    """The variables of a function that have versions, with what they are called in it: what inner functions share is a cell."""
    return [(one, one.place.name) for one in state.versions if isinstance(one, Variable) and _is_own(one, callee)]


def _is_own(name: Variable, callee: PathActivation) -> bool:
    if isinstance(name.place, Cell):
        return name.place.owner == callee.function.qualname
    return name.activation == callee.number


def bind_nothing(step: Step, state: State, callee: PathActivation) -> None:
    """The same where it is not known what leads to the callee: so its parameters are not known either."""
    parameters = {one.name for one in callee.function.parameters}
    for name, place in own_variables(state, callee):
        post = state.versions.pop(name)
        if place in parameters:
            reason = f"what {place} of {callee.function.qualname}() is"
            step.say(post, step.path.not_modelled(Sort.VALUE, reason))
        else:
            step.say(post, literals.UNDEFINED)


def new_object(step: Step, state: State, reference: Term, address: str) -> None:
    """Of an object that was made: its class, and that it had no attributes but those of its class."""
    step.fact(equal(step.class_of(reference), literals.class_named(address)))
    for name in [one for one in state.versions if isinstance(one, str) and one.startswith(".")]:
        held = arrays.select(step.array(name), reference)
        step.fact(tags.is_undefined(held))


def _arguments(parameters: Sequence[Parameter], first: list[Term], passed: list[tuple[str, Term]]) -> dict[str, Term]:
    """By parameter, as far as it can be told: nothing behind a ``*`` or ``**`` is known."""
    by_position = [one for one in parameters if one.form in ("positional only", "either")]
    found: dict[str, Term] = {}
    place = 0
    for value in first:
        if place < len(by_position):
            found[by_position[place].name] = value
            place += 1
    open_ended = False
    for how, value in passed:
        if how in ("*", "**"):
            open_ended = True
        elif how:
            found[how] = value
        elif not open_ended and place < len(by_position):
            found[by_position[place].name] = value
            place += 1
    return found


def _default(step: Step, function: Function, parameter: Parameter) -> Term:
    call = step.node.detail
    assert isinstance(call, Call)
    if parameter.form in ("*", "**"):
        return step.path.not_modelled(Sort.VALUE, f"what {parameter.form}{parameter.name} of {function.qualname}() is")
    if parameter.default is None or any(one in ("*", "**") for one in call.passed):
        return step.path.not_modelled(Sort.VALUE, f"what is passed for {parameter.name} of {function.qualname}()")
    try:
        return step.constant(ast.literal_eval(parameter.default))
    except (ValueError, SyntaxError):
        return step.path.not_modelled(Sort.VALUE, f"the default {parameter.name}={parameter.default:.30}")
