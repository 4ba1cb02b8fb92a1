"""Situations that each part of the protocol of the nodes is there for. Without that part a node writes down a click,
after the answer to a withdrawal, as if it knew every withdrawal (`mutations/run`)."""

import os
import signal
import threading
import time

import pytest
from harness.client import unique
from harness.eventually import eventually

from checking import History, violations
from hosts import Cluster
from rounds.places import click
from rounds.scene import Scene
from rounds.stored import Stored

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


@pytest.fixture(scope="module")
def cluster():
    with Cluster(nodes=3) as cluster:
        yield cluster


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
    try:
        cluster.wait_for_primary(60, other_than=old)
    except AssertionError:
        # On a busy machine it has given up its standby before it ended: then it alone may go on, with all that it has.
        assert early == 0, f"{early} were acknowledged while no standby had anything"
        old.start()
        cluster.wait_for_primary(60)
    composing.join(timeout=60)
    scene.settle()
    stored = Stored(cluster, scene.made).ids("decisions")
    found = violations(History(acknowledged=sorted(told), stored=stored, unanswered=len(stored)))
    assert found == [], f"{found}; {early} of them were acknowledged while no standby had anything"


def test_a_server_that_takes_over_waits_for_its_standby_from_its_first_commit_on(scene):
    """Whether commits wait is known to the server's sessions from its checkpointer, which reads a changed setting only
    between two checkpoints. A standby on which nothing was set before commits alone until then."""
    cluster = scene.cluster
    old, taking_over = cluster.primary(), cluster.synchronous_standby()
    other = next(member for member in cluster.members if member not in (old, taking_over))
    body = {"format": "plain", "messageId": scene.withdrawals.after, "recipients": list(scene.people(10))}
    checkpointer = int(taking_over.psql("SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'"))
    taking_over.signal(signal.SIGSTOP, [checkpointer])
    try:
        old.kill_host()
        assert cluster.wait_for_primary(60, other_than=old) is taking_over
        other.freeze_host()
        told = []
        composing = threading.Thread(
            target=try_to, args=(lambda: told.append(scene.at(0).call("POST", scene.at(0).path("/payloads"), body)),))
        composing.start()
        # A node finds the new server within a second, and tries for ten.
        composing.join(timeout=8)
        early = [answer.status_code for answer in told]
    finally:
        taking_over.signal(signal.SIGCONT, [checkpointer])
    other.thaw_host()
    composing.join(timeout=60)
    assert 200 not in early, "acknowledged while no standby ran"


def try_to(work, *arguments):
    """Does something that may fail, as the service may be away."""
    try:
        work(*arguments)
    except Exception as problem:
        print(f"{type(problem).__name__}: {problem}")
