"""Endpoints and the relay: every event arrives in order and signed, over `kill -9` of everybody, at nobody whom it must not
reach, and with no recipient left anywhere."""

import contextlib
import json
import os
import random
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from selenium.webdriver.common.by import By
from standardwebhooks.webhooks import Webhook, WebhookVerificationError
from svix.webhooks import Webhook as SvixWebhook
from svix.webhooks import WebhookVerificationError as SvixVerificationError

from conftest import run_to_the_end
from harness import postgres, times, tokens, wire
from harness.browsing import chromium
from harness.client import Operator, assert_misfit, assert_problem, person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.moving_clock import HOUR, MovingClock
from harness.nodes import Nodes
from harness.receiver import Receiver, parse
from harness.relay import Relay
from harness.service import Service, environment

CONSENT = ["consent.recorded", "recipient.erased"]
ROUNDS = int(os.environ.get("WEBHOOK_ROUNDS", "6"))
CHANGES = 100 * ROUNDS


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.stop()
    assert not receiver.failures, receiver.failures


@pytest.fixture
def relay(service, org, tmp_path):
    relay = Relay(service, tmp_path / "relaying", [org])
    relay.start()
    yield relay
    relay.end()


def make(org, receiver, kinds=CONSENT, include=("recipient",), url=None):
    """An endpoint of an organization, whose deliveries the receiver verifies."""
    body = {"url": url or receiver.url, "kinds": list(kinds), "include": list(include)}
    made = org.expect(201, "POST", org.path("/endpoints"), body).json()
    if receiver:
        receiver.secrets = [made["secret"]]
    return made


def endpoint(org, made):
    return org.expect(200, "GET", org.path(f"/endpoints/{made['id']}")).json()


def act(org, made, name, body=None):
    answer = org.expect((200, 202), "POST", org.path(f"/endpoints/{made['id']}/{name}"), body)
    return answer.json()


def attempts(org, made):
    return org.expect(200, "GET", org.path(f"/endpoints/{made['id']}/attempts")).json()["attempts"]


class TestDeliveries:
    def test_consents_and_erasures_arrive_in_order(self, org, relay, receiver):
        make(org, receiver)
        ana, bo = person("ana"), person("bo")
        org.record(ana, "given")
        eventually(lambda: len(receiver.deliveries) == 1)
        for state in ("withdrawn", "given"):
            org.record(bo, state)
        counts = org.erase(ana)
        eventually(lambda: len(receiver.events) == 4)
        assert receiver.states() == [(ana, "given"), (bo, "withdrawn"), (bo, "given")]
        erased = receiver.events[3]
        assert erased.kind == "recipient.erased"
        assert {name: erased.data[name] for name in counts} == counts
        assert ana not in erased.body.decode()

    def test_a_press_on_the_page_reaches_the_backend(self, org, service, relay, receiver):
        make(org, receiver)
        link = org.tracked_link()
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": 0}
        assert wire.ask(service.listen, "POST", f"/p/{tokens.of_link(link.url)}", headers).status == 200
        eventually(lambda: len(receiver.events) == 2)
        assert receiver.states() == [(link.recipient, "given"), (link.recipient, "withdrawn")]

    @pytest.mark.browser
    def test_one_press_in_a_browser_reaches_the_backend(self, org, service, relay, receiver, tmp_path):
        make(org, receiver)
        link = org.tracked_link()
        browser = chromium(tmp_path / "profile")
        try:
            browser.get(f"{service.public}/p/{tokens.of_link(link.url)}")
            browser.find_element(By.TAG_NAME, "button").click()
            eventually(lambda: len(receiver.events) == 2, within=30)
        finally:
            browser.quit()
        assert receiver.states() == [(link.recipient, "given"), (link.recipient, "withdrawn")]

    def test_without_being_asked_for_no_recipient_is_in_an_event_and_its_cursor_leads_to_it(self, org, relay, receiver):
        make(org, receiver, include=())
        who = person()
        org.record(who, "given")
        (delivery,) = eventually(lambda: receiver.events)
        assert "recipient" not in delivery.data and who not in delivery.body.decode()
        changes = org.expect(200, "GET", org.path("/consents?limit=1000")).json()["changes"]
        assert [it["consent"]["recipient"] for it in changes if it["cursor"] == delivery.data["cursor"]] == [who]

    def test_a_message_is_switched_off_and_interactions_ring_without_a_name(self, org, relay, receiver):
        make(org, receiver, ["message.disabled", "interactions.available"])
        links = [org.tracked_link() for _ in range(3)]
        for link in links:
            assert wire.follow(link.url).status == 302
        org.settle()
        assert org.expect(200, "POST", org.path(f"/messages/{links[0].message}/disable"), None).status_code == 200
        eventually(lambda: any(it.kind == "message.disabled" for it in receiver.events))
        bells = [it for it in receiver.events if it.kind == "interactions.available"]
        assert bells and all(set(it.data) == {"cursor"} for it in bells)
        last = org.expect(200, "GET", org.path("/interactions?limit=1000")).json()["cursor"]
        eventually(lambda: [it for it in receiver.events if it.data.get("cursor") == last])
        told = [it.data["cursor"] for it in receiver.events if it.kind == "interactions.available"]
        assert len(set(told)) == len(told), "a place is told once, and not for each reading of the events"

    def test_a_test_event_comes_and_a_replay_repeats_with_the_same_ids(self, org, relay, receiver):
        made = make(org, receiver)
        for _ in range(3):
            org.record(person(), "given")
        eventually(lambda: len(receiver.events) == 3)
        told = act(org, made, "test")["webhookId"]
        eventually(lambda: receiver.deliveries[-1].id == told)
        assert receiver.deliveries[-1].kind == "endpoint.test"
        before = [delivery.id for delivery in receiver.deliveries if delivery.kind == "consent.recorded"]
        act(org, made, "replay", {"after": made["cursor"]})
        eventually(lambda: len(receiver.deliveries) == 7)
        assert [delivery.id for delivery in receiver.deliveries[4:]] == before
        kept = eventually(lambda: len(found := attempts(org, made)) == 7 and found)
        assert [it["webhookId"] for it in kept] == [delivery.id for delivery in receiver.deliveries]
        assert all(it["status"] == 204 and it["reason"] is None for it in kept)


class TestSignatures:
    def test_others_verify_each_delivery_and_refuse_what_was_changed(self, org, relay, receiver):
        made = make(org, receiver)
        org.record(person(), "given")
        (delivery,) = eventually(lambda: receiver.deliveries)
        body, headers, secret = delivery.body, delivery.headers, made["secret"]
        assert headers["content-type"] == "application/cloudevents+json"
        for library, refusal in ((Webhook, WebhookVerificationError), (SvixWebhook, SvixVerificationError)):
            library(secret).verify(body, headers)
            for position in range(0, len(body), 17):
                changed = bytearray(body)
                changed[position] ^= 1
                with pytest.raises((refusal, UnicodeDecodeError)):
                    library(secret).verify(bytes(changed), headers)
            old = headers | {"webhook-timestamp": str(int(headers["webhook-timestamp"]) - 3600)}
            for wrong in (old, headers | {"webhook-id": "msg_other"}, headers | {"webhook-signature": "v1,AAAA"}):
                with pytest.raises(refusal):
                    library(secret).verify(body, wrong)
            with pytest.raises(refusal):
                library("whsec_" + "A" * 43 + "=").verify(body, headers)
        event = parse(delivery)
        assert event.get_type() == "consentlink.consent.recorded"
        assert event.get_source() == org.path()
        assert event.get_specversion() == "1.0"

    def test_after_a_rotation_both_secrets_verify_for_a_day(self, org, relay, receiver):
        made = make(org, receiver)
        rotated = act(org, made, "secret")
        assert rotated["secret"] != made["secret"] and rotated["formerSecretUntil"]
        receiver.secrets = [made["secret"], rotated["secret"]]
        org.record(person(), "given")
        (delivery,) = eventually(lambda: receiver.deliveries)
        assert len(delivery.headers["webhook-signature"].split(" ")) == 2
        listed = org.expect(200, "GET", org.path("/endpoints")).text
        assert "whsec_" not in listed


    @pytest.mark.embedded_storage_only  # the clock of the database's server is not moved
    def test_a_start_with_the_clock_years_ahead_keeps_no_endpoint_waiting_for_years(self, receiver, tmp_path):
        clock = MovingClock(tmp_path)
        for service in run_to_the_end(Service(tmp_path, settings=clock.settings)):
            org = Operator(service).make("restrictive")
            relay = Relay(service, tmp_path / "relaying", [org])
            made = make(org, receiver)
            receiver.answer = lambda _: (500, {}, b"")
            org.record(person(), "given")
            assert service.stop() == 0
            clock.set(10 * 365 * 24 * HOUR)
            service.start()
            relay.start()
            eventually(lambda: receiver.deliveries)
            relay.stop()
            assert service.stop() == 0
            clock.set(0)
            service.start()
            assert scrape(service).value("consentlink_clock_lead_seconds") == 0
            receiver.failures.clear()
            receiver.answer = lambda _: (204, {}, b"")
            before = len(receiver.deliveries)
            relay.start()
            eventually(lambda: len(receiver.deliveries) > before)
            shown = org.expect(200, "GET", org.path(f"/endpoints/{made['id']}")).json()
            # Null where nothing is due any more.
            due = shown["nextAttemptAt"]
            assert due is None or times.parse(due) < times.now() + timedelta(days=2)
            relay.end()


    @pytest.mark.embedded_storage_only  # the clock of the database's server is not moved
    def test_once_the_clock_is_right_again_a_receiver_that_checks_the_time_takes_what_comes(self, receiver, tmp_path):
        """Service time stays hours ahead then, and a signature that was timed by it would be refused."""
        clock = MovingClock(tmp_path)
        for service in run_to_the_end(Service(tmp_path, settings=clock.settings)):
            org = Operator(service).make("restrictive")
            relay = Relay(service, tmp_path / "relaying", [org])
            relay.start()
            make(org, receiver)
            clock.set(2 * HOUR)
            eventually(lambda: scrape(service).total("consentlink_clock_steps_total") >= 1)
            org.record(person(), "given")
            eventually(lambda: receiver.deliveries)
            assert len(receiver.failures) == 1, "two hours ahead of the receiver"
            receiver.failures.clear()
            clock.set(0)
            eventually(lambda: scrape(service).total("consentlink_clock_lead_seconds") > 3600)
            org.record(person(), "withdrawn")
            eventually(lambda: len(receiver.events) == 2)
            assert not receiver.failures, receiver.failures
            relay.end()


class TestFailures:
    @pytest.mark.parametrize(
        "answer, status",
        [((500, {}, b"no"), 500), ((302, {"Location": "http://127.0.0.1/"}, b""), 302), ((404, {}, b""), 404)],
    )
    def test_what_is_not_taken_is_a_failure_and_comes_again(self, org, relay, receiver, answer, status):
        made = make(org, receiver)
        receiver.answer = lambda delivery: answer
        org.record(person(), "given")
        failing = eventually(lambda: (it := endpoint(org, made))["failures"] and it)
        assert failing["failingSince"] and failing["nextAttemptAt"]
        receiver.answer = lambda delivery: (200, {}, b"")
        eventually(lambda: endpoint(org, made)["failures"] == 0)
        *failed, last = [it["status"] for it in attempts(org, made)]
        assert set(failed) == {status} and last == 200
        assert len(receiver.events) == 1

    def test_failures_in_a_row_hold_up_what_waits_behind_them_for_seconds_only(self, org, relay, receiver):
        made = make(org, receiver)
        receiver.answer = lambda delivery: (503 if len(receiver.deliveries) <= 2 else 204, {}, b"")
        who = [person() for _ in range(3)]
        for recipient in who:
            org.record(recipient, "given")
        eventually(lambda: len(receiver.events) == 3)
        assert [it["status"] for it in eventually(lambda: attempts(org, made))][:3] == [503, 503, 204]
        assert receiver.states() == [(recipient, "given") for recipient in who]

    def test_410_switches_it_off_and_the_others_are_told(self, org, service, relay, receiver):
        other = Receiver()
        try:
            made = make(org, receiver)
            make(org, other, ["endpoint.failing"])
            receiver.answer = lambda _: (410, {}, b"")
            org.record(person(), "given")
            (event,) = eventually(lambda: other.events)
            assert event.data == {"endpoint": made["id"], "state": "gone"}
            assert endpoint(org, made)["state"] == "gone" and endpoint(org, made)["nextAttemptAt"] is None
            receiver.answer = lambda _: (200, {}, b"")
            org.record(person(), "withdrawn")
            time.sleep(1)
            assert len(receiver.deliveries) == 1
            assert act(org, made, "enable")["state"] == "enabled"
            eventually(lambda: len(receiver.events) == 2)
        finally:
            other.stop()

    def test_endpoints_do_not_wait_for_each_other_and_a_dead_one_loses_nothing(self, org, relay, receiver):
        dead = Receiver()
        slow = make(org, dead)
        dead.stop()
        make(org, receiver)
        who = [person() for _ in range(5)]
        for recipient in who:
            org.record(recipient, "given")
        eventually(lambda: len(receiver.events) == 5, within=10)
        assert {it["reason"] for it in eventually(lambda: attempts(org, slow))} == {"cannotConnect"}
        act(org, slow, "disable")
        org.record(who[0], "withdrawn")
        dead.start()
        time.sleep(0.5)
        assert not dead.deliveries
        act(org, slow, "enable")
        eventually(lambda: len(dead.events) == 6)
        assert dead.states() == [(recipient, "given") for recipient in who] + [(who[0], "withdrawn")]
        dead.stop()


def test_an_endpoint_that_cannot_be_read_is_named_and_stops_no_other_one(own_service, own_org, receiver, tmp_path):
    broken = make(own_org, None, url="https://crm.example/hooks")
    kept = make(own_org, receiver)
    own_org.record(person(), "given")
    assert own_service.stop() == 0
    own_service.change(f"UPDATE endpoints SET url = 'ftp://x' WHERE id = {int(broken['id'], 16)}")
    own_service.start()
    eventually(lambda: f'"endpoint":"{broken["id"]}"' in own_service.log.read_text())
    assert scrape(own_service).total("consentlink_webhook_lag_seconds") > 0, "no relay runs yet"
    relay = Relay(own_service, tmp_path / "relaying", [own_org])
    relay.start()
    eventually(lambda: receiver.events)
    relay.end()
    assert own_org.call("GET", own_org.path("/endpoints")).status_code == 503
    eventually(lambda: f"endpoint {broken['id']} has a value that cannot be read" in own_service.log.read_text())
    own_org.expect(204, "DELETE", own_org.path(f"/endpoints/{broken['id']}"))
    left = own_org.expect(200, "GET", own_org.path("/endpoints")).json()["endpoints"]
    assert [it["id"] for it in left] == [kept["id"]]


def test_events_of_their_own_go_once_nobody_will_be_sent_them_and_no_number_comes_again(
    own_service, own_org, receiver, tmp_path
):
    def numbers():
        return [int(number) for (number,) in own_service.stored("SELECT number FROM endpoint_events ORDER BY number")]

    message = own_org.tracked_link().message

    def switch_off(times):
        for _ in range(times):
            for act in ("disable", "enable"):
                own_org.expect(200, "POST", own_org.path(f"/messages/{message}/{act}"), None)

    removed = make(own_org, None, ["message.disabled"], url="https://crm.example/hooks")
    switch_off(5)
    made = numbers()
    assert len(made) == 5
    own_org.expect(204, "DELETE", own_org.path(f"/endpoints/{removed['id']}"))
    assert numbers() == made[-1:]
    kept = make(own_org, receiver, ["message.disabled"])
    switch_off(3)
    waiting = numbers()
    assert len(waiting) == 3 and waiting[0] > made[-1]
    relay = Relay(own_service, tmp_path / "relaying", [own_org])
    relay.start()
    eventually(lambda: len(attempts(own_org, kept)) == 3)
    relay.end()
    act(own_org, kept, "test")
    assert len(numbers()) == 1 and numbers()[0] > waiting[-1]


def test_one_test_event_waits_at_a_time(org, receiver, service, tmp_path):
    made = make(org, receiver)
    told = [act(org, made, "test")["webhookId"] for _ in range(4)]
    assert len(set(told)) == 1
    relay = Relay(service, tmp_path / "relaying", [org])
    relay.start()
    eventually(lambda: attempts(org, made))
    assert act(org, made, "test")["webhookId"] != told[0]
    eventually(lambda: len(attempts(org, made)) == 2)
    relay.end()


def test_an_erasure_behind_thousands_of_records_is_taken_by_the_first_request(org):
    make(org, None, ["recipient.erased"], include=(), url="https://crm.example/")
    people = [person() for _ in range(5000)]
    for start in range(0, len(people), 1000):
        org.record_all(
            [{"recipient": it, "purpose": "tracking", "state": "given"} for it in people[start : start + 1000]])
    org.erase(people[0])
    relay = {"id": "relay-0123456789abcdef", "process": "process-0123456789"}
    take = org.path("/deliveries/take")
    (taken,) = org.with_scopes("deliver").expect(200, "POST", take, {"relay": relay}).json()["deliveries"]
    assert json.loads(taken["body"])["type"] == "consentlink.recipient.erased"


def self_signed(folder, name):
    """A certificate for one name, which is its own authority."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.pem",
         "-days", "2", "-subj", f"/CN={name}", "-addext", f"subjectAltName=DNS:{name}"],
        cwd=folder, check=True, capture_output=True)  # fmt: skip


class TestWhereItMayConnect:
    #: Targets that must not be reached, and the reason that stands among the attempts.
    HOSTILE = {
        "https://127.0.0.1:{port}/": "addressNotAllowed",
        "https://localhost:{port}/": "addressNotAllowed",
        "https://[::1]:{port}/": "addressNotAllowed",
        "https://[::ffff:7f00:1]:{port}/": "addressNotAllowed",
        "https://[64:ff9b::7f00:1]:{port}/": "addressNotAllowed",
        "https://10.0.0.1/": "addressNotAllowed",
        "https://100.64.0.1/": "addressNotAllowed",
        "https://169.254.169.254/latest/": "addressNotAllowed",
        "https://[fd00::1]/": "addressNotAllowed",
        "https://[fe80::1]/": "addressNotAllowed",
        "http://127.0.0.1:{port}/": "notSecure",
        "http://localhost:{port}/": "notSecure",
        "https://no-such-host.invalid/": "noAddress",
    }

    def test_hostile_targets_are_not_connected_to_and_the_attempts_say_why(self, service, operator, tmp_path):
        org = operator.make()
        relay = Relay(service, tmp_path / "strict", [org], allow=())
        with socket.create_server(("127.0.0.1", 0)) as trap:
            trap.settimeout(0.5)
            port = trap.getsockname()[1]
            made = {make(org, None, url=url.format(port=port))["id"]: reason for url, reason in self.HOSTILE.items()}
            org.record(person(), "given")
            relay.start()
            for id, reason in made.items():
                first = eventually(lambda: attempts(org, {"id": id}))[0]
                assert (first["status"], first["reason"]) == (None, reason)
            with pytest.raises(TimeoutError):
                trap.accept()
        relay.end()

    @pytest.mark.parametrize(
        ("name", "is_trusted", "reason"),
        [("localhost", True, None), ("localhost", False, "tls"), ("other.example", True, "tls")],
    )
    def test_over_tls_the_name_is_told_and_the_certificate_must_be_for_it(
        self, service, operator, tmp_path, name, is_trusted, reason
    ):
        """`localhost` is allowed by name; everything else about the connection is as for any host."""
        self_signed(tmp_path, name)
        context, told = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), []
        context.load_cert_chain(tmp_path / "server.pem", tmp_path / "server.key")
        context.sni_callback = lambda connection, asked, context: told.append(asked)
        org = operator.make()
        receiver = Receiver(host="localhost", tls=context)
        trust = ["--trust", tmp_path / "server.pem"] if is_trusted else []
        relay = Relay(service, tmp_path / "relaying", [org], allow=["localhost"], flags=map(str, trust))
        try:
            made = make(org, receiver)
            who = person()
            org.record(who, "given")
            relay.start()
            first = eventually(lambda: attempts(org, made))[0]
            assert told[0] == "localhost"
            if reason is None:
                assert first["status"] == 204 and receiver.states() == [(who, "given")]
                assert receiver.deliveries[0].headers["host"] == f"localhost:{receiver.port}"
                assert not receiver.failures
            else:
                assert (first["status"], first["reason"]) == (None, reason)
                assert receiver.deliveries == []
        finally:
            relay.end()
            receiver.stop()

    def test_a_receiver_that_does_not_answer_the_end_of_tls_gets_its_events_without_a_pause(
        self, service, operator, tmp_path
    ):
        self_signed(tmp_path, "localhost")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(tmp_path / "server.pem", tmp_path / "server.key")
        kept = []

        def serve(sock):
            with contextlib.suppress(OSError):
                while True:
                    connection = context.wrap_socket(sock.accept()[0], server_side=True)
                    kept.append(connection)
                    connection.recv(65536)
                    connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        org = operator.make()
        flags = ["--trust", str(tmp_path / "server.pem")]
        relay = Relay(service, tmp_path / "relaying", [org], allow=["localhost"], flags=flags)
        with socket.create_server(("127.0.0.1", 0)) as sock:
            made = make(org, None, url=f"https://localhost:{sock.getsockname()[1]}/")
            threading.Thread(target=serve, args=(sock,), daemon=True).start()
            for _ in range(3):
                org.record(person(), "given")
            relay.start()
            eventually(lambda: len(attempts(org, made)) == 3)
            # The end of TLS is waited for 5 seconds.
            assert [it["status"] for it in attempts(org, made) if it["milliseconds"] < 5000] == [204] * 3
        relay.end()
        for connection in kept:
            connection.close()

    def test_answers_that_are_slow_or_endless_are_given_up(self, org, relay):
        def serve(sock, respond):
            connection, _ = sock.accept()
            with connection:
                connection.recv(65536)
                try:
                    respond(connection)
                except OSError:
                    pass

        def endless(connection):
            connection.sendall(b"HTTP/1.1 500 Oops\r\nTransfer-Encoding: chunked\r\n\r\n")
            while True:
                connection.sendall(b"1000\r\n" + b"x" * 4096 + b"\r\n")

        with socket.create_server(("127.0.0.1", 0)) as sock:
            made = make(org, None, url=f"http://127.0.0.1:{sock.getsockname()[1]}/")
            threading.Thread(target=serve, args=(sock, endless), daemon=True).start()
            org.record(person(), "given")
            assert eventually(lambda: attempts(org, made))[0]["reason"] == "answerTooLong"

    @pytest.mark.parametrize(
        "url",
        [
            "ftp://crm.example/", "https://user:pw@crm.example/", "https://crm.example/#x", "https://CRM.example/",
            "https://a.example:0/", "https://0x7f.1/", "https://2130706433/", "https://127.1/", "//crm.example/", "javascript:alert(1)", "",
        ],
    )
    def test_a_url_that_is_none_is_refused(self, org, url):
        body = {"url": url, "kinds": CONSENT}
        assert_misfit(org.call("POST", org.path("/endpoints"), body), "/url")


class TestErasure:
    def test_after_an_erasure_no_file_has_a_byte_of_the_person_with_deliveries_pending(self, start, tmp_path):
        service = start()
        org = Operator(service).make()
        receiver = Receiver()
        made = make(org, receiver)
        receiver.stop()
        relay = Relay(service, tmp_path / "relaying", [org])
        relay.start()
        who, other = person("erased"), person("other")
        org.record(who, "given", evidence={"method": "form", "source": f"https://shop.example/?{who}"})
        org.record(other, "given")
        eventually(lambda: attempts(org, made))
        org.erase(who)
        assert relay.files_with(who) == set()
        if not postgres.is_asked_for():
            assert service.files_with(who) == set()
        receiver.start()
        act(org, made, "enable")
        eventually(lambda: len(receiver.events) == 3, within=15)
        assert receiver.states() == [(None, "given"), (other, "given")]
        assert who not in "".join(it.body.decode() for it in receiver.deliveries)
        relay.end()
        assert relay.files_with(who) == set()
        receiver.stop()
        assert not receiver.failures


class TestWhileAnAttemptHangs:
    """The endpoint gets another URL, so its event is due there at once; the relay has it and must wait."""

    @pytest.fixture
    def made(self, org, relay, receiver):
        release = threading.Event()

        def hang(sock):
            connection, _ = sock.accept()
            with connection:
                connection.recv(65536)
                begun.set()
                release.wait(14)

        begun = threading.Event()
        with socket.create_server(("127.0.0.1", 0)) as sock:
            threading.Thread(target=hang, args=(sock,), daemon=True).start()
            made = make(org, receiver, url=f"http://127.0.0.1:{sock.getsockname()[1]}/")
            made["release"] = release
            made["recipient"] = person("erased")
            org.record(made["recipient"], "given")
            assert begun.wait(10)
            org.expect(200, "PATCH", org.path(f"/endpoints/{made['id']}"), {"url": receiver.url})
            time.sleep(1)
            yield made
            release.set()

    def test_who_is_erased_meanwhile_is_not_named(self, org, receiver, made):
        org.erase(made["recipient"])
        made["release"].set()
        eventually(lambda: len(receiver.events) == 2)
        assert receiver.states() == [(None, "given")]
        assert made["recipient"] not in "".join(it.body.decode() for it in receiver.deliveries)

    def test_nothing_comes_after_its_deletion(self, org, relay, receiver, made):
        org.expect(204, "DELETE", org.path(f"/endpoints/{made['id']}"))
        made["release"].set()
        eventually(lambda: "its endpoint was changed" in relay.log.read_text())
        assert not receiver.deliveries


def test_a_body_is_not_older_than_the_connection_that_takes_long_to_open(org, relay):
    """A listener whose queue is full takes no connection; the relay tries again for 5 seconds."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen(0)
        waiting = [socket.socket() for _ in range(3)]
        for it in waiting:
            it.setblocking(False)
            it.connect_ex(sock.getsockname())
        time.sleep(0.3)
        make(org, None, url=f"http://127.0.0.1:{sock.getsockname()[1]}/hooks")
        who = person("erased")
        org.record(who, "given")
        time.sleep(1.2)
        org.erase(who)
        bodies = []

        def serve():
            while True:
                try:
                    connection, _ = sock.accept()
                except OSError:
                    return  # The test is over.
                with connection, contextlib.suppress(OSError):
                    connection.settimeout(10)
                    bodies.append(connection.recv(65536))
                    connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")

        for it in waiting:
            it.close()
        threading.Thread(target=serve, daemon=True).start()
        eventually(lambda: any(b"recipient.erased" in it for it in bodies), within=20)
        assert who.encode() not in b"".join(bodies)


class TestWhoMay:
    def test_recipients_are_sent_by_who_may_read_them_alone(self, org):
        manager = org.with_scopes("manage")
        body = {"url": "https://crm.example/", "kinds": CONSENT, "include": ["recipient"]}
        assert_problem(manager.call("POST", org.path("/endpoints"), body), 403)
        made = manager.expect(201, "POST", org.path("/endpoints"), body | {"include": []}).json()
        path = org.path(f"/endpoints/{made['id']}")
        assert_problem(manager.call("PATCH", path, {"include": ["recipient"]}), 403)
        org.expect(200, "PATCH", path, {"include": ["recipient"]})
        assert_problem(manager.call("PATCH", path, {"url": "https://evil.example/"}), 403)
        assert_problem(manager.call("PATCH", path, {"kinds": ["recipient.erased"]}), 403)
        assert_problem(manager.call("POST", f"{path}/replay", {"after": "0"}), 403)
        assert manager.expect(200, "GET", path).json()["kinds"] == CONSENT
        for act in ("disable", "enable", "test", "secret"):
            manager.expect((200, 202), "POST", f"{path}/{act}")
        changed = manager.expect(200, "PATCH", path, {"kinds": ["recipient.erased"], "include": []}).json()
        assert (changed["kinds"], changed["include"]) == (["recipient.erased"], [])
        manager.expect(200, "POST", f"{path}/replay", {"after": "0"})

    def test_a_relay_reports_its_own_deliveries_alone(self, org):
        made = make(org, None, url="https://crm.example/")
        key = org.with_scopes("deliver")
        one = {"id": "relay-0123456789abcdef", "process": "process-0123456789"}
        two = {"id": "relay-ffffffffffffffff", "process": "process-0123456789"}
        org.record(person(), "given")
        taken = key.expect(200, "POST", org.path("/deliveries/take"), {"relay": one}).json()["deliveries"]
        assert [it["endpoint"] for it in taken] == [made["id"]]
        assert key.expect(200, "POST", org.path("/deliveries/take"), {"relay": two}).json()["deliveries"] == []
        report = {"relay": two, "delivery": taken[0]["delivery"], "status": 200, "milliseconds": 1}
        assert_problem(key.call("POST", org.path("/deliveries/report"), report), 409)
        assert key.expect(200, "POST", org.path("/deliveries/report"), report | {"relay": one}).json()["next"] is None
        assert_problem(key.call("POST", org.path("/deliveries/report"), report | {"relay": one}), 409)
        for wrong in ({"relay": {"id": "x", "process": "y"}}, {"relay": one, "limit": 17}, {}):
            assert_problem(key.call("POST", org.path("/deliveries/take"), wrong), 422)


class TestTheProcess:
    def test_says_which_organization_a_line_is_about(self, org, service, tmp_path):
        relay = Relay(service, tmp_path / "relaying", [org])
        relay.keys.write_text(relay.keys.read_text() + f"other-org clk_{'A' * 43}\n")
        relay.start()
        lines = eventually(
            lambda: [it for it in map(json.loads, relay.log.read_text().splitlines()) if "refuses" in str(it)]
        )
        assert [it["organization"] for it in lines] == ["other-org"]
        relay.end()

    def test_takes_as_many_open_files_as_it_may_have(self, org, service, tmp_path):
        relay = Relay(service, tmp_path / "relaying", [org], prefix=("prlimit", "--nofile=100:4096", "--"))
        relay.start()
        limits = Path(f"/proc/{relay.process.pid}/limits").read_text()
        assert re.search(r"Max open files\s+4096\s+4096", limits)
        relay.end()

    def test_many_organizations_need_no_threads_of_their_own(self, org, service, tmp_path):
        relay = Relay(service, tmp_path / "relaying", [org])
        relay.keys.write_text("".join(f"org{number} clk_{number:040d}\n" for number in range(400)))
        relay.start()
        status = dict(
            line.split(":\t", 1) for line in Path(f"/proc/{relay.process.pid}/status").read_text().splitlines()
        )
        assert int(status["Threads"]) < 100
        relay.end()

    @pytest.mark.parametrize("certificates", ["true", "mkdir /etc/ssl/certs"])
    def test_on_a_machine_that_trusts_no_authority_it_needs_certificates_of_its_own(
        self, service, org, tmp_path, certificates
    ):
        """As in an image without the package ca-certificates."""
        script = f'mount --make-rprivate / && mount -t tmpfs none /etc/ssl && {certificates} && exec "$@"'
        relay = Relay(service, tmp_path / "relaying", [org], prefix=("unshare", "--mount", "sh", "-c", script, "sh"))
        done = subprocess.run(relay.command, capture_output=True, text=True, env=environment(), timeout=20)
        assert (done.returncode, done.stdout) == (1, ""), done
        assert "ca-certificates" in done.stderr
        self_signed(tmp_path, "localhost")
        relay.flags += ["--trust", str(tmp_path / "server.pem")]
        relay.start()
        relay.end()

    def test_a_second_relay_cannot_use_the_folder_and_wrong_flags_are_named(self, service, org, relay, tmp_path):
        second = subprocess.run(relay.command, capture_output=True, text=True, env=environment(), timeout=20)
        assert second.returncode == 3 and "in use" in second.stderr
        loose = tmp_path / "loose"
        loose.write_text(relay.keys.read_text())
        loose.chmod(0o644)
        command = [str(loose) if part == str(relay.keys) else part for part in relay.command]
        refused = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=20)
        assert refused.returncode == 2 and "--keys" in refused.stderr
        # Newer versions of systemd give a credential to its user by an access control list, whose mask shows as the mode
        # of the group.
        loose.chmod(0o440)
        again = subprocess.run(command, capture_output=True, text=True, env=environment(), timeout=20)
        assert again.returncode == 3 and "in use" in again.stderr
        assert sorted(file.name for file in relay.data.iterdir()) == ["lock", "relay.id"]

    def test_something_else_that_answers_in_the_place_of_the_service_is_asked_now_and_then_and_told(self, org, tmp_path):
        """Such as a proxy with a page of its own: a relay that took that for `nothing is due` would ask without end."""
        asked = []

        class Page(BaseHTTPRequestHandler):
            def do_POST(self):
                asked.append(self.path)
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(200)
                self.send_header("Content-Length", "13")
                self.end_headers()
                self.wfile.write(b"<html></html>")

            def log_message(self, *_):
                pass

        other = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        threading.Thread(target=other.serve_forever, daemon=True).start()
        relay = Relay(SimpleNamespace(api=f"http://127.0.0.1:{other.server_port}"), tmp_path / "elsewhere", [org])
        relay.start()
        try:
            eventually(lambda: "the service does not answer" in relay.log.read_text())
            eventually(lambda: len(asked) >= 3)
            # Between the first ones it waits for 0.1, 0.5, 1 and 2 seconds.
            assert len(asked) < 20
        finally:
            relay.end()
            other.shutdown()

    def test_the_metrics_say_how_endpoints_are(self, service, org, relay, receiver):
        make(org, receiver)
        org.record(person(), "given")
        eventually(lambda: receiver.events)

        def text():
            return httpx.get(f"{service.api}/metrics").text

        eventually(lambda: re.search(r'consentlink_webhook_attempts_total\{outcome="delivered"\} [1-9]', text()))
        assert 'consentlink_webhook_endpoints{state="failing"}' in text()

    def test_the_oldest_event_is_seen_while_its_endpoint_pauses(self, own_service, own_org, receiver, tmp_path):
        def waits():
            metrics = scrape(own_service)
            names = ("consentlink_webhook_oldest_event_age_seconds", "consentlink_webhook_lag_seconds")
            return [metrics.value(name) > 0 for name in names]

        made = make(own_org, receiver)
        receiver.answer = lambda _: (503, {"Retry-After": "3600"}, b"")
        relay = Relay(own_service, tmp_path / "relaying", [own_org])
        relay.start()
        try:
            assert waits() == [False, False]
            own_org.record(person(), "given")
            eventually(lambda: endpoint(own_org, made)["failures"])
            # The service reads it twice a minute.
            eventually(lambda: waits() == [True, False], within=60)
            assert len(receiver.deliveries) == 1
            receiver.answer = lambda _: (204, {}, b"")
            act(own_org, made, "enable")
            eventually(lambda: waits() == [False, False], within=60)
        finally:
            relay.end()


@pytest.mark.crash
@pytest.mark.timeout(3000)
def test_every_change_arrives_in_order_over_kill_9_of_everybody(own_service, own_org, tmp_path):
    receiver = Receiver()
    make(own_org, receiver)
    relay = Relay(own_service, tmp_path / "relaying", [own_org])
    relay.start()
    recorded = []
    for round in range(ROUNDS):
        victim = (relay, own_service, receiver)[round % 3]

        def end():
            time.sleep(random.uniform(0, 0.4))
            victim.stop() if victim is receiver else victim.kill()

        ending = threading.Thread(target=end)
        ending.start()
        for number in range(CHANGES // ROUNDS):
            recipient = f"r{round}-{number}@people.example"
            while True:
                try:
                    answer = own_org.call(
                        "POST", own_org.path("/consents"), {"recipient": recipient, "state": "given"},
                        headers={"Idempotency-Key": f'"{recipient}"'},
                    )
                    if answer.status_code == 201:
                        break
                except httpx.TransportError:
                    ending.join()
                    if not own_service.is_running:
                        own_service.start()
                time.sleep(0.02)
            recorded.append(recipient)
        ending.join()
        if victim is own_service:
            if not own_service.is_running:
                own_service.start()
        else:
            victim.start()
            if victim is receiver:
                # It failed while it was away; its pause is not what is tested.
                for made in own_org.expect(200, "GET", own_org.path("/endpoints")).json()["endpoints"]:
                    act(own_org, made, "enable")
    eventually(lambda: len(receiver.events) >= len(recorded), within=120)
    assert [it.data["recipient"] for it in receiver.events] == recorded, "in order, none missing"
    assert not receiver.failures, receiver.failures[:3]
    last = person()
    own_org.record(last, "given")
    eventually(lambda: receiver.deliveries[-1].data.get("recipient") == last)
    relay.end()
    receiver.stop()


@pytest.mark.skipif(not postgres.is_asked_for(), reason="nodes share a PostgreSQL database")
def test_two_relays_at_two_nodes_share_an_endpoint_and_deliver_each_event_once(tmp_path):
    nodes = Nodes(tmp_path, 2)
    receiver = Receiver()
    try:
        orgs = nodes.organization()
        make(orgs[0], receiver)
        relays = [Relay(org.service, tmp_path / f"relay-{index}", [org]) for index, org in enumerate(orgs)]
        for relay in relays:
            relay.start()
        people = [person() for _ in range(60)]
        for index, who in enumerate(people):
            orgs[index % 2].record(who, "given")
        eventually(lambda: len(receiver.events) == len(people))
        assert [it.data["recipient"] for it in receiver.events] == people
        assert len(receiver.deliveries) == len(people)
        relays[0].end()
        last = person()
        orgs[0].record(last, "given")
        eventually(lambda: receiver.deliveries[-1].data["recipient"] == last, within=35)
        relays[1].end()
    finally:
        receiver.stop()
        nodes.end()
    assert not receiver.failures


@pytest.mark.embedded_storage_only  # the data folder is put back whole
def test_what_gets_the_place_of_a_lost_change_is_neither_passed_over_nor_taken_for_it(own_service, receiver, tmp_path):
    """A folder was put back: a withdrawal gets the index in the feed that a record had which is lost now."""
    service, org = own_service, Operator(own_service).make("nonRestrictive")
    relay = Relay(service, tmp_path / "relaying", [org])
    make(org, receiver)
    org.record(person("kept"), "given")
    assert service.stop() == 0
    old = tmp_path / "old"
    shutil.copytree(service.data, old)
    service.start()
    relay.start()
    ana, bo = person("ana"), person("bo")
    org.record(bo, "given")
    eventually(lambda: len(receiver.events) == 2)
    cursor = org.expect(200, "GET", org.path("/consents")).json()["cursor"]
    relay.end()
    service.kill()
    shutil.rmtree(service.data)
    shutil.copytree(old, service.data)

    service.start()
    assert org.expect(200, "GET", org.path("/consents")).json()["cursor"] != cursor
    assert_misfit(org.call("GET", org.path(f"/consents?after={cursor}")), "/after")
    org.record(ana, "withdrawn")
    # Inside the feed again, and behind another change.
    now = org.expect(200, "GET", org.path("/consents")).json()["cursor"]
    assert now.split(".")[0] == cursor.split(".")[0] and now != cursor
    assert_misfit(org.call("GET", org.path(f"/consents?after={cursor}")), "/after")
    relay.start()
    eventually(lambda: (ana, "withdrawn") in receiver.states())
    relay.end()
    lost, new = (next(it for it in receiver.events if it.data["recipient"] == who) for who in (bo, ana))
    assert (lost.data["cursor"], new.data["cursor"]) == (cursor, now)
    assert new.id != lost.id and new.event["id"] != lost.event["id"]
