"""HTTP/1 byte by byte: what a device sends and what it really gets back, before any library tidies it up."""

import socket
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Answer:
    """One response, with the bytes it came in."""

    raw: bytes
    version: str
    status: int
    headers: list = field(default_factory=list)
    body: bytes = b""

    def all(self, name):
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def header(self, name):
        """The value of a header that must not stand there twice; None when it is absent."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} stands {len(values)} times"
        return values[0] if values else None

    @property
    def undated(self):
        """The bytes of the answer without its Date line, the only one that may differ between two readers."""
        head, separator, body = self.raw.partition(b"\r\n\r\n")
        lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"date:")]
        assert len(lines) == head.count(b"\r\n"), "there is not exactly one Date line"
        return b"\r\n".join(lines) + separator + body


class Connection:
    """One TCP connection to one listener."""

    def __init__(self, address, timeout=15):
        host, port = address.rsplit(":", 1)
        self._socket = socket.create_connection((host, int(port)), timeout=timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pending = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._socket.close()

    def send(self, data):
        self._socket.sendall(data)

    def _more(self):
        data = self._socket.recv(65536)
        self._pending += data
        return bool(data)

    def _take(self, count):
        taken, self._pending = self._pending[:count], self._pending[count:]
        return taken

    def receive(self, *, head=False):
        """The next response; `head` when it answers a HEAD request and so has no body."""
        while b"\r\n\r\n" not in self._pending:
            if not self._more():
                raise ConnectionError(f"closed after {self._pending!r}")
        lead = self._take(self._pending.index(b"\r\n\r\n") + 4)
        lines = lead[:-4].decode("latin-1").split("\r\n")
        if not lines[0].startswith("HTTP/"):
            raise ConnectionError(f"not a response: {lead!r}")
        version, status = lines[0].split(" ")[:2]
        headers = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        named = {key.lower(): value for key, value in headers}
        body = b""
        if head or int(status) in (204, 304):
            pass
        elif named.get("transfer-encoding", "").lower() == "chunked":
            body = self._chunks()
        elif "content-length" in named:
            length = int(named["content-length"])
            while len(self._pending) < length:
                if not self._more():
                    raise ConnectionError(f"closed {length - len(self._pending)} bytes before the body's end")
            body = self._take(length)
        else:
            while self._more():
                pass
            body = self._take(len(self._pending))
        return Answer(raw=lead + body, version=version, status=int(status), headers=headers, body=body)

    def _line(self):
        while b"\r\n" not in self._pending:
            if not self._more():
                raise ConnectionError("closed inside a chunk")
        return self._take(self._pending.index(b"\r\n") + 2)

    def _chunks(self):
        body = b""
        while True:
            size = int(self._line().split(b";")[0], 16)
            while len(self._pending) < size + 2:
                if not self._more():
                    raise ConnectionError("closed inside a chunk")
            body += self._take(size)
            self._take(2)
            if size == 0:
                return body

    def is_closed(self):
        """Whether the other side has ended the connection and sent nothing more."""
        return not self._pending and not self._more()


def request(method, target, host, headers=(), body=b"", version="HTTP/1.1"):
    lines = [f"{method} {target} {version}", f"Host: {host}"]
    lines += [f"{name}: {value}" for name, value in dict(headers).items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


def ask(address, method, target, headers=(), body=b""):
    """One request on a connection of its own."""
    with Connection(address) as connection:
        connection.send(request(method, target, address, headers, body))
        return connection.receive(head=method == "HEAD")


def utf8(text):
    """`text` as a request takes it, of which each character is one byte."""
    return text.encode().decode("latin-1")


def follow(link, method="GET", headers=(), suffix=""):
    """What the service answers to a reader of `link`; `suffix` is what a mail gateway has added to it, sent in UTF-8."""
    parts = urlsplit(link)
    target = link.removeprefix(f"{parts.scheme}://{parts.netloc}") + utf8(suffix)
    return ask(parts.netloc, method, target, headers)
