"""The network between the hosts: a bridge in a namespace of its own, and a cable from it to each host."""

import ipaddress
import itertools
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from .delay import MARK
from .host import NAMESPACES, Host

# What delays connections: at this port and the last number of the host's address.
DELAY = Path(__file__).resolve().parent / "delay.py"
DELAY_PORT = 20000

# Which networks are in use, and by which folder. Gone after a reboot, as the namespaces are.
REGISTER = Path("/run/consentlink-clusters")


class Network:
    """10.77.NUMBER.0/24, with 10.77.NUMBER.1 for this machine itself. The bridge is not in this machine's namespace, so
    its firewall does not decide about what hosts say to each other."""

    def __init__(self, number, folder):
        self.number = number
        self.folder = Path(folder)
        self.hosts = {}
        self.client = Host("client", self.address(1), None, folder)

    @classmethod
    def take(cls, folder, number=None):
        """A network that no other folder has; that with this number where one is given. The register has the folder's
        name before anything is made, so that a start that was interrupted can be undone."""
        REGISTER.mkdir(exist_ok=True)
        mine = REGISTER / f".{os.getpid()}"
        mine.write_text(f"{folder}\n")
        try:
            used = [ipaddress.ip_network(route["dst"]) for route in routes() if route["dst"] != "default"]
            numbers = range(256) if number is None else [number]
            for candidate in numbers:
                if any(ipaddress.ip_network(f"10.77.{candidate}.0/24").overlaps(other) for other in used):
                    continue
                try:
                    # Whole or not at all, and only where there is none.
                    os.link(mine, REGISTER / str(candidate))
                except FileExistsError:
                    continue
                return cls(candidate, folder)
        finally:
            mine.unlink()
        raise RuntimeError(f"in use: {'10.77.0.0/16' if number is None else f'10.77.{number}.0/24'}")

    @classmethod
    def registered(cls):
        """All networks in use on this machine, whichever process made them."""
        files = [file for file in REGISTER.glob("*") if file.name.isdigit()] if REGISTER.exists() else []
        return [cls(int(file.name), file.read_text().strip()) for file in files]

    @property
    def prefix(self):
        return f"cl{self.number}-"

    @property
    def hub(self):
        return f"{self.prefix}hub"

    def address(self, host):
        return f"10.77.{self.number}.{host}"

    def host(self, name, number, make=Host):
        """Adds a host. `make` is its class."""
        host = make(name, self.address(number), f"{self.prefix}{name}", self.folder / name)
        self.hosts[name] = host
        return host

    def make(self):
        """Makes the namespaces of all hosts, the bridge and the cables."""
        ip(f"netns add {self.hub}", *(f"netns add {host.namespace}" for host in self.hosts.values()))
        ip("link add bridge type bridge", "link set bridge up", inside=self.hub)
        ip(f"link add {self.prefix}me type veth peer name me netns {self.hub}")
        for host in self.hosts.values():
            ip(f"link add {host.name} type veth peer name eth0 netns {host.namespace}", inside=self.hub)
            ip(f"address add {host.address}/24 dev eth0", "link set lo up", "link set eth0 up", inside=host.namespace)
        for cable in ("me", *self.hosts):
            ip(f"link set {cable} master bridge", f"link set {cable} up", inside=self.hub)
        ip(f"address add {self.address(1)}/24 dev {self.prefix}me", f"link set {self.prefix}me up")

    @property
    def is_made(self):
        """Whether `make` came to its end."""
        state = Path(f"/sys/class/net/{self.prefix}me/operstate")
        return state.exists() and state.read_text().strip() == "up"

    def namespaces(self):
        """All that are there, also those of a start that was interrupted."""
        return sorted(file.name for file in NAMESPACES.glob(f"{self.prefix}*"))

    def remove(self):
        """Ends all processes in the namespaces, and removes the namespaces with all that is in them."""
        for namespace in self.namespaces():
            Host(namespace, None, namespace, self.folder).kill_host()
        # The cable goes at once with its end here, the namespaces a little later.
        subprocess.run(["ip", "link", "delete", f"{self.prefix}me"], check=False, capture_output=True)
        for namespace in self.namespaces():
            ip(f"netns delete {namespace}")
        (REGISTER / str(self.number)).unlink(missing_ok=True)

    # Faults. `a` and `b` are hosts, their names, or lists of either; "client" is this machine itself.

    def partition(self, a, b, *, one_way=False, reject=False):
        """Nothing that one side sends reaches the other; with `one_way` nothing from `a` reaches `b`. Packets are lost;
        with `reject` the sender is told at once that its connections have ended."""
        self._cut(a, b, reject)
        if not one_way:
            self._cut(b, a, reject)

    def lose(self, a, b, percent):
        """Of the packets between both sides, this part is lost at random, in each direction."""
        for one, other in itertools.product(self._each(a), self._each(b)):
            for sender, receiver in ((one, other), (other, one)):
                loss = ["-m", "statistic", "--mode", "random", "--probability", f"{percent / 100:.4f}"]
                self._rule(sender, receiver, loss, "DROP")

    def slow(self, host, rate):
        """What the host sends leaves it at this rate, such as "10mbit"."""
        for one in self._each(host):
            shape = ["tbf", "rate", rate, "burst", "32kb", "latency", "200ms"]
            one.run("tc", "qdisc", "replace", "dev", "eth0", "root", *shape)

    def delay(self, host, others, milliseconds, *, port):
        """What a host sends to others over TCP, to this port of theirs, and what they answer, takes `milliseconds`
        longer. Connections that were made before are reset, here and when it is healed."""
        (host,) = self._each(host)
        proxy = DELAY_PORT + int(host.address.rsplit(".", 1)[1])
        host.launch(sys.executable, "-B", DELAY, proxy, milliseconds, role="delay")
        for other in self._each(others):
            where = ["-d", other.address, "-p", "tcp", "--dport", str(port)]
            away = ["-m", "mark", "!", "--mark", str(MARK), "-j", "REDIRECT", "--to-ports", str(proxy)]
            host.run("iptables", "--wait", "-t", "nat", "-A", "OUTPUT", *where, *away)
            host.run("ss", "--kill", "dst", other.address, "dport", "=", f":{port}", check=False)

    def unplug(self, host):
        """Pulls the cable. With `kill_host` afterwards the host loses its power: no other host is told that its
        connections have ended."""
        for one in self._each(host):
            ip("link set eth0 down", inside=one.namespace)

    def plug(self, host):
        for one in self._each(host):
            ip("link set eth0 up", inside=one.namespace)

    def heal(self):
        """Ends every fault of the network."""
        for host in self.hosts.values():
            self.plug(host)
            host.run("iptables", "--wait", "--flush")
            host.run("iptables", "--wait", "-t", "nat", "--flush")
            if (proxy := host.launched("delay")) is not None:
                os.kill(proxy, signal.SIGKILL)
            host.run("tc", "qdisc", "delete", "dev", "eth0", "root", check=False)

    def _cut(self, senders, receivers, reject):
        for sender, receiver in itertools.product(self._each(senders), self._each(receivers)):
            if reject:
                # What tells the other side must itself get through.
                self._rule(sender, receiver, ["-p", "tcp", "!", "--tcp-flags", "RST", "RST"], "REJECT")
            else:
                self._rule(sender, receiver, [], "DROP")

    def _rule(self, sender, receiver, match, verdict):
        """In the receiver's namespace, or in the sender's where the receiver is this machine itself."""
        target = ["-j", verdict, *(["--reject-with", "tcp-reset"] if verdict == "REJECT" else [])]
        if receiver is self.client:
            sender.run("iptables", "--wait", "-A", "OUTPUT", "-d", receiver.address, *match, *target)
        else:
            receiver.run("iptables", "--wait", "-A", "INPUT", "-s", sender.address, *match, *target)

    def _each(self, hosts):
        hosts = [hosts] if isinstance(hosts, (str, Host)) else hosts
        names = {"client": self.client} | self.hosts
        return [names[host] if isinstance(host, str) else host for host in hosts]


def ip(*lines, inside=None):
    """Runs commands of ip(8). The first that fails ends the rest."""
    where = ["-netns", inside] if inside else []
    command = ["ip", *where, "-batch", "-"]
    done = subprocess.run(command, check=False, input="\n".join(lines), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"ip: {done.stderr.strip()}")


def routes():
    return json.loads(subprocess.run(["ip", "-json", "-4", "route"], check=True, capture_output=True, text=True).stdout)
