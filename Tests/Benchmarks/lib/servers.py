"""The servers under load, each pinned to core 0 unless asked for otherwise."""

import json
import os
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


def cpu_seconds(pids):
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / ticks


class ConsentLink:
    def __init__(self, root, *flags, pinned=True):
        self.binary = root / ".build/release/consentlink"
        self.flags = ["--threads", "1", *flags] if pinned else flags
        self.pinning = ["taskset", "-c", CORE] if pinned else []

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
            [*self.pinning, self.binary, "serve", "--data", self.folder / "data", "--listen", self.address,
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
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def call(self, path, body=None):
        request = urllib.request.Request(
            f"{self.api}/v1/orgs{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


class Nginx:
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
        self._wait()
        return self

    def _wait(self):
        host, port = self.address.split(":")
        for _ in range(200):
            try:
                socket.create_connection((host, int(port)), timeout=1).close()
                return
            except OSError:
                subprocess.run(["sleep", "0.02"], check=True)
        raise SystemExit("nginx did not start")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=10)
        shutil.rmtree(self.folder)

    @property
    def pids(self):
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [self.process.pid, *map(int, children)]
