"""Faults of nodes, of PostgreSQL and of the network between them, under load on three nodes: whatever any node
acknowledged holds on all afterwards, once.

    CLUSTER_ROUNDS=200 Deploy/test --cluster
"""

import collections
import datetime
import itertools
import os
import random
import shutil
import time

import pytest
from harness.client import message, person

from hosts import Cluster
from rounds.checks import Checks
from rounds.faults import FAULTS
from rounds.places import TARGET, Place, click
from rounds.world import World

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root")

ROUNDS = int(os.environ.get("CLUSTER_ROUNDS", len(FAULTS)))
SEED = int(os.environ.get("CLUSTER_SEED", random.randrange(1 << 30)))
# Some faults by their names, for one who looks for something; all of them otherwise.
CHOSEN = os.environ.get("CLUSTER_FAULTS", "").split()
# Decisions in each round: 200 rounds make ten million.
DECISIONS = int(os.environ.get("CLUSTER_DECISIONS", 51_000))
# The program that the nodes begin with, of the version before.
BEFORE = os.environ.get("CLUSTER_BINARY_BEFORE")
ROUNDS_BETWEEN_CHECKS = 20
GIBIBYTE = 1024
LATE_CLICKS = 40


@pytest.fixture(scope="module")
def cluster():
    disks = {"p1": 14 * GIBIBYTE, "p2": 14 * GIBIBYTE, "p3": 14 * GIBIBYTE, "n3": 1 * GIBIBYTE}
    with Cluster(nodes=4, binary=BEFORE, disks=disks, clocks=["n1", "n2"]) as cluster:
        yield cluster


class LateNode:
    """A node that takes clicks while it is cut off from the database, ends, and is away until the end of the rounds."""

    def __init__(self, world, cluster, node, folder):
        self._cluster = cluster
        self._node = node
        self._place = Place(self._node, folder)
        org = world.at(0)
        people = [person("late") for _ in range(2 * LATE_CLICKS)]
        composed = org.compose(people, message(link=TARGET))
        self._org, self._message = org, composed.message
        self._recorded, self._withdrawn = people[::2], people[1::2]
        self._redirected = collections.Counter()
        cluster.network.partition(self._node, cluster.members)
        # A click of one who has not withdrawn is judged as of its time, which is before this.
        for who in self._recorded:
            self._redirected[who] += click(self._place, composed.link(who))
        org.record_all([{"recipient": who, "state": "withdrawn"} for who in self._withdrawn])
        for who in self._withdrawn:
            click(self._place, composed.link(who))
        time.sleep(0.3)
        org.record_all([{"recipient": who, "state": "withdrawn"} for who in self._recorded[:5]])
        self._node.kill()
        cluster.network.heal()
        self._since = time.monotonic()

    def come_back(self, binary):
        """Returns how many seconds the node was away; its clicks are stored then, if ever."""
        away = time.monotonic() - self._since
        self._node.binary = str(binary)
        self._node.start()
        self._cluster.nodes.append(self._node)
        self._cluster.wait_until_healthy(60)
        return away

    def violations(self, world):
        org = world.at(0)
        link = org.tracked_link(person("sentinel"), message(link=TARGET))
        assert click(self._place, link.url)
        deadline = time.monotonic() + 60
        while not org.interactions(message=link.message):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        seen = collections.Counter(item["recipient"] for item in org.interactions(message=self._message, limit=1000))
        wrong = [who for who in self._recorded if seen[who] != self._redirected[who]]
        found = [f"the late node stored another number of clicks of {len(wrong)} people"] if wrong else []
        late = [who for who in self._withdrawn if seen[who]]
        return found + ([f"the late node recorded {len(late)} people who had withdrawn"] if late else [])


@pytest.mark.timeout(1200 + 150 * ROUNDS)
def test_what_one_node_acknowledged_holds_on_all_whatever_fails(cluster, tmp_path):
    chance = random.Random(SEED)
    faults = [fault for fault in FAULTS if not CHOSEN or fault.__name__ in CHOSEN]
    done, seconds = collections.Counter(), collections.defaultdict(list)
    begun = time.monotonic()
    late_node = cluster.nodes.pop()
    world = World(cluster, tmp_path, chance, small_disk="n3", longest=0.12 if ROUNDS >= 50 else 0)
    print(f"\nseed {SEED}, {ROUNDS} rounds, {cluster.folder}", flush=True)
    try:
        checks, late, found = Checks(world), LateNode(world, cluster, late_node, tmp_path), []
        for number, fault in zip(range(1, ROUNDS + 1), itertools.cycle(faults)):
            name, start = fault.__name__, time.monotonic()
            seconds[name].append(world.run(fault, DECISIONS * number))
            done[name] += 1
            print(f"{datetime.datetime.now(datetime.UTC):%H:%M:%S} {time.monotonic() - begun:5.0f} s  round {number}: {name}, {seconds[name][-1]:.1f} s of "
                  f"{time.monotonic() - start:.1f}, {world.progress()}", flush=True)  # fmt: skip
            if number % ROUNDS_BETWEEN_CHECKS == 0 or number == ROUNDS:
                start = time.monotonic()
                world.settle()
                away = late.come_back(world.binary) if number == ROUNDS else 0
                found += late.violations(world) if number == ROUNDS else []
                found += checks.check(number, everything=number == ROUNDS)
                print(f"{time.monotonic() - begun:5.0f} s  checked in {time.monotonic() - start:.1f} s: "
                      f"{len(found)} violations", flush=True)  # fmt: skip
                assert found == [], "\n".join([*found, f"the hosts' logs are in {keep_logs(cluster, tmp_path)}"])
        print_summary(world, checks, done, seconds, away, time.monotonic() - begun)
    finally:
        world.end()


def keep_logs(cluster, folder):
    """What all hosts have said; the cluster's own folder goes with it."""
    kept = folder / "logs"
    for log in sorted(cluster.folder.glob("*/*.log")):
        (kept / log.parent.name).mkdir(parents=True, exist_ok=True)
        shutil.copy(log, kept / log.parent.name)
    return kept


def print_summary(world, checks, done, seconds, away, took):
    ledger, people = world.ledger, world.withdrawals.people
    spooled = world.spools.counts()
    late = world.spools.sightings()
    print(f"""
seed {SEED}: {ROUNDS} rounds in {took:.0f} s, 0 violations
  acknowledged: {checks.figures["decisions"]} decisions in bulk and {len(ledger.decisions)} others,
    {len(ledger.consents)} consent records, {sum(ledger.redirected.values())} redirects, {len(people)} withdrawals
  read once: {checks.figures["interactions"]} interactions, with a node whose clicks came after {away:.0f} s
  checkpoints: {sum(witness.count for witness in world.witnesses)} seen at {len(world.places)} nodes, \
{sum(len(witness.checkpoints) for witness in world.witnesses)} of them different
  clicks seen in spools, and of them unjudged: {spooled}
  clicks after a withdrawal in spools: {len(late)}, by fresh nodes: {sum(not one.is_unjudged for one in late)}
  commits that were cancelled: {world.cancelled}
  seconds until all goes on, at most: {({name: round(max(took), 1) for name, took in seconds.items()})}
  rounds: {dict(done)}""", flush=True)
