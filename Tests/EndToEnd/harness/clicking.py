"""Readers who keep clicking while something happens to the service, and the answers that they got."""

import itertools
import threading
import time

from . import tokens, wire


class Clicking:
    """Each link is clicked once; every answer must be the 302 to its target."""

    def __init__(self, service, links, readers=4, pause=0.002):
        self._service = service
        self._links = iter(links)
        self._lock = threading.Lock()
        self._pause = pause
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._read, daemon=True) for _ in range(readers)]
        self.surprises = []
        self.redirected = []  # (link, seconds it took), in the order of the answers

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind, *_):
        self._over.set()
        for thread in self._threads:
            thread.join(timeout=60)
            assert kind or not thread.is_alive()
        assert kind or self.surprises == []

    def until_more(self, count, within=30):
        """Returns when `count` more readers were redirected."""
        wanted = len(self.redirected) + count
        deadline = time.monotonic() + within
        while len(self.redirected) < wanted:
            assert self.surprises == []
            assert time.monotonic() < deadline, f"{len(self.redirected)} of {wanted} within {within} s"
            time.sleep(0.01)

    def _read(self):
        try:
            with wire.Connection(self._service.listen, timeout=60) as connection:
                while not self._over.is_set():
                    with self._lock:
                        (link,) = itertools.islice(self._links, 1)
                    start = time.monotonic()
                    connection.send(wire.request("GET", f"/r/{tokens.of_link(link)}", self._service.listen))
                    answer = connection.receive()
                    assert (answer.status, answer.header("Location")) == (302, "https://shop.example/followed")
                    self.redirected.append((link, time.monotonic() - start))
                    time.sleep(self._pause)
        except Exception as surprise:
            self.surprises.append(surprise)
