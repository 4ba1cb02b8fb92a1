"""A machine to install packages on: the files of this one with a layer above them, in namespaces of its own. What is
installed there is nowhere else. It has no Swift, no network but a loopback interface, and no systemd that runs."""

import os
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from .service import ROOT

# What keeps the machine: its first process, whose root is the layered folder. $1 is an empty folder, $2 one to hide.
_START = """
set -eu
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" overlay "$1/root"
cd "$1/root"
mount --rbind /dev dev
mount -t proc proc proc
mount -t tmpfs tmpfs tmp
mount -t tmpfs tmpfs run
[ -z "$2" ] || mount -t tmpfs tmpfs ".$2"
ip link set lo up
exec chroot . sh -c "echo started && exec sleep infinity"
"""

# Notes of what was done, which the package manager and the programs that change users keep.
_NOTES = ("var/lib/dpkg/", "var/lib/apt/", "var/log/", "var/cache/", "tmp/", "run/")
_NOTES += ("etc/passwd-/", "etc/group-/", "etc/shadow-/", "etc/gshadow-/")


def _swift_runtime():
    """The folder of the libraries that a program needs which is linked with Swift's dynamic ones."""
    swift = shutil.which("swift")
    folder = Path(swift).resolve().parents[1] / "lib/swift" if swift else Path("/nowhere")
    return folder if folder.is_dir() else ""


class Machine:
    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir()
        command = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child"]
        command += ["sh", "-c", _START, "sh", str(self.folder), str(_swift_runtime())]
        self._holder = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self._holder.stdout.readline() != "started\n":
            pytest.skip(f"needs to make namespaces and an overlay: run as root ({self._holder.stderr.read().strip()})")
        children = Path(f"/proc/{self._holder.pid}/task/{self._holder.pid}/children")
        (self._process,) = children.read_text().split()
        self.root = Path(f"/proc/{self._process}/root")
        self.environment = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "HOME": "/root",
            "DEBIAN_FRONTEND": "noninteractive",
            # systemctl changes links alone, and asks no manager.
            "SYSTEMD_OFFLINE": "1",
        }

    def end(self):
        self._holder.send_signal(signal.SIGKILL)
        self._holder.wait(timeout=20)

    def enter(self, *command):
        """The command that runs `command` in the machine."""
        spaces = ["--mount", "--net", "--pid", "--root", "--wd=/"]
        return ["nsenter", "--target", self._process, *spaces, "--", *(str(word) for word in command)]

    def attempt(self, *command, **options):
        return subprocess.run(
            self.enter(*command), capture_output=True, text=True, timeout=300, env=self.environment, **options
        )

    def run(self, *command, **options):
        done = self.attempt(*command, **options)
        assert done.returncode == 0, f"{shlex.join(str(word) for word in command)}\n{done.stdout}{done.stderr}"
        return done.stdout

    def changes(self):
        """What the layer has: each path that was made, changed or removed since the machine began, without the notes
        of the package manager, and without what has the same bytes as before."""
        listing = ["nsenter", "--target", self._process, "--mount", "find", f"{self.folder}/upper", "-printf", "%y %P\\n"]
        found = subprocess.run(listing, capture_output=True, text=True, check=True).stdout
        changed = set()
        for kind, _, path in (line.partition(" ") for line in found.splitlines()):
            if not path or f"{path}/".startswith(_NOTES):
                continue
            before, now = Path("/") / path, self.root / path
            is_same = os.path.lexists(before) and (
                kind == "d" or (kind == "f" and before.is_file() and before.read_bytes() == now.read_bytes())
            )
            if not is_same:
                changed.add(path)
        return changed


class Unit:
    """A unit of systemd as it is installed, with what other files add to it or replace of it."""

    def __init__(self, machine, name):
        self.machine, self.name = machine, name
        folder = machine.root / "lib/systemd/system"
        self.settings = {}
        for file in [folder / name, *sorted((folder / f"{name}.d").glob("*.conf"))]:
            given = [line.partition("=") for line in file.read_text().splitlines() if line[:1] not in ("#", "[", "")]
            # What another file says replaces it, but for lists: of those, the tests read only one of one file.
            for key in {key for key, _, _ in given}:
                self.settings[key] = [value for each, _, value in given if each == key]

    def value(self, key):
        return self.settings[key][-1]

    @property
    def environment(self):
        """What the manager gives the unit's processes."""
        (file,) = self.settings["EnvironmentFile"]
        given = self.machine.root / file.removeprefix("-/")
        lines = given.read_text().splitlines() if given.exists() else []
        said = dict(line.split("=", 1) for line in lines if line[:1] not in ("#", ""))
        return {"PATH": self.machine.environment["PATH"], "LANG": "C.UTF-8"} | said

    def commands(self, key="ExecStart", **variables):
        """Its commands of one kind as words, as the user that it names."""
        user = self.settings.get("User", ["root"])[-1]
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", "--no-new-privs", "--"]
        assert user == "root" or self.value("DynamicUser") == "no"
        for command in self.settings[key]:
            words = [variables.get(word.removeprefix("$"), word) for word in shlex.split(command)]
            yield [*become, *words]


class Running:
    """The process of a service, as the manager would start it."""

    def __init__(self, unit):
        self.unit, machine = unit, unit.machine
        (command,) = unit.commands()
        keep_number = 'echo $$ > "$0" && exec "$@"'
        self._number = machine.root / "run" / f"{unit.name}.pid"
        self.process = subprocess.Popen(
            machine.enter("sh", "-c", keep_number, f"/run/{unit.name}.pid", *command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=unit.environment,
        )
        self.log = []

    def wait_for(self, word):
        """Returns with the line of its output that has the word in it."""
        for line in self.process.stdout:
            self.log.append(line)
            if word in line:
                return line
        raise AssertionError("".join(self.log))

    def reload(self):
        (command,) = self.unit.commands("ExecReload", MAINPID=self._number.read_text().strip())
        self.unit.machine.run(*command)

    def stop(self):
        """Asks it to end, and returns its exit code."""
        self.unit.machine.run("kill", "-TERM", self._number.read_text().strip())
        self.log += self.process.stdout.readlines()
        return self.process.wait(timeout=20)


def commands(section):
    """What a section of docs/deploying.md has to be pasted, one command a line."""
    text = (ROOT / "docs/deploying.md").read_text()
    (text,) = re.findall(rf"^### {section}$(.*?)^##", text, re.MULTILINE | re.DOTALL)
    return "".join(re.findall(r"^```bash\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)).splitlines()


def paste(machine, lines):
    """Runs commands as they stand in the documents. No manager runs in the machine: `systemctl enable` makes its links,
    and the commands of a unit that is started are run as the unit says."""
    started = []
    for line in lines:
        if line.startswith("systemctl enable --now "):
            machine.run("bash", "-c", line.replace("--now ", ""), cwd="/")
            started += [Running(Unit(machine, name)) for name in line.split() if name.endswith(".service")]
        elif line.startswith("systemctl start "):
            for command in Unit(machine, line.split()[-1]).commands():
                machine.run(*command)
        elif not line.startswith("journalctl "):
            machine.run("bash", "-euc", f"cd /tmp; {line}")
    return started
