"""Which system calls are refused, as rules for seccomp, in two stages: before the subject is imported, and in the process that runs
tests, which knows its own number and starts no further one.

Refused calls fail with EPERM, EACCES or, where libraries know another way, ENOSYS; nothing is killed.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .bpf import ALLOW, ASK, Bits, FilterCase, Rule, null, refuse
from .syscalls import number

_EPERM, _EACCES, _ENOSYS = refuse(errno.EPERM), refuse(errno.EACCES), refuse(errno.ENOSYS)

DONE = refuse(0)
"""Nothing happens, and the call says that it is done. Nothing in a scratch folder has to survive the machine: a database in a file
waits for the disk at each commit, which takes 50 times as long as all the rest. Not for ``fsync``, by which programs also learn
whether a descriptor is one of a file."""

_NEVER = """
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd move_pages migrate_pages
    mount umount2 pivot_root chroot move_mount open_tree open_tree_attr fsopen fsconfig fsmount fspick mount_setattr setns unshare
    swapon swapoff reboot kexec_load kexec_file_load init_module finit_module delete_module acct quotactl quotactl_fd syslog
    settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname iopl ioperm vhangup uselib _sysctl
    keyctl add_key request_key bpf perf_event_open userfaultfd name_to_handle_at open_by_handle_at fanotify_init fanotify_mark
    shmget shmctl semget semctl msgget msgctl mq_open mq_unlink
"""
"""Other processes, mounts, the machine, the kernel's own facilities, what lives on in the kernel (System V objects, queues)."""
_ATTRIBUTES = """
    setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr setxattrat removexattrat file_setattr utime utimes futimesat
"""
ASKED = ("chmod", "fchmod", "fchmodat", "fchmodat2", "chown", "fchown", "lchown", "fchownat", "utimensat")
"""Changes that Landlock does not govern, and that are legal in the scratch folder: a listener looks at the path."""

_CLONE_VFORK, _CLONE_THREAD = 0x4000, 0x10000
_NAMESPACES = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000)
_AF_UNIX, _AF_INET, _AF_INET6 = 1, 2, 10
_STREAM, _SEQPACKET, _TYPE_MASK = 1, 5, 0xF
_TCP = 6
_MSG_FASTOPEN = 0x20000000
_NEGATIVE = 0x80000000
_EVERYBODY = 0xFFFFFFFF
_AT_FDCWD = 0xFFFFFF9C
_FILE_TYPE = 0o170000
_FIFO, _REGULAR, _SOCKET = 0o010000, 0o100000, 0o140000
_FIONBIO = 0x5421
_IOCTLS = (0x5401, 0x5413, 0x540F, 0x541B, _FIONBIO, 0x5450, 0x5451, 0x5452)
"""TCGETS TIOCGWINSZ TIOCGPGRP FIONREAD FIONBIO FIONCLEX FIOCLEX FIOASYNC: they ask, or concern one's own descriptor only."""
_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE, _F_SETFL = 8, 10, 15, 1024, 4
_PRCTLS = (1, 4, 35, 36, 0x59616D61)
"""PR_SET_PDEATHSIG PR_SET_DUMPABLE PR_SET_MM PR_SET_CHILD_SUBREAPER PR_SET_PTRACER"""


@dataclass(frozen=True, slots=True)
class Policy:
    """What is opened by the user, and what else holds. ``landlock`` is the ABI in force, 0 for none; ``listener``: somebody answers
    for ``ASKED``; ``host`` is the process that is never to be signalled; ``anywhere``: all files may be written to."""

    machine: str
    network: bool = False
    processes: bool = False
    anywhere: bool = False
    landlock: int = 0
    listener: bool = False
    host: int = 0


class _Calls(NamedTuple):
    """Names of calls to rules for one architecture, where it has them."""

    machine: str

    def rule(self, names: str, otherwise: int, *cases: FilterCase) -> Rule:
        found = (number(name, self.machine) for name in names.split())
        return Rule(tuple(one for one in found if one is not None), otherwise, cases)


def _if(verdict: int, *tests: Bits) -> FilterCase:
    return FilterCase(verdict, tests)


def before_import(policy: Policy) -> list[Rule]:
    """For the process that imports the subject and forks from it, and all that come from it."""
    calls = _Calls(policy.machine)
    rules = [
        calls.rule("clone3 io_uring_setup io_uring_enter io_uring_register", _ENOSYS),
        *_descriptors(calls),
        *_processes(calls, policy),
        *_files(calls, policy),
    ]
    if not policy.network:
        rules += _network(calls)
    rules.append(calls.rule(_NEVER, _EPERM))
    return rules


def for_tests(policy: Policy, pid: int, reserved: Iterable[int] = ()) -> list[Rule]:
    """For process ``pid``, that runs tests and nothing else, on top of :func:`before_import`. The descriptors ``reserved`` are the
    engine's: they can be used, but not closed, replaced, cut or made to block or not."""
    calls = _Calls(policy.machine)
    own = _if(ALLOW, Bits(0, pid))
    ours = sorted(reserved)
    rules = [
        calls.rule("close ftruncate", ALLOW, *(_if(_EPERM, Bits(0, one)) for one in ours)),
        calls.rule("dup2 dup3", ALLOW, *(_if(_EPERM, Bits(1, one)) for one in ours)),
        calls.rule("ioctl", ALLOW, *(_if(_EPERM, Bits(0, one), Bits(1, _FIONBIO)) for one in ours)),
        calls.rule("fcntl", ALLOW, *(_if(_EPERM, Bits(0, one), Bits(1, _F_SETFL)) for one in ours)),
        # It would take them along with the rest; Python then closes one by one.
        calls.rule("close_range", _EPERM if ours else ALLOW),
        calls.rule("prlimit64", _EPERM, _if(ALLOW, *null(2))),
        calls.rule("setrlimit", _EPERM),
        calls.rule("prctl", ALLOW, *(_if(_EPERM, Bits(0, option)) for option in _PRCTLS)),
    ]
    if not policy.anywhere:
        rules.append(calls.rule("fdatasync sync syncfs", DONE))
    if not policy.processes:
        rules += [
            calls.rule("kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo", _EPERM, own),
            calls.rule("fork vfork", _EPERM),
            calls.rule("clone", _EPERM, _if(ALLOW, Bits(0, _CLONE_THREAD, _CLONE_THREAD))),
        ]
    return rules


def _descriptors(calls: _Calls) -> Iterator[Rule]:
    yield calls.rule("ioctl", _EPERM, *(_if(ALLOW, Bits(1, request)) for request in _IOCTLS))
    # Signals on input or output, to any process.
    commands = (_F_SETOWN, _F_SETSIG, _F_SETOWN_EX, _F_SETLEASE)
    yield calls.rule("fcntl", ALLOW, *(_if(_EPERM, Bits(1, command)) for command in commands))


def _processes(calls: _Calls, policy: Policy) -> Iterator[Rule]:
    namespaces = [_if(_EPERM, Bits(0, flag, flag)) for flag in _NAMESPACES]
    never = [_if(_EPERM, Bits(0, pid)) for pid in dict.fromkeys((0, _EVERYBODY, policy.host))]
    itself = _if(ALLOW, Bits(0, 0))
    if policy.processes:
        yield calls.rule("clone", ALLOW, *namespaces)
        yield calls.rule("kill rt_sigqueueinfo", ALLOW, *never)
    else:
        yield calls.rule("execve execveat", _EPERM)
        yield calls.rule("clone", ALLOW, *namespaces, _if(_EPERM, Bits(0, _CLONE_VFORK, _CLONE_VFORK)))
        yield calls.rule("vfork setsid setpgid pidfd_send_signal", _EPERM)
        yield calls.rule("kill rt_sigqueueinfo", ALLOW, *never, _if(_EPERM, Bits(0, _NEGATIVE, _NEGATIVE)))
    yield calls.rule("tkill", _EPERM)
    yield calls.rule("prlimit64 sched_setscheduler sched_setparam sched_setattr sched_setaffinity", _EPERM, itself)
    yield calls.rule("setpriority", _EPERM, _if(ALLOW, Bits(0, 0), Bits(1, 0)))
    yield calls.rule("ioprio_set", _EPERM, _if(ALLOW, Bits(0, 1), Bits(1, 0)))


def _files(calls: _Calls, policy: Policy) -> Iterator[Rule]:
    if policy.anywhere:
        return
    yield calls.rule(_ATTRIBUTES, _EPERM)
    yield calls.rule(" ".join(ASKED), ASK if policy.listener else _EPERM)
    kinds = (0, _FIFO, _REGULAR, _SOCKET) if policy.landlock else ()
    for name, mode in (("mknod", 1), ("mknodat", 2)):
        yield calls.rule(name, _EPERM, *(_if(ALLOW, Bits(mode, kind, _FILE_TYPE)) for kind in kinds))
    if policy.landlock < 3:
        # Nothing else sees a file cut that is opened for reading only, or by name.
        yield calls.rule("truncate", _EPERM)
        yield calls.rule("openat2", _ENOSYS)
        yield from _opening(calls, policy)


def _opening(calls: _Calls, policy: Policy) -> Iterator[Rule]:
    cuts = os.O_TRUNC | os.O_ACCMODE
    yield calls.rule("open", ALLOW, _if(_EPERM, Bits(1, os.O_TRUNC, cuts)))
    cases = [_if(_EPERM, Bits(2, os.O_TRUNC, cuts))]
    if not policy.landlock:
        # The audit hook is not told of the folder that a path begins at: it takes the current one.
        cases.append(_if(ALLOW, Bits(0, _AT_FDCWD)))
        cases += [_if(_EPERM, Bits(2, mode, os.O_ACCMODE)) for mode in (os.O_WRONLY, os.O_RDWR)]
        cases.append(_if(_EPERM, Bits(2, os.O_CREAT, os.O_CREAT)))
    yield calls.rule("openat", ALLOW, *cases)


def _network(calls: _Calls) -> Iterator[Rule]:
    """Sockets that are connected to each other may be had, and TCP sockets that are connected to nothing: many programs make one
    before they need it."""
    yield calls.rule("connect bind listen sendmmsg", _EACCES)
    yield calls.rule("sendto", _EACCES, _if(ALLOW, *null(4)))
    yield calls.rule("sendmsg", ALLOW, _if(_EACCES, Bits(2, _MSG_FASTOPEN, _MSG_FASTOPEN)))
    # A datagram socket sends to any address that a message names, which no rule can see: there are none.
    kinds = [Bits(1, kind, _TYPE_MASK) for kind in (_STREAM, _SEQPACKET)]
    local = [_if(ALLOW, Bits(0, _AF_UNIX), kind) for kind in kinds]
    tcp = [_if(ALLOW, Bits(0, family), kinds[0], Bits(2, protocol)) for family in (_AF_INET, _AF_INET6) for protocol in (0, _TCP)]
    yield calls.rule("socketpair", _EACCES, *local)
    yield calls.rule("socket", _EACCES, *local, *tcp)
