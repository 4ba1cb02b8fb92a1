"""A service whose wall clock the test moves while it runs (see faults/moving_clock.c)."""

import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "faults" / "moving_clock.c"

HOUR = 3_600_000
DAY = 24 * HOUR


class MovingClock:
    """The clock of one service; make it before the service starts."""

    def __init__(self, folder):
        self.library = Path(folder) / "moving_clock.so"
        self.file = Path(folder) / "clock offset"
        compiling = ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-O1", "-o", self.library, SOURCE]
        subprocess.run(compiling, check=True)
        self.file.write_bytes(struct.pack("<q", 0))

    @property
    def settings(self):
        return {"LD_PRELOAD": str(self.library), "CLOCK_OFFSET_FILE": str(self.file)}

    def set(self, milliseconds):
        """From now on the wall clock is ahead of the right time by so much; behind when negative."""
        # Written in place, because the service has mapped the file's page.
        with self.file.open("r+b", buffering=0) as file:
            file.write(struct.pack("<q", milliseconds))
