"""A ConsentLink node: `consentlink serve` with a data folder of its own."""

import os
import re
import signal
import subprocess
import time

from .host import Host
from .http import get

READY = re.compile(r"^consentlink ready ", re.MULTILINE)
PUBLIC = 8080
PRIVATE = 8081


class Node(Host):
    """The cluster sets the program, and the flags besides those of the folder and the listeners."""

    binary = None
    flags = ()
    # What its environment has besides that of this process, such as LD_PRELOAD; from the next start on.
    environment = {}

    @property
    def public(self):
        """The URL that readers reach."""
        return f"http://{self.address}:{PUBLIC}"

    @property
    def api(self):
        """The URL that backends reach."""
        return f"http://{self.address}:{PRIVATE}"

    @property
    def data(self):
        return self.folder / "data"

    @property
    def log(self):
        """One JSON object in each line; it continues over restarts."""
        return self.folder / "consentlink.log"

    @property
    def operator_key(self):
        return (self.data / "operator.key").read_text().strip()

    @property
    def process(self):
        """The number of the process, or nil when it does not run."""
        return self.launched("consentlink")

    @property
    def is_running(self):
        return self.process is not None

    @property
    def is_ready(self):
        """Whether it can do all its work."""
        return get(f"{self.api}/readyz")[0] == 200

    @property
    def is_ready_for_links(self):
        """Whether it redirects."""
        return get(f"{self.api}/readyz?for=links")[0] == 200

    def launch_service(self):
        """Returns when the process has been started."""
        if self.is_running:
            return
        self.folder.mkdir(exist_ok=True)
        temporary = self.folder / "temporary"
        temporary.mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CONSENTLINK_")}
        with self._output.open("wb") as output:
            self.launch(
                self.binary, "serve", "--data", self.data, "--listen", f"{self.address}:{PUBLIC}",
                "--api-listen", f"{self.address}:{PRIVATE}", *self.flags,
                role="consentlink", environment=kept | {"TMPDIR": str(temporary)} | self.environment, output=output,
            )  # fmt: skip

    def start(self, within=60):
        """Returns when the service has said that it is ready."""
        self.launch_service()
        deadline = time.monotonic() + within
        while not READY.search(self._output.read_text()):
            if not self.is_running or time.monotonic() > deadline:
                raise AssertionError(f"{self.name} did not become ready: {self.log_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self, within=15):
        """Asks it to end, and returns when it has."""
        if (process := self.process) is not None:
            os.kill(process, signal.SIGTERM)
            self.wait_for_end([process], within)

    def kill(self):
        """kill -9"""
        self.kill_host()

    def restart(self):
        self.stop()
        self.start()

    def freeze(self):
        self.freeze_host()

    def thaw(self):
        self.thaw_host()

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    @property
    def _output(self):
        """The ready line of the last start."""
        return self.folder / "output"


def usage(binary):
    """The flags that this program's `serve` has; those of nodes share a database from `--node-name` on."""
    return subprocess.run([binary, "serve", "--help"], check=True, capture_output=True, text=True).stdout
