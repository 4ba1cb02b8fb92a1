"""People who withdraw on a cluster that nobody else uses, for tests of one situation."""

import random
import time

from harness.client import Operator, Organization, message, person
from harness.eventually import eventually

from checking import History, Person, violations

from .clients import Withdrawals
from .places import TARGET, Place, click
from .spools import Spools


class Scene:
    """One organization on a cluster that nobody else uses, and people who withdraw."""

    def __init__(self, cluster, folder):
        self.cluster = cluster
        self.places = [Place(node, folder) for node in cluster.nodes]
        self.made = Operator(self.places[0]).make("nonRestrictive")
        self.withdrawals = Withdrawals(self.at(0), random)
        self.spools = Spools(folder, cluster.nodes, [self.withdrawals.after])
        self._people = []

    def at(self, number):
        return Organization(self.places[number], self.made.id, self.made.key)

    def people(self, count):
        """New people, by whose name stands the link that nobody follows before the withdrawal."""
        people = [person("withdrawn") for _ in range(count)]
        composed = self.at(0).compose(people, message_id=self.withdrawals.after)
        self._people += [Person(who, self.withdrawals.before, self.withdrawals.after, 0, 0) for who in people]
        return {who: composed.link(who) for who in people}

    def settle(self):
        self.cluster.recover()
        self.cluster.wait_until_healthy(120)
        for number, place in enumerate(self.places):
            link = self.at(number).tracked_link(person("sentinel"), message(link=TARGET))
            assert click(place, link.url)
            eventually(lambda: self.at(0).interactions(message=link.message), within=60)
        time.sleep(0.1)

    def violations(self):
        interactions = self.withdrawals.interactions(self.at(0))
        sightings = self.spools.sightings()
        return violations(History(people=self._people, interactions=interactions, sightings=sightings))
