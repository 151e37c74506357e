"""What no submission may reach: services of the machine, and the browser of whoever opens a page."""

from __future__ import annotations

import contextlib
import hashlib
import json
import socket
import threading
from html.parser import HTMLParser
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


def run_by_a_browser(text: str, notebook: bool = False) -> list[str]:
    """What in a page would run the fixtures' `kqaHostile()`; of a notebook, what its outputs would."""
    if notebook:
        cells = json.loads(text)["cells"]
        outputs = (output for cell in cells for output in cell.get("outputs", []))
        # a stream is shown as text
        text = "".join(json.dumps(output) for output in outputs if output["output_type"] != "stream")
        return ["output"] if "kqaHostile" in text else []
    reader = _Reader()
    reader.feed(text)
    return reader.found


class _Reader(HTMLParser):
    """Collects scripts, handlers and script addresses that come from a fixture."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.script = tag in ("script", "style")
        for name, value in attrs:
            runs = (
                name.startswith("on")
                or "script" in "".join((value or "").split()).casefold()
                or name == "srcdoc"
            )
            if runs and "kqaHostile" in (value or ""):
                self.found.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self.script = False

    def handle_data(self, data: str) -> None:
        if self.script and "kqaHostile" in data:
            self.found.append(f"script {data[:40]}")
