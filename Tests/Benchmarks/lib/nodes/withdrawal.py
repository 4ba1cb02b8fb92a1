"""A withdrawal: how long its 201 takes, and when it is effective on the other nodes."""

import contextlib
import itertools
import threading
import time

from .bed import MESSAGE, ORGANIZATION, TARGET, Bed, people
from .clicks import Watcher
from .decisions import Composers
from .figures import Quiet, heading, milliseconds, say

CONSENTS = f"/{ORGANIZATION}/consents"
# Each of one person's links may be clicked 100 times at once. A node asked for them each millisecond needs several.
LINKS = 8
# A node of which nothing was heard for this long is not waited for.
SILENCE = 8.0


def measure(options):
    with Bed(options.binary, nodes=3) as bed:
        number = itertools.count()
        answers(bed, options.withdrawals, number, "nothing else")
        effects(bed, options.watched, number, "with NOTIFY")
        everybody = people(20_000)
        bed.consents(everybody)
        with Composers(bed, bed.nodes, connections=1, recipients=1000, everybody=everybody):
            time.sleep(2)
            answers(bed, options.withdrawals // 2, number, "beside composing as fast as three connections can")
            effects(bed, options.watched // 4, number, "beside the same")
        cut_off(bed, options.cut_off, number)
        silence_notify(bed)
        answers(bed, options.withdrawals // 2, number, "without NOTIFY")
        effects(bed, options.watched, number, "without NOTIFY")


def answers(bed, count, number, beside):
    heading(f"From a withdrawal to its 201, {beside}")
    gone = people(count, f"gone-{next(number)}")
    bed.consents(gone)
    with Quiet(bed) as quiet:
        times = [withdraw(bed.apis[at % len(bed.apis)], who) for at, who in enumerate(gone)]
    say(f"201        {milliseconds(times)}   {quiet.note}")


def withdraw(api, who):
    began = time.monotonic()
    api.call(CONSENTS, {"recipient": who, "state": "withdrawn"})
    return time.monotonic() - began


# MARK: when it is effective


def effects(bed, count, number, how):
    heading(f"From the sending of a withdrawal until it is effective on the other nodes, {how}")
    gone = people(count, f"watched-{next(number)}")
    bed.consents(gone)
    links = list(zip(*(bed.links(gone, MESSAGE | {"name": f"spring-{link}"}) for link in range(LINKS)), strict=True))
    watchers = [Watcher(node, TARGET) for node in bed.nodes[1:]]
    times, first, late, unjudged = [], [], 0, unjudged_total(bed)
    with Quiet(bed) as quiet:
        for who, paths in zip(gone, links, strict=True):
            found = effect(bed, who, paths, watchers)
            first.append(found[0])
            for effective, was_late in found[1]:
                times.append(effective)
                late += was_late
    for watcher in watchers:
        watcher.end()
    say(f"effective  {milliseconds(times)}   {quiet.note}")
    say(f"201        {milliseconds(first)}")
    say(f"clicks that were begun after the 201 and spooled: {late}; judged later, as a node was not fresh: "
        f"{unjudged_total(bed) - unjudged:.0f}; not recorded otherwise: {bed.unrecorded() or 'none'}")


def unjudged_total(bed):
    return sum(bed.metric(node, "consentlink_clicks_unjudged_total") for node in bed.nodes)


def effect(bed, who, paths, watchers):
    """Seconds until the 201, and for each other node until it is effective there, with the number of clicks that were
    spooled although they were begun after the 201. Until the answer to the first click that was not spooled: at the
    latest then it was effective."""
    before = [bed.metric(watcher.node, "consentlink_clicks_spooled_total") for watcher in watchers]
    for watcher in watchers:
        watcher.start(paths)
    time.sleep(0.03)
    began = time.monotonic()
    took = withdraw(bed.apis[0], who)
    time.sleep(0.06)
    found = []
    for watcher, count in zip(watchers, before, strict=True):
        clicks = watcher.stop()
        spooled = int(bed.metric(watcher.node, "consentlink_clicks_spooled_total") - count)
        if not 0 < spooled < len(clicks):
            raise SystemExit(f"{spooled} of {len(clicks)} clicks at {watcher.node.name} were spooled")
        late = sum(click[0] > began + took for click in clicks[:spooled])
        found.append((clicks[spooled][1] - began, late))
    return took, found


# MARK: faults


def cut_off(bed, count, number):
    heading("From a withdrawal to its 201, one node cut off from the database")
    times, rounds, lost = [], 0, bed.nodes[2]
    with Quiet(bed) as quiet:
        while len(times) < count and rounds < 20:
            rounds += 1
            gone = people(40, f"cut-{next(number)}")
            bed.consents(gone)
            bed.cluster.network.partition(lost, bed.cluster.members)
            times += withdraw_everywhere(bed, gone, until=time.monotonic() + SILENCE - 1.5)
            bed.cluster.network.heal()
            bed.cluster.wait_until_healthy()
    waited = [took for took in times if took > 0.5]
    say(f"201        {milliseconds(times)}   {quiet.note}")
    say(f"{len(waited)} of them waited for the node, {rounds} times cut off")


def withdraw_everywhere(bed, gone, until):
    """One after the other at each of the two nodes that are left."""
    times, left = [], iter(gone)
    lock = threading.Lock()

    def work(api):
        while time.monotonic() < until:
            with lock, contextlib.suppress(StopIteration):
                who = next(left)
            times.append(withdraw(api, who))

    threads = [threading.Thread(target=work, args=(api,)) for api in bed.apis[:2]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times


def silence_notify(bed):
    """What the service calls pg_notify is another function, which does nothing; nodes then poll only."""
    bed.script("""
        ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO pg_notify_of_before;
        CREATE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void LANGUAGE sql AS '';
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'consentlink';
    """)
    time.sleep(2)
    bed.cluster.wait_until_healthy()
