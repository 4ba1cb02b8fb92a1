"""Requests that keep a processor busy: everything else is answered while they run, and one organization's wait in turn
with those of others."""

import json
import socket
import threading

import httpx
import pytest

from harness import wire
from harness.client import message, person

# More than the machine has cores, so that nothing else would have a thread to itself.
AT_ONCE = 8
# Links in a text, each of which must be looked at; as many as a message may have.
HEAVY = " ".join(f"https://shop.example/{number}?" + "&amp;" * 20 for number in range(30_000))


class Heavy:
    """Requests under way whose answers nobody has got yet."""

    def __init__(self, org, count, body):
        self.answered = []
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._ask, args=(org, body), daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _ask(self, org, body):
        answer = httpx.post(
            f"{org.service.api}{org.path('/rewrites')}", content=body, timeout=300,
            headers={"Authorization": f"Bearer {org.key}", "Content-Type": "application/json"})
        with self._lock:
            self.answered.append(answer.status_code)

    def wait(self):
        for thread in self._threads:
            thread.join(timeout=300)
        return self.answered


def test_health_clicks_and_small_requests_of_others_do_not_wait_for_it(org, operator):
    made = org.make_message(message())["id"]
    other = operator.make()
    link = other.tracked_link()
    body = json.dumps({"messageId": made, "recipient": person(), "text": HEAVY}).encode()
    heavy = Heavy(org, AT_ONCE, body)
    while wire.ask(org.service.api_listen, "GET", "/readyz").status != 200:
        pass
    for _ in range(20):
        for address in (org.service.listen, org.service.api_listen):
            assert wire.ask(address, "GET", "/healthz").status == 200
        assert wire.follow(link.url).status == 302
        other.record(person(), "given")
    assert len(heavy.answered) < AT_ONCE, "everything else waited for the heavy requests"
    assert heavy.wait() == [200] * AT_ONCE


def test_beyond_the_bound_an_organization_is_told_to_come_back_and_others_are_served(org, operator):
    made = org.make_message(message())["id"]
    other = operator.make()
    stuck = []
    try:
        # Bodies that never end: each holds its place. There are 32; what comes beyond is refused.
        for _ in range(40):
            connection = socket.create_connection(tuple(org.service.api_listen.rsplit(":", 1)))
            connection.sendall(
                (f"POST {org.path('/rewrites')} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {org.key}\r\n"
                 "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{").encode())
            stuck.append(connection)
        large = {"messageId": made, "recipient": person(), "text": "x" * 100_000}
        answers = []
        for connection in stuck:
            connection.settimeout(0.2)
            try:
                answers.append(connection.recv(4096))
            except TimeoutError:
                pass  # It waits for the rest of its body.
        assert len(answers) == 8
        assert all(answer.startswith(b"HTTP/1.1 503 ") and b"\r\nRetry-After: " in answer for answer in answers)
        small = {"messageId": made, "recipient": person(), "text": "x"}
        assert org.call("POST", org.path("/rewrites"), small).status_code == 200, "small requests take no place"
        theirs = other.make_message(message())["id"]
        assert other.call("POST", other.path("/rewrites"), large | {"messageId": theirs}).status_code == 200
    finally:
        for connection in stuck:
            connection.close()
    for _ in range(1000):
        if org.call("POST", org.path("/rewrites"), large).status_code == 200:
            return
    pytest.fail("a broken connection keeps its place")
