"""The relay as a process: started, stopped, ended by force and started again on its folder."""

import json
import queue
import re
import signal
import subprocess

from .service import binary, environment, read_lines


class Relay:
    """A `consentlink relay` for some organizations of a service."""

    def __init__(self, service, folder, orgs, *, allow=("127.0.0.1",), flags=(), prefix=()):
        """`prefix`: a command that runs the relay."""
        self.service = service
        self.prefix = prefix
        self.folder = folder
        self.folder.mkdir(exist_ok=True)
        self.data = folder / "relay"
        self.keys = folder / "keys"
        self.keys.touch(mode=0o600)
        self.keys.write_text("".join(f"{org.id} {org.with_scopes('deliver').key}\n" for org in orgs))
        self.log = folder / "relay.log"
        self.flags = [part for host in allow for part in ("--relay-allow", host)] + list(flags)
        self.process = None
        self._lines = queue.Queue()

    @property
    def command(self):
        return [
            *self.prefix, str(binary()), "relay", "--api", self.service.api, "--data", str(self.data), "--keys", str(self.keys),
            *self.flags,
        ]

    def start(self, within=30):
        self._lines = queue.Queue()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                env=environment(http_proxy="http://127.0.0.1:9", https_proxy="http://127.0.0.1:9"),
            )
        # The reader of a relay that was ended may still be reading: it has a queue of its own.
        read_lines(self.process.stdout, self._lines)
        line = self._lines.get(timeout=within)
        assert line == "consentlink relay ready", f"{line!r}\n{self.log.read_text()[-2000:]}"
        return self

    def stop(self, within=12):
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=within)
        self.process = None
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def end(self):
        """Ends it in an orderly way, and holds its log to what the service's must be."""
        if self.process:
            assert self.stop() == 0
        for line in self.log.read_text().splitlines():
            assert isinstance(json.loads(line), dict), line
            for private in ("@people.example", r"clk_\w", "whsec_", "/hooks"):
                assert not re.search(private, line), line

    def files_with(self, *needles):
        found = set()
        for file in self.folder.rglob("*"):
            if file.is_file() and file != self.keys:
                content = file.read_bytes()
                found |= {file.name for needle in needles if needle.encode() in content}
        return found
