"""Clients that want to leave nothing for others: connections, bodies, requests sent ahead, one link again and again."""

import os
import threading
import time

import pytest

from harness import tokens, wire
from harness.client import Operator, person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.raw import Raw
from harness.service import Service

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
# How long the hostile connections go on, in seconds; 60 for the long form.
SECONDS = float(os.environ.get("END_TO_END_FLOOD_SECONDS", "6"))


class Limited(Service):
    """May have so many files open."""

    limit = 1256

    @property
    def command(self):
        return ["sh", "-c", f'ulimit -n {self.limit}; exec "$@"', "sh", *super().command]


@pytest.fixture
def small(tmp_path):
    service = Limited(tmp_path).start()
    yield service
    assert service.stop() == 0


def test_too_few_descriptors_are_refused_by_name(tmp_path):
    service = Limited(tmp_path)
    service.limit = 511
    with pytest.raises(AssertionError, match="511 open files and needs 512"):
        service.start()
    assert service.process.wait(timeout=20) == 1
    assert not service.data.exists()


class Flood:
    """Opens connections to `address` for as long as it runs, sends on each what it is told, and keeps them."""

    def __init__(self, address, sent, count):
        self.address, self.sent, self.count, self.ended = address, sent, count, threading.Event()
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self):
        kept = []
        while not self.ended.is_set():
            try:
                raw = Raw(self.address)
                raw.socket.settimeout(0.2)
                raw.send(self.sent)
                kept.append(raw)
            except OSError:
                time.sleep(0.01)
            # 500 a second: with more, the machine runs out of ports before the service runs out of room.
            time.sleep(0.002)
            while len(kept) > self.count:
                kept.pop(0).socket.close()
        for raw in kept:
            raw.socket.close()

    def end(self):
        self.ended.set()
        self.thread.join()


@pytest.mark.timeout(300)
def test_with_1256_descriptors_hostile_connections_on_both_listeners_keep_nobody_away(small):
    org = Operator(small).make("nonRestrictive")
    link = org.tracked_link()
    signed = "consentlink_checkpoints_signed_total"
    before = scrape(small).value(signed)
    head = b"POST /v1/orgs HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
    floods = [Flood(small.listen, sent, 600) for sent in (b"", HEALTH, b"GET /r/x HTTP/1.1\r\nHost: x\r\n")]
    floods += [Flood(small.api_listen, sent, 600) for sent in (b"", HEALTH, head)]
    clicks = answered = 0
    try:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            clicks += 1
            # On a machine that has other work, too, the kernel's queue of connections may be long.
            with wire.Connection(small.listen, timeout=60) as connection:
                connection.send(wire.request("GET", f"/r/{tokens.of_link(link.url)}", small.listen))
                answered += connection.receive().status == 302
            time.sleep(0.05)
    finally:
        for flood in floods:
            flood.end()
    assert small.is_running
    assert answered == clicks
    org.record(person(), "given")
    eventually(lambda: scrape(small).value(signed) > before)
    assert Raw(small.api_listen).answers(0) == []
    assert wire.ask(small.api_listen, "GET", "/readyz").status == 200


@pytest.mark.parametrize("gap", [0.05, 0.2])
def test_a_flood_that_was_answered_does_not_close_those_who_are_about_to_ask(small, gap):
    org = Operator(small).make("nonRestrictive")
    link = org.tracked_link()
    path = f"/r/{tokens.of_link(link.url)}"
    floods = [Flood(small.listen, b"GET /r/x HTTP/1.1\r\nHost: x\r\n\r\n", 900) for _ in range(2)]
    try:
        eventually(lambda: scrape(small).value("consentlink_open_connections") > 600)
        missed = 0
        for _ in range(40):
            raw = Raw(small.listen)
            time.sleep(gap)
            raw.send(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            missed += raw.answers(1, within=60) != [302]
            raw.socket.close()
    finally:
        for flood in floods:
            flood.end()
    assert missed == 0


def test_requests_sent_ahead_for_the_router_leave_time_for_clicks(service, org):
    link = org.tracked_link()
    ahead = [Raw(service.listen) for _ in range(10)]
    for raw in ahead:
        raw.socket.setblocking(False)
        raw.send(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n" * 5_000)
    for _ in range(5):
        assert wire.follow(link.url).status == 302


def sent_without_end(raw, path):
    """How many bytes of a body without end are taken, in bytes; 100 MiB at most."""
    raw.send(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n".encode())
    raw.socket.settimeout(20)
    sent, piece = 0, b"x" * 65_536
    try:
        while sent < 100 << 20:
            raw.socket.sendall(piece)
            sent += len(piece)
    except OSError:
        pass
    return sent


@pytest.mark.parametrize("path", ["/p/x", "/robots.txt", "/nothing/here", "/healthz"])
@pytest.mark.parametrize("door", ["public", "private"])
def test_an_endless_body_is_not_read_past_its_answer(service, door, path):
    raw = Raw(service.listen if door == "public" else service.api_listen)
    # What the kernel's buffers take comes on top.
    assert sent_without_end(raw, path) < 40 << 20, "it is read without end"


def test_an_endless_body_to_a_genuine_page_is_not_read_past_its_answer(service, org):
    link = org.tracked_link()
    raw = Raw(service.listen)
    sent = sent_without_end(raw, f"/p/{tokens.of_link(link.url)}")
    # What the kernel's buffers take comes on top.
    assert sent < 40 << 20, "it is read without end"
    assert [record["state"] for record in org.consent(link.recipient)["history"]][-1:] == ["withdrawn"]


@pytest.mark.timeout(120)
def test_bodies_that_do_not_end_have_a_bound_together(service, operator):
    org = operator.make("restrictive")
    before = scrape(service).value("process_resident_memory_bytes")
    head = (
        f"POST {org.path('/consents')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {org.key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {16 << 20}\r\n\r\n"
    ).encode()
    bodies = [Raw(service.api_listen) for _ in range(12)]
    for raw in bodies:
        raw.socket.settimeout(20)
        raw.send(head + b" " * ((16 << 20) - 1))
    eventually(lambda: sum(raw.answers(1, within=0.05) == [503] for raw in bodies) >= 8)
    assert scrape(service).value("process_resident_memory_bytes") - before < 400 << 20
    for raw in bodies:
        raw.socket.close()

    def goes_on():
        return org.call("POST", org.path("/consents"), {"recipient": person(), "state": "given"}).status_code == 201

    eventually(goes_on)


def test_one_link_is_recorded_a_hundred_times_at_once_and_redirects_always(start):
    service = start()
    org = Operator(service).make("nonRestrictive")
    link, other = org.tracked_link(), org.tracked_link()
    with wire.Connection(service.listen) as connection:
        for _ in range(300):
            connection.send(wire.request("GET", f"/r/{tokens.of_link(link.url)}", service.listen))
            assert connection.receive().status == 302
    assert wire.follow(other.url).status == 302
    metrics = scrape(service)
    left_out = metrics.value("consentlink_clicks_unrecorded_total", reason="rate")
    recorded = metrics.by("consentlink_redirects_total", "outcome")["recorded"]
    assert 150 < left_out <= 200 and left_out + recorded == 301
    assert len(org.clicks(other)) == 1


@pytest.mark.patience
@pytest.mark.timeout(120)
def test_silent_and_slow_connections_of_the_private_listener_are_closed(service):
    slow = {"silent": b"", "slow with its header": b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: ",
            "without its body": b"POST /v1/orgs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 99\r\n\r\n{"}  # fmt: skip
    raws = {name: Raw(service.api_listen) for name in slow}
    kept = Raw(service.api_listen)
    kept.send(HEALTH)
    assert kept.answers(1) == [200]
    for name, raw in raws.items():
        raw.send(slow[name])
    assert raws["without its body"].answers(1) == [401]
    open_ones = set(raws)
    end = time.monotonic() + 60
    while time.monotonic() < end and open_ones:
        raws["slow with its header"].send(b"x")
        open_ones = {name for name in open_ones if raws[name].is_open}
        time.sleep(1)
    assert open_ones == set()
    kept.send(HEALTH)
    assert kept.answers(2) == [200, 200], "an idle connection of a backend is kept for two minutes"
