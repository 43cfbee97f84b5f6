"""Walks of the symbolic engine that go wrong, for its child process."""

from __future__ import annotations

import ctypes
import os


def dies(request, tell):
    os.kill(os.getpid(), 9)


def hangs(request, tell):
    """With the interpreter's lock: nothing else in the process gets a turn."""
    ctypes.PyDLL(None).sleep(1000)


def eats(request, tell):
    eaten = []
    while True:
        eaten.append(bytes(1 << 28))


def has_no_solver(request, tell):
    raise ModuleNotFoundError("No module named 'z3'")
