"""The primary's end: how long no node can decide, and what readers notice."""

import threading
import time

from .bed import MESSAGE, ORGANIZATION, TARGET, Bed, people
from .clicks import Paced
from .figures import Quiet, heading, milliseconds, say

PAUSE = 0.02


def kill_postmaster(cluster, primary):
    primary.kill_postmaster()


def kill_host(cluster, primary):
    primary.kill_host()


def cut_power(cluster, primary):
    """No other host is told that its connections have ended."""
    cluster.network.unplug(primary)
    primary.kill_host()


FAULTS = {
    "kill -9 of the primary's postmaster": kill_postmaster,
    "kill -9 of everything on the primary's host": kill_host,
    "the primary's host loses its power": cut_power,
}


def measure(options):
    with Bed(options.binary, nodes=3) as bed:
        paths = bed.links(given(bed, 3000))
        for name, fault in FAULTS.items():
            heading(f"{name}, {options.faults} times, {options.steady} clicks/s over three nodes")
            with Quiet(bed) as quiet:
                found = [once(bed, paths, fault, options.steady) for _ in range(options.faults)]
            waits, usual, during, failed = zip(*found, strict=True)
            say(f"until the first new decision  {milliseconds(waits)}   {quiet.note}")
            say(f"redirects before              {milliseconds(sum(usual, []))}")
            say(f"redirects from the fault on   {milliseconds(sum(during, []))}; {sum(failed)} did not lead to the target")


def given(bed, count):
    everybody = people(count)
    bed.consents(everybody)
    return everybody


def once(bed, paths, fault, rate):
    """Seconds until the first new decision, the times of clicks before the fault and from it until then, and how many
    clicks did not lead to the target."""
    readers = [Paced(node, paths, TARGET, rate / len(bed.nodes)) for node in bed.nodes]
    time.sleep(5)
    primary = bed.cluster.primary()
    watch = Watch(bed, primary)
    deciders = [Decider(bed, node) for node in bed.nodes]
    began = time.monotonic()
    fault(bed.cluster, primary)
    for decider in deciders:
        decider.start()
    watch.start()
    while not (decided := [decider.first for decider in deciders if decider.first]):
        if time.monotonic() > began + 120:
            raise SystemExit(f"nobody decides: {bed.cluster.states()}")
        time.sleep(0.005)
    for decider in deciders:
        decider.join()
    watch.join()
    first, last = min(decided), max(decider.first for decider in deciders)
    clicks = [click for reader in readers for click in reader.stop()]
    say(f"  {primary.name}: Patroni says that there is another primary after {watch.promoted - began:.2f} s; "
        f"a decision after {first - began:.2f} s, at all nodes after {last - began:.2f} s")
    usual = [took for due, took, well in clicks if well and due < began]
    during = [took for due, took, well in clicks if well and began <= due <= last]
    bed.cluster.recover()
    bed.cluster.wait_until_healthy(120)
    return first - began, usual, during, sum(not well for *_, well in clicks)


class Decider(threading.Thread):
    """A backend that asks one node for a decision until it gets one, beginning after the fault."""

    def __init__(self, bed, node):
        super().__init__(daemon=True)
        self._api = bed.api(node)
        self._name = node.name
        self.first = None

    def run(self):
        number = 0
        while self.first is None:
            number += 1
            body = {"message": MESSAGE, "format": "plain", "recipients": [f"{self._name}-{number}@people.example"]}
            try:
                status, _ = self._api.ask(f"/{ORGANIZATION}/payloads", body)
            except ConnectionError:
                status = 0
            if status == 200:
                self.first = time.monotonic()
            time.sleep(PAUSE)


class Watch(threading.Thread):
    """When Patroni has another primary."""

    def __init__(self, bed, before):
        super().__init__(daemon=True)
        self._cluster = bed.cluster
        self._before = before
        self.promoted = float("nan")

    def run(self):
        while self._cluster.primary() in (None, self._before):
            time.sleep(0.05)
        self.promoted = time.monotonic()
