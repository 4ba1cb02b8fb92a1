"""One PostgreSQL server for the run, and a database of its own for each data folder."""

import atexit
import contextlib
import itertools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .eventually import eventually

PROGRAMS = Path("/usr/lib/postgresql/15/bin")

# SQLite's function of this name.
RANDOM_BYTES = """
CREATE FUNCTION pg_temp.randomblob(length int) RETURNS bytea LANGUAGE sql VOLATILE AS $$
    SELECT decode(string_agg(lpad(to_hex(floor(random() * 256)::int), 2, '0'), ''), 'hex') FROM generate_series(1, length)
$$;
"""

# Commits until one of them waits.
COMMITTING = """
DO $$ BEGIN
    FOR turn IN 1..3000 LOOP
        PERFORM pg_logical_emit_message(true, '', ''); COMMIT; PERFORM pg_sleep(0.01);
    END LOOP;
END $$;
"""

_server = None


def is_asked_for():
    """Whether services keep what they store on PostgreSQL: END_TO_END_STORAGE=postgres."""
    return os.environ.get("END_TO_END_STORAGE") == "postgres"


def server():
    """The server of this run, which ends with it."""
    global _server
    if _server is None:
        _server = Server()
        atexit.register(_server.stop)
    return _server


def stop():
    """Ends the server of this run, if there is one. A worker of pytest-xdist runs nothing at its exit."""
    global _server
    if _server is not None:
        atexit.unregister(_server.stop)
        _server.stop()
        _server = None


class Server:
    """Listens on a Unix socket in a temporary folder, and nowhere else. Debian's programs, not as root."""

    def __init__(self, *, durable=False, standby_of=None, clock=None, **settings):
        """`settings` of postgresql.conf besides those of every test. `durable`: what is committed is on the disk then.
        `standby_of`: another server, which this one follows. `clock`: the MovingClock that it has."""
        self.settings = {"listen_addresses": "", "port": 5432} | settings
        self.port = self.settings["port"]
        self._preload = [] if durable else ["eatmydata"]
        if clock:
            self._preload = ["env", *(f"{name}={value}" for name, value in clock.settings.items())]
        self.folder = Path(tempfile.mkdtemp(prefix="consentlink-pg-", dir="/tmp"))
        self.as_user = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self.as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self._names = itertools.count(1)
        self._of_folder = {}
        if standby_of:
            self._run(
                PROGRAMS / "pg_basebackup", *standby_of._connection, "-D", self.folder / "data", "--checkpoint=fast",
                "--write-recovery-conf", "--no-sync",
            )  # fmt: skip
        else:
            self._run(
                PROGRAMS / "initdb", "-D", self.folder / "data", "-U", "test", "-A", "trust", "-E", "UTF8",
                "--locale=C", "--no-sync", "--no-instructions",
            )  # fmt: skip
        self.process = None
        self.start()
        self._template = None

    def start(self):
        # Most tests prove nothing of the disk: there fsync would only take time.
        self.process = subprocess.Popen(
            [
                *self.as_user, *self._preload, str(PROGRAMS / "postgres"), "-D", str(self.folder / "data"), "-k",
                str(self.folder), "-c", "max_connections=400", "-c", "shared_buffers=128MB",
                *(part for name, value in self.settings.items() for part in ("-c", f"{name}={value}")),
            ],
            cwd="/", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=(self.folder.parent / f"{self.folder.name}.log").open("ab"),
        )  # fmt: skip
        deadline = time.monotonic() + 30
        while True:
            try:
                return self.psql("SELECT 1")
            except subprocess.CalledProcessError:
                assert time.monotonic() < deadline, "PostgreSQL did not start"
                time.sleep(0.05)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder.parent / f"{self.folder.name}.log").unlink(missing_ok=True)

    def kill(self):
        """kill -9 of the server and of all that serves its connections."""
        self.process.kill()
        self.process.wait()
        while left := self.processes():
            for process in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            time.sleep(0.01)

    def kill_postmaster(self):
        """kill -9 of the first process alone; the others notice, and end."""
        self.process.kill()
        self.process.wait()
        while self.processes():
            time.sleep(0.01)

    def stop_at_once(self):
        """As `pg_ctl stop -m immediate` does: nothing is written any more, and the next start recovers."""
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
        while self.processes():
            time.sleep(0.01)

    def processes(self):
        """All that work in the server's folder. None may be left when it is started again."""
        found = []
        for process in os.listdir("/proc"):
            with contextlib.suppress(OSError):
                if process.isdigit() and os.readlink(f"/proc/{process}/cwd") == str(self.folder / "data"):
                    found.append(int(process))
        return found

    @property
    def _connection(self):
        return ["-h", self.folder, "-p", str(self.port), "-U", "test"]

    @property
    def log(self):
        return self.folder.parent / f"{self.folder.name}.log"

    def url(self, database):
        return f"postgres://test@/{database}?host={self.folder}" + (f"&port={self.port}" if self.port != 5432 else "")

    def database_for(self, data):
        """The database of a data folder: the same one for the same folder."""
        if data not in self._of_folder:
            self._of_folder[data] = self.make_database()
        return self._of_folder[data]

    def make_database(self):
        if self._template is None:
            from .service import CommandLine

            self.psql("CREATE DATABASE like_this TEMPLATE template0")
            done = CommandLine().run("database", "init", "--storage", self.url("like_this"))
            assert done.returncode == 0, done.stderr
            self._template = "like_this"
        name = f"test{next(self._names)}"
        self.psql(f"CREATE DATABASE {name} TEMPLATE {self._template} STRATEGY FILE_COPY")
        return name

    def psql(self, sql, database="postgres"):
        """The rows of a statement, as lines of fields between vertical bars."""
        return subprocess.run(
            [PROGRAMS / "psql", *self._connection, "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip

    @contextlib.contextmanager
    def session(self, database):
        """Stays connected: runs what is written to its `stdin`."""
        psql = [PROGRAMS / "psql", *self._connection, "-d", database, "-XAtq"]
        nowhere = subprocess.DEVNULL
        with subprocess.Popen(psql, stdin=subprocess.PIPE, stdout=nowhere, stderr=nowhere, text=True) as session:
            yield session

    @contextlib.contextmanager
    def without_a_standby(self):
        """Every commit inside waits for a standby that is away. `pg_reload_conf` returns before the server has taken the
        setting over: a commit of this method's own must have waited first."""
        self.psql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
        self.psql("SELECT pg_reload_conf()")
        try:
            waiting = "SELECT pid FROM pg_stat_activity WHERE application_name = 'probe' AND wait_event = 'SyncRep'"
            with self.session("postgres") as probe:
                probe.stdin.write("SET application_name = 'probe'; " + COMMITTING)
                probe.stdin.close()
                pid = eventually(lambda: self.psql(waiting).strip())
                self.psql(f"SELECT pg_terminate_backend({pid}, 5000)")
            yield
        finally:
            self.psql("ALTER SYSTEM RESET synchronous_standby_names")
            self.psql("SELECT pg_reload_conf()")

    def replace_database(self, data):
        """Gives a data folder a new database, with nothing in it but its tables."""
        self._of_folder[data] = self.make_database()

    def copy_database(self, data, copy):
        """Gives a data folder a database that is a copy of that of another one, to which nothing is connected."""
        name = f"test{next(self._names)}"
        self.psql(f"CREATE DATABASE {name} TEMPLATE {self._of_folder[data]}")
        self._of_folder[copy] = name

    def change(self, script, database):
        """How many rows the statements changed. They all take effect, or none does."""
        done = subprocess.run(
            [PROGRAMS / "psql", *self._connection, "-d", database, "-XAt1", "-v", "ON_ERROR_STOP=1"],
            input=RANDOM_BYTES + re.sub(r"\brandomblob\(", "pg_temp.randomblob(", script) + ";",
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        tags = re.findall(r"^(?:INSERT 0|UPDATE|DELETE) (\d+)$", done.stdout, re.MULTILINE)
        return sum(int(count) for count in tags)

    def files_with(self, *needles):
        """The files of the server, its log of writes among them, that have the bytes of any of these texts in them."""
        found = set()
        for file in (self.folder / "data").rglob("*"):
            if file.is_file():
                content = file.read_bytes()
                found |= {file.name for needle in needles if needle.encode() in content}
        return found

    def dump(self, database, *options):
        """All that pg_dump writes, as text."""
        return subprocess.run(
            [PROGRAMS / "pg_dump", *self._connection, "-d", database, *options],
            check=True, capture_output=True, text=True,
        ).stdout  # fmt: skip

    def restore(self, dump, database):
        """Runs what pg_dump wrote."""
        subprocess.run(
            [PROGRAMS / "psql", *self._connection, "-d", database, "-XAtq", "-v", "ON_ERROR_STOP=1"],
            check=True, capture_output=True, text=True, input=dump,
        )  # fmt: skip

    def swap_databases(self, one, two):
        """Ends their connections, and gives each the name of the other one."""
        for name in (one, two):
            self.psql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            self.psql(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'")
        self.psql(
            f"ALTER DATABASE {one} RENAME TO between; ALTER DATABASE {two} RENAME TO {one};"
            f" ALTER DATABASE between RENAME TO {two}"
        )
        for name in (one, two):
            self.psql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")

    def _run(self, *command):
        subprocess.run([*self.as_user, *command], check=True, cwd="/", stdout=subprocess.DEVNULL)
