"""
severity: high
strategy: leave a file in every folder that can be written
surface: the file system
outcome: contained
"""

import os

found = None
for folder, folders, _ in os.walk("/"):
    if folder == "/tmp" or folder.startswith(("/proc", "/sys")):
        folders.clear()
        continue
    if folder.count("/") > 3:  # a mount is rarely deeper, and importing has a limit
        folders.clear()
    try:
        writable = not os.statvfs(folder).f_flag & os.ST_RDONLY
    except OSError:
        continue
    try:
        with open(f"{folder}/kvh_was_here", "w") as file:
            file.write("escaped")
        os.unlink(f"{folder}/kvh_was_here")
        found = f"escaped: may write {folder}"
    except OSError:
        pass
    if writable and folder not in ("/dev/pts", "/dev/mqueue", "/dev"):
        found = found or f"escaped: {folder} is mounted writable"


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
