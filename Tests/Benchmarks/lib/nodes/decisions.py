"""Backends that ask for decisions as fast as they are answered."""

import itertools
import json
import socket
import time

from . import workers
from .bed import ORGANIZATION, TARGET
from .costs import cpu_of_processes

PORT = 8081


class Composers:
    """Processes that ask for payloads, one request after the other each, and do not look into the answers. `everybody` has
    consented."""

    def __init__(self, bed, nodes, *, connections, recipients, everybody):
        self.bed = bed
        self.nodes = nodes
        self._everybody = everybody
        self._size = recipients
        self._connections = connections

    def __enter__(self):
        self._running = []
        for number, (node, _) in enumerate(itertools.product(self.nodes, range(self._connections))):
            self._running.append(workers.begin(work, node.address, self.bed.key, self._bodies(number), self._size))
        return self

    def _bodies(self, number):
        """Each process begins with other people. The messages are new ones."""
        everybody = self._everybody
        chunks = [everybody[start : start + self._size] for start in range(0, len(everybody), self._size)]
        shift = number * len(chunks) // max(1, len(self.nodes) * self._connections)
        name = f"push-{time.monotonic_ns()}"
        return [
            json.dumps({
                "message": {"name": name, "title": "Spring", "body": "Have a look", "link": TARGET},
                "format": "dynamics365", "platform": "ios", "recipients": chunk}).encode()
            for chunk in chunks[shift:] + chunks[:shift]
        ]

    def cpu(self):
        return cpu_of_processes(process.pid for process, _ in self._running)

    def counts(self):
        """Payloads that were answered until now, by process."""
        for _, pipe in self._running:
            pipe.send("count")
        return [pipe.recv() for _, pipe in self._running]

    def __exit__(self, *_):
        for _, pipe in self._running:
            pipe.send("end")
        for process, _ in self._running:
            process.join(timeout=60)


def work(address, key, bodies, size, pipe):
    head = f"POST /v1/orgs/{ORGANIZATION}/payloads HTTP/1.1\r\nHost: api\r\nAuthorization: Bearer {key}\r\n" \
        "Content-Type: application/json\r\nContent-Length: "
    answered = 0
    with socket.create_connection((address, PORT), timeout=120) as connection:
        for body in itertools.cycle(bodies):
            connection.sendall(f"{head}{len(body)}\r\n\r\n".encode() + body)
            receive(connection)
            answered += size
            while pipe.poll():
                if pipe.recv() == "end":
                    return
                pipe.send(answered)


def receive(connection):
    """A whole answer, which must be a 200."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = connection.recv(1 << 18)
        if not piece:
            raise SystemExit("the connection was closed")
        answer += piece
    head, _, rest = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"{head.decode()} {rest[:500].decode(errors='replace')}")
    if b"chunked" in head.lower():
        while not rest.endswith(b"\r\n0\r\n\r\n"):
            rest = rest[-8:] + connection.recv(1 << 18)
        return
    left = int(head.lower().partition(b"content-length:")[2].split()[0]) - len(rest)
    while left > 0:
        left -= len(connection.recv(min(left, 1 << 18)))
