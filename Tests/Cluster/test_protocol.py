"""Situations that each part of the protocol of the nodes is there for. Without that part a node writes down a click,
after the answer to a withdrawal, as if it knew every withdrawal (`mutations/run`)."""

import os
import random
import signal
import threading
import time

import pytest
from harness.client import Operator, Organization, message, person, unique
from harness.eventually import eventually

from checking import History, Person, violations
from hosts import Cluster
from rounds.clients import Withdrawals
from rounds.places import TARGET, Place, click
from rounds.spools import Spools
from rounds.stored import Stored

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


@pytest.fixture(scope="module")
def cluster():
    with Cluster(nodes=3) as cluster:
        yield cluster


class Scene:
    """One organization on a cluster that nobody else uses, and people who withdraw."""

    def __init__(self, cluster, folder):
        self.cluster = cluster
        self.places = [Place(node, folder) for node in cluster.nodes]
        self.made = Operator(self.places[0]).make("nonRestrictive")
        self.withdrawals = Withdrawals(self.at(0), random)
        self.spools = Spools(folder, cluster.nodes, [self.withdrawals.after])
        self._people = []

    def at(self, number):
        return Organization(self.places[number], self.made.id, self.made.key)

    def people(self, count):
        """New people, by whose name stands the link that nobody follows before the withdrawal."""
        people = [person("withdrawn") for _ in range(count)]
        composed = self.at(0).compose(people, message_id=self.withdrawals.after)
        self._people += [Person(who, self.withdrawals.before, self.withdrawals.after, 0, 0) for who in people]
        return {who: composed.link(who) for who in people}

    def settle(self):
        self.cluster.recover()
        self.cluster.wait_until_healthy(120)
        for number, place in enumerate(self.places):
            link = self.at(number).tracked_link(person("sentinel"), message(link=TARGET))
            assert click(place, link.url)
            eventually(lambda: self.at(0).interactions(message=link.message), within=60)
        time.sleep(0.1)

    def violations(self):
        interactions = self.withdrawals.interactions(self.at(0))
        sightings = self.spools.sightings()
        return violations(History(people=self._people, interactions=interactions, sightings=sightings))


@pytest.fixture
def scene(cluster, tmp_path):
    cluster.recover()
    cluster.wait_until_healthy()
    scene = Scene(cluster, tmp_path)
    yield scene
    scene.spools.end()
    cluster.recover()


def test_a_node_that_reaches_the_old_primary_alone_does_not_believe_it(scene):
    """The poll is a write: a server that was replaced cannot commit it."""
    cluster, (alone, _, other) = scene.cluster, scene.places
    links = scene.people(30)
    old = cluster.primary()
    old.freeze_agent()
    cluster.network.partition(alone.node, [member for member in cluster.members if member is not old])
    cluster.wait_for_primary(60, other_than=old)
    eventually(lambda: other.node.is_ready, within=60)
    for who, link in links.items():
        scene.at(2).record(who, "withdrawn")
        assert click(alone, link)
    scene.settle()
    assert scene.violations() == []
    assert {one.is_unjudged for one in scene.spools.sightings()} == {True}, "no click was seen"


def test_a_node_notices_that_a_position_of_the_feed_was_used_again(scene):
    """Each change has a mark: here a node has one that no server has any more, and another one has its position."""
    cluster, (first, second, _) = scene.cluster, scene.places
    gone, *_ = scene.people(1)
    links = scene.people(10)
    old = cluster.primary()
    others = [member for member in cluster.members if member is not old]
    # What it commits from now on stays with it.
    cluster.network.partition(old, others)
    before = int(feed_end(old))
    # Its commit waits for a standby, as the polls of the nodes do, until an operator cancels them all.
    withdrawing = threading.Thread(target=try_to, args=(scene.at(0).record, gone, "withdrawn"), daemon=True)
    withdrawing.start()
    reached = "SELECT min(position) FROM nodes WHERE state = 1"

    def is_known():
        cluster.cancel_waiting_commits(old)
        return int(old.psql(reached, database="consentlink")) > before

    eventually(is_known, within=10, every=0.01)
    old.kill_host()
    cluster.network.heal()
    new = cluster.wait_for_primary(60, other_than=old)
    assert int(feed_end(new)) == before, "the change is gone"
    eventually(lambda: second.node.is_ready, within=60)
    eventually(lambda: first.node.is_ready, within=60)
    for who, link in links.items():
        scene.at(1).record(who, "withdrawn")
        assert click(first, link)
    withdrawing.join(timeout=60)
    scene.settle()
    assert scene.violations() == []


def test_a_withdrawal_waits_until_a_halted_node_cannot_be_fresh(scene):
    """The fence: the node stands still while somebody withdraws, and is asked for a link as soon as it goes on."""
    halted, other, _ = scene.places
    for who, link in scene.people(30).items():
        halted.node.freeze()
        scene.at(1).record(who, "withdrawn")
        asking = threading.Thread(target=click, args=(halted, link))
        asking.start()
        # The click is in the node's socket when it goes on.
        time.sleep(0.03)
        halted.node.thaw()
        asking.join()
        time.sleep(0.3)
    scene.settle()
    assert scene.violations() == []


@pytest.mark.parametrize("how", ["terminated", "killed", "repeated"])
def test_what_was_never_at_a_standby_is_not_acknowledged(scene, how):
    """A commit waits for the standby; its session ends, by an operator or with the server's crash, and the server goes
    on with what it has committed alone. `repeated`: the node ends, too, and the client asks another one with its key."""
    cluster = scene.cluster
    old = cluster.primary()
    others = [member for member in cluster.members if member is not old]
    told = []
    # The message and its recipients are known, so nothing else is committed first.
    recipients, key = list(scene.people(10)), f'"{unique("key")}"'
    body = {"format": "plain", "messageId": scene.withdrawals.after, "recipients": recipients}

    def compose(org):
        answer = org.call("POST", org.path("/payloads"), body, headers={"Idempotency-Key": key})
        if answer.status_code == 200:
            told.extend(int(entry["decision"]["id"], 16) for entry in answer.json()["payloads"])

    # What it commits from now on stays with it.
    cluster.network.partition(old, others)
    composing = threading.Thread(target=try_to, args=(compose, scene.at(0)), daemon=True)
    composing.start()
    # That of the decisions; polls of nodes wait, too.
    waiting = """
        SELECT DISTINCT pid FROM pg_locks JOIN pg_class ON pg_class.oid = relation JOIN pg_stat_activity USING (pid)
        WHERE relname LIKE 'decisions%' AND mode = 'RowExclusiveLock' AND pg_stat_activity.wait_event = 'SyncRep'
    """
    process = int(eventually(lambda: old.psql(waiting, database="consentlink"), within=4))
    if how == "repeated":
        scene.places[0].node.kill()
    if how == "killed":
        old.signal(signal.SIGKILL, [process])
    else:
        old.psql(f"SELECT pg_terminate_backend({process})")
    if how == "repeated":
        composing = threading.Thread(target=try_to, args=(compose, scene.at(1)), daemon=True)
        composing.start()
    # The old primary gives up its standby five seconds after it was cut off, and then none may take over.
    composing.join(timeout=2.5)
    early = len(told)
    old.kill_host()
    cluster.network.heal()
    cluster.wait_for_primary(60, other_than=old)
    composing.join(timeout=60)
    scene.settle()
    stored = Stored(cluster, scene.made).ids("decisions")
    found = violations(History(acknowledged=sorted(told), stored=stored, unanswered=len(stored)))
    assert found == [], f"{found}; {early} of them were acknowledged while no standby had anything"


def feed_end(member):
    return member.psql("SELECT feed_position FROM writer", database="consentlink")


def try_to(work, *arguments):
    """Does something that may fail, as the service may be away."""
    try:
        work(*arguments)
    except Exception as problem:
        print(f"{type(problem).__name__}: {problem}")
