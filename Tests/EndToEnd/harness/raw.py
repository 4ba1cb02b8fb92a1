"""A connection as bytes."""

import json
import re
import socket
import struct


class Raw:
    """A connection that writes given bytes and collects what comes back."""

    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        self.received = b""

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # Closed before all of it was taken.

    def read_to_the_end(self):
        """Whether the service ends the connection before this side gives up."""
        try:
            while data := self.socket.recv(65536):
                self.received += data
        except ConnectionResetError:
            pass
        except TimeoutError:
            return False
        return True

    @property
    def is_open(self):
        self.socket.setblocking(False)
        try:
            return bool(self.socket.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        finally:
            self.socket.settimeout(60)

    def statuses(self):
        return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d\d\d) ", self.received)]

    def answers(self, count, within=5):
        """Reads until `count` answers have begun; returns their statuses."""
        self.socket.settimeout(within)
        try:
            while len(self.statuses()) < count and (data := self.socket.recv(65536)):
                self.received += data
        except TimeoutError:
            pass
        return self.statuses()

    def read_chunks(self):
        """Reads the one answer to its end, if it comes in chunks."""
        if b"transfer-encoding: chunked" in self.received:
            while not self.received.endswith(b"0\r\n\r\n") and (data := self.socket.recv(65536)):
                self.received += data


class HeldBack:
    """A request whose body is held back, but for its first bytes, until `finish`."""

    def __init__(self, address, head, body, sent=1):
        self.rest = body[sent:]
        self.raw = Raw(address)
        self.raw.send("\r\n".join([*head, f"Host: {address}", f"Content-Length: {len(body)}"]).encode() + b"\r\n\r\n")
        self.raw.send(body[:sent])

    def finish(self):
        """The status and the text of the answer."""
        self.raw.send(self.rest)
        status = self.raw.answers(1, within=20)[0]
        self.raw.read_chunks()
        return status, self.raw.received.decode()

    def reset(self):
        """Ends the connection at once, as a client that crashes does."""
        self.raw.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.raw.socket.close()


def held_back(client, method, path, body, media_type="application/json", sent=1):
    """A request to the API, with JSON or bytes; returns when the service has read its head."""
    head = [
        f"{method} {client.path(path)} HTTP/1.1", f"Authorization: Bearer {client.key}", f"Content-Type: {media_type}",
    ]  # fmt: skip
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = HeldBack(client.service.api_listen, head, content, sent)
    # A request that came later is answered: the service has very likely begun with the first one by now.
    for _ in range(3):
        client.call("GET", "/v1/orgs/nobody")
    return request
