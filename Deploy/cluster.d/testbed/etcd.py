"""A member of etcd, in which Patroni keeps who is primary."""

import shutil
import signal

from .host import Host
from .http import get

CLIENTS = 2379
PEERS = 2380
# Not root. Debian's PostgreSQL has this user anyway.
USER = "postgres"


class EtcdMember(Host):
    """The cluster sets all members."""

    members = ()

    @property
    def url(self):
        return f"http://{self.address}:{CLIENTS}"

    @property
    def is_healthy(self):
        """Whether it answers, and knows a leader."""
        status, answer = get(f"{self.url}/health")
        return status == 200 and str(answer.get("health")) == "true"

    @property
    def process(self):
        return self.launched("etcd")

    def start(self):
        """Continues with what it stored. Returns at once."""
        if self.process is not None:
            return
        self.folder.mkdir(mode=0o700, exist_ok=True)
        shutil.chown(self.folder, USER, USER)
        peers = f"http://{self.address}:{PEERS}"
        self.launch(
            "etcd", "--name", self.name, "--data-dir", self.folder / "data", "--log-level", "warn",
            "--listen-client-urls", self.url, "--advertise-client-urls", self.url,
            "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
            "--initial-cluster", ",".join(f"{member.name}=http://{member.address}:{PEERS}" for member in self.members),
            "--initial-cluster-token", "consentlink", "--auto-compaction-retention", "1",
            role="etcd", user=USER, environment={"PATH": "/usr/bin:/bin"},
        )  # fmt: skip

    def kill(self):
        """kill -9"""
        self.kill_host()

    def freeze(self):
        self.signal(signal.SIGSTOP)

    def thaw(self):
        self.signal(signal.SIGCONT)
