"""Clients beside the bulk load: they record, withdraw, compose, click and read, each at any node."""

import time

from harness.client import message, person

from checking import Person

from .places import TARGET, click, recorded_click


def paced(work, pause):
    """The same work with a pause after each step, so that many rounds do not pile up what the checks must read."""

    def slowly(number):
        for _ in work(number):
            time.sleep(pause)
            yield

    return slowly


def follow_anywhere(places, links, ledger, random):
    """Readers who go to the next node when one does not answer. Every link leads on at every node that answers."""

    def work(number):
        mine = links[number::2]
        while True:
            for link in mine:
                ledger.asked[link] += 1
                if recorded_click(random.choice(places), link):
                    ledger.redirected[link] += 1
                yield

    return work


class Withdrawals:
    """People who withdraw at one node. Before that they click at all nodes on one message, and once it is acknowledged
    on another one, of which nothing may be recorded."""

    def __init__(self, org, random):
        self._random = random
        self.before, self.after = (org.make_message(message(link=TARGET))["id"] for _ in range(2))
        self.people = []

    def work(self, org, places):
        def work(number):
            while True:
                who = person("withdrawn")
                org.record(who, "given")
                before, after = (org.compose([who], message_id=id).link(who) for id in (self.before, self.after))
                answered = asked = 0
                for place in places:
                    asked += 1
                    answered += recorded_click(place, before)
                # A node that is not fresh may drop a click of the last quarter of a second before a withdrawal.
                time.sleep(0.3)
                org.record(who, "withdrawn")
                for place in self._random.sample(places, len(places)):
                    click(place, after)
                self.people.append(Person(who, self.before, self.after, answered, asked))
                yield

        return work

    def interactions(self, org):
        """How many are stored, by message and name."""
        found = {}
        for id in (self.before, self.after):
            for item in org.interactions(message=id, limit=1000):
                found[id, item["recipient"]] = found.get((id, item["recipient"]), 0) + 1
        return found


class Reader:
    """A backend that reads every interaction of an organization by its cursor, from any node."""

    def __init__(self, org):
        self._org = org
        self._after = None
        self.seen = []

    def read(self):
        while True:
            cursor = f"&after={self._after}" if self._after else ""
            page = self._org.expect(200, "GET", self._org.path(f"/interactions?limit=500{cursor}")).json()
            self.seen += [item["id"] for item in page["interactions"]]
            if page["interactions"]:
                self._after = page["interactions"][-1]["id"]
            if not page["next"]:
                return

    def work(self, number):
        while True:
            self.read()
            yield
