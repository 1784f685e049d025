"""
severity: high
strategy: take more memory than is allowed in many processes, none of which has too much
surface: memory of the tree
outcome: used more than 128 MiB of memory, in import p06_block_manager
"""

import os
import resource
import signal
import time

children = []
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        held = bytearray(b"x") * (resource.getrlimit(resource.RLIMIT_AS)[0] * 2 // 5)
        time.sleep(0.2)
        os._exit(len(held) == 0)
    children.append(pid)
ends = [os.waitpid(pid, 0)[1] for pid in children]
if any(ends):
    os.kill(os.getpid(), signal.SIGKILL)
raise RuntimeError("escaped: its processes held twice as much together")
