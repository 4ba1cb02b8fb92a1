"""Readers: one after the other (Watcher), at a steady pace (Paced), and as many as there can be (Crowd)."""

import contextlib
import itertools
import os
import re
import selectors
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from ..load import AGENT
from . import workers

PORT = 8080


def request(path):
    return f"GET {path} HTTP/1.1\r\nHost: links\r\nUser-Agent: {AGENT}\r\nAccept: text/html\r\n\r\n".encode()


def connect(address):
    connection = socket.create_connection((address, PORT), timeout=10)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def leads_to(answer, target):
    return answer.startswith(b"HTTP/1.1 302") and f"\r\nLocation: {target}\r\n".encode() in answer


def follow(connection, path, target):
    """One click and its answer."""
    connection.sendall(request(path))
    answer = b""
    while not answer.endswith(b"\r\n\r\n"):
        piece = connection.recv(4096)
        if not piece:
            raise ConnectionError("closed")
        answer += piece
    if not leads_to(answer, target):
        raise AssertionError(answer)


class Watcher:
    """A process that clicks one link after the other, a millisecond apart. A node counts a click before it answers, so of
    these the first were spooled, and how many is what its counter has grown by."""

    def __init__(self, node, target):
        self.node = node
        self._process, self._pipe = workers.begin(self._work, node.address, target)

    def start(self, paths):
        """Returns when it clicks. A link is clicked at most 100 times: more of one link would not be recorded."""
        self._pipe.send(paths)
        self._pipe.recv()

    def stop(self):
        """Beginning and end of each click."""
        self._pipe.send(None)
        return self._pipe.recv()

    def end(self):
        self._pipe.send([])
        self._process.join()

    @staticmethod
    def _work(address, target, pipe):
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, -10)
        with connect(address) as connection:
            while paths := pipe.recv():
                clicks = []
                pipe.send(None)
                for path in itertools.chain.from_iterable(itertools.repeat(paths, 95)):
                    began = time.monotonic()
                    follow(connection, path, target)
                    clicks.append((began, time.monotonic()))
                    if pipe.poll():
                        break
                    time.sleep(max(0, began + 0.001 - time.monotonic()))
                pipe.recv()
                pipe.send(clicks)


class Paced:
    """A process that clicks at a steady pace, however slowly it is answered, at one node. A click's time runs from when it
    was due."""

    def __init__(self, node, paths, target, rate):
        self._process, self._pipe = workers.begin(self._work, node.address, paths, target, rate)

    def stop(self):
        """For each click when it was due, its time, and whether it led to the target."""
        self._pipe.send(None)
        found = self._pipe.recv()
        self._process.join()
        return found

    @staticmethod
    def _work(address, paths, target, rate, pipe):
        with contextlib.suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, -10)
        readers = _Readers(address, target)
        readers.poll.register(pipe, selectors.EVENT_READ)
        due = time.monotonic()
        for path in itertools.cycle(paths):
            while (left := due - time.monotonic()) > 0:
                if readers.wait(left, pipe):
                    return pipe.send(readers.finish(pipe))
            readers.click(path, due)
            due += 1 / rate
            if readers.wait(0, pipe):
                return pipe.send(readers.finish(pipe))


class _Readers:
    """Connections that wait for an answer, and those that do not."""

    def __init__(self, address, target):
        self.address = address
        self.target = target
        self.poll = selectors.EpollSelector()
        self.found = []
        self._idle = []
        self._waiting = {}

    def click(self, path, due):
        try:
            connection = self._idle.pop() if self._idle else connect(self.address)
            connection.sendall(request(path))
        except OSError:
            return self.found.append((due, time.monotonic() - due, False))
        self._waiting[connection] = (due, b"")
        self.poll.register(connection, selectors.EVENT_READ)

    def wait(self, seconds, pipe):
        """Whether it is told to end."""
        for key, _ in self.poll.select(seconds):
            if key.fileobj is pipe:
                return True
            self._receive(key.fileobj)
        return False

    def _receive(self, connection):
        due, answer = self._waiting.pop(connection)
        try:
            piece = connection.recv(4096)
        except OSError:
            piece = b""
        answer += piece
        if piece and not answer.endswith(b"\r\n\r\n"):
            self._waiting[connection] = (due, answer)
            return
        self.poll.unregister(connection)
        self.found.append((due, time.monotonic() - due, leads_to(answer, self.target)))
        if piece:
            self._idle.append(connection)
        else:
            connection.close()

    def finish(self, pipe):
        """Waits for the answers that are missing."""
        self.poll.unregister(pipe)
        deadline = time.monotonic() + 5
        while self._waiting and time.monotonic() < deadline:
            for key, _ in self.poll.select(0.1):
                self._receive(key.fileobj)
        return self.found + [(due, time.monotonic() - due, False) for due, _ in self._waiting.values()]


SCRIPT = """
local paths, target, pause = {}, os.getenv("TARGET"), tonumber(os.getenv("PAUSE"))
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local at = tonumber(os.getenv("START"))
local headers = { ["User-Agent"] = os.getenv("AGENT"), ["Accept"] = "text/html" }
right, wrong, example = 0, 0, ""
local reader
setup = function(thread) reader = thread end
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at], headers)
end
if pause > 0 then delay = function() return math.random() * 2 * pause end end
response = function(status, headers)
  if status == 302 and headers["Location"] == target then right = right + 1 else
    wrong = wrong + 1
    example = status .. " " .. tostring(headers["Location"])
  end
end
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d %d %d %s\\n", reader:get("right"), reader:get("wrong"), summary.duration,
    latency:percentile(50), latency:percentile(99), latency.max, errors.connect,
    errors.read + errors.write + errors.timeout, reader:get("example")))
end
"""


class Crowd:
    """wrk at one node, which looks at every answer. `pause`: milliseconds that each of its connections waits on average
    before a click; with 0 it clicks as fast as it is answered."""

    def __init__(self, node, paths, target, *, start, connections, pause=0):
        self.node = node
        self.connections = connections
        self._folder = tempfile.TemporaryDirectory(prefix="crowd-")
        folder = Path(self._folder.name)
        (folder / "paths").write_text("\n".join(paths))
        (folder / "crowd.lua").write_text(SCRIPT)
        self._count, self._start = len(paths), start
        self._settings = {"PATHS": str(folder / "paths"), "TARGET": target, "AGENT": AGENT, "PAUSE": str(pause)}
        self._running = None

    def begin(self, seconds):
        self._running = subprocess.Popen(
            ["wrk", "-t1", f"-c{self.connections}", f"-d{seconds}s", "--timeout", "10s", "-s",
             f"{self._folder.name}/crowd.lua", f"http://{self.node.address}:{PORT}"],
            env={**os.environ, **self._settings, "START": str(self._start)}, stdout=subprocess.PIPE, text=True)

    def end(self):
        """A run continues in the list of links where the one before it ended."""
        output, _ = self._running.communicate()
        found = re.search(r"RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (.*)", output)
        if not found:
            raise SystemExit(f"wrk at {self.node.name}: {output}")
        right, wrong, took, p50, p99, longest, refused, broken = map(int, found.groups()[:8])
        self._start = (self._start + right + wrong) % self._count
        return {"node": self.node.name, "right": right, "wrong": wrong, "rate": right / took * 1e6, "p50": p50 / 1e6,
                "p99": p99 / 1e6, "longest": longest / 1e6, "refused": refused, "broken": broken, "example": found[9]}
