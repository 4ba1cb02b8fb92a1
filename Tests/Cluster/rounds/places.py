"""Nodes as the clients of the end-to-end suite see a service, and clients who go to any of them."""

import httpx
from harness import tokens, wire
from harness.client import Organization

TARGET = "https://shop.example/followed"


class Place:
    """A node. `folder` takes what is exported from it."""

    def __init__(self, node, folder):
        self.node = node
        self.folder = folder
        self.data = node.data
        self.api = node.api
        self.public = node.public
        self.listen = node.public.removeprefix("http://")
        # Whether it may redirect without recording, as while its disk is full.
        self.may_forget = False

    def __repr__(self):
        return self.node.name

    @property
    def operator_key(self):
        return self.node.operator_key

    @property
    def is_running(self):
        return self.node.is_running


class Roaming(Organization):
    """An organization whose requests go to any node, as a load balancer sends them: to the next where no connection can
    be made. A request that was sent may have had its effect, whatever became of the answer."""

    def __init__(self, places, made, random):
        super().__init__(places[0], made.id, made.key, made.made)
        self._places = places
        self._random = random
        self._clients = {place: httpx.Client(base_url=place.api, timeout=20) for place in places}

    def call(self, method, path, body=None, **more):
        places = self._random.sample(self._places, len(self._places))
        for place in places[:-1]:
            try:
                return self._at(place, method, path, body, **more)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return self._at(places[-1], method, path, body, **more)

    def _at(self, place, method, path, body, **more):
        self._http = self._clients[place]
        return super().call(method, path, body, **more)


def click(place, link, timeout=5):
    """Whether a node has redirected; it may be gone, and nothing else."""
    try:
        with wire.Connection(place.listen, timeout=timeout) as connection:
            connection.send(wire.request("GET", f"/r/{tokens.of_link(link)}", place.listen))
            answer = connection.receive()
    except (OSError, AssertionError):
        return False
    assert (answer.status, answer.header("Location")) == (302, TARGET), answer
    return True


def recorded_click(place, link):
    """Whether a node has redirected and so will record the click."""
    might_forget = place.may_forget
    return click(place, link) and not might_forget and not place.may_forget
