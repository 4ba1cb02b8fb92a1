"""A disk of a test's own that is small enough to be filled."""

import contextlib
import shutil
import subprocess

import pytest


@contextlib.contextmanager
def small_disk(folder, size):
    folder.mkdir()
    mount = shutil.which("mount")
    options = [mount, "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    done = mount and subprocess.run(options, capture_output=True, text=True)
    if not done or done.returncode:
        pytest.skip("needs to mount a tmpfs: run as root")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(file):
    with file.open("ab", buffering=0) as filler, contextlib.suppress(OSError):
        while True:
            filler.write(b"x" * 4096)
