"""The filter, run by a small interpreter of its instructions: what it lets through, what it answers."""

from __future__ import annotations

import errno
import re
import struct
from pathlib import Path

import pytest

from grader.sandbox import seccomp

HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), r"#define __NR_(\w+)\s+(\d+)"),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), r"#define __NR(?:3264)?_(\w+)\s+(\d+)"),
}
machines = pytest.mark.parametrize("machine", sorted(seccomp.MACHINES))


def verdict(machine: str, number: int, *arguments: int, arch: int | None = None) -> int:
    """What the kernel would answer to this system call."""
    program = seccomp.program(machine)
    assert program is not None
    data = struct.pack("=iIQ6Q", number, arch or seccomp.MACHINES[machine][1], 0, *(*arguments, 0, 0, 0, 0, 0, 0)[:6])
    steps = list(struct.iter_unpack("=HBBI", program))
    at = value = 0
    while True:
        operation, if_true, if_false, operand = steps[at]
        if operation == seccomp.RETURN:
            return int(operand)
        if operation == seccomp.LOAD:
            [value] = struct.unpack_from("=I", data, operand)
            at += 1
            continue
        holds = {
            seccomp.EQUAL: value == operand,
            seccomp.AT_LEAST: value >= operand,
            seccomp.ANY_BIT: bool(value & operand),
        }
        at += 1 + (if_true if holds[operation] else if_false)


def refused(number: int) -> int:
    return 0x00050000 | number


@machines
def test_every_call_of_the_table_is_refused_and_others_pass(machine: str) -> None:
    column = seccomp.MACHINES[machine][0]
    numbers = {row[column] for row in seccomp.REFUSED.values() if row[column] is not None}
    special = {pair[column] for pair in (seccomp.CLONE3, seccomp.SOCKET)}
    for number in range(seccomp.YOUNGEST + 1):
        if number in numbers:
            assert verdict(machine, number) == refused(errno.EPERM)
        elif number not in special:
            assert verdict(machine, number) == seccomp.ALLOW
    assert verdict(machine, seccomp.YOUNGEST + 1) == refused(errno.ENOSYS)
    assert verdict(machine, 0x40000000) == refused(errno.ENOSYS)


@machines
def test_arguments_decide_for_clone_ioctl_and_socket(machine: str) -> None:
    column = seccomp.MACHINES[machine][0]
    thread, new_user = 0x003D0F00, 0x10000000 | 17
    assert verdict(machine, seccomp.CLONE[column], thread) == seccomp.ALLOW
    assert verdict(machine, seccomp.CLONE[column], new_user) == refused(errno.EPERM)
    assert verdict(machine, seccomp.CLONE3[column]) == refused(errno.ENOSYS)
    assert verdict(machine, seccomp.IOCTL[column], 0, 0x5401) == seccomp.ALLOW
    assert verdict(machine, seccomp.IOCTL[column], 0, seccomp.TIOCSTI) == refused(errno.EPERM)
    assert verdict(machine, seccomp.IOCTL[column], 0, seccomp.TIOCSTI | 1 << 32) == refused(errno.EPERM)
    assert verdict(machine, seccomp.SOCKET[column], seccomp.AF_UNIX) == seccomp.ALLOW
    assert verdict(machine, seccomp.SOCKET[column], 40) == refused(errno.EAFNOSUPPORT)


@machines
def test_calls_of_another_machine_end_the_process(machine: str) -> None:
    i386 = 0x40000003
    assert verdict(machine, 0, arch=i386) == seccomp.KILL


def test_a_machine_without_a_table_has_no_filter() -> None:
    assert seccomp.program("sparc64") is None


@machines
def test_numbers_are_those_of_the_kernel_headers(machine: str) -> None:
    path, pattern = HEADERS[machine]
    if not path.exists():
        pytest.skip(f"{path} is not installed")
    known = {name: int(number) for name, number in re.findall(pattern, path.read_text())}
    column = seccomp.MACHINES[machine][0]
    for name, row in seccomp.REFUSED.items():
        assert row[column] == known.get(name), name
    for name in ("CLONE", "CLONE3", "IOCTL", "SOCKET"):
        assert getattr(seccomp, name)[column] == known[name.lower()]
