"""Landlock: what this process, and all that it starts, may write to, and that it opens no TCP connections.

Reading stays free. What a kernel does not know is left out: ABI 1 (Linux 5.13) cannot move files between folders, 2 (5.19) can;
3 (6.2) covers truncation, 4 (6.7) TCP, 5 (6.10) ioctl on devices, 6 (6.12) signals and abstract sockets; 7 (6.15) keeps refusals
out of the kernel's log.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag

from .syscalls import System, Unavailable


class Right(IntFlag):
    """Rights on files that confinement takes away and gives back below some folders; reading is none of them."""

    EXECUTE = 1 << 0
    WRITE_FILE = 1 << 1
    REMOVE_DIR = 1 << 4
    REMOVE_FILE = 1 << 5
    MAKE_CHAR = 1 << 6
    MAKE_DIR = 1 << 7
    MAKE_REG = 1 << 8
    MAKE_SOCK = 1 << 9
    MAKE_FIFO = 1 << 10
    MAKE_BLOCK = 1 << 11
    MAKE_SYM = 1 << 12
    REFER = 1 << 13
    TRUNCATE = 1 << 14
    IOCTL_DEV = 1 << 15


_SINCE = {Right.REFER: 2, Right.TRUNCATE: 3, Right.IOCTL_DEV: 5}
_DEVICES = Right.MAKE_CHAR | Right.MAKE_BLOCK
_ON_FILES = Right.EXECUTE | Right.WRITE_FILE | Right.TRUNCATE | Right.IOCTL_DEV
_TCP = 1 << 0 | 1 << 1  # bind and connect
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1
_VERSION_FLAG = 1
_QUIET = 1 << 0  # LANDLOCK_RESTRICT_SELF_LOG_SAME_EXEC_OFF
_PATH_BENEATH = 1
_NET_SINCE, _SCOPES_SINCE, _QUIET_SINCE = 4, 6, 7
_PR_SET_NO_NEW_PRIVS = 38
HARMLESS = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty")
"""Devices that may be written to."""


@dataclass(frozen=True, slots=True)
class Openings:
    """What to open: folders and files that may be changed, TCP and abstract sockets, programs to start."""

    writable: tuple[str, ...] = ()
    network: bool = False
    programs: bool = False


def version(system: System) -> int:
    """The ABI of the running kernel. Raises Unavailable where it has none, or has it switched off."""
    try:
        return system.call("landlock_create_ruleset", None, 0, _VERSION_FLAG)
    except OSError as error:
        raise Unavailable(f"the kernel says: {error.strerror}") from None


def confine_files(system: System, wish: Openings, abi: int) -> tuple[str, ...]:
    """Take the rights away from this thread for good, but for what ``wish`` opens; call it while there is one thread. ``abi`` is at
    most the kernel's. Returns, in words, what could not be opened.

    Raises Unavailable where the kernel does not let us.
    """
    handled = _handled(abi, wish.programs)
    net = _TCP if abi >= _NET_SINCE and not wish.network else 0
    scoped = _scoped(abi, wish.network)
    problems = []
    try:
        rules = _ruleset(system, abi, handled, net, scoped)
    except OSError as error:
        raise Unavailable(f"the kernel says: {error.strerror}") from None
    try:
        for path in dict.fromkeys((*wish.writable, *HARMLESS)):
            rights = handled & (_ON_FILES & ~Right.EXECUTE if path in HARMLESS else ~_DEVICES)
            problem = _open_up(system, rules, path, rights)
            if problem and path not in HARMLESS:
                problems.append(problem)
        _restrict(system, rules, abi)
    finally:
        os.close(rules)
    return tuple(problems)


def confine_signals(system: System, network: bool, abi: int) -> bool:
    """From here on signals reach only what this process starts, itself included. False where the kernel cannot do that."""
    if abi < _SCOPES_SINCE:
        return False
    # Every set of rules forbids moving files between folders unless it says otherwise.
    rules = _ruleset(system, abi, Right.REFER, 0, _scoped(abi, network))
    try:
        problem = _open_up(system, rules, os.sep, Right.REFER)
        if problem is not None:
            raise Unavailable(problem)
        _restrict(system, rules, abi)
    finally:
        os.close(rules)
    return True


def _handled(abi: int, programs: bool) -> Right:
    rights = Right(0)
    for right in Right:
        if _SINCE.get(right, 1) <= abi and not (programs and right is Right.EXECUTE):
            rights |= right
    return rights


def _scoped(abi: int, network: bool) -> int:
    if abi < _SCOPES_SINCE:
        return 0
    return _SIGNALS if network else _SIGNALS | _ABSTRACT_SOCKETS


def _ruleset(system: System, abi: int, handled: Right, net: int, scoped: int) -> int:
    fields = (handled, net, scoped)[: 1 if abi < _NET_SINCE else 2 if abi < _SCOPES_SINCE else 3]
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return system.call("landlock_create_ruleset", attributes, len(attributes), 0)


def _open_up(system: System, rules: int, path: str, rights: Right) -> str | None:
    """Give ``rights`` back below ``path``. In words what is wrong, None where it worked."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError as error:
        return f"{path} cannot be opened for writing ({error.strerror})"
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _ON_FILES
        system.call("landlock_add_rule", rules, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0)
    except OSError as error:
        return f"{path} cannot be opened for writing ({error.strerror})"
    finally:
        os.close(descriptor)
    return None


def _restrict(system: System, rules: int, abi: int) -> None:
    try:
        no_new_privileges(system)
        system.call("landlock_restrict_self", rules, _QUIET if abi >= _QUIET_SINCE else 0)
    except OSError as error:
        raise Unavailable(f"the kernel says: {error.strerror}") from None


def no_new_privileges(system: System) -> None:
    """Programs with the set-user-id bit gain nothing from here on: the kernel's condition for confining oneself."""
    system.call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def existing(paths: Iterable[str]) -> tuple[str, ...]:
    """Those of ``paths`` that are there."""
    return tuple(path for path in paths if os.path.exists(path))
