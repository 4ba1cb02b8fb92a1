"""A service on a machine that the test pauses as a hypervisor does: its clocks stand still, too (see
faults/paused_machine.c)."""

import os
import signal
import time
from contextlib import contextmanager
from pathlib import Path

from .preload import SharedNumber, compiled


class PausedMachine:
    """The machine of one service; make it before the service starts."""

    def __init__(self, folder):
        self.library = compiled("paused_machine.c", Path(folder) / "paused_machine.so")
        self._missed = SharedNumber(Path(folder) / "paused")
        self._passed = 0

    @property
    def settings(self):
        return {"LD_PRELOAD": str(self.library), "PAUSED_FILE": str(self._missed.file)}

    @contextmanager
    def paused(self, service):
        os.kill(service.process.pid, signal.SIGSTOP)
        began = time.monotonic_ns()
        try:
            yield
        finally:
            self._passed += time.monotonic_ns() - began
            self._missed.set(self._passed)
            os.kill(service.process.pid, signal.SIGCONT)
