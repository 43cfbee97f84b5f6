"""Loads the zoo plain and instrumented, runs each animal, and says what was seen: result, log, exception, frames and columns."""

from __future__ import annotations

import dis
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from crashwright.core.location import CodeKey, Position
from crashwright.engine.execution.outcome import position_of
from crashwright.engine.instrument.probes import Recorder, is_probe_code
from crashwright.engine.instrument.variants import ProbedModule

ZOO = Path(__file__).with_name("zoo.py")


def codes_of(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes_of(constant)


def function_keys(module: str, source: bytes) -> set[CodeKey]:
    """Of what is written in the source: Python 3.14 adds functions that evaluate annotations."""
    codes = codes_of(compile(source, module, "exec", dont_inherit=True))
    return {
        CodeKey(module, code.co_qualname, code.co_firstlineno)
        for code in codes
        if code.co_flags & 2 and (code.co_name == "<lambda>" or not code.co_name.startswith(("<", "__annotate__")))
    }


def accesses(module: str, source: bytes, turn: int) -> dict[CodeKey, Position]:
    """For each function, where the ``turn``-th of its index accesses and divisions stands (counted around); those of comprehensions
    belong to the function around."""
    operations = ("BINARY_SUBSCR", "STORE_SUBSCR", "DELETE_SUBSCR", "BINARY_OP")
    chosen: dict[CodeKey, Position] = {}
    for code in codes_of(compile(source, module, "exec", dont_inherit=True)):
        inner = [code, *(part for part in code.co_consts if isinstance(part, CodeType) and part.co_name.startswith("<"))]
        found = [
            Position(*place)
            for part in inner
            for instruction in dis.get_instructions(part)
            if instruction.opname in operations
            for place in [_place(instruction)]
            if place is not None
        ]
        if found:
            chosen[CodeKey(module, code.co_qualname, code.co_firstlineno)] = found[turn % len(found)]
    return chosen


def _place(instruction: dis.Instruction) -> tuple[int, int, int, int] | None:
    where = instruction.positions
    if (
        where is None
        or where.lineno is None
        or where.col_offset is None
        or where.end_lineno is None
        or where.end_col_offset is None
    ):
        return None
    return where.lineno, where.col_offset, where.end_lineno, where.end_col_offset


def load(
    path: Path,
    name: str,
    share: float | None = None,
    recorder: Recorder | None = None,
    site: int | None = None,
    mutated: bool = False,
) -> ModuleType:
    """A module from a file: plain (share None), or with probes at a share of its predicates in all of its functions; with ``site``,
    also at one index access or division in each; ``mutated``: with those of mutants. Resumptions are told."""
    source = path.read_bytes()
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    code = compile(source, str(path), "exec", dont_inherit=True)
    if share is not None:
        probed = ProbedModule(name, source, str(path), function_keys(name, source), Recorder())
        probed.compile(None)
        positions = sorted({p.position for f in probed._recorder.functions for p in f.predicates})
        wanted = None if share == 1 else frozenset(random.Random(1).sample(positions, int(share * len(positions))))
        sites = None if site is None else accesses(name, source, site)
        probed = ProbedModule(name, source, str(path), function_keys(name, source), recorder or Recorder(), sites, mutated, True)
        code = probed.compile(wanted)
        strange = {key: why for key, why in probed.unprobed.items() if "iterable of a comprehension" not in why}
        assert not strange, strange
    exec(code, module.__dict__)
    return module


def frames_of(trace: TracebackType | None) -> list[tuple[object, ...]]:
    frames: list[tuple[object, ...]] = []
    while trace is not None:
        code = trace.tb_frame.f_code
        if not is_probe_code(code) and code.co_filename != __file__:
            frames.append((code.co_name, trace.tb_lineno, position_of(code, trace.tb_lasti)))
        trace = trace.tb_next
    return frames


def described(error: BaseException | None) -> object:
    if error is None:
        return None
    inner = (described(error.__cause__), described(error.__context__))
    return type(error).__name__, str(error), repr(error.args), frames_of(error.__traceback__), inner


def observe(module: ModuleType, name: str) -> object:
    """Everything about one call that a user of the function could see."""
    module.LOG.clear()
    call: Callable[[], object] = getattr(module, name)
    try:
        result: object = repr(call())
    except Exception as error:  # noqa: BLE001 (the crash is what is observed)
        result = described(error)
    return result, list(module.LOG)


def animals(module: ModuleType) -> list[str]:
    return [name for name in vars(module) if name.startswith(("case_", "crash_"))]


def differences(share: float) -> list[str]:
    """What differs between the plain and the instrumented zoo."""
    plain, probed = load(ZOO, "zoo"), load(ZOO, "zoo", share)
    return [
        f"{name}:\n  plain  {observe(plain, name)}\n  probed {observe(probed, name)}"
        for name in animals(plain)
        if observe(plain, name) != observe(probed, name)
    ]


if __name__ == "__main__":
    found = [text for share in (1.0, 0.5, 0.0) for text in differences(share)]
    print("\n".join(found) or "agree")
    sys.exit(bool(found))
