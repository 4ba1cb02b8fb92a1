"""The cluster under load, in rounds."""

import collections
import time

from harness.acknowledged import Ledger, Until, compose, compose_until_answered, record_consents
from harness.client import Operator, Organization, message, person
from harness.eventually import eventually

from hosts import BINARY

from .bulk import Bulk
from .clients import Reader, Withdrawals, follow_anywhere, paced
from .places import TARGET, Place, Roaming, click
from .spools import Spools
from .stored import Stored
from .witness import Witness

AUDIENCE = 600
RATE = 4500
LONGEST_FREEZE = 60


class World:
    """Two organizations: `org` has clients of every kind, `bulk_org` composes in bulk."""

    def __init__(self, cluster, folder, chance, *, small_disk=None, longest=0.0):
        """`small_disk`: the node that has a disk of its own. `longest`: how many of the freezes last a minute."""
        self.cluster = cluster
        self.chance = chance
        self.small_disk = small_disk
        self.binary = BINARY
        self.node = None  # that of the present round
        self.cancelled = 0
        self._longest = longest
        self.places = [Place(node, folder) for node in cluster.nodes]
        operator = Operator(self.places[0])
        self.made, self.bulk_made = (operator.make("nonRestrictive") for _ in range(2))
        org = self.at(0)
        audience = [person("audience") for _ in range(AUDIENCE)]
        org.record_all([{"recipient": who, "state": "given"} for who in audience])
        self.sent = org.compose(audience, message(link=TARGET))
        self.links = {self.sent.link(who): who for who in audience}
        self.ledger, self.withdrawals = Ledger(), Withdrawals(org, chance)
        self.reader = Reader(self.roaming())
        bulk_org = self.at(0, bulk=True)
        self.bulk_messages = [bulk_org.make_message(message(link=TARGET))["id"] for _ in range(3)]
        # Each of these ends with `end`.
        self.bulk = Bulk(folder, bulk_org, self.places, self.bulk_messages, rate=RATE)
        self.spools = Spools(folder, cluster.nodes, [self.withdrawals.after])
        self.witnesses = [Witness(self.at(0, bulk=bulk), self.places) for bulk in (False, True)]
        self.stored, self.bulk_stored = (Stored(cluster, made) for made in (self.made, self.bulk_made))

    def at(self, number, *, bulk=False):
        """An organization at one node."""
        made = self.bulk_made if bulk else self.made
        return Organization(self.places[number % len(self.places)], made.id, made.key)

    def roaming(self):
        return Roaming(self.places, self.made, self.chance)

    def end(self):
        for part in (self.bulk, self.spools, *self.witnesses):
            part.end()

    # What faults ask for

    def long(self, least, most):
        """For how many seconds something stands still."""
        return LONGEST_FREEZE if self.chance.random() < self._longest else self.chance.uniform(least, most)

    def forgets(self, node):
        """Until the end of the round the node may redirect without recording."""
        for place in self.places:
            place.may_forget |= place.node is node

    # A round

    def run(self, fault, decisions):
        """Lets one thing fail under load, and returns when all goes on again and the bulk load has reached so many
        decisions in all. Returns the seconds that the fault took."""
        self.node = self.chance.choice(self.cluster.nodes)
        work = Until(goes_on=True)
        for kind in (record_consents, compose, compose_until_answered):
            work.run(paced(kind(self.roaming(), self.ledger), 0.1), 1)
        work.run(paced(self.withdrawals.work(self.roaming(), self.places), 0.1), 4)
        work.run(paced(self.reader.work, 0.2), 1)
        work.run(paced(follow_anywhere(self.places, list(self.links), self.ledger, self.chance), 0.01), 2)
        self.bulk.go()
        time.sleep(self.chance.uniform(0.5, 1.5))
        start = time.monotonic()
        fault(self)
        self.cluster.recover()
        before = self.progress()
        eventually(
            lambda: work.surprises or all(now > then for now, then in zip(self.progress(), before)), within=120)
        seconds = time.monotonic() - start
        eventually(lambda: work.surprises or self.bulk.count >= decisions, within=180)
        work.join()
        self.heal()
        for place in self.places:
            place.may_forget = False
        return seconds

    def heal(self):
        """Waits until all is well, and does what an operator does for a member that Patroni cannot bring back."""
        try:
            self.cluster.wait_until_healthy(120)
        except AssertionError as problem:
            logs = {member.name: member.log.read_text()[-2000:] for member in self.cluster.members}
            begun = self.cluster.begin_anew_where_down()
            print(f"begun anew: {', '.join(begun) or 'none'}, for {problem}", flush=True)
            for name in begun or logs:
                print(f"{name} said before:\n{logs[name]}", flush=True)
            assert begun, problem
            self.cluster.wait_until_healthy(300)

    def progress(self):
        ledger = self.ledger
        return (
            len(ledger.consents), len(ledger.decisions), sum(ledger.redirected.values()), len(self.withdrawals.people),
            self.bulk.count,
        )  # fmt: skip

    def settle(self):
        """Every click that any of the nodes has taken is stored, and no request is unanswered."""
        self.bulk.pause()
        for number, place in enumerate(self.places):
            org = self.at(number)
            link = org.tracked_link(person("sentinel"), message(link=TARGET))
            assert click(place, link.url)
            eventually(lambda: org.interactions(message=link.message), within=60)

    def clicks_on_sent(self):
        return collections.Counter(item["recipient"] for item in self.at(0).interactions(
            message=self.sent.message, limit=1000))  # fmt: skip
