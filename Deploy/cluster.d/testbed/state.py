"""What the cluster's parts say of themselves, and what is asked of all of them together."""

import concurrent.futures
import time

from .http import post
from .patroni import AGENT, SERVER


class ClusterState:
    def __init__(self):
        self.network = None
        self.etcd = []
        self.members = []
        self.nodes = []
        self.disks = {}  # of hosts that have one of their own, by name

    @property
    def storage_url(self):
        """As nodes have it, with all members; the one with the newest timeline is the primary."""
        return f"postgres://consentlink@{','.join(f'{m.address}:{SERVER}' for m in self.members)}/consentlink"

    @property
    def operator_key(self):
        return self.nodes[0].operator_key

    def host(self, name):
        """A host by its name, such as "p1"."""
        return self.network.hosts[name]

    def primary(self):
        """The member that Patroni says is the primary, or nil while there is none."""
        answers = each(lambda member: member.is_primary, self.members)
        return next((member for member, is_primary in answers if is_primary), None)

    def wait_for_primary(self, within=60, other_than=None):
        """Returns the primary as soon as there is one whose server answers. Its commits may still wait for a synchronous
        standby."""

        def there():
            if not any(member.agent for member in self.members):
                raise AssertionError(f"no agent runs; {self.members[0].log} says why")
            primary = self.primary()
            return primary if primary and primary is not other_than and primary.takes_writes else None

        return wait(there, within, lambda: "there is no primary")

    def synchronous_standby(self):
        """The member whose acknowledgement commits wait for, or nil. Only this one may become primary."""
        return next((self.host(name) for name, (role, *_) in self.states().items() if role == "sync_standby"), None)

    def states(self):
        """Role (primary, sync_standby, replica or silent), state and timeline of each PostgreSQL member, as its own agent
        says now. What etcd has of it may be as old as the last report of an agent that has ended."""

        def state(member):
            said = member.status
            if said.get("sync_standby"):
                role = "sync_standby"
            else:
                role = said.get("role", "silent")
            return role, said.get("replication_state") or said.get("state", ""), said.get("timeline")

        return {member.name: state for member, state in each(state, self.members)}

    def problems(self):
        """What keeps the cluster from being healthy, in words; empty when it is."""
        found = [f"{host.name} of etcd does not answer" for host, is_well in each(is_healthy, self.etcd) if not is_well]
        states = self.states()
        if sorted(role for role, *_ in states.values()) != ["primary", "replica", "sync_standby"]:
            found.append("roles: " + ", ".join(f"{name} {role}" for name, (role, *_) in states.items()))
        if len({timeline for *_, timeline in states.values()}) > 1:
            found.append("not all PostgreSQL members are on one timeline")
        for name, (role, state, _) in states.items():
            if state != ("running" if role == "primary" else "streaming"):
                found.append(f"{name}: {state or 'silent'}")
        nodes = each(lambda node: node.is_ready, self.nodes)
        return found + [f"{node.name} is not ready" for node, is_ready in nodes if not is_ready]

    def wait_until_healthy(self, within=90):
        """Returns when all members stream, one of them synchronously, and all nodes are ready."""
        problems = []

        def healthy():
            problems[:] = self.problems()
            return not problems

        wait(healthy, within, lambda: "; ".join(problems))

    # What operators do

    def switchover(self, to=None):
        """Makes the synchronous standby the primary; returns the answer's status and text. `to` names the standby."""
        primary = self.primary()
        body = {"leader": primary.name} | ({"candidate": to.name} if to else {})
        status, answer = post(f"http://{primary.address}:{AGENT}/switchover", body)
        return status, answer.get("text", "")

    def cancel_waiting_commits(self, member=None):
        """Cancels every commit that waits for the standby, as an operator must not; returns how many. Each is then
        committed on this member and on no other."""
        cancelled = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        return int((member or self.primary()).psql(cancelled))

    def begin_anew_where_down(self):
        """Standbys that do not stream, while there is a primary; returns their names. Patroni does not bring back every
        server whose timeline has diverged while it was a standby ("requested timeline … is not a child of this server's
        history"): it starts it again and again, or says "start failed", and does not rewind it. A member whose agent does
        not answer is left alone: it may be the one that has everything."""
        states, primary = self.states(), self.primary()
        if primary is None or states[primary.name][:2] != ("primary", "running"):
            return []
        standbys = {name: state for name, (role, state, _) in states.items() if role not in ("primary", "silent")}
        down = [self.host(name) for name, state in standbys.items() if state != "streaming"]
        for member in down:
            member.begin_anew()
        return [member.name for member in down]

    def recover(self):
        """Ends every fault: heals the network, continues what stands still, and starts what has ended."""
        self.network.heal()
        for host in self.network.hosts.values():
            host.thaw_host()
        for disk in self.disks.values():
            disk.free()
        for host in (*self.etcd, *self.members):
            host.start()
        for node in self.nodes:
            node.launch_service()


def is_healthy(member):
    return member.is_healthy


def each(question, hosts):
    """Asks all hosts at once; one that does not answer does not hold up the others. Pairs of host and answer."""
    if not hosts:
        return []
    with concurrent.futures.ThreadPoolExecutor(len(hosts)) as pool:
        return list(zip(hosts, pool.map(question, hosts), strict=True))


def wait(condition, within, message):
    """Returns the condition's first value that is true. `within` is in seconds."""
    deadline = time.monotonic() + within
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"after {within} s: {message()}")
        time.sleep(0.1)
    return value
