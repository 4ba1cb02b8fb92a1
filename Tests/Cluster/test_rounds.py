"""Faults of nodes, of PostgreSQL and of the network between them, under load on three nodes: whatever any node
acknowledged holds on all afterwards, once.

    CLUSTER_ROUNDS=200 Deploy/test --cluster
"""

import collections
import itertools
import os
import random
import sys
import time

import httpx
import pytest

from harness.cluster import ROOT, Cluster

# The harness of the end-to-end suite has the same name as that of this folder, which is loaded by now.
sys.path.insert(0, str(ROOT / "Tests/EndToEnd"))
for name in [name for name in sys.modules if name == "harness" or name.startswith("harness.")]:
    del sys.modules[name]

from harness import tokens, wire  # noqa: E402
from harness.acknowledged import (  # noqa: E402
    Ledger, Until, check, compose, compose_until_answered, record_consents,
)  # fmt: skip
from harness.client import Operator, Organization, Refused, message, person  # noqa: E402
from harness.eventually import eventually  # noqa: E402
from harness.exports import verified_export  # noqa: E402

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")

ROUNDS = int(os.environ.get("CLUSTER_ROUNDS", 12))
CHECKS = min(ROUNDS, 10)
SEED = int(os.environ.get("CLUSTER_SEED", random.randrange(1 << 30)))
TARGET = "https://shop.example/followed"
AUDIENCE = 600


class Place:
    """A node, as the clients of the end-to-end suite see a service."""

    def __init__(self, node, folder):
        self.node = node
        self.folder = folder
        self.data = node.data
        self.api = node.api
        self.public = node.public
        self.listen = node.public.removeprefix("http://")

    @property
    def operator_key(self):
        return self.node.operator_key

    @property
    def is_running(self):
        return self.node.is_running


class Roaming(Organization):
    """An organization whose requests go to any node, as a load balancer sends them: to the next where no connection can
    be made. A request that was sent may have had its effect, whatever became of the answer."""

    def __init__(self, places, made, random):
        super().__init__(places[0], made.id, made.key, made.made)
        self._places = places
        self._random = random
        self._clients = {place: httpx.Client(base_url=place.api, timeout=20) for place in places}

    def call(self, method, path, body=None, **more):
        places = self._random.sample(self._places, len(self._places))
        for place in places[:-1]:
            try:
                return self._at(place, method, path, body, **more)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return self._at(places[-1], method, path, body, **more)

    def _at(self, place, method, path, body, **more):
        self._http = self._clients[place]
        return super().call(method, path, body, **more)


def follow_anywhere(places, links, ledger, random):
    """Readers who go to the next node when one does not answer. Every link leads on at every node that answers."""

    def work(number):
        mine = links[number::2]
        while True:
            for link in mine:
                ledger.asked[link] += 1
                if click(random.choice(places), link):
                    ledger.redirected[link] += 1
                yield

    return work


def click(place, link):
    """Whether a node has redirected; it may be gone, and nothing else."""
    try:
        with wire.Connection(place.listen, timeout=5) as connection:
            connection.send(wire.request("GET", f"/r/{tokens.of_link(link)}", place.listen))
            answer = connection.receive()
    except (OSError, AssertionError):
        return False
    assert (answer.status, answer.header("Location")) == (302, TARGET), answer
    return True


class Withdrawals:
    """People who withdraw at one node, and whose links are followed at all of them afterwards."""

    def __init__(self, places):
        self._places = places
        self.people = []  # (message, recipient, clicks answered before, clicks asked for before)

    def work(self, org):
        def work(number):
            content = message(f"withdrawn-{number}", link=TARGET)
            while True:
                who = person("withdrawn")
                org.record(who, "given")
                composed = org.compose([who], content)
                link = composed.link(who)
                answered = asked = 0
                for place in self._places:
                    asked += 1
                    answered += click(place, link)
                # A node that is not fresh may drop a click of the last quarter of a second before a withdrawal.
                time.sleep(0.3)
                org.record(who, "withdrawn")
                for place in self._places:
                    click(place, link)
                self.people.append((composed.message, who, answered, asked))
                yield

        return work

    def check(self, org):
        messages = {message for message, *_ in self.people}
        seen = collections.Counter()
        for message_id in messages:
            seen.update(item["recipient"] for item in org.interactions(message=message_id, limit=1000))
        late = [(who, seen[who], asked) for _, who, _, asked in self.people if seen[who] > asked]
        assert late == [], f"{len(late)} of {len(self.people)} people were recorded after they had withdrawn"
        lost = [(who, seen[who], answered) for _, who, answered, _ in self.people if seen[who] < answered]
        assert lost == [], f"clicks of {len(lost)} of {len(self.people)} people are gone"


class Reader:
    """A backend that reads every interaction of an organization by its cursor, from any node."""

    def __init__(self, org):
        self._org = org
        self._after = None
        self.seen = []

    def read(self):
        while True:
            cursor = f"&after={self._after}" if self._after else ""
            page = self._org.expect(200, "GET", self._org.path(f"/interactions?limit=500{cursor}")).json()
            self.seen += [item["id"] for item in page["interactions"]]
            if page["interactions"]:
                self._after = page["interactions"][-1]["id"]
            if not page["next"]:
                return

    def work(self, number):
        while True:
            self.read()
            yield


# MARK: the faults. Each ends with everything as it was.


def kill_node(cluster, node):
    node.kill()
    time.sleep(1)
    node.start()


def stop_node(cluster, node):
    node.restart()


def freeze_node(cluster, node):
    node.freeze()
    time.sleep(random.uniform(0.5, 12))
    node.thaw()


def cut_node_off(cluster, node):
    for member in cluster.members:
        cluster.network.partition(node, member)
    time.sleep(random.uniform(1, 6))
    cluster.network.heal()


def cut_one_way(cluster, node):
    for member in cluster.members:
        cluster.network.partition(member, node, one_way=True)
    time.sleep(random.uniform(1, 6))
    cluster.network.heal()


def lose_packets(cluster, node):
    cluster.network.lose(node, cluster.primary(), 5)
    time.sleep(4)
    cluster.network.heal()


def kill_primary(cluster, node):
    cluster.wait_for_primary().kill_server()


def kill_primary_host(cluster, node):
    member = cluster.wait_for_primary()
    member.kill_host()
    cluster.wait_for_primary(60, other_than=member)
    member.start()


def freeze_primary(cluster, node):
    member = cluster.wait_for_primary()
    member.freeze_host()
    time.sleep(random.uniform(2, 30))
    member.thaw_host()


def freeze_agent(cluster, node):
    member = cluster.wait_for_primary()
    member.freeze_agent()
    time.sleep(random.uniform(2, 45))
    member.thaw_agent()


def switch_over(cluster, node):
    cluster.switchover()


def cancel_commits(cluster, node):
    for _ in range(20):
        cluster.cancel_waiting_commits()


FAULTS = [
    kill_node, kill_primary, cut_node_off, switch_over, freeze_node, kill_primary_host, stop_node, freeze_agent,
    cut_one_way, freeze_primary, lose_packets, cancel_commits,
]  # fmt: skip


@pytest.fixture(scope="module")
def cluster():
    with Cluster(nodes=3) as cluster:
        yield cluster


@pytest.mark.timeout(600 + 150 * ROUNDS)
def test_what_one_node_acknowledged_holds_on_all_whatever_fails(cluster, tmp_path, monkeypatch):
    chance = random.Random(SEED)
    places = [Place(node, tmp_path) for node in cluster.nodes]
    # Links begin with the name of a load balancer that is not there.
    monkeypatch.setattr(
        wire, "follow",
        lambda link, method="GET": wire.ask(places[0].listen, method, f"/r/{tokens.of_link(link)}"))
    made = Operator(places[0]).make("nonRestrictive")
    org = Roaming(places, made, chance)
    audience = [person("audience") for _ in range(AUDIENCE)]
    org.record_all([{"recipient": who, "state": "given"} for who in audience])
    sent = org.compose(audience, message(link=TARGET))
    links = {sent.link(who): who for who in audience}
    ledger, withdrawals, since = Ledger(), Withdrawals(places), []
    reader = Reader(Roaming(places, made, chance))
    done, seconds = collections.Counter(), collections.defaultdict(list)

    for number, fault in zip(range(1, ROUNDS + 1), itertools.cycle(FAULTS)):
        work = Until(goes_on=True)
        for kind in (record_consents, compose, compose_until_answered):
            work.run(kind(Roaming(places, made, chance), ledger), 1)
        work.run(withdrawals.work(Roaming(places, made, chance)), 1)
        work.run(reader.work, 1)
        work.run(follow_anywhere(places, list(links), ledger, chance), 2)
        time.sleep(chance.uniform(0.5, 1.5))
        start = time.monotonic()
        fault(cluster, chance.choice(cluster.nodes))
        cluster.recover()
        before = progress(ledger, withdrawals)
        eventually(lambda: all(now > then for now, then in zip(progress(ledger, withdrawals), before)), within=120)
        seconds[fault.__name__].append(time.monotonic() - start)
        done[fault.__name__] += 1
        work.join()
        cluster.wait_until_healthy(120)
        print(f"round {number}: {fault.__name__}, {seconds[fault.__name__][-1]:.1f} s, {progress(ledger, withdrawals)}",
              flush=True)
        if number % (ROUNDS // CHECKS) == 0 or number == ROUNDS:
            settle(places, made)
            at_one = Organization(places[number % 3], made.id, made.key)
            check(at_one, ledger, sent.message, links, everybody=number == ROUNDS)
            withdrawals.check(at_one)
            since = verified_export(places[number % 3], at_one, f"export{number}", *since)

    reader.read()
    stored = [item["id"] for item in Organization(places[0], made.id, made.key).interactions(limit=1000)]
    assert len(reader.seen) == len(set(reader.seen)), "an interaction was read twice"
    assert set(reader.seen) == set(stored), f"{len(set(stored) - set(reader.seen))} interactions were never read"
    print(
        f"seed {SEED}: {len(ledger.consents)} consent records, {len(ledger.decisions)} decisions, "
        f"{sum(ledger.redirected.values())} redirects and {len(withdrawals.people)} withdrawals were acknowledged in "
        f"{ROUNDS} rounds: {dict(done)}"
    )


def progress(ledger, withdrawals):
    return (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()), len(withdrawals.people))


def settle(places, made):
    """Every click that any node has taken is stored."""
    for place in places:
        org = Organization(place, made.id, made.key)
        link = org.tracked_link(person("sentinel"), message(link=TARGET))
        assert click(place, link.url)
        eventually(lambda: org.interactions(message=link.message), within=60)
