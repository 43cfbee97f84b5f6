"""A small assembler for the programs with which seccomp judges system calls: rules in, instructions out.

A program looks at the number of a call and at its arguments as numbers, never at what they point to.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

ALLOW = 0x7FFF0000
ASK = 0x7FC00000
"""A listener decides: SECCOMP_RET_USER_NOTIF."""

_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_ALL_BITS = 0xFFFFFFFF
_X32 = 0x40000000
_ENOSYS = 38
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_FURTHEST = 255
"""Instructions that a jump can pass over."""


def refuse(error: int) -> int:
    """The verdict that makes a call fail with ``errno`` ``error``."""
    return 0x00050000 | error


class Bits(NamedTuple):
    """Whether the bits of ``mask`` of an argument equal ``value``. Only the lower half of an argument is looked at, as the kernel
    does where it takes an int; ``upper`` looks at the other half."""

    argument: int
    value: int
    mask: int = _ALL_BITS
    upper: bool = False


class FilterCase(NamedTuple):
    """``verdict`` where all ``tests`` hold."""

    verdict: int
    tests: tuple[Bits, ...]


class Rule(NamedTuple):
    """For the calls with these numbers: the first case that holds decides, or else ``otherwise``."""

    numbers: tuple[int, ...]
    otherwise: int
    cases: tuple[FilterCase, ...] = ()


def null(argument: int) -> tuple[Bits, Bits]:
    """The argument is a null pointer."""
    return Bits(argument, 0), Bits(argument, 0, upper=True)


class _Instruction(NamedTuple):
    code: int
    operand: int
    if_true: int = 0
    if_false: int = 0


def program(rules: Iterable[Rule], machine: str) -> bytes:
    """The instructions for ``machine`` (``x86_64``, ``aarch64``). Calls that no rule names are allowed. Those of another
    architecture (32-bit, x32) get ENOSYS. Of several rules for one call, the first decides."""
    unknown = _Instruction(_RETURN, refuse(_ENOSYS))
    code = [_Instruction(_LOAD, _ARCHITECTURE_AT), _Instruction(_IF_EQUAL, _ARCHITECTURES[machine], 1, 0), unknown]
    code.append(_Instruction(_LOAD, _NUMBER_AT))
    if machine == "x86_64":
        code += [_Instruction(_IF_AT_LEAST, _X32, 0, 1), unknown]
    for rule in rules:
        code += _rule(rule)
    code.append(_Instruction(_RETURN, ALLOW))
    return b"".join(struct.pack("=HBBI", one.code, one.if_true, one.if_false, one.operand) for one in code)


def _rule(rule: Rule) -> list[_Instruction]:
    body = [instruction for case in rule.cases for instruction in _case(case)]
    body.append(_Instruction(_RETURN, rule.otherwise))
    asked = []
    for position, number in enumerate(rule.numbers):
        others = len(rule.numbers) - 1 - position
        asked.append(_Instruction(_IF_EQUAL, number, _near(others), 0 if others else _near(len(body))))
    return asked + body if asked else []


def _case(case: FilterCase) -> list[_Instruction]:
    """All tests in a row; the first that does not hold passes over the rest and the verdict."""
    pieces = [_test(test) for test in case.tests]
    left = sum(len(piece) for piece in pieces) + 1
    code: list[_Instruction] = []
    for *before, comparison in pieces:
        left -= len(before) + 1
        code += [*before, comparison._replace(if_false=_near(left))]
    return [*code, _Instruction(_RETURN, case.verdict)]


def _test(test: Bits) -> Sequence[_Instruction]:
    offset = _ARGUMENTS_AT + 8 * test.argument + (4 if test.upper else 0)  # little-endian, as both architectures are
    masked = [_Instruction(_AND, test.mask)] if test.mask != _ALL_BITS else []
    return [_Instruction(_LOAD, offset), *masked, _Instruction(_IF_EQUAL, test.value)]


def _near(distance: int) -> int:
    if distance > _FURTHEST:
        raise ValueError(f"a rule of seccomp is too long: {distance} instructions")
    return distance
