# SPDX-License-Identifier: MIT
"""Receives the picture that `winnow render --display tev:HOST:PORT` sends while it renders.

The messages are those of the image viewer tev: a length in bytes that counts itself, an operation,
and operands; numbers are little-endian and texts end with a zero.
"""

import socket
import struct
import threading

UPDATE_IMAGE = 6
MAX_MESSAGE = 1 << 30


class Rows:
    """Rows of a picture: `pixels` holds R, G and B of each as floats, the top row first."""

    def __init__(self, first, width, count, pixels):
        self.first, self.width, self.count, self.pixels = first, width, count, pixels


def parse_update(message):
    """Returns the Rows of a message without its length; None if it is another message."""
    if not message or message[0] != UPDATE_IMAGE:
        return None
    at = message.index(b"\0", 2) + 1  # after the operation, the focus and the name
    (channels,) = struct.unpack_from("<i", message, at)
    at += 4
    for _ in range(channels):
        at = message.index(b"\0", at) + 1
    _, first, width, count = struct.unpack_from("<4i", message, at)
    at += 16 + 16 * channels  # offsets and strides: the channels are interleaved
    pixels = message[at:]
    if channels != 3 or len(pixels) != 12 * width * count:
        return None
    return Rows(first, width, count, pixels)


class Receiver:
    """Listens on a port of this machine for one picture."""

    def __init__(self):
        self._server = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._rows = []
        threading.Thread(target=self._serve, daemon=True).start()

    @property
    def address(self):
        """Value of --display."""
        return f"tev:127.0.0.1:{self._server.getsockname()[1]}"

    def take(self):
        """Returns the Rows that have arrived since the last call, oldest first."""
        with self._lock:
            rows, self._rows = self._rows, []
        return rows

    def close(self):
        self._server.close()

    def _serve(self):
        try:
            while True:
                connection, _ = self._server.accept()
                with connection, connection.makefile("rb") as stream:
                    self._receive(stream)
        except (OSError, ValueError):  # closed, or not a message of winnow
            pass

    def _receive(self, stream):
        while header := stream.read(4):
            (length,) = struct.unpack("<I", header)
            if not 4 < length <= MAX_MESSAGE:
                return
            rows = parse_update(stream.read(length - 4))
            if rows:
                with self._lock:
                    # A picture that begins again replaces what nobody has taken.
                    self._rows = [*([] if rows.first == 0 else self._rows), rows]
