"""JSON lines both ways on one connection: sent and read at the same time, and cut whenever a test wants to."""

import json
import socket
import threading


class Lines:
    """One request whose body and answer are streams of lines."""

    # In bytes. What is received and not read is lost with the connection, so the size is small.
    AT_ONCE = 1 << 14

    def __init__(self, org, path, receive_buffer=None):
        host, port = org.service.api_listen.rsplit(":", 1)
        self._socket = socket.socket()
        if receive_buffer:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self._socket.settimeout(60)
        self._socket.connect((host, int(port)))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._pending = b""
        self._text = b""
        self._head = None
        head = [
            f"POST {org.path(path)} HTTP/1.1",
            f"Host: {org.service.api_listen}",
            f"Authorization: Bearer {org.key}",
            "Content-Type: application/x-ndjson",
            "Transfer-Encoding: chunked",
        ]
        self._socket.sendall("\r\n".join(head).encode() + b"\r\n\r\n")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()

    def cut(self):
        """Ends the connection, whatever is under way."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._socket.close()

    def send(self, data):
        """Bytes of the body, in a chunk."""
        if data:
            self._socket.sendall(b"%x\r\n%s\r\n" % (len(data), data))

    def end(self):
        self._socket.sendall(b"0\r\n\r\n")

    def send_all(self, lines, at_once=200, ends=True):
        """Sends these lines and the end, in a thread of its own, as long as the connection lasts. Without the end the
        answer has none either, however fast the service is."""

        def work():
            try:
                for start in range(0, len(lines), at_once):
                    self.send(b"".join(line + b"\n" for line in lines[start : start + at_once]))
                if ends:
                    self.end()
            except OSError:
                pass

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        return thread

    def _until(self, end):
        while end not in self._pending:
            data = self._socket.recv(self.AT_ONCE)
            if not data:
                raise ConnectionError("the answer was cut")
            self._pending += data
        taken, self._pending = self._pending.split(end, 1)
        return taken

    @property
    def head(self):
        """Status and headers of the answer."""
        if self._head is None:
            status, *headers = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
            named = [header.split(": ", 1) for header in headers]
            self._head = int(status.split()[1]), {name.lower(): value for name, value in named}
        return self._head

    def _chunk(self):
        size = int(self._until(b"\r\n"), 16)
        while len(self._pending) < size + 2:
            data = self._socket.recv(self.AT_ONCE)
            if not data:
                raise ConnectionError("the answer was cut inside a chunk")
            self._pending += data
        chunk, self._pending = self._pending[:size], self._pending[size + 2 :]
        return chunk

    def answers(self):
        """The lines of the answer as they come, to its proper end; a connection that is cut raises an OSError."""
        assert self.head[0] == 200, (self.head, self._pending)
        while chunk := self._chunk():
            *lines, self._text = (self._text + chunk).split(b"\n")
            for line in lines:
                yield json.loads(line)
        assert self._text == b"", "the answer ends inside a line"


def exchange(org, path, lines):
    """All the answers to all these lines."""
    with Lines(org, path) as connection:
        sending = connection.send_all(lines)
        answers = list(connection.answers())
        sending.join(timeout=60)
        return answers
