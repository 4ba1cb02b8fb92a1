"""A service on a machine that the test pauses as a hypervisor does: its clocks stand still, too (see
faults/paused_machine.c)."""

import os
import signal
import struct
import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "faults" / "paused_machine.c"


class PausedMachine:
    """The machine of one service; make it before the service starts."""

    def __init__(self, folder):
        self.library = Path(folder) / "paused_machine.so"
        self.file = Path(folder) / "paused"
        compiling = ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-O1", "-o", self.library, SOURCE]
        subprocess.run(compiling, check=True)
        self._passed = 0
        self.file.write_bytes(struct.pack("<q", 0))

    @property
    def settings(self):
        return {"LD_PRELOAD": str(self.library), "PAUSED_FILE": str(self.file)}

    @contextmanager
    def paused(self, service):
        os.kill(service.process.pid, signal.SIGSTOP)
        began = time.monotonic_ns()
        try:
            yield
        finally:
            self._passed += time.monotonic_ns() - began
            # Written in place, because the service has mapped the file's page.
            with self.file.open("r+b", buffering=0) as file:
                file.write(struct.pack("<q", self._passed))
            os.kill(service.process.pid, signal.SIGCONT)
