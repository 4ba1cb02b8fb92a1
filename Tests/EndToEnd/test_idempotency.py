"""Idempotency-Key: a request that is sent again has its effect once and is answered the same."""

import json
import random
import threading
import uuid

import httpx
import pytest

from harness import times, wire
from harness.client import assert_problem, message, person, unique


def new_key():
    return f'"{uuid.uuid4()}"'


def consents(who=None):
    return "/consents", [{"recipient": who or person(), "state": "given"}, {"recipient": person(), "state": "refused"}]


def payloads(who=None, **content):
    recipients = [who or person(), person()]
    return "/payloads", {"message": message(**content), "format": "plain", "recipients": recipients}


def messages(_=None):
    return "/messages", message()


REQUESTS = pytest.mark.parametrize("make", [consents, payloads, messages], ids=lambda make: make.__name__)


def post(org, request, key=None, **headers):
    path, body = request
    return org.call("POST", org.path(path), body, headers=({"Idempotency-Key": key} if key else {}) | headers)


def test_a_consent_that_ended_while_it_was_recorded_is_answered_again(org):
    accepted = 0
    for number in range(200):
        ends = times.from_now(milliseconds=1 + number % 4)
        request, key = ("/consents", {"recipient": person(), "state": "given", "validUntil": ends}), new_key()
        first = post(org, request, key)
        if first.status_code == 201:
            accepted += 1
            assert_same(first, post(org, request, key))
    assert accepted > 20


def effects(org):
    """How much there is of what requests make, but for messages, of which equal ones are one anyway."""
    return len(org.decisions(limit=1000))


def assert_same(one, other):
    assert other.status_code == one.status_code, other.text
    assert other.content == one.content
    assert other.headers["content-type"] == one.headers["content-type"]


@REQUESTS
def test_a_request_sent_again_is_answered_the_same_and_makes_nothing_new(org, make):
    request, key = make(), new_key()
    first = post(org, request, key)
    assert first.status_code in (200, 201)
    before = effects(org)
    for _ in range(3):
        assert_same(first, post(org, request, key))
    assert effects(org) == before


def test_records_are_made_once(org):
    who, key = person(), new_key()
    request = consents(who)
    first = post(org, request, key)
    assert_same(first, post(org, request, key))
    assert len(org.consent(who)["history"]) == 1
    post(org, request)
    post(org, request, new_key())
    assert len(org.consent(who)["history"]) == 3


def test_an_answer_is_the_one_of_then(org):
    """A message that was found the first time is found again, and one that was made is answered with 201 again."""
    request, (one, other) = messages(), (new_key(), new_key())
    assert post(org, request, one).status_code == 201
    assert post(org, request, other).status_code == 200
    assert post(org, request, one).status_code == 201
    assert post(org, request, other).status_code == 200


def test_rules_that_have_changed_do_not_refuse_what_was_done(org):
    making, composing, (one, other) = messages(), payloads(), (new_key(), new_key())
    first = [post(org, making, one), post(org, composing, other)]
    org.set(targetHosts=["elsewhere.example"])
    assert_same(first[0], post(org, making, one))
    assert_same(first[1], post(org, composing, other))
    assert_problem(post(org, messages(), new_key()), 422)


@REQUESTS
def test_the_key_with_another_body_is_refused(org, make):
    key = new_key()
    first = make()
    assert post(org, first, key).is_success
    before = effects(org)
    assert_problem(post(org, make(), key), 422)
    assert effects(org) == before
    assert post(org, first, key).is_success


def test_the_key_is_one_of_path_and_credential(org, operator):
    key = new_key()
    other = org.with_scopes("compose", "consent")
    assert post(org, consents(), key).status_code == 201
    assert post(org, messages(), key).status_code == 201
    assert post(org, payloads(), key).status_code == 200
    assert post(other, messages(), key).status_code == 201
    assert post(operator.make(), messages(), key).status_code == 201
    who = person()
    for client in (org, other):
        assert post(client, consents(who), new_key()).status_code == 201
    assert len(org.consent(who)["history"]) == 2


@REQUESTS
def test_twenty_at_once_have_one_effect(org, make):
    who = person()
    request, key = make(who), new_key()
    answers = []
    start = threading.Barrier(20)

    def send():
        with httpx.Client(base_url=org.service.api, timeout=30) as http:
            start.wait()
            headers = {"Authorization": f"Bearer {org.key}", "Idempotency-Key": key}
            answers.append(http.post(org.path(request[0]), json=request[1], headers=headers))

    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    done = [answer for answer in answers if answer.is_success]
    assert len(answers) == 20 and done
    for answer in answers:
        if answer not in done:
            assert_problem(answer, 409)
    assert len({(answer.status_code, answer.content) for answer in done}) == 1
    assert len(org.consent(who)["history"]) == (1 if make is consents else 0)
    assert effects(org) == (2 if make is payloads else 0)


@pytest.mark.parametrize(
    "key",
    ["", '""', "bare", '"open', 'open"', '"a"b"', '"a" b', f'"{"a" * 256}"', '"\\a"', '"tab\there"', '"a";p=1', "'a'", '"é"'],
)
def test_a_key_that_is_no_string_of_1_to_255_bytes_is_refused_by_name(org, key):
    answer = org._http.request(
        "POST",
        org.path("/messages"),
        content=json.dumps(message()).encode(),
        headers=[
            (b"Authorization", f"Bearer {org.key}".encode()),
            (b"Content-Type", b"application/json"),
            (b"Idempotency-Key", key.encode()),
        ],
    )
    assert "Idempotency-Key" in assert_problem(answer, 422)["detail"]


@pytest.mark.parametrize("key", ['"a"', f'"{"a" * 255}"', '"say \\"no\\" \\\\"', '" "'])
def test_keys_that_are_strings_are_taken(org, key):
    request = messages()
    assert post(org, request, key).status_code == 201
    assert post(org, request, key).status_code == 201


def test_two_keys_are_refused(org):
    headers = [("Authorization", f"Bearer {org.key}"), ("Idempotency-Key", '"a"'), ("Idempotency-Key", '"b"')]
    answer = org._http.post(org.path("/messages"), json=message(), headers=headers)
    assert "Idempotency-Key" in assert_problem(answer, 422)["detail"]


def test_a_refusal_is_not_kept(org):
    key, who = new_key(), person()
    assert_problem(post(org, ("/consents", {"recipient": who, "state": "maybe"}), key), 422)
    assert_problem(post(org, ("/payloads", {"format": "plain"}), key), 422)
    assert post(org, ("/consents", {"recipient": who, "state": "given"}), key).status_code == 201
    assert post(org, payloads(), key).status_code == 200


def test_elsewhere_and_with_lines_the_header_is_ignored(org):
    who = person()
    for _ in range(2):
        org.record(who, "given")
        assert org.call("POST", org.path("/consents/query"), {"recipient": who}, headers={"Idempotency-Key": "bare"}).is_success
    line = json.dumps({"recipient": who, "state": "given"}).encode()
    headers = {"Content-Type": "application/x-ndjson", "Idempotency-Key": '"lines"'}
    for _ in range(2):
        assert org.call("POST", org.path("/consents"), content=line, headers=headers).status_code == 200
    assert len(org.consent(who)["history"]) == 4


class TestPayloads:
    def test_are_those_of_the_same_decisions_in_either_form(self, org):
        who, key = person(), new_key()
        org.record(who, "given")
        request = payloads(who)
        first = post(org, request, key)
        lines = post(org, request, key, Accept="application/x-ndjson")
        assert [json.loads(line) for line in lines.text.splitlines()] == first.json()["payloads"]
        assert lines.headers["consentlink-message"] == first.json()["message"]
        assert effects(org) == 2

    @pytest.mark.parametrize("state, reason", [("withdrawn", "consentWithdrawn"), ("revoked", "consentRevoked")])
    @pytest.mark.parametrize("type", ["application/json", "application/x-ndjson"])
    def test_of_somebody_who_withdrew_meanwhile_say_nothing_that_identifies_them(self, org, state, reason, type):
        who, key = person(), new_key()
        org.record(who, "given")
        request = payloads(who)
        first = post(org, request, key)
        org.record(who, state)
        answer = post(org, request, key, Accept=type)
        json_lines = type == "application/x-ndjson"
        again = [json.loads(line) for line in answer.text.splitlines()] if json_lines else answer.json()["payloads"]
        before = first.json()["payloads"]
        assert [entry["tracked"] for entry in again] == [False, False]
        assert again[0]["payload"] == again[1]["payload"] == before[1]["payload"]
        assert [entry["decision"] for entry in again] == [entry["decision"] for entry in before]
        assert [entry.get("ended") for entry in again] == [reason, None]
        assert effects(org) == 2
        assert wire.follow(before[0]["payload"]["link"]).status == 302
        org.settle()
        assert org.interactions(message=first.json()["message"]) == []

    def test_are_tracked_again_when_consent_is_given_again_and_never_when_they_were_not(self, org):
        who, silent, key = person(), person(), new_key()
        org.record(who, "given")
        request = "/payloads", {"message": message(), "format": "plain", "recipients": [who, silent]}
        first = post(org, request, key)
        org.record(who, "withdrawn")
        org.record(silent, "given")
        org.record(who, "given")
        assert_same(first, post(org, request, key))

    def test_follow_the_enforcement_of_now(self, org):
        key, request = new_key(), payloads()
        org.set(enforcement="nonRestrictive")
        assert [entry["tracked"] for entry in post(org, request, key).json()["payloads"]] == [True, True]
        org.set(enforcement="restrictive")
        again = post(org, request, key).json()["payloads"]
        assert [entry["tracked"] for entry in again] == [False, False]
        assert {entry["ended"] for entry in again} == {"noConsentRecord"}

    def test_of_somebody_erased_meanwhile_say_nothing_that_identifies_them(self, org):
        who, key = person(), new_key()
        org.record(who, "given")
        request = payloads(who)
        first = post(org, request, key).json()["payloads"]
        assert [entry["tracked"] for entry in first] == [True, False]
        org.erase(who)
        again = post(org, request, key).json()["payloads"]
        assert [entry["tracked"] for entry in again] == [False, False]
        assert again[0]["payload"] == again[1]["payload"] == first[1]["payload"]
        assert [entry["decision"] for entry in again] == [entry["decision"] for entry in first]
        assert again[0]["ended"] == "recipientErased"
        assert effects(org) == 2
        org.record(who, "given")
        assert post(org, request, key).json()["payloads"] == again


def test_a_rewrite_sent_again_asks_for_consent_again(org):
    who, key = person(), new_key()
    org.record(who, "given")
    made = org.make_message(message())
    source = '<p><a href="https://shop.example/new">new</a></p>'
    request = "/rewrites", {"messageId": made["id"], "recipient": who, "html": source}
    first = post(org, request, key)
    assert first.json()["tracked"] and first.json()["html"] != source
    assert_same(first, post(org, request, key))
    org.record(who, "withdrawn")
    again = post(org, request, key).json()
    assert (again["tracked"], again["html"], again["ended"]) == (False, source, "consentWithdrawn")
    assert again["decision"] == first.json()["decision"]
    assert effects(org) == 1


def test_spellings_of_a_path_are_one_path(org):
    who, key = person(), new_key()
    body = {"recipient": who, "state": "given"}
    headers = {"Authorization": f"Bearer {org.key}", "Idempotency-Key": key}
    tail = org.path("/consents")
    answers = [
        httpx.post(f"{org.service.api}{path}", json=body, headers=headers)
        for path in (tail, f"{tail}/", f"/{tail}", org.path("//consents"), f"{tail}?", f"{tail}//")
    ]
    for answer in answers:
        assert_same(answers[0], answer)
    assert len(org.consent(who)["history"]) == 1


class TestDurability:
    @REQUESTS
    def test_lasts_over_a_restart_and_kill_9(self, own_service, own_org, make):
        request, key = make(), new_key()
        first = post(own_org, request, key)
        own_service.kill()
        own_service.start()
        assert_same(first, post(own_org, request, key))
        own_service.restart()
        assert_same(first, post(own_org, request, key))
        assert effects(own_org) == (2 if make is payloads else 0)

    @pytest.mark.crash
    @pytest.mark.timeout(600)
    def test_kill_9_in_the_middle_never_leaves_an_effect_without_its_key(self, own_service, own_org):
        """Whatever was under way is sent again after the restart, as a client does that got no answer."""
        for _ in range(5):
            requests = [(new_key(), consents(person())) for _ in range(400)] + [
                (new_key(), payloads(person())) for _ in range(400)
            ]
            random.shuffle(requests)
            answered = {}

            def send(mine):
                try:
                    with httpx.Client(base_url=own_service.api, timeout=30) as http:
                        for key, (path, body) in mine:
                            headers = {"Authorization": f"Bearer {own_org.key}", "Idempotency-Key": key}
                            answer = http.post(own_org.path(path), json=body, headers=headers)
                            assert answer.is_success
                            answered[key] = answer.content
                            if len(answered) == end:
                                own_service.kill()
                except httpx.TransportError:
                    pass

            end = random.randint(20, 400)
            threads = [threading.Thread(target=send, args=(requests[number::4],)) for number in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(timeout=60)
            own_service.start()
            assert len(answered) >= end
            for key, (path, body) in requests:
                headers = {"Authorization": f"Bearer {own_org.key}", "Idempotency-Key": key}
                again = own_org._http.post(own_org.path(path), json=body, headers=headers)
                assert again.is_success
                assert answered.get(key, again.content) == again.content
            for _, (path, body) in random.sample(requests, 200):
                if path == "/consents":
                    assert len(own_org.consent(body[0]["recipient"])["history"]) == 1
                else:
                    assert len(own_org.query_decisions(recipient=body["recipients"][0])) == 1

    @pytest.mark.embedded_storage_only  # its files are searched
    def test_keeps_nothing_personal_and_no_credential(self, own_service, own_org):
        who, key = person("remembered"), f'"{unique("given-key")}"'
        asked = [(path, body) for path, body in (consents(who), payloads(who))]
        for request in asked:
            assert post(own_org, request, key).is_success
        assert own_service.files_with(own_org.key, key.strip('"')) == set()
        assert own_service.files_with(who) != set()
        own_org.erase(who)
        own_service.restart()
        assert own_service.files_with(who, own_org.key, key.strip('"')) == set()
        for request in asked:
            assert post(own_org, request, key).is_success
        assert own_service.files_with(who, own_org.key, key.strip('"')) == set()
        assert own_org.consent(who)["history"] == []
