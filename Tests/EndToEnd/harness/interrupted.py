"""A command that sends much to the service, and is interrupted while it does."""

import signal
import subprocess

from .service import binary, environment


class Sending:
    """A command for one organization, in a folder of its own."""

    # The command's name, and the arguments of every call.
    command = ()

    def __init__(self, org, folder, api=None, key=None, settings=None):
        self.org = org
        self.folder = folder
        self.api = api or org.service.api
        self.key = key or org.key
        self.settings = settings or {}

    def start(self, *words, **options):
        """The command with these words; `options` are those of `Popen`."""
        return subprocess.Popen(
            [str(binary()), *self.command, "--org", self.org.id, "--api", self.api, *words],
            cwd=self.folder, env=environment(CONSENTLINK_KEY=self.key, **self.settings),
            **({"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options),
        )  # fmt: skip

    def run(self, *words, given=None):
        """Runs the command to its end, with `given` on standard input."""
        process = self.start(*words, **({} if given is None else {"stdin": subprocess.PIPE}))
        stdout, stderr = process.communicate(given, timeout=240)
        return subprocess.CompletedProcess(process.args, process.returncode, stdout.decode(), stderr.decode())


def interrupt(process, by=signal.SIGKILL):
    """Ends a command that is running; fails if it had already ended by itself."""
    process.send_signal(by)
    process.communicate(timeout=60)
    assert process.returncode != 0
