"""A process that ends when its parent does, so that a killed parent leaves nothing behind."""

from __future__ import annotations

import os

from .syscalls import System, Unavailable

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9


def die_with_parent(parent_pid: int | None = None) -> bool:
    """Have the kernel kill this process when ``parent_pid`` (its parent; None: whoever that is now) ends, and end at once where it
    has ended already. False where the system cannot do that.

    The kernel counts the *thread* that started this process as its parent: start long-lived ones from a thread that lasts. A fork
    of this process does not inherit it.
    """
    expected = os.getppid() if parent_pid is None else parent_pid
    try:
        System().call("prctl", _PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)
    except (Unavailable, OSError):
        return False
    if os.getppid() != expected:
        os._exit(1)
    return True
