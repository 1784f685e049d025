"""
severity: high
strategy: ask the kernel for what no exercise needs: ptrace, namespaces, keys, bpf, io_uring, modules
surface: system calls
outcome: contained
"""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
CALLS = {"ptrace": 101, "unshare": 272, "setns": 308, "mount": 165, "keyctl": 250, "bpf": 321, "io_uring_setup": 425,
         "userfaultfd": 323, "perf_event_open": 298, "process_vm_readv": 310, "kexec_load": 246, "init_module": 175,
         "memfd_create": 319, "pivot_root": 155, "add_key": 248, "request_key": 249, "personality": 135}  # fmt: skip
open_calls = []
for name, number in CALLS.items():
    libc.syscall(number, -1, -1, -1, -1, -1)
    if ctypes.get_errno() != 1:
        open_calls.append(name)
found = f"escaped: may call {open_calls}" if open_calls else None


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
