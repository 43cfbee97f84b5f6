"""The rules of seccomp, judged by a small machine that runs the programs: both architectures, whatever this one is."""

from __future__ import annotations

import errno
import os
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crashwright.engine.execution.confinement.bpf import ALLOW, ASK, Bits, FilterCase, Rule, program, refuse
from crashwright.engine.execution.confinement.policy import DONE, Policy, before_import, for_tests
from crashwright.engine.execution.confinement.syscalls import number

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
EPERM, EACCES, ENOSYS = refuse(errno.EPERM), refuse(errno.EACCES), refuse(errno.ENOSYS)
AT_FDCWD = -100


def judge(code, architecture, call, *arguments):
    """What the kernel's machine would answer."""
    words = [value & 0xFFFFFFFFFFFFFFFF for value in (*arguments, *[0] * (6 - len(arguments)))]
    data = struct.pack("=IIQ6Q", call & 0xFFFFFFFF, architecture, 0, *words)
    register = at = 0
    while True:
        operation, if_true, if_false, operand = struct.unpack_from("=HBBI", code, at * 8)
        at += 1
        if operation == 0x20:
            register = struct.unpack_from("=I", data, operand)[0]
        elif operation == 0x54:
            register &= operand
        elif operation == 0x15:
            at += if_true if register == operand else if_false
        elif operation == 0x35:
            at += if_true if register >= operand else if_false
        else:
            assert operation == 0x06
            return operand


class Kernel:
    """Judges calls by name."""

    def __init__(self, machine, stage=before_import, **policy):
        self.machine = machine
        rules = before_import(Policy(machine, **policy)) if stage is before_import else stage(Policy(machine, **policy))
        self.code = program(rules, machine)

    def __call__(self, name, *arguments):
        call = number(name, self.machine)
        assert call is not None
        return judge(self.code, MACHINES[self.machine], call, *arguments)


@pytest.fixture(params=MACHINES)
def machine(request):
    return request.param


def test_of_several_rules_the_first_decides_and_calls_without_rule_are_allowed(machine):
    cases = (FilterCase(EACCES, (Bits(0, 7), Bits(1, 2, 3))), FilterCase(EPERM, (Bits(0, 8),)))
    code = program([Rule((1, 2, 3), ALLOW, cases), Rule((2, 4), ENOSYS)], machine)

    def verdict(*call):
        return judge(code, MACHINES[machine], *call)

    for call in (1, 2, 3):
        assert verdict(call, 7, 2) == verdict(call, 7, 6) == EACCES
        assert verdict(call, 7, 3) == verdict(call, 9) == ALLOW
        assert verdict(call, 8) == EPERM
    assert verdict(4) == ENOSYS
    assert verdict(5) == ALLOW


@given(
    rules=st.lists(
        st.builds(
            Rule,
            st.lists(st.integers(0, 9), max_size=4).map(tuple),
            st.sampled_from([ALLOW, EPERM]),
            st.lists(
                st.builds(
                    FilterCase,
                    st.sampled_from([ALLOW, EACCES, ASK]),
                    st.lists(st.builds(Bits, st.integers(0, 5), st.integers(0, 3), st.sampled_from([1, 3, 0xFFFFFFFF]))).map(tuple),
                ),
                max_size=3,
            ).map(tuple),
        )
    ),
    call=st.integers(0, 9),
    arguments=st.tuples(*[st.integers(0, 3)] * 6),
)
def test_programs_do_what_the_rules_say(rules, call, arguments):
    def expected():
        for rule in rules:
            if call in rule.numbers:
                for case in rule.cases:
                    if all((0 if test.upper else arguments[test.argument]) & test.mask == test.value for test in case.tests):
                        return case.verdict
                return rule.otherwise
        return ALLOW

    assert judge(program(rules, "x86_64"), MACHINES["x86_64"], call, *arguments) == expected()


def test_a_rule_that_is_too_long_is_an_error():
    with pytest.raises(ValueError, match="too long"):
        program([Rule((1,), ALLOW, tuple(FilterCase(EPERM, (Bits(0, value),)) for value in range(100)))], "x86_64")


def test_other_architectures_and_x32_are_unknown(machine):
    code = program([], machine)
    assert judge(code, 0x40000003, 11) == ENOSYS
    if machine == "x86_64":
        assert judge(code, MACHINES[machine], 0x40000000 + 59) == ENOSYS
        assert judge(code, MACHINES[machine], -1) == ENOSYS


def test_before_the_import(machine):
    kernel = Kernel(machine, landlock=7, listener=True, host=77)
    for name in ("execve", "execveat", "ptrace", "mount", "unshare", "bpf", "keyctl", "fsetxattr", "shmget", "setsid", "tkill"):
        assert kernel(name) == EPERM, name
    for name in ("clone3", "io_uring_setup", "io_uring_enter"):
        assert kernel(name) == ENOSYS, name
    for name in ("fchmod", "fchmodat", "fchownat", "utimensat"):
        assert kernel(name) == ASK, name
    assert kernel("clone", 17) == ALLOW, "engines are forked"
    assert kernel("clone", 0x4000 | 17) == kernel("clone", 0x10000000 | 17) == EPERM
    assert kernel("kill", 1234, 9) == ALLOW, "and killed"
    assert kernel("kill", 77, 9) == kernel("kill", 0, 9) == kernel("kill", -1, 9) == kernel("kill", -1234, 9) == EPERM
    assert kernel("prlimit64", 0, 7, 1) == ALLOW
    assert kernel("prlimit64", 1234, 7, 1) == EPERM
    assert kernel("setpriority", 0, 0, 5) == ALLOW
    assert kernel("setpriority", 1, 0, 5) == kernel("setpriority", 0, 9, 5) == EPERM


def test_descriptors_and_special_files(machine):
    kernel = Kernel(machine, landlock=7)
    assert kernel("fchmod", 3, 0o777) == EPERM, "without a listener"
    assert kernel("ioctl", 0, 0x5401) == ALLOW
    assert kernel("ioctl", 0, 0x5412) == kernel("ioctl", 3, 0x40086602) == EPERM, "TIOCSTI, FS_IOC_SETFLAGS"
    assert kernel("fcntl", 3, 3) == ALLOW
    assert kernel("fcntl", 3, 8, 1234) == kernel("fcntl", 3, 10, 9) == EPERM, "F_SETOWN, F_SETSIG"
    assert kernel("mknodat", AT_FDCWD, 1, 0o010644) == kernel("mknodat", AT_FDCWD, 1, 0o644) == ALLOW
    assert kernel("mknodat", AT_FDCWD, 1, 0o020644) == kernel("mknodat", AT_FDCWD, 1, 0o060644) == EPERM, "devices"
    assert Kernel(machine)("mknodat", AT_FDCWD, 1, 0o010644) == EPERM, "Landlock would look at the folder"


def test_network(machine):
    kernel = Kernel(machine, landlock=7)
    for name in ("connect", "bind", "listen", "sendmmsg"):
        assert kernel(name, 3) == EACCES
        assert Kernel(machine, landlock=7, network=True)(name, 3) == ALLOW
    assert kernel("sendto", 3, 1, 1, 0, 0) == ALLOW
    assert kernel("sendto", 3, 1, 1, 0, 1 << 40) == kernel("sendto", 3, 1, 1, 0, 4096) == EACCES
    assert kernel("sendmsg", 3, 1, 0) == ALLOW
    assert kernel("sendmsg", 3, 1, 0x20000000) == EACCES, "MSG_FASTOPEN connects"
    cloexec = 0o2000000
    for family, kind, protocol, verdict in [
        (1, 1, 0, ALLOW),
        (1, 5 | cloexec, 0, ALLOW),
        (1, 2, 0, EACCES),
        (2, 1 | cloexec, 0, ALLOW),
        (10, 1, 6, ALLOW),
        (2, 1, 262, EACCES),
        (2, 2, 0, EACCES),
        (10, 3, 58, EACCES),
        (16, 3, 0, EACCES),
        (40, 1, 0, EACCES),
    ]:
        assert kernel("socket", family, kind, protocol) == verdict, (family, kind, protocol)
    assert kernel("socketpair", 1, 1, 0) == ALLOW
    assert kernel("socketpair", 1, 2, 0) == EACCES


def test_processes_may_be_allowed(machine):
    kernel = Kernel(machine, landlock=7, processes=True, host=77)
    for name in ("execve", "execveat", "setsid", "setpgid"):
        assert kernel(name, 0, 0) == ALLOW, name
    assert kernel("clone", 0x4000 | 17) == ALLOW
    assert kernel("clone", 0x20000000) == EPERM, "but no new namespaces"
    assert kernel("kill", -1234, 9) == ALLOW
    assert kernel("kill", -1, 9) == kernel("kill", 77, 9) == EPERM


def test_old_landlock_leaves_cutting_and_no_landlock_leaves_folders(machine):
    rdonly_cut, write_cut = os.O_TRUNC, os.O_WRONLY | os.O_TRUNC
    for abi in (1, 2):
        old = Kernel(machine, landlock=abi)
        assert old("truncate") == EPERM
        assert old("openat2") == ENOSYS
        assert old("openat", AT_FDCWD, 1, rdonly_cut) == EPERM
        assert old("openat", 5, 1, write_cut) == ALLOW, "Landlock looks at the folder"
    none = Kernel(machine)
    assert none("openat", AT_FDCWD, 1, write_cut) == ALLOW, "the audit hook looks at the path"
    assert none("openat", 5, 1, os.O_RDONLY) == ALLOW
    assert none("openat", 5, 1, os.O_WRONLY) == none("openat", 5, 1, os.O_RDWR) == none("openat", 5, 1, os.O_CREAT) == EPERM
    new = Kernel(machine, landlock=3)
    assert new("truncate") == new("openat2") == new("openat", AT_FDCWD, 1, rdonly_cut) == ALLOW


def test_everything_writable_leaves_files_alone(machine):
    kernel = Kernel(machine, landlock=7, anywhere=True)
    for name in ("fchmod", "fchmodat", "utimensat", "fsetxattr", "truncate"):
        assert kernel(name) == ALLOW
    assert kernel("mknodat", AT_FDCWD, 1, 0o020644) == ALLOW


def test_a_process_that_runs_tests(machine):
    pid, ours = 4321, (180, 181, 182)
    kernel = Kernel(machine, lambda policy: for_tests(policy, pid, ours), landlock=7)
    for name in ("kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"):
        assert kernel(name, pid, 9) == ALLOW
        assert kernel(name, 1, 9) == kernel(name, 0, 9) == kernel(name, -pid, 9) == EPERM
    assert kernel("clone", 0x3D0F00) == ALLOW, "threads, as glibc starts them"
    assert kernel("clone", 17) == EPERM
    if machine == "x86_64":
        assert kernel("fork") == kernel("vfork") == EPERM
    for one in ours:
        assert kernel("close", one) == kernel("ftruncate", one) == kernel("dup3", 5, one) == EPERM
        assert kernel("fcntl", one, 4) == kernel("ioctl", one, 0x5421) == EPERM
        assert kernel("dup3", one, 5) == kernel("fcntl", one, 3) == ALLOW
    assert kernel("close", 5) == kernel("ftruncate", 5) == ALLOW
    assert kernel("close_range", 3, 400) == EPERM
    assert kernel("prlimit64", 0, 7, 4096) == EPERM
    assert kernel("prlimit64", 0, 7, 0, 4096) == ALLOW, "asking is free"
    assert kernel("prctl", 1, 0) == kernel("prctl", 0x59616D61, 1) == EPERM
    assert kernel("prctl", 15, 1) == ALLOW, "a name"
    assert kernel("fdatasync", 5) == kernel("syncfs", 5) == kernel("sync") == DONE


def test_what_is_written_anywhere_reaches_the_disk(machine):
    kernel = Kernel(machine, lambda policy: for_tests(policy, 4321), landlock=7, anywhere=True)
    assert kernel("fdatasync", 5) == kernel("sync") == ALLOW


def test_a_process_that_may_start_others_may_signal_them(machine):
    kernel = Kernel(machine, lambda policy: for_tests(policy, 4321), landlock=7, processes=True)
    assert kernel("clone", 17) == kernel("kill", 5555, 9) == kernel("close_range", 3, 400) == ALLOW
