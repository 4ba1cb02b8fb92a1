"""Libraries of `faults` that stand between a program and the machine (`LD_PRELOAD`)."""

import struct
import subprocess
from pathlib import Path

FAULTS = Path(__file__).resolve().parents[1] / "faults"


def compiled(source, library, *libraries):
    """The library, made of a file of `faults`."""
    compiling = ["cc", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-O1", "-o", library, FAULTS / source]
    subprocess.run([*compiling, *libraries], check=True)
    return library


class SharedNumber:
    """A signed 64-bit number in a file that a program has mapped; 0 at first."""

    def __init__(self, file):
        self.file = Path(file)
        self.file.write_bytes(struct.pack("<q", 0))

    def set(self, number):
        # Written in place, because the program has mapped the file's page.
        with self.file.open("r+b", buffering=0) as file:
            file.write(struct.pack("<q", number))
