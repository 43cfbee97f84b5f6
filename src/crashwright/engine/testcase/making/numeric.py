"""Random numbers and their mutation: boundaries, powers, special values and small steps."""

from __future__ import annotations

import math
from random import Random

from crashwright.engine.testcase.making.answering import answered_int
from crashwright.engine.testcase.seeds import SeedPool
from crashwright.engine.testcase.statements import Value, one_nan

_ANSWERS = 0.15  # share of changes that put what was wanted in place of what was compared
_DELTA = 20  # EvoSuite's max_delta
_RANGE = 2048  # EvoSuite's max_int
_LIMIT = 10**1000  # beyond about 4300 digits an int has no decimal literal
_INTS: tuple[int, ...] = (0, 1, -1, 2, 3, 5, 7, 8, 9, 10, 12, 16, 31, 32, 60, 64, 99, 100, 127, 128)
_INTS += (255, 256, 360, 1000, 1024, 1900, 1970, 2000, 65535, 65536)
_FLOATS = (0.0, -0.0, 1.0, -1.0, 0.5, 0.1, 1.5, 2.0, 100.0, 1e-9, 1e16, 1e300, 5e-324, float("inf"), float("-inf"), math.nan)
_POWERS = (7, 8, 15, 16, 31, 32, 53, 63, 64, 128, 1024)
_TENS = (2, 3, 4, 6, 9, 10, 12, 15, 16, 18, 20, 24, 30, 36, 63, 100, 309)


def random_int(rng: Random, pool: SeedPool) -> int:
    """Small ones most often; also boundaries, powers of 2 and 10 and their neighbours, and huge ones."""
    random = rng.random
    roll = random()
    if roll < 0.3:
        return int(random() * 12) - 1
    if roll < 0.5 and pool.ints:
        value = pool.draw(rng, int)
        return value if isinstance(value, int) else 0
    if roll < 0.7:
        return _INTS[int(random() * len(_INTS))]
    if roll < 0.85:
        return int((random() * 2 - 1) * _RANGE)
    near = int(random() * 3) - 1
    if roll < 0.93:
        value = (1 << _POWERS[int(random() * len(_POWERS))]) + near
    else:
        value = int(10 ** _TENS[int(random() * len(_TENS))]) + (near if random() < 0.3 else 0)
    return -value if random() < 0.2 else value


def random_float(rng: Random, pool: SeedPool) -> float:
    """Special values, small ones with few digits, and any magnitude."""
    random = rng.random
    roll = random()
    if roll < 0.2 and pool.floats:
        value = pool.draw(rng, float)
        return value if isinstance(value, float) else 0.0
    if roll < 0.5:
        return _FLOATS[int(random() * len(_FLOATS))]
    if roll < 0.8:
        return round((random() * 2 - 1) * 100, int(random() * 4))
    return float(f"{random() * 20 - 10:.2f}e{int(random() * 40) - 20}")


def mutate_int(rng: Random, value: int, pool: SeedPool) -> Value:
    """A neighbour of ``value``, another size or sign of it, or another number; rarely a float."""
    random = rng.random
    if pool.answers and random() < _ANSWERS and (answered := answered_int(rng, value, pool)) is not None:
        return answered
    roll = random()
    if roll < 0.2:
        return value + 1 if random() < 0.5 else value - 1
    if roll < 0.35 or (roll < 0.45 and not pool.varied):
        return value + int((random() * 2 - 1) * (_DELTA + 1))
    if roll < 0.45:  # strides of any length, so that a far value is within some dozens of steps
        stride = 1 << int(random() * (value.bit_length() + 6))
        return value + stride if random() < 0.5 else value - stride
    if roll < 0.55:
        return -value
    if roll < 0.7:
        return _scale(random(), value)
    if roll < 0.75:
        return value ^ (1 << int(random() * max(8, value.bit_length())))
    if roll < 0.97:
        return random_int(rng, pool)
    return float(value) if -(2**1000) < value < 2**1000 else value


def mutate_float(rng: Random, value: float, pool: SeedPool) -> Value:
    """As :func:`mutate_int`; rarely an int."""
    return one_nan(_other_float(rng, value, pool))


def _other_float(rng: Random, value: float, pool: SeedPool) -> Value:
    random = rng.random
    roll = random()
    if roll < 0.25:
        return value + (random() * 2 - 1) * _DELTA
    if roll < 0.35:
        return value + (1.0 if random() < 0.5 else -1.0)
    if roll < 0.45:
        return -value
    if roll < 0.6:
        return value * (2.0, 0.5, 10.0, 0.1, 1e10)[int(random() * 5)]
    if roll < 0.7 and abs(value) < 1e15:
        return float(round(value, int(random() * 3)))
    if roll < 0.97 or not abs(value) < 1e300:
        return random_float(rng, pool)
    return int(value)


def mutate_complex(rng: Random, value: complex, pool: SeedPool) -> Value:
    """One of the two parts mutated."""
    if rng.random() < 0.5:
        return complex(float(mutate_float(rng, value.real, pool) or 0.0), value.imag)  # type: ignore[arg-type]
    return complex(value.real, float(mutate_float(rng, value.imag, pool) or 0.0))  # type: ignore[arg-type]


def _scale(roll: float, value: int) -> int:
    if roll < 0.25:
        return value // 2
    if roll < 0.5:
        return value // 10
    if value > _LIMIT or value < -_LIMIT:
        return value % 10**9
    return value * 2 if roll < 0.75 else value * 10
