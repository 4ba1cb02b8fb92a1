"""Requests that keep a processor busy: everything else is answered while they run, and one organization's wait in turn
with those of others."""

import http.client
import json
import select
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx

from harness import wire
from harness.client import message, person
from harness.eventually import eventually

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


class Held:
    """An ordinary client's request whose body waits at its last byte."""

    def __init__(self, org, body, path="/rewrites"):
        self._rest = body[-1:]
        self._connection = http.client.HTTPConnection(org.service.api_listen, timeout=300)
        self._connection.putrequest("POST", org.path(path))
        headers = {"Content-Type": "application/json", "Content-Length": len(body), "Authorization": f"Bearer {org.key}"}
        for name, value in headers.items():
            self._connection.putheader(name, value)
        self._connection.endheaders(body[:-1])

    @property
    def is_answered(self):
        return select.select([self._connection.sock], [], [], 0)[0] != []

    def finish(self):
        """The answer, after the last byte where that is still asked for."""
        if not self.is_answered:
            self._connection.send(self._rest)
        answer = self._connection.getresponse()
        answer.read()
        return answer

    def close(self):
        self._connection.close()


def test_exactly_32_large_requests_of_an_organization_are_under_way_and_others_are_served(org, operator):
    made = org.make_message(message())["id"]
    other = operator.make()
    large = {"messageId": made, "recipient": person(), "text": "x" * 100_000}

    def ask():
        return org.call("POST", org.path("/rewrites"), large).status_code

    def compose(message_id, recipients=1):
        body = {"messageId": message_id, "recipients": [person() for _ in range(recipients)], "format": "email"}
        return org.call("POST", org.path("/payloads"), body)

    mail = org.make_message(message(html=f"<p>{'x' * 100_000}</p>"))["id"]
    held = [Held(org, json.dumps(large).encode()) for _ in range(40)]
    try:
        # None of them ends, so the first refusal tells that 32 are under way.
        refused = eventually(lambda: (found := [one for one in held if one.is_answered]) and len(found) >= 8 and found)
        answers = [one.finish() for one in refused]
        assert [(one.status, "retry-after" in one.headers) for one in answers] == [(503, True)] * 8
        held = [one for one in held if one not in refused]
        with ThreadPoolExecutor(8) as clients:
            assert {asked.result() for asked in [clients.submit(ask) for _ in range(8)]} == {503}
        small = {"messageId": made, "recipient": person(), "text": "x"}
        assert org.call("POST", org.path("/rewrites"), small).status_code == 200, "small requests take no place"
        assert compose(made).status_code == 200
        assert compose(made, recipients=100).status_code == 200
        assert compose(made, recipients=101).status_code == 503, "many recipients make a request large"
        assert compose(mail).status_code == 503, "a stored mail makes a request large"
        assert compose(mail).status_code == 503
        report = org.path(f"/messages/{made}/report")
        assert org.call("GET", report).status_code == 503, "a report reads a stored message and its links"
        theirs = other.make_message(message())["id"]
        assert other.call("POST", other.path("/rewrites"), large | {"messageId": theirs}).status_code == 200
        assert held.pop().finish().status == 200
        assert ask() == 200, "31 are under way"
        assert compose(mail).status_code == 200
        assert org.call("GET", report).status_code == 200
        assert [held.pop().finish().status for _ in range(16)] == [200] * 16
    finally:
        for one in held:
            one.close()

    def all_at_once():
        at_once = [Held(org, json.dumps(large).encode()) for _ in range(32)]
        return [one.finish().status for one in at_once]

    assert eventually(lambda: all_at_once() == [200] * 32), "a broken connection keeps its place"


def test_any_number_of_small_requests_to_compose_are_under_way(org):
    # A backend that sends to one recipient at a time, over many connections.
    body = {"messageId": org.make_message(message())["id"], "recipients": [person()], "format": "plain"}
    held = [Held(org, json.dumps(body).encode(), path="/payloads") for _ in range(100)]
    # As they are taken in order, the last is not refused because of those before it.
    assert [one.finish().status for one in reversed(held)] == [200] * 100


def test_a_small_request_that_names_a_large_message_is_a_large_one(org, operator):
    ana, other = person(), operator.make()
    org.record(ana, "given")
    small, mail = message(), message(html=f"<p>{'x' * 100_000}</p>")
    grown = message()
    ids = [org.make_message(one)["id"] for one in (small, mail, grown)]
    # It was small when it was asked for first.
    assert rewrite(org, ids[2], ana, "https://shop.example/first").status_code == 200
    many = " ".join(f"https://shop.example/{number}" for number in range(1_000))
    assert rewrite(org, ids[2], ana, many).status_code == 200
    large = {"messageId": ids[0], "recipient": ana, "text": "x" * 100_000}
    theirs = other.make_message(mail)["id"]
    grown_there = other.make_message(grown)["id"]
    other.record(ana, "given")
    assert rewrite(other, grown_there, ana, many).status_code == 200
    held = [Held(org, json.dumps(large).encode()) for _ in range(40)]
    try:
        refused = eventually(lambda: (found := [one for one in held if one.is_answered]) and len(found) >= 8 and found)
        assert [one.finish().status for one in refused] == [503] * 8
        # A message of another organization is none, however large it is.
        for one in (theirs, grown_there, f"{int(theirs, 16) + 1:x}"):
            assert rewrite(org, one, ana, "x").status_code == 422
            body = {"messageId": one, "recipients": [ana], "format": "email"}
            assert org.call("POST", org.path("/payloads"), body).status_code == 422
        held = [one for one in held if one not in refused]
        for _ in range(2):
            assert [rewrite(org, one, ana, "x").status_code for one in ids] == [200, 503, 503]
            assert [org.call("POST", org.path("/messages"), one).status_code for one in (small, grown)] == [200, 503]
        lines = [json.dumps(one) for one in ({"messageId": ids[0]}, {"recipient": ana, "text": "x"})]
        assert org.call("POST", org.path("/rewrites"), content="\n".join(lines), headers=LINES).status_code == 503
        # What was added to a message is not read to compose it.
        body = {"messageId": ids[2], "recipients": [ana], "format": "email"}
        assert org.call("POST", org.path("/payloads"), body).status_code == 200
        assert [one.finish().status for one in held] == [200] * 32
    finally:
        for one in held:
            one.close()


LINES = {"Content-Type": "application/x-ndjson"}


def rewrite(org, message_id, recipient, text):
    return org.call("POST", org.path("/rewrites"), {"messageId": message_id, "recipient": recipient, "text": text})
