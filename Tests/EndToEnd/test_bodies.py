"""Bodies: what is no JSON, no UTF-8, of another type or does not fit is refused with a pointer, and changes nothing."""

import gzip
import json
import re
import socket

import pytest

from harness import times, wire
from harness.client import assert_misfit, assert_problem, message, person, unique
from harness.contract import PRIVATE, document, operations
from harness.raw import held_back

ENDPOINTS = [
    ("POST", "/v1/orgs"),
    ("PATCH", ""),
    ("POST", "/keys"),
    ("POST", "/consents"),
    ("POST", "/consents/query"),
    ("POST", "/consent-requests"),
    ("POST", "/consent-requests/query"),
    ("POST", "/recipients/erase"),
    ("POST", "/recipients/export"),
    ("POST", "/endpoints"),
    ("POST", "/deliveries/take"),
    ("POST", "/deliveries/renew"),
    ("POST", "/deliveries/report"),
    ("POST", "/messages"),
    ("POST", "/payloads"),
    ("POST", "/rewrites"),
    ("POST", "/accesses/query"),
    ("POST", "/decisions/query"),
    ("POST", "/interactions/query"),
]


# Those whose bodies may be large: 16 MiB, or 512 KiB for the hosts of an organization; the others take 64 KiB.
LARGE = [
    *(("POST", path) for path in ("/consents", "/messages", "/payloads", "/rewrites")),
    ("POST", "/v1/orgs"), ("PATCH", ""),
]  # fmt: skip


def named(endpoint):
    return f"{endpoint[0]} {endpoint[1] or '(the organization)'}"


def send(operator, org, endpoint, content, headers=None):
    method, tail = endpoint
    path = tail if tail.startswith("/v1") else org.path(tail)
    return operator.call(method, path, content=content, headers=headers)


NOT_JSON = {
    "nothing": b"",
    "white space": b" \n",
    "an open object": b'{"recipient":"a"',
    "an open string": b'{"recipient":"a',
    "a missing value": b'{"recipient":}',
    "a trailing comma": b'{"recipient":"a",}',
    "a single quote": b"{'recipient':'a'}",
    "a bare word": b"recipient",
    "a second value": b'{"recipient":"a"} {}',
    "a comment": b'{"recipient":"a"} // b',
    "not a number": b'{"recipient":NaN}',
    "a number with a leading zero": b'{"recipient":01}',
    "a control character in a string": b'{"recipient":"a\x01b"}',
    "an unknown escape": b'{"recipient":"\\x41"}',
}

NOT_UTF8 = {
    "a stray byte": b'{"recipient":"\xff"}',
    "a cut sequence": b'{"recipient":"\xc3"}',
    "an overlong sequence": b'{"recipient":"\xc0\xaf"}',
    "an encoded surrogate": b'{"recipient":"\xed\xa0\x80"}',
    "Latin-1": '{"recipient":"é"}'.encode("latin-1"),
    "UTF-16": '{"recipient":"a"}'.encode("utf-16"),
}


# A body that fits, for each.
GOOD = {
    "/v1/orgs": {"id": "x", "name": "X", "enforcement": "restrictive"},
    "/keys": {"scopes": ["read"], "name": "k"},
    "/consents": {"recipient": "someone@people.example", "state": "given"},
    "/consents/query": {"recipient": "someone@people.example"},
    "/consent-requests": {
        "recipient": "someone@people.example",
        "notice": {"id": "privacy", "version": "3", "language": "en", "text": "May we?"},
    },
    "/consent-requests/query": {"recipient": "someone@people.example"},
    "/recipients/erase": {"recipient": "someone@people.example"},
    "/recipients/export": {"recipient": "someone@people.example"},
    "/endpoints": {"url": "https://crm.example/", "kinds": ["consent.recorded"]},
    "/deliveries/take": {"relay": {"id": "relay-0123456789abcdef", "process": "process-0123456789"}},
    "/deliveries/renew": {
        "relay": {"id": "relay-0123456789abcdef", "process": "process-0123456789"},
        "delivery": "AAAA",
    },
    "/deliveries/report": {
        "relay": {"id": "relay-0123456789abcdef", "process": "process-0123456789"},
        "delivery": "AAAA",
        "status": 200,
        "milliseconds": 1,
    },
    "/messages": {"name": "m", "link": "https://shop.example/"},
    "/payloads": {
        "message": {"name": "m", "link": "https://shop.example/"},
        "format": "dynamics365",
        "platform": "ios",
        "recipients": ["someone@people.example"],
    },
    "/rewrites": {"messageId": "0123456789abcdef", "recipient": "someone@people.example", "html": "", "text": ""},
    "/accesses/query": {"recipient": "someone@people.example"},
    "/decisions/query": {"recipient": "someone@people.example"},
    "/interactions/query": {"recipient": "someone@people.example"},
    "": {},
}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=named)
class TestEveryEndpoint:
    @pytest.mark.parametrize("kind", NOT_JSON)
    def test_refuses_what_is_not_json(self, operator, org, endpoint, kind):
        assert_problem(send(operator, org, endpoint, NOT_JSON[kind]), 400)

    @pytest.mark.parametrize("kind", NOT_UTF8)
    def test_refuses_what_is_not_utf_8(self, operator, org, endpoint, kind):
        assert_problem(send(operator, org, endpoint, NOT_UTF8[kind]), 400)

    @pytest.mark.parametrize("opening", [b"[", b'{"a":'], ids=["arrays", "objects"])
    def test_refuses_ten_thousand_levels(self, operator, org, endpoint, opening):
        assert_problem(send(operator, org, endpoint, opening * 10_000), 400)
        closing = {b"[": b"]", b'{"a":': b"}"}[opening]
        assert_problem(send(operator, org, endpoint, opening * 10_000 + b"1" + closing * 10_000), 400)

    @pytest.mark.parametrize("opening", [b"[", b'{"a":'], ids=["arrays", "objects"])
    def test_refuses_a_hundred_thousand_levels(self, operator, org, endpoint, opening):
        """Where a body is small by nature, because of its size."""
        status = 400 if endpoint in LARGE else 413
        assert_problem(send(operator, org, endpoint, opening * 100_000), status)

    @pytest.mark.parametrize("type", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
    def test_refuses_another_type(self, operator, org, endpoint, type):
        content = b'{"recipient":"somebody"}'
        answer = send(operator, org, endpoint, content, {"Content-Type": type})
        assert_problem(answer, 415)
        assert "application/json" in answer.json()["detail"]
        takes_lines = endpoint[1] in ("/consents", "/payloads", "/rewrites")
        assert ("application/x-ndjson" in answer.json()["detail"]) == takes_lines

    @pytest.mark.parametrize("coding", ["gzip", "identity, BR"])
    def test_refuses_a_compressed_one(self, operator, org, endpoint, coding):
        answer = send(operator, org, endpoint, gzip.compress(b"{}"), {"Content-Encoding": coding})
        assert_problem(answer, 415)
        assert answer.headers["accept-encoding"] == "identity"

    @pytest.mark.parametrize("content", [b"1", b'"text"', b"null", b"true"])
    def test_refuses_what_is_no_object(self, operator, org, endpoint, content):
        assert_problem(send(operator, org, endpoint, content), 422)

    def test_refuses_a_member_that_it_does_not_know(self, operator, org, endpoint):
        content = json.dumps(GOOD[endpoint[1]] | {"x/y~z": 1}).encode()
        assert_misfit(send(operator, org, endpoint, content), "/x~1y~0z")

    def test_refuses_a_member_that_is_there_twice(self, operator, org, endpoint):
        assert_misfit(send(operator, org, endpoint, b'{"recipient":"a","recipient":"a"}'), "/recipient")

    @pytest.mark.parametrize("half", ["\\ud800", "\\udc00", "\\ud800\\u0041", "\\udc00\\ud800"])
    def test_refuses_half_a_surrogate_pair(self, operator, org, endpoint, half):
        assert_problem(send(operator, org, endpoint, f'{{"recipient":"{half}"}}'.encode()), 400)

    def test_takes_its_largest_body_and_no_byte_more(self, operator, org, endpoint):
        """16 MiB where bodies hold many recipients or a mail, 512 KiB where they hold hosts, 64 KiB elsewhere."""
        sizes = dict.fromkeys(("/consents", "/messages", "/payloads", "/rewrites"), 16 << 20)
        sizes |= dict.fromkeys(("/v1/orgs", ""), 512 << 10)
        largest = sizes.get(endpoint[1], 64 << 10)
        # White space, so that the size alone is what is wrong.
        fits = json.dumps({"x": 1}).encode().ljust(largest)
        assert_misfit(send(operator, org, endpoint, fits), "/x")
        assert_problem(send(operator, org, endpoint, fits + b" "), 413)

    def test_goes_on_after_all_of_that(self, operator, org, endpoint):
        assert operator.call("GET", "/healthz").status_code == 200
        recipient = person()
        org.record(recipient, "given")
        assert org.consent(recipient)["current"][0]["state"] == "given"


# Operations that need a key and have no body in docs/openapi.yaml.
BODILESS = [
    (method.upper(), path)
    for listeners, path, method, operation in operations(document())
    if PRIVATE in listeners and "requestBody" not in operation and operation.get("security") != []
]


def test_there_are_operations_of_each_method_that_take_no_body():
    assert {method for method, _ in BODILESS} == {"GET", "POST", "DELETE"}


@pytest.mark.parametrize("endpoint", BODILESS, ids=named)
class TestWhereNoBodyIsTaken:
    @pytest.mark.parametrize("content", [b'{"force":true}', b"[{}]", b"[null]", b"{}[]", b"nul", b"0", b"false", b'""', b"limit=1"])
    def test_one_that_says_something_is_refused(self, operator, org, endpoint, content):
        """Also where there is nothing under the ids of the path."""
        method, path = endpoint
        real = re.sub(r"\{\w+\}", "1", path.replace("{org}", org.id))
        assert_misfit(operator.call(method, real, content=content), "")
        assert_misfit(operator.call(method, real, content=iter([content[:1], content[1:]])), "")

    @pytest.mark.parametrize("content", [b"", b"{}", b" {\n} ", b"[]", b"[ ]\r\n", b"null", b"\tnull\n"])
    def test_one_that_says_nothing_is_taken(self, operator, org, endpoint, content):
        method, path = endpoint
        real = re.sub(r"\{\w+\}", "1", path.replace("{org}", org.id))
        assert "takes no body" not in operator.call(method, real, content=content).text


# Where, which member is changed to what, and what the answer points to.
MISFITS = [
    ("/v1/orgs", {"id": 1}, "/id"),
    ("/v1/orgs", {"id": ""}, "/id"),
    ("/v1/orgs", {"id": "a b"}, "/id"),
    ("/v1/orgs", {"id": "ä"}, "/id"),
    ("/v1/orgs", {"id": "x" * 65}, "/id"),
    ("/v1/orgs", {"name": ["X"]}, "/name"),
    ("/v1/orgs", {"enforcement": "disabled"}, "/enforcement"),
    ("/v1/orgs", {"enforcement": True}, "/enforcement"),
    ("", {"enforcement": "disabled"}, "/enforcement"),
    ("", {"honorGPC": "yes"}, "/honorGPC"),
    ("", {"honorGPC": 1}, "/honorGPC"),
    ("", {"retention": 30}, "/retention"),
    ("", {"retention": {"interactionsDays": 0}}, "/retention/interactionsDays"),
    ("", {"retention": {"decisionsDays": 36501}}, "/retention/decisionsDays"),
    ("", {"retention": {"decisionsDays": "30"}}, "/retention/decisionsDays"),
    ("", {"retention": {"decisionDays": 30}}, "/retention/decisionDays"),
    ("", {"retention": {"decisionsDays": "for ever"}}, "/retention/decisionsDays"),
    ("/v1/orgs", {"retention": "forever"}, "/retention"),
    ("/v1/orgs", {"retention": {"interactionsDays": "always"}}, "/retention/interactionsDays"),
    ("/v1/orgs", {"requireEvidence": 1}, "/requireEvidence"),
    ("", {"requireEvidence": "no"}, "/requireEvidence"),
    ("/v1/orgs", {"askAgainAfterDays": 179}, "/askAgainAfterDays"),
    ("", {"askAgainAfterDays": 3651}, "/askAgainAfterDays"),
    ("/consent-requests", {"purposes": []}, "/purposes"),
    ("/consent-requests", {"purposes": ["a", "a"]}, "/purposes"),
    ("/consent-requests", {"notice": {"id": "n", "version": "1", "language": "en"}}, "/notice/text"),
    ("/consent-requests/query", {"recipient": ""}, "/recipient"),
    ("", {"targetHosts": "shop.example"}, "/targetHosts"),
    ("", {"targetHosts": ["shop.example", 1]}, "/targetHosts/1"),
    ("", {"targetHosts": ["https://shop.example"]}, "/targetHosts/0"),
    ("", {"targetHosts": [""]}, "/targetHosts/0"),
    ("", {"name": 5}, "/name"),
    ("/keys", {"scopes": "read"}, "/scopes"),
    ("/keys", {"scopes": []}, "/scopes"),
    ("/keys", {"scopes": ["read", "write"]}, "/scopes/1"),
    ("/keys", {"scopes": ["operator"]}, "/scopes/0"),
    ("/keys", {"name": 1}, "/name"),
    ("/consents", {"recipient": ""}, "/recipient"),
    ("/consents", {"recipient": "a" * 257}, "/recipient"),
    ("/consents", {"recipient": "é" * 129}, "/recipient"),
    ("/consents", {"recipient": "a\u0000b"}, "/recipient"),
    ("/consents", {"recipient": "a\nb"}, "/recipient"),
    ("/consents", {"recipient": "a\u007fb"}, "/recipient"),
    ("/consents", {"recipient": 7}, "/recipient"),
    ("/consents", {"recipient": ["a"]}, "/recipient"),
    ("/consents", {"state": "maybe"}, "/state"),
    ("/consents", {"state": "expired"}, "/state"),
    ("/consents", {"state": "Given"}, "/state"),
    ("/consents", {"state": 1}, "/state"),
    ("/consents", {"purpose": ""}, "/purpose"),
    ("/consents", {"purpose": "Tracking"}, "/purpose"),
    ("/consents", {"purpose": "p" * 65}, "/purpose"),
    ("/consents", {"occurredAt": "yesterday"}, "/occurredAt"),
    ("/consents", {"occurredAt": 1_700_000_000}, "/occurredAt"),
    ("/consents", {"occurredAt": "2026-02-30T00:00:00.000Z"}, "/occurredAt"),
    ("/consents", {"validUntil": "never"}, "/validUntil"),
    ("/consents", {"evidence": "a form"}, "/evidence"),
    ("/consents", {"evidence": {"method": 1}}, "/evidence/method"),
    ("/consents", {"evidence": {"language": ["en"]}}, "/evidence/language"),
    ("/consents", {"evidence": {"methud": "x"}}, "/evidence/methud"),
    ("/consents", {"evidence": {"notice": {"version": 3}}}, "/evidence/notice/version"),
    ("/consents", {"evidence": {"notice": {"versio": "3"}}}, "/evidence/notice/versio"),
    ("/consents/query", {"recipient": ""}, "/recipient"),
    ("/consents/query", {"recipient": {}}, "/recipient"),
    ("/recipients/erase", {"recipient": False}, "/recipient"),
    ("/recipients/export", {"recipient": None}, "/recipient"),
    ("/messages", {"name": ""}, "/name"),
    ("/messages", {"name": 1}, "/name"),
    ("/messages", {"trackng": False}, "/trackng"),
    ("/messages", {"tracking": "false"}, "/tracking"),
    ("/messages", {"tracking": 0}, "/tracking"),
    ("/messages", {"deepLink": "yes"}, "/deepLink"),
    ("/messages", {"badge": "2"}, "/badge"),
    ("/messages", {"badge": 1.5}, "/badge"),
    ("/messages", {"title": ["T"]}, "/title"),
    ("/messages", {"custom": {"k": 1}}, "/custom/k"),
    ("/messages", {"custom": ["k"]}, "/custom"),
    ("/messages", {"custom": {"link\u0000": "v"}}, "/custom/link\u0000"),
    ("/messages", {"purpose": "NEWS"}, "/purpose"),
    ("/messages", {"expiresAt": "soon"}, "/expiresAt"),
    ("/messages", {"expiresAt": "2100-01-01T00:00:00.000Z"}, "/expiresAt"),
    ("/messages", {"actions": {}}, "/actions"),
    ("/messages", {"actions": [{"id": "a", "title": "A", "link": 1}]}, "/actions/0/link"),
    ("/messages", {"actions": [{"id": "a", "title": "A", "lnk": "https://shop.example/"}]}, "/actions/0/lnk"),
    ("/payloads", {"message": "spring-sale"}, "/message"),
    ("/payloads", {"message": {"name": "m", "trackng": False}}, "/message/trackng"),
    ("/payloads", {"message": {"name": "m", "tracking": "no"}}, "/message/tracking"),
    ("/payloads", {"message": {"name": "m", "link": 1}}, "/message/link"),
    ("/payloads", {"format": "fax"}, "/format"),
    ("/payloads", {"format": 1}, "/format"),
    ("/payloads", {"platform": "web"}, "/platform"),
    ("/payloads", {"recipients": "someone@people.example"}, "/recipients"),
    ("/payloads", {"recipients": []}, "/recipients"),
    ("/payloads", {"recipients": ["r"] * 10_001}, "/recipients"),
    ("/payloads", {"recipients": ["fine", ""]}, "/recipients/1"),
    ("/payloads", {"recipients": ["fine", 2]}, "/recipients/1"),
    ("/payloads", {"recipients": ["fine", "not\tfine"]}, "/recipients/1"),
    ("/rewrites", {"messageId": 1}, "/messageId"),
    ("/rewrites", {"messageId": "spring-sale"}, "/messageId"),
    ("/rewrites", {"recipient": ""}, "/recipient"),
    ("/rewrites", {"recipient": ["someone@people.example"]}, "/recipient"),
    ("/rewrites", {"html": 1}, "/html"),
    ("/rewrites", {"html": "a\u0000b"}, "/html"),
    ("/rewrites", {"text": ["x"]}, "/text"),
    ("/rewrites", {"htm": "<p>"}, "/htm"),
    ("/rewrites", {"links": []}, "/links"),
    ("/accesses/query", {"recipient": 1}, "/recipient"),
    ("/accesses/query", {"who": "ana"}, "/who"),
    ("/accesses/query", {"who": "key:\0"}, "/who"),
    ("/accesses/query", {"who": "account:" + "a" * 248}, "/who"),
    ("/accesses/query", {"from": "yesterday"}, "/from"),
    ("/accesses/query", {"after": "x"}, "/after"),
    ("", {"recordAccess": "yes"}, "/recordAccess"),
    ("/v1/orgs", {"recordAccess": 1}, "/recordAccess"),
    ("/decisions/query", {"recipient": 1}, "/recipient"),
    ("/decisions/query", {"from": "yesterday"}, "/from"),
    ("/decisions/query", {"outcome": "perhaps"}, "/outcome"),
    ("/decisions/query", {"reason": "becauseISaySo"}, "/reason"),
    ("/interactions/query", {"type": "Sneezed"}, "/type"),
    ("/interactions/query", {"to": 5}, "/to"),
]


def misfit_name(case):
    return f"{case[0] or '(the organization)'} {case[2]} {str(case[1])[:40]}"


@pytest.mark.parametrize("case", MISFITS, ids=misfit_name)
def test_a_value_that_does_not_fit_is_pointed_to(operator, org, case):
    tail, change, pointer = case
    endpoint = ("PATCH" if tail == "" else "POST", tail)
    content = json.dumps(GOOD[tail] | change).encode()
    assert_misfit(send(operator, org, endpoint, content), pointer)


@pytest.mark.parametrize(
    ("tail", "member"),
    [
        ("/v1/orgs", "id"),
        ("/v1/orgs", "enforcement"),
        ("/keys", "scopes"),
        ("/consents", "recipient"),
        ("/consents", "state"),
        ("/consents/query", "recipient"),
        ("/consent-requests", "recipient"),
        ("/consent-requests", "notice"),
        ("/recipients/erase", "recipient"),
        ("/messages", "name"),
        ("/payloads", "format"),
        ("/payloads", "platform"),
        ("/payloads", "recipients"),
        ("/rewrites", "messageId"),
        ("/rewrites", "recipient"),
    ],
)
def test_a_member_that_is_missing_is_named(operator, org, tail, member):
    body = {name: value for name, value in GOOD[tail].items() if name != member}
    problem = assert_problem(send(operator, org, ("POST", tail), json.dumps(body).encode()), 422)
    assert any(member in error["pointer"] + error["detail"] for error in problem["errors"]), problem


@pytest.mark.parametrize(("faults", "listed", "omitted"), [(100, 100, None), (150, 100, 50), (10_000, 100, 9_900)])
def test_of_many_faults_a_hundred_are_listed_and_the_others_counted(org, faults, listed, omitted):
    records = [{"recipient": person(), "state": "yes"} for _ in range(faults)]
    problem = assert_problem(org.call("POST", org.path("/consents"), records), 422)
    assert [error["pointer"] for error in problem["errors"]] == [f"/{index}/state" for index in range(listed)]
    assert problem.get("errorsOmitted") == omitted


@pytest.mark.parametrize("members", [{}, {"messageId": "x", "message": {"name": "m"}}], ids=["neither", "both"])
def test_a_compose_names_either_a_message_or_its_id(org, members):
    body = {"format": "plain", "recipients": [person()]} | members
    assert_problem(org.call("POST", org.path("/payloads"), body), 422)


@pytest.mark.parametrize(
    ("tail", "content", "pointer"),
    [
        ("/consents", '{"recipient":"a","recipient":"b","state":"given"}', "/recipient"),
        ("/consents", '{"recipient":"a","state":"withdrawn","state":"given"}', "/state"),
        ("/consents", '{"recipient":"a","state":"given","sta\\u0074e":"given"}', "/state"),
        (
            "/consents",
            '[{"recipient":"a","state":"given"},{"recipient":"b","state":"given","state":"given"}]',
            "/1/state",
        ),
        ("/messages", '{"name":"m","tracking":false,"tracking":true}', "/tracking"),
        ("/messages", '{"name":"m","custom":{"k":"1","k":"2"}}', "/custom/k"),
        ("/payloads", '{"message":{"name":"m","name":"n"},"format":"plain","recipients":["a"]}', "/message/name"),
        ("/rewrites", '{"messageId":"x","recipient":"a","recipient":"b","html":""}', "/recipient"),
        ("/keys", '{"scopes":["read"],"scopes":["read"],"name":"k"}', "/scopes"),
    ],
)
def test_a_duplicate_member_is_refused(org, tail, content, pointer):
    assert_misfit(org.call("POST", org.path(tail), content=content.encode()), pointer)


def test_json_with_a_charset_is_json(org):
    recipient = person()
    body = json.dumps({"recipient": recipient, "state": "given"}).encode()
    headers = {"Content-Type": 'Application/JSON; charset="utf-8"'}
    assert org.call("POST", org.path("/consents"), content=body, headers=headers).status_code == 201


def test_every_character_of_a_recipient_is_kept(org):
    recipient = f"„Ana“ + <b> & % \\ \" ' \U0001f600 é e\u0301 {unique()}"
    record = org.record(recipient, "given")
    assert record["recipient"] == recipient
    assert org.consent(recipient)["recipient"] == recipient
    assert org.compose([recipient]).of(recipient)["tracked"] is True


def test_recipients_may_have_256_bytes(org):
    for recipient in (unique("x").ljust(256, "x"), unique("é") + "é"):
        assert org.record(recipient, "given")["recipient"] == recipient


class TestRefused:
    def test_array_of_consents_records_none_of_them(self, org):
        people = [person() for _ in range(10)]
        records = [{"recipient": who, "state": "given"} for who in people]
        records[9] = records[9] | {"state": "maybe"}
        assert_misfit(org.call("POST", org.path("/consents"), records), "/9/state")
        assert all(org.consent(who)["history"] == [] for who in people)

    def test_array_of_too_many_consents_records_none_of_them(self, org):
        people = [person() for _ in range(10_001)]
        records = [{"recipient": who, "state": "given"} for who in people]
        assert_problem(org.call("POST", org.path("/consents"), records), 422)
        assert org.consent(people[0])["history"] == [] == org.consent(people[-1])["history"]
        assert len(org.record_all(records[:10_000])) == 10_000

    def test_compose_decides_nothing(self, org):
        good = person()
        body = GOOD["/payloads"] | {"message": message(), "recipients": [good, ""]}
        assert_misfit(org.call("POST", org.path("/payloads"), body), "/recipients/1")
        assert org.decisions() == []
        assert org.query_decisions(recipient=good) == []

    def test_message_is_not_made(self, org):
        content = message()
        body = GOOD["/payloads"] | {"message": content, "recipients": []}
        assert_problem(org.call("POST", org.path("/payloads"), body), 422)
        assert org.call("POST", org.path("/messages"), content).status_code == 201

    def test_change_of_an_organization_changes_no_member(self, org):
        before = org.expect(200, "GET", org.path()).json()
        body = {"name": "Renamed", "honorGPC": False, "enforcement": "sometimes"}
        assert_misfit(org.call("PATCH", org.path(), body), "/enforcement")
        assert org.expect(200, "GET", org.path()).json() == before

    def test_organization_stays_free(self, operator):
        id = unique("org")
        body = {"id": id, "name": "X", "enforcement": "restrictive", "colour": "red"}
        assert_misfit(operator.call("POST", "/v1/orgs", body), "/colour")
        operator.make(id=id)

    def test_erasure_erases_nobody(self, org):
        recipient = person()
        org.record(recipient, "given")
        body = {"recipient": recipient, "really": True}
        assert_misfit(org.call("POST", org.path("/recipients/erase"), body), "/really")
        assert len(org.consent(recipient)["history"]) == 1


class TestTooLarge:
    @pytest.mark.parametrize("chunked", [False, True], ids=["with a length", "chunked"])
    def test_a_body_over_16_mib_is_413(self, org, chunked):
        body = b'{"recipient":"' + b"a" * (16 * 1024 * 1024) + b'","state":"given"}'
        headers = {"Authorization": f"Bearer {org.key}", "Content-Type": "application/json"}
        headers |= {"Transfer-Encoding": "chunked"} if chunked else {"Content-Length": str(len(body))}
        if chunked:
            body = f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
        with wire.Connection(org.service.api_listen) as connection:
            try:
                connection.send(wire.request("POST", org.path("/consents"), org.service.api_listen, headers, body))
            except (BrokenPipeError, ConnectionResetError, socket.timeout):
                pass  # The service may answer and close before it has read everything.
            answer = connection.receive()
        assert answer.status == 413
        assert answer.header("Content-Type").startswith("application/problem+json")

    def test_one_of_just_16_mib_is_read(self, org):
        start, end = b'{"recipient":"a","state":"given"', b"}"
        body = start + b" " * (16 * 1024 * 1024 - len(start) - len(end)) + end
        assert org.call("POST", org.path("/consents"), content=body).status_code == 201


class TestQueries:
    @pytest.mark.parametrize(
        "query",
        [
            "limit=0",
            "limit=1001",
            "limit=-1",
            "limit=ten",
            "limit=",
            "limit=1.5",
            "after=not-a-cursor",
            "after=!!",
            "from=yesterday",
            "to=2026-13-01T00:00:00.000Z",
            "from=1700000000",
        ],
    )
    @pytest.mark.parametrize("what", ["decisions", "interactions"])
    def test_with_a_wrong_limit_cursor_or_time_are_422(self, org, what, query):
        assert_problem(org.call("GET", org.path(f"/{what}?{query}")), 422)

    @pytest.mark.parametrize("what", ["decisions", "interactions"])
    def test_have_limits_from_1_to_1000(self, org, what):
        for limit in (1, 1000):
            assert org.call("GET", org.path(f"/{what}?limit={limit}")).status_code == 200

    def test_take_times(self, org):
        query = f"from={times.from_now(days=-1)}&to={times.from_now(days=1)}"
        assert org.call("GET", org.path(f"/decisions?{query}")).status_code == 200


class TestPaths:
    def test_unknown_are_404(self, org):
        for path in (
            org.path("/nothing"),
            "/v1/nothing",
            "/nothing",
            org.path("/messages/unknown"),
            org.path("/decisions/unknown"),
            org.path("/messages/unknown/report"),
        ):
            assert_problem(org.call("GET", path), 404)

    @pytest.mark.parametrize(
        ("method", "tail", "allowed"),
        [
            ("DELETE", "/consents", "POST"),
            ("PUT", "/messages", "POST"),
            ("DELETE", "", "PATCH"),
            ("POST", "/decisions", "GET"),
            ("GET", "/payloads", "POST"),
            ("GET", "/rewrites", "POST"),
        ],
    )
    def test_with_a_method_they_do_not_have_are_405(self, org, method, tail, allowed):
        answer = org.call(method, org.path(tail))
        assert_problem(answer, 405)
        assert allowed in [part.strip() for part in answer.headers["allow"].split(",")]


class TestSettingsThatChangeMeanwhile:
    """A change of settings that was answered holds for requests whose body has not come yet."""

    @pytest.mark.parametrize(
        ("path", "body", "media_type"),
        [
            ("/messages", message(link="https://old.example/x"), "application/json"),
            (
                "/payloads",
                {"message": message(link="https://old.example/x"), "format": "plain", "recipients": ["a@people.example"]},
                "application/json",
            ),
            (
                "/payloads",
                json.dumps({"message": message(link="https://old.example/x"), "format": "plain"}).encode() + b"\n",
                "application/x-ndjson",
            ),
        ],
        ids=["message", "payloads", "lines"],
    )
    def test_target_hosts(self, org, path, body, media_type):
        request = held_back(org, "POST", path, body, media_type)
        org.set(targetHosts=["shop.example"])
        status, answer = request.finish()
        assert status == 422 and "old.example" not in json.dumps(org.expect(200, "GET", org.path("/messages")).json())
        assert "/link" in answer

    def test_evidence(self, org):
        who = person()
        request = held_back(org, "POST", "/consents", {"recipient": who, "state": "given"})
        org.set(requireEvidence=True)
        assert request.finish()[0] == 422
        assert org.consent(who)["history"] == []

    def test_pause_before_a_recipient_is_asked_again(self, org):
        who = person()
        org.set(askAgainAfterDays=200)
        org.record(who, "refused", occurredAt=times.from_now(days=-300))
        notice = {"id": "privacy", "version": "3", "language": "en", "text": "May we?"}
        request = held_back(org, "POST", "/consent-requests", {"recipient": who, "notice": notice})
        org.set(askAgainAfterDays=400)
        assert request.finish()[0] == 409
        request = held_back(org, "POST", "/consent-requests", {"recipient": who, "notice": notice})
        org.set(askAgainAfterDays=200)
        assert request.finish()[0] == 201

    def test_settings_that_an_export_states(self, org):
        request = held_back(org, "POST", "/recipients/export", {"recipient": person()})
        org.set(name="Another name")
        status, answer = request.finish()
        assert status == 200 and '"name":"Another name"' in answer

    def test_links_of_a_rewritten_mail(self, org):
        who = person()
        org.record(who, "given")
        made = org.make_message(message())
        mail = {"messageId": made["id"], "recipient": who, "html": '<a href="https://old.example/x">x</a>'}
        request = held_back(org, "POST", "/rewrites", mail)
        org.set(targetHosts=["shop.example"])
        status, answer = request.finish()
        assert status == 200
        (link,) = json.loads(answer.split("\r\n\r\n", 1)[1])["links"]
        assert link["index"] is None
