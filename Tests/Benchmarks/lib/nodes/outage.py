"""Full click load while the whole database is away, a node that is restarted meanwhile, and the drain afterwards."""

import threading
import time

from .bed import TARGET, Bed, people
from .clicks import Crowd
from .costs import Meter
from .figures import Quiet, heading, part, say

NORMAL_SECONDS = 30


def measure(options):
    with Bed(options.binary, nodes=3) as bed:
        everybody = people(options.people)
        bed.consents(everybody)
        paths = bed.links(everybody)
        wait_for_mirrors(bed)
        load = Load(bed, paths, options)
        heading(f"Links of {len(paths):,} people, {options.connections} connections at each of three nodes, "
                + (f"{options.rate:,} clicks/s asked for" if options.rate else "as fast as they are answered"))
        with Quiet(bed) as quiet:
            load.run(NORMAL_SECONDS, "normal")
        say(f"normal     {load.line('normal')}   {quiet.note}")
        wait_until_empty(bed, "after the normal load")
        outage(bed, load, options)
        wait_until_empty(bed, "after the outage")
        check(bed, load)


def wait_for_mirrors(bed):
    while any(bed.metric(node, "consentlink_mirror_lag_seconds") for node in bed.nodes):
        time.sleep(0.2)


class Load:
    """A crowd at each node, in runs one after the other."""

    def __init__(self, bed, paths, options):
        self.bed = bed
        pause = 3000 * options.connections / options.rate if options.rate else 0
        share = len(paths) // len(bed.nodes)
        self.crowds = [
            Crowd(node, paths, TARGET, start=share * number, connections=options.connections, pause=pause)
            for number, node in enumerate(bed.nodes)]
        self.runs = []
        self._lock = threading.Lock()

    def run(self, seconds, name, crowds=None):
        crowds = self.crowds if crowds is None else crowds
        for crowd in crowds:
            crowd.begin(seconds)
        for crowd in crowds:
            self._note(crowd.end() | {"name": name, "connections": crowd.connections})

    def _note(self, run):
        with self._lock:
            self.runs.append(run)

    def of(self, name):
        return [run for run in self.runs if run["name"] == name]

    def line(self, name):
        runs = self.of(name)
        nodes = {run["node"] for run in runs}
        rate = sum(part([run["rate"] for run in runs if run["node"] == node], 0.5) for node in nodes)
        return (
            f"{sum(run['right'] for run in runs):11,} led to the target, {sum(run['wrong'] for run in runs)} did not; "
            f"{rate:8,.0f}/s   p50 {part([run['p50'] for run in runs], 0.5) * 1000:6.1f}   "
            f"p99 {part([run['p99'] for run in runs], 0.5) * 1000:6.1f} (median of {len(runs)} runs; "
            f"greatest {max(run['p99'] for run in runs) * 1000:.1f})   longest {max(run['longest'] for run in runs) * 1000:.0f} ms"
            f"   connections refused {sum(run['refused'] for run in runs)}, broken {sum(run['broken'] for run in runs)}")


def outage(bed, load, options):
    """The load continues at each node in runs of its own; that of the last node pauses while it is restarted."""
    seconds = options.minutes * 60
    length = int(max(5, min(20, seconds // 6)))
    heading(f"The database is away for {seconds} s")
    end = time.monotonic() + seconds
    with Quiet(bed) as quiet:
        for member in bed.cluster.members:
            member.kill_host()
        steady = threading.Thread(target=in_runs, args=(load, load.crowds[:2], end, length))
        steady.start()
        in_runs(load, load.crowds[2:], time.monotonic() + seconds / 3, length)
        restart(bed.nodes[2])
        in_runs(load, load.crowds[2:], end, length, "restarted")
        steady.join()
    say(f"outage     {load.line('outage')}   {quiet.note}")
    say(f"restarted  {load.line('restarted')}")
    ratio = part([run["p99"] for run in load.of("outage")], 0.5) / part([run["p99"] for run in load.of("normal")], 0.5)
    say(f"p99 to that of normal, medians: {ratio:.2f}; not recorded: {bed.unrecorded() or 'none'}")
    say(f"in the spools {bed.depth():,.0f} clicks, {spool_bytes(bed) / 1e6:,.0f} MB")
    began = time.monotonic()
    bed.cluster.recover()
    bed.cluster.wait_for_primary(120)
    say(f"the members were started again; after {time.monotonic() - began:.1f} s there was a primary")


def in_runs(load, crowds, end, length, name="outage"):
    while (left := end - time.monotonic()) > 1:
        load.run(max(1, round(min(length, left))), name, crowds)


def restart(node):
    """Prints how long the node's links did not lead on."""
    began = time.monotonic()
    node.stop(within=60)
    ended = time.monotonic()
    node.launch_service()
    while not node.is_ready_for_links:
        if not node.is_running or time.monotonic() > ended + 120:
            raise SystemExit(f"{node.name} was restarted and does not redirect: {node.log_text()[-3000:]}")
        time.sleep(0.02)
    say(f"{node.name} ended in {ended - began:.2f} s, and was ready for links {time.monotonic() - ended:.2f} s after its start")


def spool_bytes(bed):
    return sum(file.stat().st_size for node in bed.nodes for file in node.data.glob("spool.db*"))


def wait_until_empty(bed, when):
    """Prints how fast the spools are emptied, from the first clicks that are stored to the last."""
    depths = {node: [] for node in bed.nodes}
    began, meter = time.monotonic(), Meter(bed, bed.nodes)
    before = meter.read()
    with Quiet(bed) as quiet:
        while True:
            for node, found in depths.items():
                found.append((time.monotonic(), bed.metric(node, "consentlink_spool_depth")))
            if all(found[-1][1] == 0 for found in depths.values()):
                break
            # Every question costs the machine that is measured 10 ms.
            time.sleep(1)
    after, total = meter.read(), sum(found[0][1] for found in depths.values())
    starts = [began_to_shrink(found) for found in depths.values()]
    start, end = min(starts), max(emptied(found) for found in depths.values())
    heading(f"Spools {when}")
    if not total:
        say(f"They were empty already   {quiet.note}")
        return
    say(f"{total:,.0f} clicks: the first was stored after {start - began:.1f} s, the last after {end - began:.1f} s: "
        f"{total / max(0.001, end - start):,.0f}/s   {quiet.note}")
    costs = {"nodes": after.nodes - before.nodes} | {
        role: after.servers[role] - before.servers[role] for role in meter.roles}
    say("  µs of a processor for each: " + ", ".join(f"{name} {cost / total * 1e6:.1f}" for name, cost in costs.items())
        + f"; {(after.turns - before.turns) / (end - began):.1f} turns/s, WAL {(after.wal - before.wal) / total:.0f} and "
        f"tables {(after.size - before.size) / total:.0f} bytes for each")
    for node, found in depths.items():
        took = emptied(found) - began_to_shrink(found)
        say(f"  {node.name}: {found[0][1]:,.0f} in {took:.1f} s: {found[0][1] / max(0.001, took):,.0f}/s")


def began_to_shrink(depths):
    return next((time for time, depth in depths if depth < depths[0][1]), depths[-1][0])


def emptied(depths):
    return next(time for time, depth in depths if depth == 0)


def check(bed, load):
    """Every click that was answered is stored once; what was in flight when a run ended may be as well."""
    answered = sum(run["right"] for run in load.runs)
    in_flight = sum(run["connections"] for run in load.runs)
    stored, different, late = map(int, bed.psql(
        "SELECT count(*), count(DISTINCT id), count(*) FILTER (WHERE recorded_at - occurred_at > 2000) FROM interactions"
    ).split("|"))
    heading("Clicks")
    say(f"answered {answered:,}, stored {stored:,} with {different:,} ids ({late:,} of them more than 2 s after they came), "
        f"in flight when a run ended at most {in_flight:,}; not recorded: {bed.unrecorded() or 'none'}")
    if different != stored or not answered <= stored <= answered + in_flight:
        say("THE COUNTS DO NOT AGREE")
