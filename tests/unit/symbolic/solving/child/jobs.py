"""Jobs that behave, and jobs that do not."""

from __future__ import annotations

import ctypes
import os
import subprocess
import time


def doubled(request, tell):
    for one in request:
        tell(one)
    return [2 * one for one in request]


def hangs_in_c(request, tell):
    """Holds the interpreter's lock for ever: no signal handler and no thread of its own gets a turn."""
    tell("hangs")
    ctypes.PyDLL(None).sleep(1000)


def eats_memory(request, tell):
    tell("eats")
    eaten = []
    while True:
        eaten.append(bytearray(1 << 24))


def eats_memory_in_the_solver(request, tell):
    from crashwright.symbolic.solving.z3_terms import Language

    z3 = Language().z3
    tell("eats")
    solver = z3.SimpleSolver()
    x = z3.BitVec("x", 4096)
    y = z3.BitVec("y", 4096)
    solver.add(x * y * x == y * y * y + 1, x != y)
    return str(solver.check())


def dies(request, tell):
    tell("dies")
    os.kill(os.getpid(), 11)


def raises(request, tell):
    raise ValueError(f"not {request}")


def leaves_processes(request, tell):
    child = subprocess.Popen(["sleep", "1000"])
    tell(child.pid)
    time.sleep(1000)


def memory(request, tell):
    with open("/proc/self/limits") as file:
        return [line.split()[3] for line in file if line.startswith("Max address space")]
