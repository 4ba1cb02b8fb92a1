"""A service whose system calls strace records, in the order in which they begin and end."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .service import Service

CALLS = "fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg,unlink"
BEGIN = re.compile(r"^(\d+) +(\w+)\((?:\d+<([^>]*)>|\"([^\"]*)\")(.*)$")
RESUMED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>(.*)$")
RESULT = re.compile(r"= (-?\d+)[^=]*$")


@dataclass
class Call:
    name: str
    file: str
    data: bytes
    began: int
    thread: str
    ended: int | None = None
    result: int | None = None


class Traced(Service):
    """`around` is a command that the service runs under, such as eatmydata."""

    def __init__(self, folder, *, around=(), **options):
        self.trace = Path(folder) / "trace"
        self.around = list(around)
        super().__init__(folder, **options)

    @property
    def command(self):
        # -D: the service stays this process's child, and gets its signals.
        strace = ["strace", "-D", "-f", "-y", "-xx", "-s", "70000", "-e", f"trace={CALLS}", "-e", "signal=none"]
        return [*strace, "-o", str(self.trace), *self.around, *super().command]

    def calls(self):
        """The trace so far; a place in it is the number of a line."""
        calls, unfinished = [], {}
        for place, line in enumerate(self.trace.read_text(errors="replace").splitlines()):
            if begun := BEGIN.match(line):
                thread, name, file, path, rest = begun.groups()
                call = Call(name, bytes_of(file or path).decode("latin-1"), bytes_of(rest), place, thread)
                calls.append(call)
                if rest.endswith("<unfinished ...>"):
                    unfinished[thread] = call
                    continue
            elif resumed := RESUMED.match(line):
                thread, name, rest = resumed.groups()
                call = unfinished.pop(thread, None)
                if call is None:
                    continue
                assert call.name == name
            else:
                continue
            if result := RESULT.search(rest):
                call.ended, call.result = place, int(result[1])
        return calls


def bytes_of(text):
    """The bytes of a text that strace wrote as \\x2f and the like; a text without any of these is taken as it is."""
    found = re.findall(r"\\x([0-9a-f]{2})", text)
    return bytes(int(byte, 16) for byte in found) if found else text.encode("latin-1", "replace")


def available():
    return subprocess.run(["strace", "-e", "trace=none", "true"], capture_output=True).returncode == 0
