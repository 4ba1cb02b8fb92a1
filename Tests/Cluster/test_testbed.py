"""Deploy/cluster and its faults: each does what it says, is undone, and nothing is left. Without nodes; needs root."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from hosts import ROOT, Cluster, Network

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


@pytest.fixture(scope="module")
def cluster():
    with Cluster(nodes=0) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def healthy(request):
    """Each test begins with a healthy cluster, whatever the one before has done to it."""
    if "cluster" in request.fixturenames:
        cluster = request.getfixturevalue("cluster")
        cluster.recover()
        cluster.wait_until_healthy()


def eventually(probe, within=30):
    deadline = time.monotonic() + within
    while not (value := probe()):
        assert time.monotonic() < deadline, f"still {value!r} after {within} s"
        time.sleep(0.05)
    return value


# What `timeout` ends with when the command did not end in time.
TIMED_OUT = 124


def connect(sender, receiver, port=8008):
    """The exit status of a connection that is tried; Patroni listens on each PostgreSQL member."""
    command = ["timeout", "1.5", "bash", "-c", f"exec 3<>/dev/tcp/{receiver.address}/{port}"]
    return sender.run(*command, check=False).returncode


def reaches(sender, receiver, port=8008):
    return connect(sender, receiver, port) == 0


def namespaces():
    return {file.name for file in Path("/run/netns").glob("cl*-*")}


def cables():
    return {name for name in os.listdir("/sys/class/net") if name.startswith("cl")}


class TestNetwork:
    def test_a_partition_cuts_both_ways_and_only_between_its_sides(self, cluster):
        a, b, c = cluster.members
        cluster.network.partition(a, b)
        assert not reaches(a, b) and not reaches(b, a)
        assert reaches(a, c) and reaches(c, b) and reaches(cluster.network.client, a)
        cluster.network.heal()
        assert reaches(a, b) and reaches(b, a)

    def test_one_way_loses_what_the_first_side_sends(self, cluster):
        a, b, _ = cluster.members
        cluster.network.partition(a, b, one_way=True)
        seen = a.run("bash", "-c", f"echo -n x > /dev/udp/{b.address}/9", check=False)
        assert seen.returncode == 0
        packets = b.run("iptables", "-nvxL", "INPUT").stdout.splitlines()[2].split()
        assert packets[0] != "0" and packets[2] == "DROP"
        assert "DROP" not in a.run("iptables", "-nvxL").stdout

    def test_a_rejected_sender_is_told_at_once(self, cluster):
        a, b, _ = cluster.members
        cluster.network.partition(a, b, reject=True)
        assert connect(a, b) not in (0, TIMED_OUT)

    def test_this_machine_can_be_cut_off_too(self, cluster):
        a, b, _ = cluster.members
        cluster.network.partition("client", a.name)
        assert a.status == {} and b.status != {}
        assert reaches(b, a)

    def test_packets_are_lost_in_both_directions(self, cluster):
        a, b, _ = cluster.members
        cluster.network.lose(a, b, 100)
        assert not reaches(a, b) and not reaches(b, a)

    def test_a_host_without_its_cable_reaches_nothing_until_it_is_healed(self, cluster):
        a, b, _ = cluster.members
        cluster.network.unplug(a)
        assert not reaches(b, a) and not reaches(a, b) and a.psql("SELECT 1") == "1\n"
        cluster.network.heal()
        assert reaches(b, a)

    def test_a_slow_host_sends_slowly(self, cluster):
        cluster.network.slow("p1", "1mbit")
        assert "tbf" in cluster.host("p1").run("tc", "qdisc").stdout
        cluster.network.heal()
        assert "tbf" not in cluster.host("p1").run("tc", "qdisc").stdout

    def test_connections_are_delayed_in_both_directions(self, cluster):
        a, b, _ = cluster.members
        connect = f"psql -h {b.address} -U postgres -c 'SELECT 1'"

        def seconds():
            begun = time.monotonic()
            # Without a password it is refused, after some messages to and fro.
            assert a.run("bash", "-c", connect, check=False).returncode == 2
            return time.monotonic() - begun

        cluster.network.delay(a, [b], 100, port=5432)
        # Four messages or more, each of which takes no less than the delay.
        eventually(lambda: seconds() > 0.4)
        cluster.network.heal()
        assert "REDIRECT" not in a.run("iptables", "-t", "nat", "-S", "OUTPUT").stdout

    def test_an_unknown_host_is_an_error(self, cluster):
        with pytest.raises(KeyError):
            cluster.network.partition("p1", "p9")


class TestFailover:
    def test_commits_wait_for_one_standby_which_takes_over(self, cluster):
        primary, standby = cluster.primary(), cluster.synchronous_standby()
        assert primary.psql("SHOW synchronous_standby_names").strip().strip('"') == standby.name
        assert primary.psql("SHOW fsync") == "on\n"
        primary.psql("CREATE TABLE IF NOT EXISTS kept (id int)", database="consentlink")
        primary.psql("INSERT INTO kept VALUES (1)", database="consentlink")
        primary.kill_postmaster()
        assert cluster.wait_for_primary(30, other_than=primary) is standby
        assert standby.psql("SELECT count(*) > 0 FROM kept", database="consentlink") == "t\n"

    @pytest.mark.parametrize("fault", ["kill_server", "kill_host"])
    def test_a_killed_member_comes_back_as_a_standby(self, cluster, fault):
        primary = cluster.primary()
        processes = set(primary.server_processes())
        getattr(primary, fault)()
        assert len(processes) > 5 and not processes & set(primary.processes())
        assert cluster.wait_for_primary(60, other_than=primary)
        cluster.recover()
        cluster.wait_until_healthy()
        assert not primary.is_primary

    def test_a_server_whose_agent_is_dead_goes_on(self, cluster):
        standby = cluster.synchronous_standby()
        standby.kill_agent()
        eventually(lambda: standby.agent is None)
        assert standby.postmaster and standby.psql("SELECT 1") == "1\n"

    def test_what_stands_still_answers_again_later(self, cluster):
        member = cluster.synchronous_standby()
        member.freeze_agent()
        assert member.status == {} and member.psql("SELECT 1") == "1\n"
        member.thaw_agent()
        eventually(lambda: member.status)
        member.freeze_server()
        with pytest.raises(subprocess.TimeoutExpired):
            member.psql("SELECT 1", timeout=1)
        member.thaw_server()
        assert member.psql("SELECT 1") == "1\n"
        cluster.etcd[0].freeze()
        assert not cluster.etcd[0].is_healthy
        cluster.etcd[0].thaw()
        eventually(lambda: cluster.etcd[0].is_healthy)

    def test_a_switchover_is_asked_for(self, cluster):
        before = cluster.primary()
        status, text = cluster.switchover(to=cluster.synchronous_standby())
        assert status == 200, text
        assert cluster.wait_for_primary(30, other_than=before)

    def test_commits_that_wait_can_be_cancelled(self, cluster):
        primary, standby = cluster.primary(), cluster.synchronous_standby()
        standby.freeze_host()
        warned = []
        writer = threading.Thread(target=lambda: warned.append(primary.psql("CREATE TABLE cancelled ()", timeout=60)))
        writer.start()
        eventually(lambda: cluster.cancel_waiting_commits(primary) == 1)
        writer.join(timeout=30)
        assert warned == [""], "committed here, and nowhere else"

    def test_the_loss_of_one_member_of_etcd_changes_nothing(self, cluster):
        primary = cluster.primary()
        cluster.etcd[0].kill()
        assert cluster.etcd[0].process is None
        time.sleep(5)
        assert cluster.primary() is primary


class TestNothingIsLeft:
    def test_it_can_be_stopped_and_started_again_with_what_it_stored(self):
        before = namespaces(), cables()
        with Cluster(nodes=0, small=True) as cluster:
            cluster.primary().psql("CREATE TABLE kept ()", database="consentlink")
            hosts = list(cluster.network.hosts.values())
            addresses = [host.address for host in hosts]
            cluster.stop()
            assert (namespaces(), cables()) == before
            assert [process for host in hosts for process in host.processes()] == []
            cluster.start()
            assert [host.address for host in cluster.network.hosts.values()] == addresses
            cluster.primary().psql("TABLE kept", database="consentlink")
        assert (namespaces(), cables()) == before and not cluster.folder.exists()

    @pytest.mark.parametrize("after", [0.3, 3, 20])
    def test_it_ends_with_the_process_that_has_started_it(self, after):
        """That process is killed: while the network is made, while the members start, and later."""
        before = namespaces(), cables()
        folder = Path(tempfile.mkdtemp(prefix="consentlink-cluster-", dir="/tmp"))
        folder.chmod(0o755)
        script = f"""
import sys, time
sys.path.insert(0, {str(ROOT / "Deploy/cluster.d")!r})
from testbed import Cluster
Cluster({str(folder)!r}, nodes=0, small=True).start()
time.sleep(600)
"""
        process = subprocess.Popen([sys.executable, "-B", "-c", script], start_new_session=True)
        eventually(lambda: namespaces() > before[0])
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
        process.wait()
        eventually(lambda: not folder.exists())
        assert (namespaces(), cables()) == before
        assert all(network.folder != folder for network in Network.registered())

    def test_two_do_not_meet(self, cluster):
        with Cluster(nodes=0, small=True) as other:
            assert other.network.number != cluster.network.number
            assert not reaches(other.members[0], cluster.members[0])
        assert cluster.problems() == []


class TestDisks:
    def test_a_host_has_a_disk_of_its_own_that_can_be_full(self):
        with Cluster(nodes=0, small=True, disks={"p1": 1024}) as cluster:
            folder, disk = cluster.host("p1").folder, cluster.disks["p1"]
            assert folder.is_mount() and (folder / "data").exists()
            disk.fill()
            with pytest.raises(OSError, match="No space left"):
                (folder / "more").write_bytes(bytes(1 << 20))
            disk.free()
            (folder / "more").write_bytes(bytes(1 << 20))
        assert not cluster.folder.exists() and str(cluster.folder) not in Path("/proc/self/mounts").read_text()


class TestCommand:
    def run(self, folder, *arguments, check=True):
        return subprocess.run(
            [ROOT / "Deploy/cluster", *arguments, "--data", folder], check=check, capture_output=True, text=True
        )

    def test_up_may_be_repeated_and_down_leaves_nothing(self):
        before = namespaces(), cables()
        folder = Path(tempfile.mkdtemp(prefix="consentlink-cluster-", dir="/tmp"))
        folder.chmod(0o755)
        try:
            for _ in range(2):
                self.run(folder, "up", "--nodes", "0", "--small")
            status = self.run(folder, "status").stdout
            assert status.count("primary running") == 1 and status.endswith("healthy\n")
            self.run(folder, "kill", "p1", "e1")
            assert self.run(folder, "status", check=False).returncode == 1
            self.run(folder, "recover")
            self.run(folder, "partition", "p1", "p2,p3")
            self.run(folder, "heal")
            refused = self.run(folder, "up", "--nodes", "0", check=False)
            assert refused.returncode == 1 and "other settings" in refused.stderr
            self.run(folder, "down")
            assert (namespaces(), cables()) == before and (folder / "p1/data").exists()
            assert self.run(folder, "status", check=False).returncode == 3
        finally:
            self.run(folder, "down", "--delete")
        assert not folder.exists()

    def test_says_that_it_needs_root(self):
        command = ["setpriv", "--reuid=65534", "--clear-groups", ROOT / "Deploy/cluster", "up"]
        refused = subprocess.run(command, check=False, capture_output=True, text=True)
        assert refused.returncode == 1 and "need root" in refused.stderr
