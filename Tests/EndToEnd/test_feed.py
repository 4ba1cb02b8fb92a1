"""The feed of interactions: who keeps the cursor gets everything that comes later, exactly once, whatever happens."""

import random
import threading
import time

import httpx
import pytest

from harness import tokens, wire
from harness.client import message, person
from harness.eventually import eventually

ROUNDS = 4
AUDIENCE = 3_000


class Reader:
    """Polls the feed with the cursor it was given last, as a backend does that keeps nothing else."""

    def __init__(self, org):
        self.org = org
        self.cursor = None
        self.read = []

    def poll(self):
        """One page; whether there was anything new."""
        after = f"&after={self.cursor}" if self.cursor else ""
        path = self.org.path(f"/interactions?type=PushLinkClicked&limit={random.choice([1, 7, 100, 1000])}{after}")
        page = self.org.expect(200, "GET", path).json()
        self.read += page["interactions"]
        self.cursor = page["cursor"]
        return bool(page["interactions"])

    def poll_until(self, over):
        while not over.is_set():
            try:
                self.poll()
            except httpx.TransportError:
                time.sleep(0.02)  # The service is gone; it comes back.


def test_the_cursor_of_an_empty_page_is_the_place_that_was_asked_from(org):
    start = org.expect(200, "GET", org.path("/interactions")).json()
    assert start["interactions"] == [] and start["next"] is None
    link = org.tracked_link()
    assert wire.follow(link.url).status == 302
    after = org.path(f"/interactions?after={start['cursor']}")
    page = eventually(lambda: (found := org.expect(200, "GET", after).json())["interactions"] and found)
    again = org.expect(200, "GET", org.path(f"/interactions?after={page['cursor']}")).json()
    assert again["interactions"] == []
    assert again["cursor"] == page["cursor"]


@pytest.mark.crash
@pytest.mark.timeout(600)
def test_a_reader_gets_every_click_exactly_once_over_kill_9(own_service, own_org):
    people = [person() for _ in range(AUDIENCE)]
    own_org.record_all([{"recipient": who, "state": "given"} for who in people])
    composed = own_org.compose(people, message())
    paths = [f"/r/{tokens.of_link(composed.link(who))}" for who in people]
    redirected = []  # Who got their 302, and so is recorded.
    over = threading.Event()
    reader = Reader(own_org)
    reading = threading.Thread(target=reader.poll_until, args=(over,), daemon=True)
    reading.start()

    def click(mine):
        """Clicks of one connection; ends when the service goes away. What it was doing then may be recorded."""
        try:
            with wire.Connection(own_service.listen) as connection:
                while mine:
                    who = mine.pop()
                    connection.send(wire.request("GET", paths[who], own_service.listen))
                    assert connection.receive().status == 302
                    redirected.append(who)
        except OSError:
            pass

    waiting = list(range(AUDIENCE))
    for number in range(ROUNDS):
        share = [[waiting.pop() for _ in range(AUDIENCE // ROUNDS // 3)] for _ in range(3)]
        before = len(redirected)
        threads = [threading.Thread(target=click, args=(mine,), daemon=True) for mine in share]
        for thread in threads:
            thread.start()
        eventually(lambda: len(redirected) >= before + random.randint(50, 400))
        own_service.kill()
        for thread in threads:
            thread.join(timeout=30)
            assert not thread.is_alive()
        assert len(redirected) > before
        own_service.start()

    # One more click, of somebody new: when it can be read, so can all before it.
    last = own_org.tracked_link()
    assert wire.follow(last.url).status == 302
    eventually(lambda: any(item["recipient"] == last.recipient for item in reader.read))
    over.set()
    reading.join(timeout=30)
    ids = [item["id"] for item in reader.read]
    assert len(ids) == len(set(ids))
    clicked = [item["recipient"] for item in reader.read]
    assert len(clicked) == len(set(clicked)), "a click was recorded twice"
    assert {people[who] for who in redirected} <= set(clicked)
    assert own_org.interactions(type="PushLinkClicked", limit=1000) == reader.read
