"""kill -9 in the middle of the work: whatever the service had acknowledged is there after a restart, once.

    CRASH_ROUNDS=100 .venv/bin/pytest Tests/EndToEnd/test_crash.py -k lost_or_doubled -s
"""

import os
import random
import threading
import time
from collections import Counter

import httpx
import pytest

from harness import tokens, wire
from harness.client import Operator, message, person

ROUNDS = int(os.environ.get("CRASH_ROUNDS", 5))
# What is lost or doubled stays so: with many rounds the whole ledger is held against the service ten times only.
CHECKS = min(ROUNDS, 10)
AUDIENCE = 2_000


class Until:
    """Threads that work until the service goes away under their hands; what they do not expect fails the test."""

    def __init__(self):
        self._threads = []
        self.over = threading.Event()
        self.surprises = []

    def run(self, work, count):
        for number in range(count):
            thread = threading.Thread(target=self._repeat, args=(work, number), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _repeat(self, work, number):
        try:
            steps = work(number)
            while not self.over.is_set():
                next(steps)
        except (httpx.TransportError, OSError):
            pass  # The service is gone: what was under way was never acknowledged.
        except Exception as surprise:
            self.surprises.append(surprise)

    def join(self):
        self.over.set()
        for thread in self._threads:
            thread.join(timeout=30)
            assert not thread.is_alive()
        assert self.surprises == []


class Ledger:
    """What a client was told, and so may rely on."""

    def __init__(self):
        self.consents = []  # (recipient, consent id)
        self.decisions = []  # (message, recipient, decision id)
        self.links = []  # links of payloads that were handed out
        self.asked = Counter()  # links that a request was sent for
        self.redirected = Counter()  # links that a 302 came back for


def record_consents(org, ledger):
    def work(number):
        states = ["given", "withdrawn"]
        people = [person(f"crash-{number}") for _ in range(5)]
        count = 0
        while True:
            recipients = [people[count % 5], person(f"crash-{number}")]
            state = states[count % 2]
            made = org.record_all([{"recipient": who, "state": state} for who in recipients])
            ledger.consents += [(record["recipient"], record["id"]) for record in made]
            count += 1
            yield

    return work


def compose(org, ledger):
    def work(number):
        content = message(link=f"https://shop.example/composed/{number}")
        while True:
            people = [person(f"composed-{number}") for _ in range(10)]
            composed = org.compose(people, content)
            ledger.decisions += [
                (composed.message, entry["recipient"], entry["decision"]["id"]) for entry in composed.payloads
            ]
            ledger.links += [composed.link(who) for who in people]
            yield

    return work


def follow(service, links, ledger):
    def work(number):
        mine = links[number::2]
        with wire.Connection(service.listen) as connection:
            while True:
                for link in mine:
                    ledger.asked[link] += 1
                    connection.send(wire.request("GET", f"/r/{tokens.of_link(link)}", service.listen))
                    assert connection.receive().status == 302
                    ledger.redirected[link] += 1
                    yield

    return work


@pytest.mark.crash
@pytest.mark.timeout(600 + 20 * ROUNDS)
def test_nothing_acknowledged_is_lost_or_doubled_by_kill_9(own_service):
    operator = Operator(own_service)
    org = operator.make("nonRestrictive")
    audience = [person("audience") for _ in range(AUDIENCE)]
    org.record_all([{"recipient": who, "state": "given"} for who in audience])
    sent = org.compose(audience, message(link="https://shop.example/followed"))
    links = {sent.link(who): who for who in audience}
    assert len(links) == AUDIENCE
    ledger = Ledger()

    for number in range(1, ROUNDS + 1):
        before = (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()))
        work = Until()
        work.run(record_consents(org, ledger), 1)
        work.run(compose(org, ledger), 2)
        work.run(follow(own_service, list(links), ledger), 2)
        time.sleep(random.uniform(0.4, 1.2))
        own_service.kill()
        work.join()
        after = (len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()))
        assert all(now > then for now, then in zip(after, before)), f"round {number} was ended before its work began"
        own_service.start()
        if number % (ROUNDS // CHECKS) == 0:
            check(org, ledger, sent.message, links)

    own_service.restart()
    check(org, ledger, sent.message, links)
    print(
        f"{len(ledger.consents)} consent records, {len(ledger.decisions)} decisions and "
        f"{sum(ledger.redirected.values())} redirects were acknowledged in {ROUNDS} rounds"
    )


def check(org, ledger, message_id, links):
    """Holds the service to the whole ledger, of this round and of those before."""
    told = {}
    for recipient, id in ledger.consents:
        told.setdefault(recipient, []).append(id)
    busy = sorted(told, key=lambda recipient: -len(told[recipient]))
    for recipient in busy[:20] + random.sample(busy, min(100, len(busy))):
        stored = Counter(record["id"] for record in org.consent(recipient)["history"])
        assert all(stored[id] == 1 for id in told[recipient]), f"{recipient}: {told[recipient]} in {stored}"

    stored = Counter(
        (decision["message"], decision["recipient"], decision["id"]) for decision in org.decisions(limit=1000)
    )
    assert set(stored.values()) == {1}
    missing = [decision for decision in ledger.decisions if decision not in stored]
    assert missing == [], f"{len(missing)} of {len(ledger.decisions)} acknowledged decisions are gone"

    org.settle()
    clicks = org.interactions(message=message_id, limit=1000)
    assert len({click["id"] for click in clicks}) == len(clicks)
    recorded = Counter(click["recipient"] for click in clicks)
    for link, who in links.items():
        least, most = ledger.redirected[link], ledger.asked[link]
        assert least <= recorded[who] <= most, f"{least} redirects, {most} requests, {recorded[who]} clicks recorded"

    for link in random.sample(ledger.links, min(50, len(ledger.links))):
        assert wire.follow(link, "HEAD").status == 302, "a link that was handed out no longer leads anywhere"


@pytest.mark.crash
def test_a_withdrawal_acknowledged_an_instant_before_kill_9_counts(own_service, own_org):
    for _ in range(3):
        link = own_org.tracked_link()
        own_org.record(link.recipient, "withdrawn")
        own_service.kill()
        own_service.start()
        assert wire.follow(link.url).status == 302
        assert own_org.clicks(link) == []


@pytest.mark.crash
def test_a_click_answered_an_instant_before_kill_9_counts_once(own_service, own_org):
    for _ in range(3):
        link = own_org.tracked_link()
        assert wire.follow(link.url).status == 302
        own_service.kill()
        own_service.start()
        assert len(own_org.clicks(link)) == 1


@pytest.mark.crash
def test_a_click_before_a_withdrawal_stays_and_a_later_one_does_not_come_by_kill_9(own_service, own_org):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    time.sleep(0.05)
    own_org.record(link.recipient, "withdrawn")
    assert wire.follow(link.url).status == 302
    own_service.kill()
    own_service.start()
    assert len(own_org.clicks(link)) == 1


@pytest.mark.crash
def test_an_erasure_acknowledged_an_instant_before_kill_9_is_whole(own_service, own_org):
    link = own_org.tracked_link()
    assert wire.follow(link.url).status == 302
    own_org.erase(link.recipient)
    own_service.kill()
    assert own_service.files_with(link.recipient) == set()
    own_service.start()
    assert own_service.files_with(link.recipient) == set()
    assert own_org.compose([link.recipient]).of(link.recipient)["decision"]["reason"] == "recipientErased"
