"""The service as a process: started, stopped, ended by force and started again on the same data."""

import itertools
import json
import os
import queue
import random
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import threading
from pathlib import Path

from . import evidence, postgres

READY = re.compile(r"consentlink ready public=(http://[^ ]+) api=(http://[^ ]+)")
CONSOLE = re.compile(r"consentlink console (http://[^ ]+)")

ROOT = Path(__file__).resolve().parents[3]


def binary():
    """The release build; END_TO_END_BINARY names another one."""
    path = Path(os.environ.get("END_TO_END_BINARY", ROOT / ".build/release/consentlink"))
    assert os.access(path, os.X_OK), f"{path} is missing: Deploy/build"
    return path


def environment(**settings):
    """This process's environment without settings of the service, and with `settings` instead. Without pytest's, too: SwiftPM
    reads every package anew where the environment has changed."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CONSENTLINK_", "PYTEST_"))}
    return kept | settings


# Below the ports that the kernel gives to clients, so that no client takes one while the service restarts. In one order
# for the whole run: two calls that follow each other never return the same port. Each worker of pytest-xdist has ports
# of its own.
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
PORTS = itertools.cycle(random.sample(range(15000 + WORKER, 32000, WORKERS), k=17000 // WORKERS - 1))


def free_port():
    """A loopback port that nothing listens on."""
    for port in PORTS:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def read_lines(stream, lines):
    """Reads a process's output on a thread, and puts each line into a queue; None at the end."""

    def read():
        with stream:
            for line in stream:
                lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()


class Service:
    """A `consentlink serve` on ports and a data folder that stay the same over restarts. It has a console where
    `has_console` says so."""

    def __init__(
        self, folder, *, flags=(), settings=None, listen=None, api_listen=None, data=None, cwd=None, has_console=False
    ):
        self.folder = Path(folder)
        self.data = Path(data) if data else self.folder / "data"
        self.listen = listen or f"127.0.0.1:{free_port()}"
        self.api_listen = api_listen or f"127.0.0.1:{free_port()}"
        self.public = f"http://{self.listen}"
        self.api = f"http://{self.api_listen}"
        self.console_listen = f"127.0.0.1:{free_port()}" if has_console else "off"
        self.console = f"http://{self.console_listen}"
        self.flags = list(flags)
        self.settings = settings or {}
        self.cwd = cwd or self.folder
        self.log = self.folder / "stderr.log"
        self.temporary = self.folder / "temporary files"
        self.process = None
        # Whether the process starts again by itself, and says each time that it is ready.
        self.starts_again = False
        # Further descriptors that the process inherits.
        self.pass_fds = ()
        self._lines = queue.Queue()
        self._is_ready_line_read = False

    @property
    def storage(self):
        """Where the service keeps what it stores, as a setting; nothing where a test says so itself."""
        if not postgres.is_asked_for() or "--storage" in self.flags or "CONSENTLINK_STORAGE" in self.settings:
            return {}
        server = postgres.server()
        return {"CONSENTLINK_STORAGE": server.url(server.database_for(str(self.data)))}

    @property
    def database(self):
        """The name of its database on the server of the run."""
        return postgres.server().database_for(str(self.data))

    def change(self, script):
        """Changes what is stored, as somebody with access to the database may; says how many rows. Statements in the
        SQL that both engines read, and in which `randomblob` makes random bytes."""
        if self.storage:
            return postgres.server().change(script, self.database)
        with sqlite3.connect(self.data / "consentlink.db") as database:
            before = database.total_changes
            database.executescript(script)
            changed = database.total_changes - before
        database.close()
        return changed

    def stored(self, query):
        """The rows of a query for texts and numbers, as lists of texts."""
        if self.storage:
            return [line.split("|") for line in postgres.server().psql(query, self.database).splitlines()]
        with sqlite3.connect(f"file:{self.data / 'consentlink.db'}?mode=ro", uri=True) as database:
            rows = [[str(value) for value in row] for row in database.execute(query)]
        database.close()
        return rows

    def copy_from(self, other):
        """Takes over all that a service that does not run keeps: its data folder, and its database."""
        shutil.copytree(other.data, self.data)
        if postgres.is_asked_for():
            postgres.server().copy_database(str(other.data), str(self.data))

    @property
    def command(self):
        listeners = ["--listen", self.listen, "--api-listen", self.api_listen]
        if "--console-listen" not in self.flags and "CONSENTLINK_CONSOLE_LISTEN" not in self.settings:
            listeners += ["--console-listen", self.console_listen]
        return [str(binary()), "serve", "--data", str(self.data), *listeners, *self.flags]

    @property
    def environment(self):
        return environment(**{"TMPDIR": str(self.temporary)} | self.storage | self.settings)

    @property
    def operator_key(self):
        return (self.data / "operator.key").read_text().strip()

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def start(self, within=30):
        """Returns when the service has said that it is ready."""
        self.launch()
        return self.wait_until_ready(within)

    def launch(self):
        """Returns when the process has been started; its listeners may open later, one after the other."""
        assert not self.is_running
        self._lines = queue.Queue()
        self._is_ready_line_read = False
        self.temporary.mkdir(exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.cwd,
                pass_fds=self.pass_fds,
                env=self.environment,
            )
        read_lines(self.process.stdout, self._lines)

    def wait_until_ready(self, within=30):
        try:
            line = self._lines.get(timeout=within)
        except queue.Empty:
            self.kill()
            raise AssertionError(f"no ready line within {within} s\n{self.log_text()[-2000:]}") from None
        self._is_ready_line_read = True
        ready = READY.fullmatch(line or "")
        assert ready, f"instead of the ready line: {line!r}\n{self.log_text()[-2000:]}"
        assert ready.groups() == (self.public, self.api)
        return self

    def stop(self, by=signal.SIGTERM, within=10):
        """Asks the service to end, and returns its exit code."""
        self.process.send_signal(by)
        try:
            code = self.process.wait(timeout=within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"still running {within} s after {by.name}") from None
        rest = []
        while (line := self._lines.get(timeout=5)) is not None:
            # A test that did not wait for the ready line stops the service before or after it was written.
            if CONSOLE.fullmatch(line):
                continue
            if (self._is_ready_line_read and not self.starts_again) or not READY.fullmatch(line):
                rest.append(line)
            self._is_ready_line_read = True
        assert rest == [], f"more than the ready line on standard output: {rest}"
        return code

    def kill(self):
        """kill -9: nothing of the process runs after this."""
        self.process.kill()
        self.process.wait()

    def restart(self):
        assert self.stop() == 0
        return self.start()

    def log_text(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def forget_last_words(self):
        """Takes the last words of the command out of the log: they are for people, and no JSON."""
        lines = self.log_text().splitlines(keepends=True)
        self.log.write_text("".join(line for line in lines if not line.startswith("consentlink: ")))

    def assert_log_is_discreet(self):
        """Checks that every line of the log is a JSON object and that none has a person, a token or a target in it."""
        evidence.keep_files("logs", self.log)
        evidence.keep_files("temporary", self.temporary)
        for line in self.log_text().splitlines():
            assert isinstance(json.loads(line), dict), line
            for private in ("@people.example", "shop.example", "clk_", "/r/A"):
                assert private not in line, line
            assert not re.search(r"AQ[A-Za-z0-9_-]{52}", line), line
            assert not re.search(r"(?<![\w-])g[Q-Za-v][\w-]{49}(?![\w-])", line), line

    def files_with(self, *needles):
        """The files of the data folder that have the bytes of any of these texts in them."""
        found = set()
        for file in sorted(self.data.rglob("*")):
            if file.is_file():
                content = file.read_bytes()
                found |= {file.name for needle in needles if needle.encode() in content}
        return found


class CommandLine:
    """`consentlink`, run to its end."""

    def __init__(self, service=None):
        self.service = service

    def run(self, *arguments, settings=None, cwd=None, timeout=60):
        return subprocess.run(
            [str(binary()), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=cwd or (self.service.folder if self.service else None),
            env=environment(**(settings or {})),
            timeout=timeout,
        )

    def ask(self, *arguments):
        """A command for the running service, as its operator."""
        return self.run(*arguments, "--api", self.service.api, "--data", str(self.service.data))

    def json(self, *arguments):
        """The JSON output of a command, which must succeed."""
        done = self.ask(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
