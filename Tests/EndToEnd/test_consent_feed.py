"""The feed of consent changes: who keeps the cursor gets every record and erasure, exactly once, in order, on every node;
and who waits is told soon."""

import threading
import time

import httpx
import pytest

from harness import postgres, tokens, wire
from harness.client import assert_misfit, assert_problem, person
from harness.eventually import eventually
from harness.nodes import Nodes

RECORDS = 400


def page(org, after=None, **query):
    query |= {"after": after} if after else {}
    return org.expect(200, "GET", str(httpx.URL(org.path("/consents"), params=query))).json()


def follow(org, over, found, failures):
    """Keeps nothing but the cursor, as a backend does."""
    cursor = None
    while not over.is_set():
        try:
            read = page(org, cursor, limit=7, wait=1)
        except httpx.TransportError:
            time.sleep(0.02)  # The service is gone; it comes back.
            continue
        except Exception as failure:
            if "503" in str(failure):
                time.sleep(0.05)
                continue
            failures.append(failure)
            return
        found += read["changes"]
        cursor = read["cursor"]


class Waiting:
    """A request that waits, in a thread of its own."""

    def __init__(self, ask):
        self._answers = []
        self._thread = threading.Thread(target=lambda: self._answers.append(ask()))
        self._thread.start()

    @property
    def is_answered(self):
        return not self._thread.is_alive()

    def answer(self):
        self._thread.join()
        (answer,) = self._answers
        return answer


@pytest.fixture
def in_vain(operator):
    """A reader who waits for 30 seconds, for an organization in which nothing happens until the test has ended: who is
    answered before this one was not kept to the end of a wait."""
    quiet = operator.make("restrictive")
    cursor = page(quiet)["cursor"]
    waiting = Waiting(lambda: page(quiet, cursor, wait=30))
    yield waiting
    quiet.record(person(), "given")
    waiting.answer()


class TestWaiting:
    def test_a_change_is_told_to_a_reader_who_waits_before_the_wait_has_ended(self, org, in_vain):
        cursor = page(org)["cursor"]
        waiting = Waiting(lambda: page(org, cursor, wait=30))
        time.sleep(0.5)
        assert not waiting.is_answered
        recipient = person()
        org.record(recipient, "given")
        assert [change["consent"]["recipient"] for change in waiting.answer()["changes"]] == [recipient]
        assert not in_vain.is_answered

    def test_a_click_is_told_to_a_reader_who_waits(self, org, in_vain):
        link = org.tracked_link()
        waiting = Waiting(lambda: org.expect(200, "GET", org.path("/interactions?wait=30")).json())
        time.sleep(0.3)
        assert wire.follow(link.url).status == 302
        assert [click["recipient"] for click in waiting.answer()["interactions"]] == [link.recipient]
        assert not in_vain.is_answered

    def test_a_query_waits_too_and_ends_in_time_with_the_place_it_was_asked_from(self, org, in_vain):
        start = time.monotonic()
        body = {"wait": 1, "recipient": person()}
        answer = org.expect(200, "POST", org.path("/interactions/query"), body).json()
        assert answer["interactions"] == [] and 0.9 < time.monotonic() - start
        assert not in_vain.is_answered

    def test_a_service_that_is_stopped_answers_who_waits(self, own_service, own_org):
        waiting = Waiting(lambda: own_org.call("GET", own_org.path("/consents?wait=30")))
        time.sleep(0.5)
        own_service.stop()
        assert waiting.answer().status_code in (200, 503)

    def test_more_than_may_wait_are_refused_and_everybody_else_is_served(self, org):
        cursor = page(org)["cursor"]
        path = org.path(f"/consents?wait=3&after={cursor}")
        with httpx.Client(base_url=org.service.api, timeout=30, limits=httpx.Limits(max_connections=100)) as http:
            headers = {"Authorization": f"Bearer {org.key}"}
            answers = []

            def wait():
                answers.append(http.get(path, headers=headers))

            threads = [threading.Thread(target=wait) for _ in range(70)]
            for thread in threads:
                thread.start()
            refused = eventually(lambda: [answer for answer in answers if answer.status_code == 503])
            assert_problem(refused[0], 503)
            assert page(org)["cursor"] == cursor
            for thread in threads:
                thread.join()
        assert sum(answer.status_code == 200 for answer in answers) == 64


class TestErasure:
    def test_a_record_of_an_erased_person_names_nobody_and_the_erasure_neither(self, org):
        recipient, other = person("erased"), person("other")
        start = page(org)["cursor"]
        evidence = {"method": "form", "source": f"https://shop.example/?{recipient}"}
        org.record(recipient, "given", evidence=evidence)
        org.record(other, "given")
        before = page(org, start)["changes"]
        assert before[0]["consent"]["evidence"] == evidence
        counts = org.erase(recipient)
        after = page(org, start)
        assert [change["kind"] for change in after["changes"]] == [
            "consent.recorded", "consent.recorded", "recipient.erased",
        ]
        assert after["changes"][0]["consent"] == before[0]["consent"] | {"recipient": None, "evidence": None}
        assert after["changes"][1] == before[1]
        assert after["changes"][2]["erasure"] == counts
        assert recipient not in str(after)


class TestPlaces:
    @pytest.mark.parametrize("cursor", ["x", "e99999999", "p1", "r", "e1e"])
    def test_a_cursor_of_another_feed_or_behind_the_end_is_refused(self, org, cursor):
        assert_misfit(org.call("GET", org.path(f"/consents?after={cursor}")), "/after")

    def test_a_withdrawal_on_a_page_is_in_the_feed(self, org, service):
        link = org.tracked_link()
        cursor = page(org)["cursor"]
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": 0}
        answer = wire.ask(service.listen, "POST", f"/p/{tokens.of_link(link.url)}", headers)
        assert answer.status == 200
        (change,) = page(org, cursor)["changes"]
        assert (change["consent"]["recipient"], change["consent"]["state"]) == (link.recipient, "withdrawn")


@pytest.mark.crash
@pytest.mark.timeout(300)
def test_a_reader_gets_every_change_exactly_once_over_kill_9(own_service, own_org):
    found, failures, over = [], [], threading.Event()
    reader = threading.Thread(target=follow, args=(own_org, over, found, failures), daemon=True)
    reader.start()
    recorded = []
    for round in range(4):
        for number in range(RECORDS // 4):
            recorded.append(own_org.record(person(), "given")["id"])
        own_service.kill()
        own_service.start()
    eventually(lambda: len(found) >= len(recorded), within=20)
    over.set()
    reader.join(timeout=10)
    assert not failures, failures
    assert [change["consent"]["id"] for change in found] == recorded


@pytest.mark.skipif(not postgres.is_asked_for(), reason="nodes share a PostgreSQL database")
class TestNodes:
    def test_a_reader_at_one_node_gets_what_every_other_records(self, tmp_path):
        nodes = Nodes(tmp_path, 2)
        try:
            one, two = nodes.organization()[:2]
            found, failures, over = [], [], threading.Event()
            reader = threading.Thread(target=follow, args=(two, over, found, failures), daemon=True)
            reader.start()
            recorded = []
            for number in range(60):
                recorded.append((one if number % 3 else two).record(person(), "given")["id"])
            eventually(lambda: len(found) >= len(recorded))
            over.set()
            reader.join(timeout=10)
            assert not failures, failures
            assert [change["consent"]["id"] for change in found] == recorded
        finally:
            nodes.end()
