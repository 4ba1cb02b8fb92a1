"""The load generator, wrk, pinned to core 1 unless asked for otherwise."""

import os
import re
import socket
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from . import servers

CORE = "1"
AGENT = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/18.1 Mobile/15E148 Safari/604.1"
)
SCRIPT = """
local paths = {}
for line in io.lines(os.getenv("PATHS")) do paths[#paths + 1] = line end
local at = tonumber(os.getenv("START"))
local headers = { ["User-Agent"] = os.getenv("AGENT"), ["Accept"] = "text/html,application/xhtml+xml", ["Accept-Language"] = "en" }
request = function()
  at = at % #paths + 1
  return wrk.format(os.getenv("METHOD"), paths[at], headers, os.getenv("BODY"))
end
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration, summary.errors.status,
    latency:percentile(50), latency:percentile(99)))
end
"""


@dataclass
class Run:
    answers: int
    rate: float
    refused: int
    p50: float
    p99: float
    cpu_microseconds: float


class Load:
    def __init__(self, server, paths, *, method="GET", body=None, core=CORE):
        self.server = server
        self.core = core
        # Removed with the server's.
        self.folder = Path(tempfile.mkdtemp(prefix="load-", dir=server.folder))
        (self.folder / "paths").write_text("\n".join(paths))
        (self.folder / "load.lua").write_text(SCRIPT)
        self.settings = {"PATHS": str(self.folder / "paths"), "AGENT": AGENT, "METHOD": method}
        if body is not None:
            self.settings["BODY"] = body
        self.count = len(paths)
        self.start = 0

    def run(self, connections, seconds):
        """A run continues in the list of paths where the one before it ended."""
        before = servers.cpu_seconds(self.server.pids)
        done = subprocess.run(
            ["taskset", "-c", self.core, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", self.folder / "load.lua",
             f"http://{self.server.address}"],
            env={**os.environ, **self.settings, "START": str(self.start)}, capture_output=True, text=True, check=True,
        )
        spent = servers.cpu_seconds(self.server.pids) - before
        answers, microseconds, refused, p50, p99 = map(int, re.search(r"RESULT (.*)", done.stdout)[1].split())
        self.start = (self.start + answers) % self.count
        return Run(
            answers, answers / microseconds * 1e6, refused, p50 / 1000, p99 / 1000, spent / max(answers, 1) * 1e6)


def lone_clicks(server, paths):
    """Milliseconds from a request to its answer, one after another on one connection, in the order of `paths`."""
    host, port = server.address.split(":")
    times = []
    with socket.create_connection((host, int(port))) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for path in paths:
            time.sleep(0.01)
            start = time.perf_counter()
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: links\r\nUser-Agent: {AGENT}\r\n\r\n".encode())
            answer = b""
            while not answer.endswith(b"\r\n\r\n"):
                answer += connection.recv(4096)
            times.append((time.perf_counter() - start) * 1000)
            assert answer.startswith(b"HTTP/1.1 302"), answer
    return times


def fdatasync_milliseconds(folder):
    """One 4 KiB write and fdatasync, as often as lone clicks are; the median."""
    times = []
    with open(folder / "sync", "wb", buffering=0) as file:
        for _ in range(300):
            time.sleep(0.01)
            start = time.perf_counter()
            file.write(b"\0" * 4096)
            os.fdatasync(file.fileno())
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)
