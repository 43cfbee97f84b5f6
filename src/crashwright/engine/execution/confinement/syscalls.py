"""System calls by number, for what neither Python nor every libc has a function for; x86-64 and 64-bit ARM.

The numbers are the kernel's (arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h); they never change.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


class Unavailable(Exception):
    """A mechanism that this system does not have; the text says why, for the user."""


class System:
    """The system call interface of this process. Raises Unavailable where there is none that we know."""

    def __init__(self) -> None:
        machine = os.uname().machine
        if sys.platform != "linux":
            raise Unavailable("needs Linux")
        if machine not in _COLUMN or sys.maxsize < 2**32:
            raise Unavailable(f"not known for {machine} processors")
        try:
            import ctypes  # not at the top: an interpreter may be built without it
        except ImportError:
            raise Unavailable("this Python has no ctypes") from None
        self.machine = machine
        self._ctypes = ctypes
        try:
            self._syscall = ctypes.CDLL(None, use_errno=True).syscall
        except (OSError, AttributeError):
            raise Unavailable("the C library has no syscall function") from None
        self._syscall.restype = ctypes.c_long

    def number(self, name: str) -> int | None:
        """The number of a call, None where this architecture does not have it."""
        return number(name, self.machine)

    def call(self, name: str, *arguments: int | bytes | bytearray | None) -> int:
        """Make a call. Bytes are passed by address, and a bytearray may be filled by the kernel. Raises OSError as the kernel
        answers."""
        which = self.number(name)
        if which is None:
            raise Unavailable(f"no {name} on this architecture")
        result: int = self._syscall(self._ctypes.c_long(which), *map(self._argument, arguments))
        if result < 0:
            error = self._ctypes.get_errno()
            raise OSError(error, os.strerror(error))
        return result

    def address(self, buffer: bytearray) -> int:
        """Where a buffer lies in memory, for structures that point to others. Keep the buffer alive and its length as it is."""
        ctypes = self._ctypes
        place: int = ctypes.addressof((ctypes.c_char * len(buffer)).from_buffer(buffer))
        return place

    def _argument(self, value: int | bytes | bytearray | None) -> object:
        ctypes = self._ctypes
        if isinstance(value, bytearray):
            return (ctypes.c_char * len(value)).from_buffer(value)
        if isinstance(value, int):
            return ctypes.c_long(value)
        return value


def number(name: str, machine: str) -> int | None:
    """The number of call ``name`` on ``machine`` (as ``uname -m`` says)."""
    return _NUMBERS[name][_COLUMN[machine]]


_COLUMN: Mapping[str, int] = {"x86_64": 0, "aarch64": 1}


def _table() -> dict[str, tuple[int | None, int | None]]:
    table: dict[str, tuple[int | None, int | None]] = {}
    for line in _LINES.strip().splitlines():
        name, *columns = line.split()
        first = None if columns[0] == "-" else int(columns[0])
        table[name] = (first, first if len(columns) == 1 else None if columns[1] == "-" else int(columns[1]))
    return table


# Name, x86_64, aarch64; one number for both where they agree.
_LINES = """
execve 59 221
execveat 322 281
fork 57 -
vfork 58 -
clone 56 220
clone3 435
kill 62 129
tkill 200 130
tgkill 234 131
rt_sigqueueinfo 129 138
rt_tgsigqueueinfo 297 240
pidfd_send_signal 424
pidfd_getfd 438
ptrace 101 117
process_vm_readv 310 270
process_vm_writev 311 271
process_madvise 440
process_mrelease 448
kcmp 312 272
move_pages 279 239
migrate_pages 256 238
socket 41 198
socketpair 53 199
connect 42 203
bind 49 200
listen 50 201
sendto 44 206
sendmsg 46 211
sendmmsg 307 269
chmod 90 -
fchmod 91 52
fchmodat 268 53
fchmodat2 452
chown 92 -
fchown 93 55
lchown 94 -
fchownat 260 54
utime 132 -
utimes 235 -
utimensat 280 88
futimesat 261 -
setxattr 188 5
lsetxattr 189 6
fsetxattr 190 7
removexattr 197 14
lremovexattr 198 15
fremovexattr 199 16
setxattrat 463
removexattrat 466
file_setattr 469
mknod 133 -
mknodat 259 33
mount 165 40
umount2 166 39
pivot_root 155 41
chroot 161 51
move_mount 429
open_tree 428
open_tree_attr 467
fsopen 430
fsconfig 431
fsmount 432
fspick 433
mount_setattr 442
setns 308 268
unshare 272 97
swapon 167 224
swapoff 168 225
reboot 169 142
kexec_load 246 104
kexec_file_load 320 294
init_module 175 105
finit_module 313 273
delete_module 176 106
settimeofday 164 170
clock_settime 227 112
clock_adjtime 305 266
adjtimex 159 171
sethostname 170 161
setdomainname 171 162
acct 163 89
quotactl 179 60
quotactl_fd 443
syslog 103 116
iopl 172 -
ioperm 173 -
vhangup 153 58
keyctl 250 219
add_key 248 217
request_key 249 218
bpf 321 280
perf_event_open 298 241
userfaultfd 323 282
io_uring_setup 425
io_uring_enter 426
io_uring_register 427
name_to_handle_at 303 264
open_by_handle_at 304 265
fanotify_init 300 262
fanotify_mark 301 263
uselib 134 -
sched_setscheduler 144 119
sched_setparam 142 118
sched_setattr 314 274
sched_setaffinity 203 122
setpriority 141 140
ioprio_set 251 30
prlimit64 302 261
setrlimit 160 164
setpgid 109 154
setsid 112 157
prctl 157 167
ioctl 16 29
fdatasync 75 83
sync 162 81
syncfs 306 267
fcntl 72 25
shmget 29 194
semget 64 190
msgget 68 186
shmctl 31 195
semctl 66 191
msgctl 71 187
mq_open 240 180
mq_unlink 241 181
open 2 -
openat 257 56
openat2 437
creat 85 -
truncate 76 45
capget 125 90
capset 126 91
seccomp 317 277
landlock_create_ruleset 444
landlock_add_rule 445
landlock_restrict_self 446
close 3 57
dup2 33 -
dup3 292 24
close_range 436
ftruncate 77 46
sysfs 139 -
_sysctl 156 -
"""
_NUMBERS: Mapping[str, tuple[int | None, int | None]] = _table()
