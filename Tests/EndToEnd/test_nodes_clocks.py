"""What nodes acknowledge holds whatever clocks show: those of their machines, and that of the database's server."""

import json
import os
import shutil
import tempfile
import time
from pathlib import Path

import httpx
import pytest

from harness import postgres, times, tokens, wire
from harness.cable import Cable
from harness.eventually import eventually
from harness.moving_clock import HOUR, MovingClock
from harness.nodes import Nodes, click, clicks

pytestmark = pytest.mark.fault


@pytest.fixture
def nodes(tmp_path):
    """A node, and one behind a cable with a clock of its own, on a server whose clock the test moves."""
    # The server runs as another user.
    folder = Path(tempfile.mkdtemp(prefix="consentlink-clock-", dir="/tmp"))
    folder.chmod(0o755)
    clock_of_server = MovingClock(folder)
    server = postgres.Server(clock=clock_of_server)
    nodes = Nodes(tmp_path, 1, server)
    cable, clock = Cable(server), MovingClock(tmp_path)
    node = nodes.add(url=cable.url(nodes.database), settings=clock.settings)
    nodes.cable, nodes.clock, nodes.clock_of_server = cable, clock, clock_of_server
    eventually(lambda: "the mirror has all messages" in node.log_text())
    yield nodes
    cable.mend()
    nodes.end()
    cable.close()
    server.stop()
    shutil.rmtree(folder)


def is_ready(node):
    return httpx.get(f"{node.api}/readyz").status_code == 200


def cut(nodes):
    # What was recorded before is older than the last time that the node hears.
    time.sleep(0.5)
    nodes.cable.cut()
    eventually(lambda: not is_ready(nodes.all[1]))


def mend(nodes):
    nodes.cable.mend()
    for node in nodes.all:
        eventually(lambda: is_ready(node), within=60)


def object_at(node, link):
    assert wire.ask(node.listen, "GET", f"/r/{tokens.of_link(link.url)}", {"Sec-GPC": "1"}).status == 302


def forget_the_machine(node):
    """As after a start of its machine."""
    file = node.data / "node.json"
    content = json.loads(file.read_text())
    content["time"]["boot"] = "an earlier one"
    file.write_text(json.dumps(content))


def test_a_withdrawal_counts_for_a_node_that_is_behind_the_clock_of_another(nodes):
    one, other = nodes.all
    orgs = nodes.organization()
    gone, kept = orgs[0].tracked_link(), orgs[0].tracked_link()
    cut(nodes)
    nodes.clock_of_server.set(20_000)
    time.sleep(1)
    nodes.clock_of_server.set(0)
    time.sleep(0.5)
    # The node that was not cut off goes on from there: clocks never go back.
    orgs[0].record(gone.recipient, "withdrawn")
    click(other, gone.url)
    click(other, kept.url)
    mend(nodes)
    assert len(clicks(orgs, kept)) == 1
    assert clicks(orgs, gone) == [], "a click after the withdrawal counts as one before it"


def test_a_wrong_clock_of_one_machine_is_the_time_of_no_node(nodes):
    one, other = nodes.all
    orgs = nodes.organization()
    link, gone = orgs[0].tracked_link(), orgs[0].tracked_link()
    other.stop()
    nodes.cable.cut()
    forget_the_machine(other)
    nodes.clock.set(HOUR)
    other.starts_again = True
    other.start()
    click(other, link.url)
    nodes.clock.set(0)
    mend(nodes)
    (seen,) = clicks(orgs, link)
    record = orgs[0].record(gone.recipient, "withdrawn")
    for instant in (seen["occurredAt"], seen["recordedAt"], record["recordedAt"]):
        assert abs(times.parse(instant).timestamp() - time.time()) < 60
    one.restart()
    assert is_ready(one)


def test_a_step_of_the_server_s_clock_ends_no_wait_for_a_node_that_may_be_fresh(nodes):
    one, other = nodes.all
    orgs = nodes.organization()
    orgs[0].set(honorGPC=False)
    gone, link = orgs[0].tracked_link(), orgs[0].tracked_link()
    start = time.monotonic()
    nodes.cable.hold_up()
    nodes.clock_of_server.set(10_000)
    orgs[0].set(honorGPC=True)
    assert time.monotonic() - start > 0.5
    orgs[0].record(gone.recipient, "withdrawn")
    object_at(other, link)
    click(other, gone.url)
    mend(nodes)
    assert clicks(orgs, link) == clicks(orgs, gone) == []


def test_a_node_whose_time_leads_is_fresh_for_no_longer_than_a_second(nodes):
    one, other = nodes.all
    orgs = nodes.organization()
    orgs[0].set(honorGPC=False)
    link = orgs[0].tracked_link()

    def is_recorded():
        """While the node is not fresh, as on a machine that is too slow for it, the click is not."""
        before = len(clicks(orgs, link))
        object_at(other, link)
        return len(clicks(orgs, link)) == before + 1

    eventually(is_recorded)
    recorded = len(clicks(orgs, link))
    nodes.clock_of_server.set(-30_000)
    # Until time goes on at half pace.
    time.sleep(3)
    nodes.cable.cut()
    orgs[0].set(honorGPC=True)
    acknowledged = time.monotonic()
    while time.monotonic() < acknowledged + 1.2:
        object_at(other, link)
        time.sleep(0.05)
    mend(nodes)
    assert len(clicks(orgs, link)) == recorded, "recorded although the setting was acknowledged"


def test_a_click_of_who_has_withdrawn_is_not_stored_because_consent_was_given_again(nodes):
    one, other = nodes.all
    orgs = nodes.organization()
    gone, kept = orgs[0].tracked_link(), orgs[0].tracked_link()
    cut(nodes)
    orgs[0].record(gone.recipient, "withdrawn")
    click(other, gone.url)
    orgs[0].record(gone.recipient, "given")
    click(other, kept.url)
    mend(nodes)
    assert len(clicks(orgs, kept)) == 1
    assert clicks(orgs, gone) == []


@pytest.mark.parametrize("begins", ["with the machine", "as a new node"])
def test_clicks_of_a_process_whose_time_is_not_noted_are_judged_until_now(nodes, begins):
    one, other = nodes.all
    orgs = nodes.organization()
    gone, kept = orgs[0].tracked_link(), orgs[0].tracked_link()
    cut(nodes)
    nodes.clock_of_server.set(20_000)
    time.sleep(1)
    orgs[0].record(gone.recipient, "withdrawn")
    click(other, gone.url)
    click(other, kept.url)
    other.kill()
    nodes.cable.mend()
    if begins == "with the machine":
        forget_the_machine(other)
    else:
        nodes.psql("DELETE FROM nodes WHERE name = 'links-2'")
        os.rename(other.data / "node.json", nodes.folder / "node.json.aside")
    other.start()
    mend(nodes)
    assert len(clicks(orgs, kept)) == 1
    assert clicks(orgs, gone) == []
