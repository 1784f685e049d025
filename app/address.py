"""Where the playground listens, found out before the server starts: what cannot be had gets a sentence."""

from __future__ import annotations

import errno
import ipaddress
import socket
from typing import NamedTuple

from grader.words import Say


class Unusable(Exception):
    """This address or port cannot be had. ``say`` tells what to do."""

    def __init__(self, say: Say) -> None:
        super().__init__(say.msgid)
        self.say = say


class Address(NamedTuple):
    """``host`` is a number, never a name: a name might lead elsewhere when it is asked again."""

    host: str
    port: int

    @property
    def alone(self) -> bool:
        """Is it for this machine alone?"""
        return ipaddress.ip_address(self.host).is_loopback

    @property
    def url(self) -> str:
        """What a browser on this machine opens."""
        every = ipaddress.ip_address(self.host).is_unspecified
        host = {4: "127.0.0.1", 6: "[::1]"}[ipaddress.ip_address(self.host).version] if every else self.host
        return f"http://{f'[{host}]' if ':' in host and not every else host}:{self.port}"


def found(host: str, port: int) -> Address:
    """``host`` as a number, with ``port`` tried out; for 0 one that is free. Unusable if either cannot be had."""
    number = _number(host)
    try:
        with socket.socket(socket.AF_INET6 if ":" in number else socket.AF_INET) as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind((number, port))
            return Address(number, int(trial.getsockname()[1]))
    except OverflowError:
        say = Say("There is no port {port}: take one from 1024 to 65535, or 0 for any that is free.", port=port)
        raise Unusable(say) from None
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise Unusable(_no_such(host)) from None
        if error.errno == errno.EACCES:
            say = Say("Port {port} is for the system's own services: take one from 1024 to 65535.", port=port)
            raise Unusable(say) from None
        say = Say("Port {port} cannot be had: something else is using it. Take another one: --port {other}",
                  port=port, other=8502 if port != 8502 else 8503)  # fmt: skip
        raise Unusable(say) from None


def _number(host: str) -> str:
    if not host:  # for a socket it means every address, for a look-up this machine alone
        raise Unusable(_no_such(host))
    try:
        rows = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Unusable(_no_such(host)) from None
    return str(sorted(rows, key=lambda row: row[0] != socket.AF_INET)[0][4][0])


def _no_such(host: str) -> Say:
    return Say("This machine has no address {host}. For this machine alone take 127.0.0.1, for everybody 0.0.0.0.",
               host=repr(host))  # fmt: skip
