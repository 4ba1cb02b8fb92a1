"""Several nodes on one PostgreSQL database."""

from conftest import run_to_the_end
from harness import postgres, times, tokens, wire
from harness.client import Operator, Organization, person
from harness.eventually import eventually
from harness.service import Service

TARGET = "https://shop.example/offer?a=1&b=2"


class Nodes:
    """Services on one database, of which the first makes the secrets that the others take over."""

    def __init__(self, folder, count, server=None):
        """`server`: one of the test's own, which it may end; else that of the run."""
        self.server = server or postgres.server()
        self.folder = folder
        self.database = self.server.database_for(str(folder))
        self.url = self.server.url(self.database)
        self.all = []
        self._endings = []
        for _ in range(count):
            self.add()

    def make(self, name, *, key=None, settings=None, url=None):
        folder = self.folder / name
        folder.mkdir(exist_ok=True)
        flags = ["--storage", url or self.url, "--node-name", name, "--public-url", "http://links.example"]
        if key:
            flags += ["--cluster-key", str(key)]
        service = Service(folder, flags=flags, settings=settings)
        service.flags += ["--peer-address", service.api]
        return service

    @property
    def key(self):
        return self.all[0].data / "cluster.key"

    def add(self, settings=None, url=None):
        """`url`: another way to the database."""
        node = self.make(
            f"links-{len(self.all) + 1}", key=self.key if self.all else None, settings=settings, url=url)
        ending = run_to_the_end(node)
        self._endings.append(ending)
        self.all.append(next(ending))
        return node

    def end(self):
        for ending in self._endings:
            next(ending, None)

    def organization(self, enforcement="restrictive"):
        """One organization, as each node has it."""
        made = Operator(self.all[0]).make(enforcement)
        return [Organization(node, made.id, made.key) for node in self.all]

    def psql(self, query):
        return self.server.psql(query, self.database)


def click(node, url):
    answer = wire.ask(node.listen, "GET", f"/r/{tokens.of_link(url)}")
    assert (answer.status, answer.header("Location")) == (302, TARGET)
    times.next_millisecond()


def clicks(orgs, link, through=()):
    """The clicks on a link that are recorded, once those of every node are visible.

    `through`: nodes that were clicked on besides those of `orgs`.
    """
    for org, node in [*((org, org.service) for org in orgs), *((orgs[0], node) for node in through)]:
        sentinel = org.tracked_link(person("sentinel"))
        click(node, sentinel.url)
        eventually(lambda: org.interactions(message=sentinel.message))
    return [seen for seen in orgs[0].interactions(message=link.message) if seen["recipient"] == link.recipient]
