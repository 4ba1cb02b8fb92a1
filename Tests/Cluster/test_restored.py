"""The database comes back with an earlier state, as after a backup was put back, while the nodes run.

What came after that state is gone from the database, acknowledged or not. What must hold then:

- Links lead on at every node, those of messages that the database has no more too, also after a node was restarted.
- Whoever a node knew to have withdrawn is not recorded by it, also after it was restarted.
- A ledger of which a node has seen a later checkpoint is closed rather than written anew: no checkpoint is ever shown
  that contradicts one that was shown before.
- An organization whose ledger had not grown since goes on.
"""

import os
import random
import shutil
import time

import pytest
from harness.client import Operator, Organization, message, person
from harness.eventually import eventually

from hosts import Cluster
from rounds.places import TARGET, Place, click
from rounds.scene import Scene
from rounds.witness import Witness, tree_at

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")


@pytest.fixture
def cluster():
    with Cluster(nodes=3) as cluster:
        yield cluster


class Backup:
    """All servers and etcd as they are on their disks at one moment, without power."""

    def __init__(self, cluster):
        self._hosts = [*cluster.members, *cluster.etcd]
        self._cluster = cluster
        self._stop()
        for host in self._hosts:
            copy(host.folder / "data", host.folder / "backup")
        self._start()

    def put_back(self):
        self._stop()
        for host in self._hosts:
            shutil.rmtree(host.folder / "data")
            copy(host.folder / "backup", host.folder / "data")
        self._start()

    def _stop(self):
        for host in self._hosts:
            host.kill_host()

    def _start(self):
        for host in self._hosts:
            host.start()
        self._cluster.wait_for_primary(90)


def copy(source, target):
    shutil.copytree(source, target, symlinks=True)
    for folder, _, files in os.walk(source):
        for name in (".", *files):
            there = os.path.join(target, os.path.relpath(folder, source), name)
            status = os.lstat(os.path.join(folder, name))
            os.chown(there, status.st_uid, status.st_gid, follow_symlinks=False)


def test_after_a_restore_links_lead_on_and_who_withdrew_stays_so(cluster, tmp_path):
    places = [Place(node, tmp_path) for node in cluster.nodes]
    grown, still = (Operator(places[0]).make("nonRestrictive") for _ in range(2))

    def at(number, made=grown):
        return Organization(places[number], made.id, made.key)

    audience = [person("audience") for _ in range(20)]
    early = at(0).compose(audience, message(link=TARGET))
    at(0, still).compose(audience, message(link=TARGET))
    witness = Witness(at(0), places)
    try:
        cluster.wait_until_healthy()
        backup = Backup(cluster)
        cluster.wait_until_healthy(120)

        late = at(1).compose(audience, message(link=TARGET))
        withdrawn = audience[:10]
        for who in withdrawn:
            at(random.randrange(3)).record(who, "withdrawn")
        # Everything is signed within a second.
        time.sleep(2)
        tree, size = tree_at(at(0))
        # Of every size: no other root may ever be shown.
        roots = {length: tree.root(length) for length in range(size + 1)}
        links = [composed.link(who) for composed in (early, late) for who in audience]
        assert all(click(place, link) for place in places for link in links)

        backup.put_back()
        eventually(lambda: all(place.node.is_ready_for_links for place in places), within=60)
        time.sleep(2)
        for restarted in (None, places[2]):
            if restarted:
                restarted.node.restart()
            assert all(click(place, link) for place in places for link in links), "a link that was handed out is dead"
        time.sleep(5)
        for number in range(3):
            # A node closes a ledger that lacks what it has seen a checkpoint of.
            body = {"format": "plain", "messageId": early.message, "recipients": audience}
            refused = at(number).call("POST", at(number).path("/payloads"), body)
            assert refused.status_code == 503 and "The ledger is closed" in refused.text, refused.text
            assert at(number).expect(200, "GET", at(number).path("/ledger")).json()["closed"]
        assert at(0, still).compose(audience, message(link=TARGET)).payloads

        seen = [item["recipient"] for item in at(0).interactions(message=early.message, limit=1000)]
        late_clicks = [who for who in seen if who in withdrawn]
        # Each of them clicked before, at three nodes; nothing of that is in what was put back.
        assert late_clicks == [], f"{len(late_clicks)} clicks of people who had withdrawn were recorded"
        assert [seen for seen in witness.checkpoints if roots.get(seen.size) != seen.root] == []
    finally:
        witness.end()


def test_after_a_restore_a_position_of_the_feed_that_is_used_again_is_noticed(cluster, tmp_path):
    """Each change has a mark: a node stood still meanwhile, and at its position there is another change now."""
    scene = Scene(cluster, tmp_path)
    try:
        halted, *_ = scene.places
        links = scene.people(30)
        scene.settle()
        backup = Backup(cluster)
        cluster.wait_until_healthy(120)

        # Changes that stand in no ledger: what is put back contradicts no checkpoint.
        switch(scene.at(1), scene.withdrawals.before, 20)
        end = feed_end(cluster)
        reached = "SELECT min(position) FROM nodes WHERE state = 1"
        eventually(lambda: int(cluster.primary().psql(reached, database="consentlink")) >= end, within=10)
        halted.node.freeze()
        backup.put_back()
        eventually(lambda: scene.places[1].node.is_ready, within=60)
        scene.at(1).record_all([{"recipient": who, "state": "withdrawn"} for who in links])
        while feed_end(cluster) <= end:
            switch(scene.at(1), scene.withdrawals.before, 10)
        halted.node.thaw()
        eventually(lambda: halted.node.is_ready, within=60)
        for link in links.values():
            assert click(halted, link)
        scene.settle()
        assert scene.violations() == []
    finally:
        scene.spools.end()


def switch(org, message_id, times):
    """Off and on again."""
    for _ in range(times):
        for path in ("disable", "enable"):
            org.expect(200, "POST", org.path(f"/messages/{message_id}/{path}"))


def feed_end(cluster):
    return int(cluster.wait_for_primary().psql("SELECT feed_position FROM writer", database="consentlink"))
