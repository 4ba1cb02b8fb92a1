"""A member of the PostgreSQL cluster: a Patroni agent, and the server that it manages."""

import shutil
import signal
import subprocess
from pathlib import Path

from .etcd import CLIENTS
from .host import Host
from .http import get

RECIPES = Path(__file__).resolve().parents[2] / "patroni"
RECIPE, BASE = RECIPES / "patroni.yaml", RECIPES / "postgresql.base.conf"
AGENT = 8008
SERVER = 5432

# The user that PostgreSQL runs as: it refuses root.
USER = "postgres"
# Three servers share one disk and one memory here.
SMALLER = {
    "max_wal_size: 4GB": "max_wal_size: 1GB", "max_slot_wal_keep_size: 16GB": "max_slot_wal_keep_size: 4GB",
    "shared_buffers: 4GB": "shared_buffers: 1GB",
}  # fmt: skip


class PostgresMember(Host):
    """Its server is asked through a Unix socket, which no fault of the network cuts. The cluster sets the folders of
    the programs, the members of etcd and the passwords by role."""

    postgres_programs = None
    patroni_programs = None
    etcd = ()
    passwords = None

    @property
    def agent_url(self):
        return f"http://{self.address}:{AGENT}"

    @property
    def agent(self):
        """The number of the agent's process, or nil when it does not run."""
        return self.launched("patroni")

    @property
    def postgres_data(self):
        return self.folder / "data"

    @property
    def log(self):
        """The log of the agent and of the server."""
        return self.folder / "patroni.log"

    @property
    def postmaster(self):
        """The number of the server's first process, or nil when it does not run."""
        try:
            process = int((self.postgres_data / "postmaster.pid").read_text().split("\n")[0])
        except (OSError, ValueError):
            return None
        return process if process in self.processes() else None

    def server_processes(self):
        """The postmaster, then its children."""
        if (postmaster := self.postmaster) is None:
            return []
        return [postmaster, *(process for process in self.processes() if parent(process) == postmaster)]

    def start(self):
        """Starts the agent, which starts the server, or takes over the one that runs. Returns at once."""
        if self.agent is not None:
            return
        self.folder.mkdir(mode=0o700, exist_ok=True)
        configuration = self.folder / "patroni.yaml"
        configuration.write_text(self._configuration())
        shutil.copy(BASE, self.folder / BASE.name)
        shutil.chown(self.folder, USER, USER)
        self.launch(
            self.patroni_programs / "patroni", configuration, role="patroni", user=USER,
            environment={
                "PATH": f"{self.postgres_programs}:/usr/bin:/bin",
                "PYTHONUNBUFFERED": "1",
                "PATRONI_NAME": self.name,
                "PATRONI_ETCD3_HOSTS": ",".join(f"{member.address}:{CLIENTS}" for member in self.etcd),
                "PATRONI_RESTAPI_LISTEN": f"{self.address}:{AGENT}",
                "PATRONI_RESTAPI_CONNECT_ADDRESS": f"{self.address}:{AGENT}",
                "PATRONI_POSTGRESQL_LISTEN": f"{self.address}:{SERVER}",
                "PATRONI_POSTGRESQL_CONNECT_ADDRESS": f"{self.address}:{SERVER}",
                "PATRONI_POSTGRESQL_DATA_DIR": str(self.postgres_data),
                "PATRONI_POSTGRESQL_BIN_DIR": str(self.postgres_programs),
                "PATRONI_POSTGRESQL_PGPASS": str(self.folder / "pgpass"),
                "PATRONI_SUPERUSER_USERNAME": "postgres",
                "PATRONI_SUPERUSER_PASSWORD": self.passwords["postgres"],
                "PATRONI_REPLICATION_USERNAME": "replicator",
                "PATRONI_REPLICATION_PASSWORD": self.passwords["replicator"],
            },
        )  # fmt: skip

    def _configuration(self):
        """The recipe for production, without TLS and with a folder and a network of this machine."""
        recipe = "".join(line for line in RECIPE.read_text().splitlines(True) if not line.endswith("# TLS\n"))
        network = self.address.rsplit(".", 1)[0] + ".0/24"
        changes = {"hostssl ": "host ", "10.0.0.0/24": network, "/var/run/postgresql": str(self.folder),
                   "/etc/patroni": str(self.folder)}
        for there, here in (changes | SMALLER).items():
            assert there in recipe, f"{RECIPE} has no {there!r}"
            recipe = recipe.replace(there, here)
        return recipe

    # Questions

    def psql(self, sql, *, database="postgres", timeout=10):
        """The rows of a statement, as lines of fields between vertical bars, for the superuser."""
        return self._psql(["-c", sql], database, timeout)

    def psql_script(self, script, *, database="postgres", timeout=120):
        """Runs statements and commands of psql, for the superuser."""
        self._psql([], database, timeout, input=script)

    def psql_command(self, database):
        """The command line that opens psql, for the superuser."""
        return self.inside("psql", "-h", self.folder, "-p", SERVER, "-d", database, user=USER)

    def _psql(self, arguments, database, timeout, **options):
        command = [*self.psql_command(database), "-XAtq", "-v", "ON_ERROR_STOP=1", *arguments]
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, timeout=timeout, cwd="/",
            env={"PATH": "/usr/bin:/bin"}, **options,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{self.name}: {done.stderr.strip()}")
        return done.stdout

    @property
    def is_primary(self):
        """Whether Patroni says so: the agent answers, and holds the leader's key."""
        return get(f"{self.agent_url}/primary")[0] == 200

    @property
    def takes_writes(self):
        """Whether its server says so. That of an old primary may, too, whose agent stands still or is cut off."""
        try:
            return self.psql("SELECT NOT pg_is_in_recovery()", timeout=2) == "t\n"
        except (RuntimeError, subprocess.TimeoutExpired):
            return False

    @property
    def status(self):
        """What the agent says of itself and of its server; empty when it does not answer."""
        return get(f"{self.agent_url}/patroni")[1]

    def begin_anew(self):
        """Throws the member's data away; it copies what the primary has, as after `patronictl reinit`."""
        self.kill_host()
        shutil.rmtree(self.postgres_data)
        self.start()

    # Faults. `start` of the cluster ends those that end an agent.

    def kill_postmaster(self):
        """kill -9 of the server's first process alone; the others notice, and end. The agent continues."""
        if (postmaster := self.postmaster) is not None:
            self.signal(signal.SIGKILL, [postmaster])

    def kill_server(self):
        """kill -9 of all processes of the server. The agent continues."""
        processes = self.server_processes()
        self.signal(signal.SIGSTOP, processes)
        self.signal(signal.SIGKILL, processes)
        self.wait_for_end(processes)

    def kill_agent(self):
        """kill -9 of the agent. The server continues."""
        self._signal_agent(signal.SIGKILL)

    def freeze_server(self):
        """The server stands still, and its connections stay open. The agent continues."""
        self.signal(signal.SIGSTOP, self.server_processes())

    def thaw_server(self):
        self.signal(signal.SIGCONT, self.server_processes())

    def freeze_agent(self):
        """The agent stands still. After `ttl` another member becomes primary, while this server still takes writes."""
        self._signal_agent(signal.SIGSTOP)

    def thaw_agent(self):
        self._signal_agent(signal.SIGCONT)

    def _signal_agent(self, number):
        if (agent := self.agent) is not None:
            self.signal(number, [agent])


def parent(process):
    """The number of the process that started this one; 0 when it has ended."""
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0
