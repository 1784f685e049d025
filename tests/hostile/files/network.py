"""
severity: high
strategy: reach out over every kind of network, and look up names
surface: the network
outcome: contained
"""

import socket

found = None
for address in (("127.0.0.1", 22), ("127.0.0.1", 80), ("1.1.1.1", 53), ("169.254.169.254", 80)):
    try:
        socket.create_connection(address, 0.05)
        found = f"escaped: connected to {address}"
    except OSError as error:
        if "refused" in str(error):
            found = f"escaped: reached {address}"
try:
    found = found or f"escaped: resolved {socket.gethostbyname('localhost.localdomain')}"
except OSError:
    pass
for family in range(1, 46):
    if family != socket.AF_UNIX:
        try:
            socket.socket(family, socket.SOCK_DGRAM).close()
            found = found or f"escaped: has sockets of family {family}"
        except OSError:
            pass


class OutOfBlocks(Exception):
    pass


class BlockManager:
    def __init__(self, **pool):
        raise RuntimeError(found or "contained")
