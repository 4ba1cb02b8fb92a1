"""A terminal that a command draws on."""

import os
import pty
import threading


def drawn(start, within=120):
    """What the process draws that `start(terminal)` starts: `terminal` is a descriptor for its standard error."""
    terminal, end = pty.openpty()
    shown = []

    def read():
        try:
            while data := os.read(terminal, 4096):
                shown.append(data)
        except OSError:
            pass

    reading = threading.Thread(target=read)
    reading.start()
    process = start(end)
    os.close(end)
    process.communicate(timeout=within)
    reading.join(timeout=within)
    os.close(terminal)
    assert process.returncode == 0
    return b"".join(shown).decode()
