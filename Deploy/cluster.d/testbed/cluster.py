"""All hosts together: started, asked, healed and removed."""

import functools
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .disk import Disk, unmount_below
from .etcd import EtcdMember
from .host import as_user
from .network import Network
from .node import Node, usage
from .patroni import USER, PostgresMember
from .programs import patroni_programs, postgres_programs
from .state import ClusterState

ROLES = Path(__file__).resolve().parents[2] / "postgres/roles.sql"
PUBLIC_URL = "http://links.example.test"
MOST_NODES = 100


class ClusterError(Exception):
    """A problem that the caller can mend; the message says how."""


class Cluster(ClusterState):
    """Three PostgreSQL members p1, p2, p3, etcd e1 to e3 (or e1), and nodes n1, n2, …

    As a context manager it is started, and at the end removed with its folder. When this process is killed, all of the
    hosts go with it, unless `stays`. `Cluster.attach` finds one that another process has started.
    """

    def __init__(self, folder=None, *, nodes=3, small=False, binary=None, public_url=PUBLIC_URL, flags=(), stays=False,
                 disks=None):
        """`folder`: for everything that is written; a new one below /tmp by default. `small`: one etcd. `binary`: the
        program of the nodes. `flags`: further flags of `consentlink serve`, for all nodes. `disks`:
        hosts that get a disk of their own, by name, with its size in MiB."""
        if os.geteuid() != 0:
            raise ClusterError("network namespaces need root: run this as root, or with sudo")
        self._is_temporary = folder is None
        self.folder = Path(folder or tempfile.mkdtemp(prefix="consentlink-cluster-", dir="/tmp")).resolve()
        self.settings = {
            "nodes": nodes, "small": small, "binary": str(Path(binary or "consentlink").resolve()),
            "publicURL": public_url, "flags": [str(flag) for flag in flags], "stays": stays,
        }  # fmt: skip
        super().__init__()
        self._disk_sizes = disks or {}
        self._guardian = None

    @classmethod
    def attach(cls, folder):
        """The cluster that runs in this folder, or nil."""
        folder = Path(folder).resolve()
        for network in Network.registered():
            if network.folder == folder and (folder / "cluster.json").exists():
                settings = json.loads((folder / "cluster.json").read_text())
                cluster = cls(folder)
                settings.pop("network")
                cluster.settings = settings
                cluster._lay_out(network)
                return cluster
        return None

    def __enter__(self):
        try:
            return self.start()
        except BaseException:
            self.remove()
            raise

    def __exit__(self, *_):
        self.remove()

    # Up and down

    def start(self, within=180):
        """Makes what is missing, starts what does not run, and returns when all of it is healthy."""
        self._check()
        if self.network is None or not self.network.is_made:
            self._make_network()
        for host in (*self.etcd, *self.members):
            host.start()
        self._make_roles(self.wait_for_primary(within))
        self._start_nodes(within)
        self.wait_until_healthy(within)
        return self

    def stop(self):
        """Ends all processes and removes the network. What was stored stays: nodes are asked to end, and the others are
        made to tolerate a `kill -9`."""
        for node in self.nodes:
            node.thaw()
            node.stop()
        self._end()

    def remove(self):
        """Ends all, and deletes what was stored."""
        self._end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _check(self):
        nodes, binary = self.settings["nodes"], self.settings["binary"]
        if nodes and not os.access(binary, os.X_OK):
            raise ClusterError(f"{binary} is missing: Deploy/build")
        if nodes > 1 and not self._knows_many_nodes:
            raise ClusterError(f"nodes of {binary} do not share a database; ask for one node")
        if nodes > MOST_NODES:
            raise ClusterError(f"there are addresses for {MOST_NODES} nodes")
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._is_temporary:
            self.folder.chmod(0o755)
        if subprocess.run([*as_user(USER), "test", "-x", f"{self.folder}/."], check=False, cwd="/").returncode:
            raise ClusterError(f"user {USER} cannot enter {self.folder}: choose another folder")

    def _make_network(self):
        # What a start that was interrupted has left.
        self._end()
        file = self.folder / "cluster.json"
        # What etcd stored has the addresses in it, so they stay with the folder.
        before = json.loads(file.read_text()) if file.exists() else {}
        network = Network.take(self.folder, before.get("network"))
        file.write_text(json.dumps(self.settings | {"network": network.number}, indent=2) + "\n")
        self._guard()
        self._lay_out(network)
        network.make()
        for disk in self.disks.values():
            disk.mount()

    def _start_nodes(self, within):
        if not self.nodes:
            return
        # The first node makes the tables, and the key that all share.
        first, *others = self.nodes
        first.start(within)
        if self._knows_many_nodes and not self.cluster_key.exists():
            write_secret(self.cluster_key, (first.data / "cluster.key").read_bytes())
        for node in others:
            node.launch_service()
        for node in others:
            node.start(within)

    def _end(self):
        for network in Network.registered():
            if network.folder == self.folder:
                network.remove()
        unmount_below(self.folder)
        self.network = None
        if self._guardian:
            self._guardian.stdin.close()
            self._guardian.wait()
            self._guardian = None

    def _guard(self):
        """A process that ends the cluster when this one is gone, however it ended."""
        if not self.settings["stays"]:
            self._guardian = subprocess.Popen(
                [sys.executable, Path(__file__).resolve().parents[1] / "main.py", "guard", "--data", self.folder],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, start_new_session=True, cwd="/",
            )  # fmt: skip

    @functools.cached_property
    def _usage(self):
        return usage(self.settings["binary"])

    @property
    def _knows_many_nodes(self):
        return "--node-name" in self._usage

    def _lay_out(self, network):
        self.network = network
        self.etcd = [network.host(f"e{i}", 230 + i, EtcdMember) for i in range(1, 2 if self.settings["small"] else 4)]
        self.members = [network.host(f"p{i}", 220 + i, PostgresMember) for i in range(1, 4)]
        self.nodes = [network.host(f"n{i}", 10 + i, Node) for i in range(1, self.settings["nodes"] + 1)]
        for host in self.etcd:
            host.members = self.etcd
        for host in self.members:
            host.etcd = self.etcd
            host.passwords = self._passwords()
            host.postgres_programs = postgres_programs()
            host.patroni_programs = patroni_programs()
        for host in self.nodes:
            host.binary = self.settings["binary"]
            host.flags = self._flags(host)
        self.disks = {name: Disk(network.hosts[name].folder, size) for name, size in self._disk_sizes.items()}

    @property
    def password_file(self):
        """The password of `consentlink` in the database, for `--storage-password-file`."""
        return self.folder / "database-password"

    @property
    def cluster_key(self):
        """A copy of the key that the first node has made, which outlives that node's folder."""
        return self.folder / "cluster.key"

    def _passwords(self):
        """By role. Made once for each folder."""
        file = self.folder / "passwords.json"
        if not file.exists():
            roles = ("postgres", "replicator", "consentlink")
            write_secret(file, json.dumps({role: secrets.token_hex(16) for role in roles}))
        return json.loads(file.read_text())

    def _make_roles(self, primary):
        write_secret(self.password_file, self._passwords()["consentlink"] + "\n")
        # In the server's standard input: other users of the machine see the arguments of a process.
        password = f"ALTER ROLE consentlink PASSWORD '{self._passwords()['consentlink']}';\n"
        primary.psql_script("SET client_min_messages = warning;\n" + ROLES.read_text() + password)

    def _flags(self, node):
        flags = [
            "--storage", self.storage_url, "--storage-password-file", self.password_file, "--durability", "quorum",
            "--public-url", self.settings["publicURL"], *self.settings["flags"],
        ]  # fmt: skip
        if self._knows_many_nodes:
            flags += ["--node-name", node.name]
            if node is not self.nodes[0]:
                flags += ["--cluster-key", self.cluster_key]
        if "--peer-address" in self._usage:
            flags += ["--peer-address", node.api]
        return flags


def write_secret(file, content):
    """Writes a file that no other user can read, not even for an instant."""
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output:
        output.write(content if isinstance(content, bytes) else content.encode())
