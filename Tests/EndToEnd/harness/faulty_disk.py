"""A service with one file on a disk that fails on command (see faults/disk.c)."""

import errno
from pathlib import Path

from .preload import compiled
from .service import Service


def build(folder):
    """The library that is loaded into the service, compiled here."""
    return compiled("disk.c", Path(folder) / "disk.so", "-ldl")


class FaultyDisk(Service):
    """`file` is the file on that disk, such as a database, or `FOLDER/FILE` where other folders have one of its name."""

    def __init__(self, folder, *, file="spool.db", **options):
        self.control = Path(folder) / "fault"
        self.calls_log = Path(folder) / "calls"
        self.control.write_text("")
        preload = {
            "LD_PRELOAD": str(build(folder)),
            "FAULT_FILES": file,
            "FAULT_CONTROL": str(self.control),
            "FAULT_LOG": str(self.calls_log),
        }
        super().__init__(folder, settings=preload, **options)

    def fail(self, kind, error):
        """From now on calls of this kind, `sync`, `write`, `rename`, `open` or `read`, fail."""
        self._set(f"{kind} {error}")

    def fail_once(self, kind, error):
        """The next call of this kind fails."""
        self._set(f"{kind} once {error}")

    def delay(self, kind, seconds):
        self._set(f"{kind} delay {seconds}")

    def heal(self):
        self._set("")

    def _set(self, text):
        # Renamed into place, so that the library never reads half of it.
        fresh = self.control.with_suffix(".new")
        fresh.write_text(text)
        fresh.rename(self.control)

    @property
    def calls(self):
        """Every write, sync and failed call of the files so far: kind, file and the error's name, or `ok`."""
        lines = [line.split() for line in self.calls_log.read_text().splitlines()]
        return [(kind, name, errno.errorcode[int(code)] if int(code) else "ok") for kind, name, code in lines]
