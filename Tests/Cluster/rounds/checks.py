"""Holds a world that has settled to what its clients were told."""

import random
from collections import Counter

from checking import History, violations
from checking.identifiers import in_order
from harness import tokens, wire
from harness.service import CommandLine

from .witness import tree_at

# For an export of ten million decisions, and its verification; seconds.
PATIENCE = 1800


class Checks:
    """Each looks at what came since the one before; the last one at everything."""

    def __init__(self, world):
        self._world = world
        self._since = {False: [], True: []}
        self._ids = 0  # how many of the bulk load's were looked at
        self._greatest = 0
        self._checkpoints = Counter()  # how many of each witness were looked at
        self.figures = Counter()

    def check(self, number, *, everything=False):
        """Everything that is wrong, in words. `number` chooses the nodes that are asked."""
        world = self._world
        found = [f"{world.bulk_made.id}: {text}" for text in violations(self._bulk(number, everything))]
        found += [f"{world.made.id}: {text}" for text in violations(self._mixed(number, everything))]
        found += self._clicks()
        found += self._consents(number)
        found += self._links()
        for bulk in (False, True) if everything else (False,):
            found += self._verify(number, bulk)
        return found

    def _verify(self, number, bulk):
        """As an auditor does, who had an export before. That of millions takes minutes, so there is one, at the end."""
        org, place = self._world.at(number, bulk=bulk), self._world.places[number % len(self._world.places)]
        file = place.folder / f"export-{bulk}-{number}"
        ledger = org.expect(200, "GET", org.path("/ledger")).json()
        command, since = CommandLine(place), self._since[bulk]
        service = ["--api", place.api, "--data", str(place.data)]
        for arguments in (
            ["audit", "export", "--org", org.id, "--output", str(file), *since, *service],
            ["verify", str(file), "--key", ledger["verifierKey"], *since],
        ):
            done = command.run(*arguments, timeout=PATIENCE)
            if done.returncode:
                return [f"{arguments[0]} at {place}: {done.stdout[-1000:]}{done.stderr[-1000:]}"]
        file.unlink()
        checkpoint = file.with_suffix(".checkpoint")
        checkpoint.write_text(org.expect(200, "GET", org.path("/ledger/checkpoint")).text)
        self._since[bulk] = ["--since", str(checkpoint)]
        return []

    def _bulk(self, number, everything):
        """Every request was answered: the ids are the same, and none more is stored."""
        world, stored = self._world, self._world.bulk_stored
        if everything:
            self._ids = self._greatest = 0
        acknowledged = in_order(world.bulk.acknowledged(self._ids))
        there = stored.ids("decisions", after=self._greatest)
        self._ids += len(acknowledged)
        self._greatest = max(there, default=self._greatest)
        self.figures["decisions"] = self._ids
        org = world.at(number, bulk=True)
        composed = sum(
            org.expect(200, "GET", org.path(f"/messages/{id}/report")).json()["composed"] for id in world.bulk_messages)
        counts = {"composed in the reports": (composed, self._ids), "leaves of decisions": (stored.leaves(), self._ids)}
        return History(acknowledged, there, counts=counts, **self._ledger(org, world.witnesses[True], everything))

    def _mixed(self, number, everything):
        world, stored = self._world, self._world.stored
        there = stored.ids("decisions")
        acknowledged = in_order(int(id, 16) for *_, id in world.ledger.decisions)
        # Some requests had no answer, and each was for people of its own.
        repeated = "SELECT 1 FROM decisions WHERE organization = {org} GROUP BY message, recipient HAVING count(*) > 1"
        counts = {
            "leaves of decisions": (stored.leaves(), len(there)),
            "people who were decided about twice": (stored.count(f"SELECT count(*) FROM ({repeated}) AS repeated"), 0),
        }
        org = world.at(number)
        feed = read = ()
        if everything:
            world.reader.read()
            read, feed = world.reader.seen, [item["id"] for item in org.interactions(limit=1000)]
        self.figures["interactions"] = len(feed)
        return History(
            acknowledged, there, unanswered=len(there), counts=counts, people=world.withdrawals.people,
            interactions=world.withdrawals.interactions(org), sightings=world.spools.sightings(), read=read, feed=feed,
            **self._ledger(org, world.witnesses[False], everything),
        )  # fmt: skip

    def _ledger(self, org, witness, everything):
        """The checkpoints that are new, and the last of those before, which stands for them all."""
        seen = witness.checkpoints
        # Asked for later, so it is not smaller.
        tree, size = tree_at(org)
        start = 0 if everything else max(0, self._checkpoints[witness] - 1)
        self._checkpoints[witness] = len(seen)
        return {"checkpoints": seen[start:], "tree": tree, "size": size}

    def _clicks(self):
        """On the message of the beginning, by its recipients."""
        ledger, recorded = self._world.ledger, self._world.clicks_on_sent()
        return [
            f"{who}: {ledger.redirected[link]} redirects, {ledger.asked[link]} requests, {recorded[who]} recorded"
            for link, who in self._world.links.items()
            if not ledger.redirected[link] <= recorded[who] <= ledger.asked[link]
        ]  # fmt: skip

    def _consents(self, number):
        """By their ids, and the history of the busiest and of some others."""
        world, ledger = self._world, self._world.ledger
        stored = set(world.stored.ids("consents"))
        lost = [id for _, id in ledger.consents if int(id, 16) not in stored]
        found = [f"{len(lost)} acknowledged consent records are lost, such as {lost[0]}"] if lost else []
        told = {}
        for recipient, id in ledger.consents:
            told.setdefault(recipient, []).append(id)
        busy = sorted(ledger.recorded, key=lambda recipient: -ledger.recorded[recipient])
        for recipient in busy[:20] + random.sample(busy, min(100, len(busy))):
            history = Counter(record["id"] for record in world.at(number).consent(recipient)["history"])
            if any(history[id] != 1 for id in told.get(recipient, ())) or history.total() > ledger.recorded[recipient]:
                found.append(f"{recipient}: {history} instead of {told.get(recipient)}")
        return found

    def _links(self):
        """Those that were handed out lead on, at every node."""
        links, found = self._world.ledger.links, []
        for link in random.sample(links, min(50, len(links))):
            place = random.choice(self._world.places)
            if wire.ask(place.listen, "HEAD", f"/r/{tokens.of_link(link)}").status != 302:
                found.append(f"{link} leads nowhere at {place}")
        return found
