"""Installs a program that judges the system calls of this process and of all that it starts, for good."""

from __future__ import annotations

import errno
import struct

from .landlock import no_new_privileges
from .syscalls import System, Unavailable

_SET_FILTER = 1
_NO_MITIGATION = 1 << 2
"""SECCOMP_FILTER_FLAG_SPEC_ALLOW: kernels before 5.16 slow filtered processes down (10 % and more) against an attack among threads
of one process, which is not our concern."""
_LISTENER = 1 << 3
_PATIENT = 1 << 5
"""SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (5.19): our tick does not interrupt a call that is being judged."""
_INSTRUCTION = 8


def install(system: System, program: bytes, listener: bool = False) -> int:
    """Install ``program`` (``bpf.program``) for this thread; call it while there is one. Returns the descriptor where the calls
    that it asks about are to be answered, -1 without ``listener``.

    Raises Unavailable where the kernel does not let us.
    """
    code = bytearray(program)
    filter_ = struct.pack("=H6xQ", len(program) // _INSTRUCTION, system.address(code))
    choices = [_NO_MITIGATION | _LISTENER | _PATIENT, _NO_MITIGATION | _LISTENER] if listener else [_NO_MITIGATION, 0]
    try:
        no_new_privileges(system)
        for position, flags in enumerate(choices):
            try:
                result = system.call("seccomp", _SET_FILTER, flags, filter_)
                return result if listener else -1
            except OSError as error:
                if error.errno != errno.EINVAL or position == len(choices) - 1:
                    raise
    except OSError as error:
        raise Unavailable(f"the kernel says: {error.strerror}") from None
    raise AssertionError("unreachable: the loop returns or raises")


def action_is_known(system: System, action: int) -> bool:
    """Whether the kernel knows a verdict, such as ``bpf.ASK``."""
    try:
        system.call("seccomp", 2, 0, struct.pack("=I", action))
    except OSError:
        return False
    return True
