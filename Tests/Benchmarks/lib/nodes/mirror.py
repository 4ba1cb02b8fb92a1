"""The mirror of many messages and withdrawn people: its size, and how soon a node redirects and is fresh."""

import contextlib
import time
import urllib.request

from .bed import ORGANIZATION, TARGET, Bed, people
from .clicks import connect, follow
from .figures import Quiet, heading, say

# Each piece is a transaction.
PIECE = 50_000


def measure(options):
    with Bed(options.binary, nodes=2) as bed:
        first = bed.nodes[0]
        (path,) = bed.links(given(bed))
        heading(f"{options.messages:,} messages and {options.withdrawn:,} withdrawn people are made")
        with Quiet(bed) as quiet:
            withdraw(bed, options.withdrawn)
            made = time.monotonic()
            make_messages(bed, options.messages)
        say(f"messages in {time.monotonic() - made:.0f} s   {quiet.note}")
        say(f"{first.name} while they were withdrawn: {memory(first)}")
        copy(bed, bed.nodes[1])
        copy(bed, first)
        sizes(first)
        for _ in range(options.starts):
            start(bed, first, path, "with the database")
        for reject in (True, False):
            bed.cluster.network.partition(first, bed.cluster.members, reject=reject)
            for _ in range(options.starts):
                start(bed, first, path, "without it, " + ("refused" if reject else "silent"))
            bed.cluster.network.heal()
            bed.cluster.wait_until_healthy()
        check(bed, path, first)


def given(bed):
    who = people(1, "ana")
    bed.consents(who)
    return who


def withdraw(bed, count):
    began = time.monotonic()
    bed.consents(people(count, "gone"), "withdrawn")
    took = time.monotonic() - began
    say(f"withdrawals recorded and known to all nodes in {took:.0f} s: {count / took:,.0f}/s")


def make_messages(bed, count):
    """Rows as those of a message that the service has made, with ids before its id."""
    row = bed.psql(
        f"SELECT convert_from(content, 'UTF8') FROM messages JOIN organizations o ON o.number = organization "
        f"WHERE o.id = '{ORGANIZATION}'")
    assert "campaign=spring" in row, row
    for start in range(0, count, PIECE):
        bed.script(f"""
            WITH made AS (
                SELECT m.*, n, convert_to(replace(convert_from(m.content, 'UTF8'), 'campaign=spring', 'campaign=' || n), 'UTF8')
                    AS other
                FROM messages m, generate_series({start + 1}, {min(start + PIECE, count)}) n
                WHERE m.id = (SELECT max(id) FROM messages)
            ), inserted AS (
                INSERT INTO messages (id, organization, digest, content, purpose, created_at)
                SELECT id - n::bigint * 4194304, organization, sha256(other), other, purpose, created_at - n FROM made
            )
            INSERT INTO message_names (organization, message, name)
            SELECT organization, id - n::bigint * 4194304, 'spring' FROM made
        """)
    bed.script("ANALYZE messages; ANALYZE message_names")


def copy(bed, node):
    """The node makes its mirror again."""
    heading(f"The first copying at {node.name}")
    node.stop(within=60)
    for file in node.data.glob("mirror.db*"):
        file.unlink()
    with Quiet(bed) as quiet:
        began = time.monotonic()
        node.start(300)
        while bed.metric(node, "consentlink_mirror_lag_seconds"):
            time.sleep(0.5)
    say(f"whole {time.monotonic() - began:.1f} s after its start; {memory(node)}   {quiet.note}")


def sizes(node):
    files = {file.name: file.stat().st_size for file in node.data.iterdir() if file.is_file()}
    mirror = sum(size for name, size in files.items() if name.startswith("mirror.db"))
    say(f"mirror.db with its WAL {mirror / 1e6:,.1f} MB; the whole folder {sum(files.values()) / 1e6:,.1f} MB")


def memory(node):
    with open(f"/proc/{node.process}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return f"{int(lines['VmRSS'].split()[0]) / 1024:,.0f} MiB of memory, {int(lines['VmHWM'].split()[0]) / 1024:,.0f} at its peak"


def start(bed, node, path, how):
    """From its start to its first redirect, and until it is fresh, if it can be."""
    node.stop(within=60)
    with Quiet(bed) as quiet:
        began = time.monotonic()
        node.launch_service()
        redirected = until(lambda: leads(node, path), began)
        links = until(lambda: status(node, "/readyz?for=links") == 200, began)
        fresh = until(lambda: is_fresh(bed, node), began) if how == "with the database" else None
        time.sleep(1)
    say(f"start {how}: first redirect after {redirected:.2f} s, ready for links {links:.2f} s, "
        + (f"fresh and ready for all {fresh:.2f} s" if fresh else "not fresh") + f"; {memory(node)}   {quiet.note}")


def until(is_there, began):
    while not is_there():
        if time.monotonic() > began + 300:
            raise SystemExit("it did not come")
        time.sleep(0.005)
    return time.monotonic() - began


def leads(node, path):
    with contextlib.suppress(OSError), connect(node.address) as connection:
        follow(connection, path, TARGET)
        return True
    return False


def status(node, path):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{node.api}{path}", timeout=5) as answer:
            return answer.status
    except OSError:
        return 0


def is_fresh(bed, node):
    with contextlib.suppress(OSError):
        return status(node, "/readyz") == 200 and bed.metric(node, "consentlink_node_staleness_seconds") < 1
    return False


def check(bed, path, node):
    """Links of messages that were made as rows are known, too: the service answers for one."""
    answer = bed.apis[1].call(f"/{ORGANIZATION}/messages?limit=2")
    say(f"the service lists {[message['name'] for message in answer['messages']]}")
