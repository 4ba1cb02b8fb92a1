"""Decisions a second on one to four nodes, what each costs, and what a thousand million messages a day would need."""

import random
import time

from .bed import Bed, people
from .costs import Meter
from .decisions import Composers
from .figures import Quiet, heading, say
from .latency import Delay

DAY = 86_400
MESSAGES = 1e9
PEAK = 5


def measure(options):
    with Bed(options.binary, nodes=max(options.nodes)) as bed:
        ordered = people(options.people)
        bed.consents(ordered)
        # A sender's list has another order than that in which the service heard of people.
        everybody = random.Random(1).sample(ordered, len(ordered))
        table = [row(bed, everybody, count, options) for count in options.nodes]
        print_table(f"Decisions about {options.people:,} people, synchronous standby beside it", table)
        print_table("The same in the order in which they were entered", [row(bed, ordered, max(options.nodes), options)])
        if options.latency:
            with Delay(bed, bed.cluster.members, options.latency):
                slow = [row(bed, everybody, count, options) for count in options.nodes]
            print_table(f"Decisions, {options.latency} ms between the members", slow)
            with Delay(bed, [*bed.cluster.members, *bed.nodes], options.latency):
                slow = [row(bed, everybody, max(options.nodes), options)]
            print_table(f"Decisions, {options.latency} ms between the members, and between nodes and members", slow)
        need(max(table, key=lambda found: found["rate"]))


def row(bed, everybody, count, options):
    """The same load on the first nodes; the others are stopped."""
    nodes = bed.nodes[:count]
    for node in bed.nodes:
        node.start() if node in nodes else node.stop(within=60)
    bed.cluster.wait_for_primary()
    composers = Composers(
        bed, nodes, connections=options.clients, recipients=options.recipients, everybody=everybody)
    with composers:
        time.sleep(3)
        meter = Meter(bed, nodes)
        tables = meter.table_bytes()
        with Quiet(bed) as quiet:
            before, made, cpu = meter.read(), sum(composers.counts()), composers.cpu()
            shares = turn_shares(bed, options.seconds)
            made, after = sum(composers.counts()) - made, meter.read()
        client = (composers.cpu() - cpu) / made * 1e6
        grown = {name: (size - tables.get(name, 0)) / made for name, size in meter.table_bytes().items()}
    passed = after.time - before.time

    def each(end, begin):
        return (end - begin) / made

    return {
        "nodes": count, "rate": made / passed, "note": quiet.note, "client": client, "shares": shares,
        "node": each(after.nodes, before.nodes) * 1e6,
        "servers": {role: each(after.servers[role], before.servers[role]) * 1e6 for role in meter.roles},
        "wal": each(after.wal, before.wal), "size": each(after.size, before.size), "tables": grown,
        "turns": (after.turns - before.turns) / passed, "in turn": made / max(1, after.turns - before.turns),
        "network": {name: [each(*pair) for pair in zip(after.network[name], before.network[name], strict=True)]
                    for name in after.network},
    }


def turn_shares(bed, seconds):
    """What the process that has the turn to write waits for, in shares of the time: sampled every 20 ms."""
    rows = bed.psql(
        f"""
        CREATE TEMPORARY TABLE seen AS SELECT ''::text AS what WHERE false;
        DO $$ BEGIN
            FOR look IN 1..{int(seconds / 0.02)} LOOP
                PERFORM pg_stat_clear_snapshot();
                INSERT INTO seen SELECT CASE
                    WHEN state LIKE 'idle in%' THEN 'the node' WHEN wait_event = 'SyncRep' THEN 'the standby'
                    WHEN wait_event_type = 'IO' THEN 'the disk' WHEN wait_event IS NOT NULL THEN wait_event
                    ELSE 'nothing: it computes' END
                FROM pg_stat_activity WHERE usename = 'consentlink' AND xact_start IS NOT NULL
                    AND wait_event_type IS DISTINCT FROM 'Lock' AND query NOT LIKE '%nodes%' AND query NOT LIKE '%rule_changes%'
                    AND (backend_xid IS NOT NULL OR wait_event = 'SyncRep');
                PERFORM pg_sleep(0.02);
            END LOOP;
        END $$;
        SELECT what, count(*) FROM seen GROUP BY 1 ORDER BY 2 DESC
        """, timeout=seconds * 20 + 60)
    found = dict(line.split("|") for line in rows.splitlines())
    total = sum(map(int, found.values()))
    return {what: int(count) / total for what, count in found.items()}


def print_table(title, rows):
    heading(title)
    names = ["primary", "sync_standby", "replica"]
    say("nodes  decisions/s  turns/s  decisions in a turn   µs of a processor for each decision: node  "
        + "  ".join(names) + "  client   bytes: WAL  database  network of nodes in, out")
    for found in rows:
        servers = "  ".join(f"{found['servers'].get(name, 0):7.1f}" for name in names)
        network = "  ".join(f"{value:5.0f}" for value in found["network"]["nodes"])
        say(f"{found['nodes']:5}  {found['rate']:11,.0f}  {found['turns']:7.1f}  {found['in turn']:19,.0f}   "
            f"{found['node']:6.1f}  {servers}  {found['client']:6.1f}   {found['wal']:5.0f}  {found['size']:5.0f}  {network}"
            f"   {found['note']}")
    for found in rows:
        shares = ", ".join(f"{what} {share:.0%}" for what, share in list(found["shares"].items())[:5])
        say(f"  {found['nodes']} nodes: whoever had the turn waited for {shares}")
    largest = sorted(rows[-1]["tables"].items(), key=lambda item: -item[1])[:6]
    say("  bytes for each decision: " + ", ".join(f"{name} {size:.0f}" for name, size in largest if size >= 1))


def need(found):
    average, peak = MESSAGES / DAY, PEAK * MESSAGES / DAY
    heading(f"What {MESSAGES:,.0f} messages a day need, by the row with {found['nodes']} nodes")
    say(f"{average:,.0f} decisions/s on average, {peak:,.0f} at the peak ({PEAK} times the average)")
    for name, cost in [("nodes", found["node"]), *found["servers"].items()]:
        say(f"  {name:13} {cost:6.1f} µs a decision: {cost * average / 1e6:5.2f} cores on average, {cost * peak / 1e6:5.2f} at the peak")
    day = found["size"] * MESSAGES
    say(f"  tables and indexes {day / 1e9:,.0f} GB a day, {day * 30 / 1e12:,.1f} TB a month, on each member; "
        f"WAL {found['wal'] * MESSAGES / 1e9:,.0f} GB a day, {found['wal'] * peak / 1e6:,.0f} MB/s at the peak to each standby")
    into, out = found["network"]["nodes"]
    say(f"  network of the nodes {into * peak * 8 / 1e6:,.0f} Mbit/s in, {out * peak * 8 / 1e6:,.0f} out at the peak")
    say(f"  one writer at a time: here {found['rate']:,.0f}/s with {found['in turn']:,.0f} decisions in a turn of "
        f"{1000 / found['turns']:.1f} ms, {1e6 / found['rate']:.1f} µs for each")
