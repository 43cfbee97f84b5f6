"""Kernel limits for a process that runs subject code: address space, CPU, file size, open files, no core dumps."""

from __future__ import annotations

import os
import resource

from crashwright.core.settings import LimitSettings

MIB = 1 << 20
STACK_MIB = 9
"""Address space of a thread's stack, with the page that guards it."""
ARENA_MIB = 64
"""What glibc sets aside for a thread that allocates; as many threads as ``8 * cores`` have one each."""


def address_space_in_use() -> int | None:
    """Bytes of address space of this process, None where the system does not say."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def not_limitable() -> tuple[str, ...]:
    """What :func:`limit_this_process` cannot limit on this system, in words."""
    return () if address_space_in_use() is not None else ("memory",)


def limit_this_process(limits: LimitSettings, cpu_seconds: int | None, threads: int = 0) -> tuple[str, ...]:
    """Apply ``limits``; memory counts from what is in use now, and as many ``threads`` have room beside it. Returns what could
    not be limited, in words."""
    missing = []
    used = address_space_in_use()
    wanted: list[tuple[str, int, int | None]] = [
        ("core dumps", resource.RLIMIT_CORE, 0),
        ("file size", resource.RLIMIT_FSIZE, limits.file_mib * MIB),
        ("open files", resource.RLIMIT_NOFILE, limits.open_files),
        ("memory", resource.RLIMIT_AS, None if used is None else used + (limits.memory_mib + _room_for(threads)) * MIB),
    ]
    if cpu_seconds is not None:
        wanted.append(("CPU time", resource.RLIMIT_CPU, cpu_seconds))
    for name, which, value in wanted:
        if value is None or not _lower(which, value):
            missing.append(name)
    return tuple(missing)


def _room_for(threads: int) -> int:
    """MiB; one arena more, since each is cut out of twice its size."""
    return threads * STACK_MIB + (min(threads, 8 * (os.cpu_count() or 1)) + 1) * ARENA_MIB if threads else 0


def _lower(which: int, value: int) -> bool:
    _, hard = resource.getrlimit(which)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    try:
        resource.setrlimit(which, (value, hard))
    except (OSError, ValueError):
        return False
    return True
