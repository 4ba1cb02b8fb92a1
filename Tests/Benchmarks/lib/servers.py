"""The servers under load, each pinned to core 0 unless asked for otherwise."""

import json
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

CORE = "0"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_listening(address):
    host, port = address.split(":")
    for _ in range(200):
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise SystemExit(f"nothing listens on {address}")


def cpu_seconds(pids):
    """Of all their threads, those that have ended included. The kernel counts nanoseconds."""
    # What clock_getcpuclockid(3) returns for a process.
    return sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)


class ConsentLink:
    """The service on a data folder of its own. `binary`: another program than the release build under `root`; `cores`: one
    event loop on each; `pinned=False`: all cores of the machine."""

    def __init__(self, root, *flags, pinned=True, binary=None, cores=(CORE,)):
        self.binary = binary or root / ".build/release/consentlink"
        self.flags = ["--threads", str(len(cores)), *flags] if pinned else flags
        self.pinning = ["taskset", "-c", ",".join(cores)] if pinned else []
        # What the program is run with, such as an instrument.
        self.wrapper = []

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="consentlink-benchmark-"))
        self.start()
        self.key = (self.folder / "data/operator.key").read_text().strip()
        return self

    def start(self):
        """Starts the service on its data folder; `start_seconds` says how long that took."""
        self.address = f"127.0.0.1:{free_port()}"
        api = f"127.0.0.1:{free_port()}"
        self.api = f"http://{api}"
        begin = time.monotonic()
        self.process = subprocess.Popen(
            [*self.pinning, *self.wrapper, self.binary, "serve", "--data", self.folder / "data", "--listen", self.address,
             "--api-listen", api, "--log-level", "warning", *self.flags],
            stdout=subprocess.PIPE, text=True,
        )
        if not re.match("consentlink ready", self.process.stdout.readline()):
            raise SystemExit("the service did not start")
        self.start_seconds = time.monotonic() - begin

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)

    def restart(self):
        self.stop()
        self.start()

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder)

    @property
    def pids(self):
        return [self.process.pid]

    def peak_memory_mib(self):
        return self._memory_mib("VmHWM")

    def memory_mib(self):
        return self._memory_mib("VmRSS")

    def _memory_mib(self, field):
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+)", status)[1]) / 1024

    def metrics(self):
        """All samples by name, labels included."""
        with urllib.request.urlopen(f"{self.api}/metrics") as answer:
            page = answer.read().decode()
        return {name: float(value) for name, value in re.findall(r"^([a-z_]+(?:\{[^}]*\})?) (\S+)$", page, re.M)}

    def spool_depth(self):
        return self.metrics()["consentlink_spool_depth"]

    def wait_until_drained(self, interval=0.5):
        """Waits until every click is in the store. Asking for metrics does not hurry the drain, but takes the service 10
        ms. The spool's file says less: what is stored is not removed from it at once."""
        while self.spool_depth() > 0:
            time.sleep(interval)

    def call(self, path, body=None):
        request = urllib.request.Request(
            f"{self.api}/v1/orgs{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


class OwnServer:
    """A server that a benchmark compares with: it runs on the service's core, in a folder of its own, until the end of a
    `with` block."""

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=10)
        shutil.rmtree(self.folder)

    @property
    def pids(self):
        """The process and its children."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]


class Nginx(OwnServer):
    """One worker, `return 302`, and an access log that is written in large pieces, or none.

    Its folder is in memory: on a disk nginx waits for its own log, and a baseline that waits flatters the other side.
    """

    def __init__(self, *, log=True):
        self.log = log

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="nginx-benchmark-", dir="/dev/shm"))
        log = f"{self.folder}/access.log combined buffer=256k flush=1s" if self.log else "off"
        self.address = f"127.0.0.1:{free_port()}"
        settings = self.folder / "nginx.conf"
        settings.write_text(f"""
            worker_processes 1; daemon off; pid {self.folder}/pid; error_log {self.folder}/error.log;
            events {{ worker_connections 4096; }}
            http {{
              access_log {log};
              keepalive_requests 100000000;
              client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;
              fastcgi_temp_path {self.folder}/fastcgi; uwsgi_temp_path {self.folder}/uwsgi; scgi_temp_path {self.folder}/scgi;
              server {{ listen {self.address}; location / {{ return 302 https://shop.example/spring?utm_source=push; }} }}
            }}""")
        self.process = subprocess.Popen(["taskset", "-c", CORE, "nginx", "-c", settings], stderr=subprocess.DEVNULL)
        wait_until_listening(self.address)
        return self


class Peer(OwnServer):
    """The server of `Tests/Benchmarks/peer`: one event loop, a 302 after a record is durable. Its file is on the disk that
    the service's data folder is on."""

    @staticmethod
    def build(root):
        """Returns the program."""
        where = ["-c", "release", "--package-path", root / "Tests/Benchmarks/peer", "--scratch-path", root / ".build/peer"]
        subprocess.run(["swift", "build", *where], check=True)
        return root / ".build/peer/release/peer"

    def __init__(self, binary):
        self.binary = binary

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="peer-benchmark-"))
        self.address = f"127.0.0.1:{free_port()}"
        port = self.address.split(":")[1]
        self.process = subprocess.Popen(
            ["taskset", "-c", CORE, self.binary, port, self.folder / "records"], stdout=subprocess.DEVNULL)
        wait_until_listening(self.address)
        return self

    def records(self):
        """How many are in its file."""
        return (self.folder / "records").stat().st_size // 40
