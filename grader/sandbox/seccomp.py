"""The system calls that nobody needs to solve an exercise, and the seccomp filter that refuses them.

A filter is a BPF program for the kernel (struct seccomp_data in, verdict out). It is compiled here from the table
below: no library, no file. What is refused looks to the program like a call it has no permission for.
"""

from __future__ import annotations

import errno
import platform
import struct
from functools import cache

# name: (its number on x86_64, on aarch64), None where it does not exist
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # other processes
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    # keyrings, bpf, io_uring
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "bpf": (321, 280),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # memory that no limit of one process counts
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "shmdt": (67, 197),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "mq_timedsend": (242, 182),
    "mq_timedreceive": (243, 183),
    "mq_notify": (244, 184),
    "mq_getsetattr": (245, 185),
    # the kernel and its clock
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "create_module": (174, None),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "syslog": (103, 116),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "personality": (135, 92),
    "uselib": (134, None),
    "vhangup": (153, 58),
    "nfsservctl": (180, 42),
    "lookup_dcookie": (212, 18),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "_sysctl": (156, None),
}
CLONE, CLONE3, IOCTL, SOCKET = (56, 220), (435, 435), (16, 29), (41, 198)
YOUNGEST = 451
"""The last number (cachestat) this table has looked at: younger calls, and x86_64's x32 ones, do not exist inside."""

MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Machine: column of the table, AUDIT_ARCH of its system calls."""

NEW_NAMESPACES = 0x7E020000  # CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
TIOCSTI, TIOCLINUX = 0x5412, 0x541C  # put characters into the terminal that started us
AF_UNIX = 1  # with a network namespace of its own, no family leads anywhere but AF_VSOCK

ALLOW, KILL = 0x7FFF0000, 0x80000000
NUMBER, ARCH, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24  # offsets in struct seccomp_data, low halves
LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06


@cache
def program(machine: str = platform.machine()) -> bytes | None:
    """The filter as an array of struct sock_filter, or None for a machine the table has no numbers for."""
    if machine not in MACHINES:
        return None
    column, arch = MACHINES[machine]
    steps = [
        (LOAD, 0, 0, ARCH),
        (EQUAL, 1, 0, arch),
        (RETURN, 0, 0, KILL),  # another machine's calls have other numbers: the table says nothing about them
        (LOAD, 0, 0, NUMBER),
        *_refuse(AT_LEAST, YOUNGEST + 1, errno.ENOSYS),
    ]
    for numbers in REFUSED.values():
        number = numbers[column]
        if number is not None:
            steps += _refuse(EQUAL, number, errno.EPERM)
    # clone3's flags lie behind a pointer; told that it does not exist, libc takes clone.
    steps += _refuse(EQUAL, CLONE3[column], errno.ENOSYS)
    steps += _look_into(CLONE[column], FIRST_ARGUMENT, _refuse(ANY_BIT, NEW_NAMESPACES, errno.EPERM))
    terminal = [*_refuse(EQUAL, TIOCSTI, errno.EPERM), *_refuse(EQUAL, TIOCLINUX, errno.EPERM)]
    steps += _look_into(IOCTL[column], SECOND_ARGUMENT, terminal)
    only_unix = [(EQUAL, 1, 0, AF_UNIX), (RETURN, 0, 0, _error(errno.EAFNOSUPPORT))]
    steps += _look_into(SOCKET[column], FIRST_ARGUMENT, only_unix)
    steps.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


Step = tuple[int, int, int, int]
"""Operation, how many steps to skip if true, if false, operand."""


def _error(number: int) -> int:
    return 0x00050000 | number


def _refuse(test: int, operand: int, error: int) -> list[Step]:
    return [(test, 0, 1, operand), (RETURN, 0, 0, _error(error))]


def _look_into(number: int, argument: int, steps: list[Step]) -> list[Step]:
    """For this call judge an argument by `steps`, and allow what they let through."""
    inner = [(LOAD, 0, 0, argument), *steps, (RETURN, 0, 0, ALLOW)]
    return [(EQUAL, 0, len(inner), number), *inner]
