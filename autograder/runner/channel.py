"""Framed messages over a socket: the only connection between the judge and a runner.

- A frame is a 4-byte big-endian length and that many bytes. A length past the cap is refused before anything
  is read.
- A deadline covers the whole frame: a peer that sends one byte a second does not renew it.
- Both sides use this file; it imports nothing but the standard library.
"""

from __future__ import annotations

import select
import socket
import time

MAX_FRAME = 100 * 2**20


class ChannelClosed(Exception):
    """The other side has closed the connection."""


class ChannelTimeout(Exception):
    """The deadline passed before the whole frame went over."""


class FrameTooLarge(Exception):
    """The other side announced more bytes than a frame may have."""


class Channel:
    """Frames over a connected stream socket."""

    def __init__(self, connection: socket.socket, max_frame: int = MAX_FRAME) -> None:
        self._socket = connection
        self._max = max_frame

    def close(self) -> None:
        """Close the socket; the other side sees ChannelClosed."""
        self._socket.close()

    def send(self, frame: bytes, deadline: float | None = None) -> None:
        """Send one frame before `deadline` (of `time.monotonic`).
        Raises ChannelTimeout, ChannelClosed, FrameTooLarge.
        """
        if len(frame) > self._max:
            raise FrameTooLarge(f"a frame of {len(frame)} bytes")
        rest = memoryview(len(frame).to_bytes(4, "big") + frame)
        while rest:
            try:
                sent = self._socket.send(rest[: 2**20], socket.MSG_DONTWAIT)
            except BlockingIOError:
                self._wait(select.POLLOUT, deadline)
                continue
            except OSError as error:
                raise ChannelClosed(str(error)) from None
            rest = rest[sent:]

    def receive(self, deadline: float | None = None, most: int | None = None) -> bytes:
        """The next frame, of at most `most` bytes. Raises ChannelTimeout, ChannelClosed, FrameTooLarge."""
        size = int.from_bytes(self._read(4, deadline), "big")
        if size > (self._max if most is None else most):
            raise FrameTooLarge(f"a frame of {size} bytes")
        return self._read(size, deadline)

    def _read(self, size: int, deadline: float | None) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            try:
                part = self._socket.recv(min(size - len(parts), 2**20), socket.MSG_DONTWAIT)
            except BlockingIOError:
                self._wait(select.POLLIN, deadline)
                continue
            except OSError as error:
                raise ChannelClosed(str(error)) from None
            if not part:
                raise ChannelClosed("the other side closed")
            parts += part
            # also if bytes keep coming, one at a time
            if deadline is not None and time.monotonic() > deadline:
                raise ChannelTimeout("the deadline passed")
        return bytes(parts)

    def _wait(self, event: int, deadline: float | None) -> None:
        poll = select.poll()
        poll.register(self._socket, event)
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            raise ChannelTimeout("the deadline passed")
        poll.poll(None if left is None else left * 1000 + 1)
