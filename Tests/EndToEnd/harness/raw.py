"""A connection as bytes."""

import json
import re
import socket


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


class HeldBack:
    """A request whose body is held back, but for its first byte, until `finish`."""

    def __init__(self, address, head, body):
        self.body = body
        self.raw = Raw(address)
        self.raw.send("\r\n".join([*head, f"Host: {address}", f"Content-Length: {len(body)}"]).encode() + b"\r\n\r\n")
        self.raw.send(body[:1])

    def finish(self):
        """The status and the text of the answer."""
        self.raw.send(self.body[1:])
        status = self.raw.answers(1, within=20)[0]
        return status, self.raw.received.decode()


def held_back(client, method, path, body, media_type="application/json"):
    """A request to the API, with JSON or bytes; returns when the service has read its head."""
    head = [
        f"{method} {client.path(path)} HTTP/1.1", f"Authorization: Bearer {client.key}", f"Content-Type: {media_type}",
    ]  # fmt: skip
    request = HeldBack(client.service.api_listen, head, body if isinstance(body, bytes) else json.dumps(body).encode())
    # A request that came later is answered: the service has very likely begun with the first one by now.
    for _ in range(3):
        client.call("GET", "/v1/orgs/nobody")
    return request
