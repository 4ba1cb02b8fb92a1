"""The service's public origin as devices see it: passes every request on byte for byte, and keeps what it saw."""

import re
import socketserver
import threading
from contextlib import contextmanager
from dataclasses import dataclass

from harness import wire
from harness.listener import Listener

# What a payload could name a person by: a tracking ID, also in the hexadecimal form of Adobe's `_mId`.
TRACES = re.compile(rb"AQ[A-Za-z0-9_-]{52}|01[0-9a-fA-F]{78}|@people\.example")


@dataclass(frozen=True)
class Request:
    raw: bytes

    @property
    def line(self):
        return self.raw.split(b"\r\n", 1)[0].decode("latin-1")

    @property
    def identifies_somebody(self):
        return TRACES.search(self.raw) is not None


class Door(Listener):
    def __init__(self):
        self.service = None
        self._requests = []
        self._lock = threading.Lock()
        door = self

        class Visitor(socketserver.StreamRequestHandler):
            def handle(self):
                door._pass_on(self.rfile, self.wfile)

        super().__init__(Visitor)

    @contextmanager
    def watch(self):
        """The requests that come in while the block runs."""
        seen = []
        with self._lock:
            start = len(self._requests)
        yield seen
        with self._lock:
            seen += self._requests[start:]

    def _pass_on(self, reader, writer):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = reader.readline()
            if not line:
                return
            head += line
        length = re.search(rb"\r\nContent-Length: *(\d+)", head, re.IGNORECASE)
        raw = head + reader.read(int(length[1]) if length else 0)
        with self._lock:
            self._requests.append(Request(raw))
        with wire.Connection(self.service) as connection:
            connection.send(raw)
            writer.write(connection.receive(head=head.startswith(b"HEAD ")).raw)
