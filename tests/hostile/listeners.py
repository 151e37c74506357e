"""Services of the machine that no submission may reach."""

from __future__ import annotations

import contextlib
import hashlib
import socket
import threading
from pathlib import Path


class Listeners:
    """A service on the loopback and one on an abstract unix socket, which note who reaches them."""

    def __init__(self, root: Path, reached: list[str]) -> None:
        self.name = f"kqa-{hashlib.sha256(str(root).encode()).hexdigest()[:12]}"
        self._reached = reached
        self._stream = socket.create_server(("127.0.0.1", 0))
        self.port = self._stream.getsockname()[1]
        self._datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._datagram.bind(("127.0.0.1", self.port))
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(f"\0{self.name}")
        self._unix.listen()

    def __enter__(self) -> Listeners:
        for what, where in (("tcp", self._stream), ("unix", self._unix), ("udp", self._datagram)):
            threading.Thread(target=self._watch, args=(what, where), daemon=True).start()
        return self

    def __exit__(self, *rest: object) -> None:
        for each in (self._stream, self._unix, self._datagram):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _watch(self, what: str, where: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                if what == "udp":
                    if not where.recv(100):
                        return
                else:
                    where.accept()[0].close()
                self._reached.append(what)
