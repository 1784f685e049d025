"""The one table of what a submission may use. Backends enforce it, the link and the messages quote it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What one grading may use; every field's unit ends its name. `dataclasses.replace` makes a test's own."""

    load_s: float = 5.0
    """Wall seconds for importing the learner's file."""
    op_s: float = 2.0
    """Wall seconds for one op, the constructor among them."""
    grading_s: float = 60.0
    """Wall seconds for a whole grading, and CPU seconds for any one process of it."""
    memory_mib: int = 512
    """MiB of memory for the whole process tree, its scratch files included."""
    torch_memory_mib: int = 2048
    """MiB in place of `memory_mib` where the sandbox has torch: importing it alone maps over 512 MiB."""
    processes: int = 64
    """Processes and threads alive at a time."""
    open_files: int = 64
    """Open descriptors of one process."""
    scratch_mib: int = 16
    """MiB under /tmp, the only place that can be written."""
    scratch_files: int = 4096
    """Files and folders under /tmp: an empty one takes kernel memory too."""
    reply_mib: int = 1
    """MiB of JSON in one reply."""
    attachment_mib: int = 16
    """MiB of binary attachment in one reply."""
    kept_output_kib: int = 64
    """KiB of the learner's output that is kept; the rest is read, counted and dropped."""
    source_kib: int = 256
    """KiB of the learner's file."""

    def memory_bytes(self, torch: bool) -> int:
        """Bytes the whole tree may use, with or without torch."""
        return (self.torch_memory_mib if torch else self.memory_mib) << 20
