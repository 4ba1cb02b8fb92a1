"""A host: a network namespace with an address, and the processes in it."""

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

NAMESPACES = Path("/run/netns")


class Host:
    """Its processes are found by their namespace, so those that another program started are found too. They are
    signalled by their number."""

    def __init__(self, name, address, namespace, folder):
        """`folder` keeps what the host's programs write; `namespace` is the name that `ip netns` knows."""
        self.name = name
        self.address = address
        self.namespace = namespace
        self.folder = Path(folder)
        # Children of this process: they stay zombies until they are waited for.
        self._children = []

    def __repr__(self):
        return f"{self.name} ({self.address})"

    def processes(self):
        """The numbers of all processes in the namespace that have not ended, in ascending order."""
        self._children = [child for child in self._children if child.poll() is None]
        try:
            inside = (NAMESPACES / self.namespace).stat()
        except FileNotFoundError:
            return []
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                with contextlib.suppress(OSError):
                    namespace = os.stat(f"/proc/{entry}/ns/net")
                    if (namespace.st_ino, namespace.st_dev) == (inside.st_ino, inside.st_dev):
                        found.append(int(entry))
        return sorted(found)

    def launch(self, *command, role, user=None, environment=None, output=None):
        """Starts a program that may outlive this process. `role` names its log, and the file with its number."""
        self.folder.mkdir(exist_ok=True)
        with (self.folder / f"{role}.log").open("ab") as log:
            child = subprocess.Popen(
                self.inside(*command, user=user),
                stdin=subprocess.DEVNULL,
                stdout=output or log,
                stderr=log,
                cwd="/",
                env=environment,
                start_new_session=True,
            )
        self._children.append(child)
        # It is one of the host's when it has entered the namespace.
        while child.pid not in self.processes() and child.poll() is None:
            time.sleep(0.001)
        (self.folder / f"{role}.pid").write_text(f"{child.pid} {started_at(child.pid)}\n")

    def launched(self, role):
        """The number of the program that was launched in this role, or nil when it has ended."""
        try:
            process, start = (self.folder / f"{role}.pid").read_text().split()
        except (FileNotFoundError, ValueError):
            return None
        is_it = int(process) in self.processes() and started_at(int(process)) == start
        return int(process) if is_it else None

    def run(self, *command, user=None, timeout=30, check=True, **options):
        """Runs a program in the namespace to its end."""
        return subprocess.run(
            self.inside(*command, user=user), check=check, capture_output=True, text=True, timeout=timeout, **options
        )

    def inside(self, *command, user=None):
        """The command line that runs another one in the namespace, without a process between."""
        enter = ["nsenter", f"--net={NAMESPACES / self.namespace}", "--"] if self.namespace else []
        return [*enter, *as_user(user), *(str(part) for part in command)]

    def signal(self, number, processes=None):
        """Sends a signal to these processes, or to all of the host."""
        for process in self.processes() if processes is None else processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def kill_host(self):
        """kill -9 of all processes at once: none of them can react to the end of another. The kernel tells other hosts
        that their connections have ended; see `Network.unplug`."""
        while processes := self.processes():
            self.signal(signal.SIGSTOP, processes)
            self.signal(signal.SIGKILL, processes)
            time.sleep(0.005)

    def freeze_host(self):
        """All processes stand still, as when a virtual machine is paused. The network continues: the kernel still
        acknowledges what it receives."""
        self.signal(signal.SIGSTOP)

    def thaw_host(self):
        self.signal(signal.SIGCONT)

    def wait_for_end(self, processes, within=10):
        """Returns when these processes have ended; kills those that have not in time."""
        deadline = time.monotonic() + within
        while left := set(processes) & set(self.processes()):
            if time.monotonic() > deadline:
                self.signal(signal.SIGKILL, left)
            time.sleep(0.02)


def as_user(user):
    """What runs a command as another user."""
    return ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--"] if user else []


def started_at(process):
    """When the process started, in ticks since the boot. With its number it names one process."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[19]
    except OSError:
        return "ended"
