"""What clients were told while something was killed, and whether it is so afterwards."""

import random
import threading
import time
from collections import Counter

import httpx

from . import tokens, wire
from .client import Refused, message, person, unique


class Until:
    """Threads that work until the service goes away under their hands; what they do not expect fails the test."""

    def __init__(self, goes_on=False):
        """`goes_on`: whether a request that is told to come again, or whose connection is lost, is followed by others."""
        self._threads = []
        self._goes_on = goes_on
        self.over = threading.Event()
        self.surprises = []

    def run(self, work, count):
        for number in range(count):
            thread = threading.Thread(target=self._repeat, args=(work, number), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _repeat(self, work, number):
        try:
            while not self.over.is_set():
                try:
                    steps = work(number)
                    while not self.over.is_set():
                        next(steps)
                except (httpx.TransportError, OSError):
                    # The service is gone: what was under way was never acknowledged.
                    if not self._goes_on:
                        return
                except Refused as refused:
                    if not self._goes_on or refused.answer.status_code != 503:
                        raise
                time.sleep(0.02)
        except Exception as surprise:
            self.surprises.append(surprise)

    def join(self):
        self.over.set()
        for thread in self._threads:
            thread.join(timeout=30)
            assert not thread.is_alive()
        assert not self.surprises, self.surprises


class Ledger:
    """What a client asked for, and what it was told and so may rely on."""

    def __init__(self):
        self.recorded = Counter()  # recipients that a consent was sent for
        self.consents = []  # (recipient, consent id)
        self.judged = Counter()  # recipients that a payload was asked for
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
            ledger.recorded.update(recipients)
            made = org.record_all([{"recipient": who, "state": state} for who in recipients])
            ledger.consents += [(record["recipient"], record["id"]) for record in made]
            count += 1
            yield

    return work


def compose(org, ledger):
    """Each for new people, one of whom must not be tracked."""

    def work(number):
        content = message(link=f"https://shop.example/composed/{number}")
        while True:
            people = [person(f"composed-{number}") for _ in range(10)]
            ledger.recorded[people[0]] += 1
            org.record(people[0], "refused")
            ledger.judged.update(people)
            composed = org.compose(people, content)
            assert [entry["recipient"] for entry in composed.payloads if not entry["tracked"]] == people[:1]
            ledger.decisions += decisions_of(composed.body)
            ledger.links += [composed.link(who) for who in people[1:]]
            yield

    return work


def compose_until_answered(org, ledger):
    """Sends a request again, with its Idempotency-Key, until it is answered: it has its effect once."""
    # What is to be sent again outlives the connection that it was sent on.
    unanswered = {}

    def work(number):
        while True:
            if number not in unanswered:
                people = [person(f"again-{number}") for _ in range(10)]
                ledger.judged.update(people)
                content = message(f"again-{number}", link=f"https://shop.example/again/{number}")
                unanswered[number] = unique("key"), {"format": "plain", "message": content, "recipients": people}
            key, body = unanswered[number]
            answer = org.call("POST", org.path("/payloads"), body, headers={"Idempotency-Key": f'"{key}"'})
            if answer.status_code == 200:
                ledger.decisions += decisions_of(answer.json())
                ledger.links += [entry["payload"]["link"] for entry in answer.json()["payloads"]]
                del unanswered[number]
            else:
                # 409: the request before it, whose connection was lost, is still worked on.
                assert answer.status_code in (409, 503), answer.text
                time.sleep(0.02)
            yield

    return work


def decisions_of(body):
    return [(body["message"], entry["recipient"], entry["decision"]["id"]) for entry in body["payloads"]]


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


def check(org, ledger, message_id, links, everybody=False):
    """Holds the service to the whole ledger, of this round and of those before. `everybody`: to the consent history of
    all recipients, not of the busiest and some."""
    told = {}
    for recipient, id in ledger.consents:
        told.setdefault(recipient, []).append(id)
    busy = sorted(ledger.recorded.keys() | told.keys(), key=lambda recipient: -ledger.recorded[recipient])
    for recipient in busy if everybody else busy[:20] + random.sample(busy, min(100, len(busy))):
        stored = Counter(record["id"] for record in org.consent(recipient)["history"])
        assert all(stored[id] == 1 for id in told.get(recipient, ())), f"{recipient}: {told[recipient]} in {stored}"
        assert stored.total() <= ledger.recorded[recipient], f"{recipient}: {stored}"

    decisions = org.decisions(limit=1000)
    stored = Counter((decision["message"], decision["recipient"], decision["id"]) for decision in decisions)
    assert set(stored.values()) == {1}
    missing = [decision for decision in ledger.decisions if decision not in stored]
    assert missing == [], f"{len(missing)} of {len(ledger.decisions)} acknowledged decisions are gone"
    judged = Counter(decision["recipient"] for decision in decisions if decision["recipient"] in ledger.judged)
    doubled = [recipient for recipient, count in judged.items() if count > ledger.judged[recipient]]
    assert doubled == [], f"{len(doubled)} recipients have more decisions than payloads were asked for"

    org.settle()
    clicks = org.interactions(message=message_id, limit=1000)
    assert len({click["id"] for click in clicks}) == len(clicks)
    recorded = Counter(click["recipient"] for click in clicks)
    for link, who in links.items():
        least, most = ledger.redirected[link], ledger.asked[link]
        assert least <= recorded[who] <= most, f"{least} redirects, {most} requests, {recorded[who]} clicks recorded"

    for link in random.sample(ledger.links, min(50, len(ledger.links))):
        assert wire.follow(link, "HEAD").status == 302, "a link that was handed out no longer leads anywhere"
