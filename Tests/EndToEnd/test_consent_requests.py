"""Asking for consent over HTTP: scanners record nothing, an older answer never wins, a yes that must be confirmed counts
only from the recipient's own link, and what was confirmed to somebody survives `kill -9`.

    CRASH_ROUNDS=100 .venv/bin/pytest Tests/EndToEnd/test_consent_requests.py -k kill_9 -s
"""

import errno
import itertools
import os
import random
import threading
import time

import httpx
import pytest

from conftest import run_to_the_end
from harness import times, wire
from harness.client import Operator, assert_problem, person
from harness.eventually import eventually
from harness.faulty_disk import FaultyDisk
from harness.metrics import scrape
from harness.moving_clock import DAY, MovingClock

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
FORM = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}
ROUNDS = int(os.environ.get("CRASH_ROUNDS", 5))


def path_of(url):
    return "/c/" + url.rsplit("/", 1)[1]


def look(org, url, method="GET", headers=HTML):
    return wire.ask(org.service.listen, method, path_of(url), headers)


def press(org, url, answer="given", purpose="tracking", query="?lang=en", body=None):
    body = f"purpose={purpose}&answer={answer}".encode() if body is None else body
    return wire.ask(org.service.listen, "POST", path_of(url) + query, {**FORM, "Content-Length": len(body)}, body)


def states(org, recipient):
    return [record["state"] for record in org.consent(recipient)["history"]]


def in_force(org, recipient):
    current = org.consent(recipient)["current"]
    return current[0]["state"] if current else None


class TestOneRequest:
    @pytest.mark.parametrize(("answer", "said"), [("given", "You said yes"), ("refused", "You said no")])
    def test_is_answered_by_one_press_with_evidence(self, org, answer, said):
        recipient = person()
        request = org.ask_for_consent(recipient)
        page = press(org, request["url"], answer)
        assert page.status == 200 and said in page.body.decode()
        (record,) = org.consent(recipient)["history"]
        assert record["state"] == answer
        assert record["evidence"] == {
            "method": "consent-request",
            "notice": {name: request["notice"][name] for name in ("id", "version", "language", "sha256")},
            "actor": "subject",
            "language": "en",
        }
        told = org.consent_request(request["id"])
        assert told["state"] == "answered"
        assert told["purposes"][0]["consent"] == record["id"] and told["purposes"][0]["answer"] == answer

    def test_decides_what_is_tracked_from_then_on(self, org):
        recipient = person()
        request = org.ask_for_consent(recipient)
        assert not org.compose([recipient]).of(recipient)["tracked"]
        press(org, request["url"])
        assert org.compose([recipient]).of(recipient)["tracked"]
        press(org, request["url"], "refused")
        assert org.compose([recipient]).of(recipient)["decision"]["reason"] == "consentRefused"

    def test_is_asked_once_in_180_days(self, org):
        recipient = person()
        org.ask_for_consent(recipient)
        body = {"recipient": recipient, "notice": {"id": "n", "version": "1", "language": "en", "text": "Again?"}}
        problem = assert_problem(org.call("POST", org.path("/consent-requests"), body), 409)
        assert recipient not in str(problem)

    def test_may_be_asked_again_after_a_yes_and_not_after_a_no(self, org):
        for answer, status in (("given", 201), ("refused", 409)):
            recipient = person()
            press(org, org.ask_for_consent(recipient)["url"], answer)
            body = {"recipient": recipient, "notice": {"id": "n", "version": "2", "language": "en", "text": "New?"}}
            assert org.call("POST", org.path("/consent-requests"), body).status_code == status

    def test_is_answered_by_what_was_said_after_it(self, org):
        notice = {"id": "n", "version": "2", "language": "en", "text": "Again?"}
        for said_at, status in ((times.from_now(hours=-1), 409), (None, 201)):
            recipient = person()
            org.ask_for_consent(recipient)
            org.record(recipient, "given", **({"occurredAt": said_at} if said_at else {}))
            assert in_force(org, recipient) == "given"
            body = {"recipient": recipient, "notice": notice}
            assert org.call("POST", org.path("/consent-requests"), body).status_code == status

    @pytest.mark.embedded_storage_only  # its files are searched
    def test_of_an_erased_recipient_says_so_and_keeps_nothing(self, own_service, own_org):
        recipient = person()
        notice = {"id": "n", "version": "1", "language": "en", "text": "Dear Ana of Harbour Street, may we?"}
        request = own_org.ask_for_consent(recipient, notice=notice)
        assert own_service.files_with("Harbour Street") != set()
        own_org.erase(recipient)
        assert own_service.files_with("Harbour Street") == set()
        for answer in (look(own_org, request["url"]), press(own_org, request["url"])):
            assert answer.status == 410 and b"Nothing is known any more" in answer.body
        assert own_org.consent_request(request["id"])["recipient"] is None
        assert own_org.consent(recipient)["history"] == []


class TestScanners:
    """What opens every link of a mail, before a person does or instead of one."""

    HEADERS = [
        {},
        {"User-Agent": "Mozilla/5.0 (compatible; Barracuda Sentinel)"},
        {"Sec-Purpose": "prefetch"},
        {"X-Purpose": "preview"},
        {"Sec-GPC": "1"},
    ]

    def test_that_open_every_link_record_nothing(self, org):
        recipients = [person() for _ in range(40)]
        requests = [org.ask_for_consent(who, confirm=number % 2 == 0) for number, who in enumerate(recipients)]
        confirming = []
        for request in requests[::4]:
            press(org, request["url"])
            confirming.append(org.consent_request(request["id"])["confirmUrl"])
        before = [org.consent_request(request["id"]) for request in requests]
        for url in [*(request["url"] for request in requests), *confirming]:
            for method, headers in itertools.product(("GET", "HEAD"), self.HEADERS):
                assert look(org, url, method, HTML | headers).status == 200
        assert [org.consent_request(request["id"]) for request in requests] == before
        assert all(org.consent(who)["history"] == [] for who in recipients)

    @pytest.mark.parametrize(
        "body",
        [b"", b"List-Unsubscribe=One-Click", b"answer=given", b"purpose=tracking", b"{}", b"\xff\xfe", b"a=b&" * 5000],
        ids=["nothing", "one click", "no purpose", "no answer", "JSON", "no UTF-8", "20 KB"],
    )
    def test_that_post_something_record_nothing(self, org, body):
        recipient = person()
        request = org.ask_for_consent(recipient)
        assert press(org, request["url"], body=body).status == 422
        assert states(org, recipient) == []


class TestConfirming:
    def test_a_request_that_was_forwarded_records_nothing_until_the_recipients_own_link_is_pressed(self, org):
        recipient = person()
        request = org.ask_for_consent(recipient, confirm=True)
        assert request["confirmUrl"] is None
        stranger = request["url"]
        for _ in range(3):
            assert b"second message" in press(org, stranger).body
        assert states(org, recipient) == []
        told = org.consent_request(request["id"])
        assert told["state"] == "awaitingConfirmation"
        own = told["confirmUrl"]
        assert own != stranger
        # The first link with anything of the second, and the second looked at, are no confirmation.
        assert look(org, own).status == 200
        assert press(org, stranger).status == 200
        assert states(org, recipient) == []
        assert press(org, own, "refused").status == 200
        assert in_force(org, recipient) == "refused"
        press(org, stranger)
        assert in_force(org, recipient) == "refused", "a stranger cannot undo the recipient's no"

    def test_the_second_page_takes_a_no_only_to_what_was_answered_on_the_first(self, org):
        request = org.ask_for_consent(person(), purposes=["tracking", "news"], confirm=True)
        press(org, request["url"])
        own = org.consent_request(request["id"])["confirmUrl"]
        assert press(org, own, "refused", "news").status == 422
        assert press(org, own, "refused").status == 200
        assert press(org, request["url"], "refused", "news").status == 200

    def test_what_waits_is_listed_until_it_is_confirmed(self, own_org):
        requests = [own_org.ask_for_consent(person(), confirm=True) for _ in range(5)]
        list_of = own_org.path("/consent-requests?state=awaitingConfirmation")
        for request in (requests[2], requests[0]):
            press(own_org, request["url"])
        page = own_org.expect(200, "GET", list_of).json()
        assert [found["id"] for found in page["requests"]] == [requests[2]["id"], requests[0]["id"]]
        press(own_org, page["requests"][0]["confirmUrl"])
        press(own_org, requests[1]["url"])
        later = own_org.expect(200, "GET", f"{list_of}&after={page['cursor']}").json()
        assert [found["id"] for found in later["requests"]] == [requests[1]["id"]]
        assert later["next"] is None
        left = own_org.expect(200, "GET", list_of).json()["requests"]
        assert [found["id"] for found in left] == [requests[0]["id"], requests[1]["id"]]
        assert states(own_org, requests[2]["recipient"]) == ["given"]


class TestTheOlderAnswer:
    """In every order of a question, its answers, a newer question and a word from elsewhere."""

    def test_never_wins(self, org):
        events = ("yes", "no", "withdraw", "agree", "ask again")
        for order in itertools.permutations(events):
            recipient = person()
            old, new = org.ask_for_consent(recipient), None
            # What is in force, what the old page says, and whether a later word came from elsewhere.
            expected, own, is_closed = None, None, False
            for event in order:
                before = len(states(org, recipient))
                if event in ("yes", "no"):
                    answer = "given" if event == "yes" else "refused"
                    page = press(org, old["url"], answer)
                    # Nobody may have got the newer request: the yes of the old one can still be taken back.
                    counts = not is_closed and (new is None or (own, answer) == ("given", "refused"))
                    assert page.status == (200 if counts else 409), order
                    expected, own = (answer, answer) if counts else (expected, own)
                    assert len(states(org, recipient)) == before + counts, order
                elif event == "ask again":
                    # Only after a yes, so it is refused in most orders.
                    again = {"recipient": recipient, "notice": {"id": "n", "version": "9", "language": "en", "text": "?"}}
                    made = org.call("POST", org.path("/consent-requests"), again)
                    assert made.status_code == (201 if expected == "given" else 409), order
                    if made.status_code == 201:
                        new = made.json()
                else:
                    state = "withdrawn" if event == "withdraw" else "given"
                    org.record(recipient, state)
                    expected, is_closed = state, True
                assert in_force(org, recipient) == expected, order
            told = org.consent_request(old["id"])["purposes"][0]["closedBy"]
            assert told == ("laterAnswer" if is_closed else "newerRequest" if new else None), order

    def test_that_is_told_late_leaves_the_pages_own_yes_open_to_be_taken_back(self, org):
        recipient = person()
        request = org.ask_for_consent(recipient)
        press(org, request["url"])
        org.record(recipient, "refused", occurredAt="2020-01-01T00:00:00Z")
        assert in_force(org, recipient) == "given"
        page = press(org, request["url"], "refused")
        assert page.status == 200 and b"You said no" in page.body
        assert in_force(org, recipient) == "refused"

    def test_never_wins_while_the_clock_is_set_back_and_forth(self, start, tmp_path):
        clock = MovingClock(tmp_path)
        service = start(settings=clock.settings)
        org = Operator(service).make()
        for offset in (-DAY, 3_600_000, -3_600_000, 0):
            recipient = person()
            clock.set(0)
            request = org.ask_for_consent(recipient)
            clock.set(offset)
            org.record(recipient, "withdrawn")
            clock.set(-offset)
            assert press(org, request["url"]).status == 409, offset
            assert in_force(org, recipient) == "withdrawn", offset


class TestFaults:
    @pytest.mark.embedded_storage_only  # its disk is filled
    def test_an_answer_that_cannot_be_written_is_503_and_records_nothing(self, tmp_path):
        for service in run_to_the_end(FaultyDisk(tmp_path, file="consentlink.db")):
            org = Operator(service).make()
            recipient = person()
            request = org.ask_for_consent(recipient)
            service.fail("write", errno.ENOSPC)
            answer = press(org, request["url"])
            assert (answer.status, answer.header("Retry-After")) == (503, "2")
            assert look(org, request["url"]).status == 200, "it can still be read"
            service.heal()
            assert states(org, recipient) == []
            eventually(lambda: press(org, request["url"]).status == 200)
            assert states(org, recipient) == ["given"]

    @pytest.mark.crash
    @pytest.mark.timeout(600 + 20 * ROUNDS)
    def test_no_answer_that_was_confirmed_to_somebody_is_missing_after_kill_9(self, own_service):
        org = Operator(own_service).make()
        told = {}
        for number in range(1, ROUNDS + 1):
            waiting = [(who, org.ask_for_consent(who)["url"]) for who in (person() for _ in range(60))]
            before, over = len(told), threading.Event()

            def answer(mine):
                try:
                    for who, url in itertools.cycle(mine):
                        if over.is_set():
                            return
                        said = random.choice(["given", "refused"])
                        assert press(org, url, said).status == 200
                        told[who] = told.get(who, [])[-1:] + [said]
                except (httpx.TransportError, OSError, EOFError):
                    pass  # The service is gone: this answer was confirmed to nobody.

            threads = [threading.Thread(target=answer, args=(waiting[part::3],)) for part in range(3)]
            for thread in threads:
                thread.start()
            time.sleep(random.uniform(0.2, 0.8))
            own_service.kill()
            over.set()
            for thread in threads:
                thread.join(timeout=30)
                assert not thread.is_alive()
            assert len(told) > before, f"round {number} was ended before its work began"
            own_service.start()
            # The last answer may have been stored though its page was never sent.
            for who, _ in waiting:
                if who in told:
                    stored = states(org, who)
                    assert in_force(org, who) is not None
                    changes = [state for state, _ in itertools.groupby(stored)]
                    assert stored == changes, "the same answer twice is one record"
                    assert told[who][-1] in (stored[-1], *stored[-2:-1]), f"{told[who]} is not the end of {stored}"
        print(f"{len(told)} people were told in {ROUNDS} rounds what they answered")


class TestWhatIsSeen:
    def test_metrics_count_requests_and_answers(self, own_service, own_org):
        request = own_org.ask_for_consent(person())
        press(own_org, request["url"])
        press(own_org, request["url"])
        found = scrape(own_service)
        assert found.value("consentlink_consent_requests_total", outcome="made") == 1
        assert found.value("consentlink_consent_answers_total", outcome="given") == 1
        assert found.value("consentlink_consent_answers_total", outcome="repeated") == 1
        assert found.value("consentlink_consent_records_total", state="given") == 1

    def test_the_log_names_neither_the_recipient_nor_the_link(self, own_service, own_org):
        recipient = person()
        request = own_org.ask_for_consent(recipient)
        press(own_org, request["url"])
        text = own_service.log_text()
        assert recipient not in text and request["url"].rsplit("/", 1)[1] not in text
        assert recipient not in request["url"]

    def test_every_answer_is_proved_by_the_ledger(self, own_org):
        recipient = person()
        press(own_org, own_org.ask_for_consent(recipient)["url"])
        (record,) = own_org.consent(recipient)["history"]
        proof = own_org.expect(200, "GET", own_org.path(f"/consents/{record['id']}/proof"))
        assert proof.text

    def test_a_rotated_key_still_opens_and_a_retired_one_must_be_forced(self, own_service, own_org):
        operator = Operator(own_service)
        recipient = person()
        request = own_org.ask_for_consent(recipient)
        kid = operator.expect(200, "GET", "/v1/keyring").json()["keys"][0]["id"]
        operator.expect(201, "POST", "/v1/keyring/rotate")
        assert operator.call("POST", f"/v1/keyring/{kid}/retire", {"force": False}).status_code == 409
        assert look(own_org, request["url"]).status == 200
        assert own_org.consent_request(request["id"])["url"] != request["url"]
        operator.expect(204, "POST", f"/v1/keyring/{kid}/retire", {"force": True})
        assert look(own_org, request["url"]).status == 404
        assert look(own_org, own_org.consent_request(request["id"])["url"]).status == 200
