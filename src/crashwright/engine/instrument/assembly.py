"""From a rewritten tree to code objects: the constants that stand for probes and numbers are replaced, in nested code too.

Probes as constants leave no trace in the module's globals, and are the fastest way to call them.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Mapping, Sequence
from types import CodeType

from crashwright.engine.instrument import depth
from crashwright.engine.instrument.infection import Infections
from crashwright.engine.instrument.interface import UNSET, Probes
from crashwright.engine.instrument.probed_code import FUNCTION, GROUP, PROBE, SITE, UNSET_CONSTANT


def assemble(
    tree: ast.Module, path: str, numbers: Sequence[int], probes: Probes, infections: Infections | None = None
) -> tuple[CodeType, dict[int, CodeType]]:
    """The code of a rewritten module, and that of each chosen function by its number.

    ``numbers`` are those under which the recorder knows the rewritten functions, in order of the source.
    Raises SyntaxError, ValueError or RecursionError where the subject's own source cannot be compiled.
    """
    with warnings.catch_warnings(), depth.recursion_limit(depth.COMPILER):
        # The compiler warns of calls of constants, which our placeholders are. The subject's own warnings of this kind come, as
        # ever, only with the first compilation by the ordinary import.
        warnings.simplefilter("ignore", SyntaxWarning)
        code = compile(tree, path, "exec", dont_inherit=True)
    functions: dict[int, CodeType] = {}
    return _replace(code, dict(enumerate(numbers)), probes, infections, functions), functions


def _replace(
    code: CodeType,
    numbers: Mapping[int, int],
    probes: Probes,
    infections: Infections | None,
    functions: dict[int, CodeType],
) -> CodeType:
    constants: list[object] = []
    own: int | None = None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            constants.append(_replace(constant, numbers, probes, infections, functions))
        elif type(constant) is not str or not constant.startswith("@cw:"):
            constants.append(constant)
        elif constant.startswith(PROBE):
            constants.append(getattr(probes, constant.removeprefix(PROBE)))
        elif constant.startswith(FUNCTION):
            own = numbers[int(constant.removeprefix(FUNCTION))]
            constants.append(own)
        elif constant == UNSET_CONSTANT:
            constants.append(UNSET)
        else:
            assert infections is not None
            constants.append(_of_infections(constant, infections))
    replaced = code.replace(co_consts=tuple(constants))
    if own is not None:
        functions[own] = replaced
    return replaced


def _of_infections(constant: str, infections: Infections) -> object:
    if constant.startswith(GROUP):
        return infections.group_object(int(constant.removeprefix(GROUP)))
    number, _, form = constant.removeprefix(SITE).partition(":")
    return infections.probe(int(number), form)
