"""A file system of a host's own, in a file, so that it can be full without this machine's being so."""

import subprocess
from pathlib import Path


class Disk:
    """Mounted at the folder of a host."""

    def __init__(self, folder, mebibytes):
        self.folder = Path(folder)
        self._image = self.folder.with_suffix(".disk")
        self._size = mebibytes << 20
        self._filling = self.folder / "filling"

    def mount(self):
        """Makes it where there is none."""
        if not self._image.exists():
            # A hole: it takes what is written.
            with self._image.open("wb") as image:
                image.truncate(self._size)
            run("mkfs.ext4", "-q", "-m", "0", self._image)
        self.folder.mkdir(exist_ok=True)
        if not self.folder.is_mount():
            run("mount", "-o", "loop", self._image, self.folder)

    def fill(self):
        """Nothing more can be written that needs room, until `free`."""
        # It takes all blocks that there are, and then fails.
        subprocess.run(["fallocate", "-l", str(self._size), self._filling], check=False, capture_output=True)

    def free(self):
        self._filling.unlink(missing_ok=True)


def unmount_below(folder):
    """Unmounts all file systems below a folder, whichever process has mounted them."""
    mounts = [line.split(" ")[1] for line in Path("/proc/self/mounts").read_text().splitlines()]
    for mount in mounts:
        if Path(folder) in Path(mount).parents:
            run("umount", "--lazy", mount)


def run(*command):
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
