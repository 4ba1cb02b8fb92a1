"""A request on the private listener has an id: in its answer, in a problem document, and in the log."""

import json
import re

import pytest

from harness import contract, wire
from harness.client import message, person
from harness.contract import PRIVATE, resolved

WHOLE = contract.document()
PRIVATE_OPERATIONS = [each for each in contract.operations(WHOLE) if PRIVATE in each[0]]
FORM = re.compile(r"[0-9a-f]{32}")
HEX = "0af7651916cd43dd8448eb211c80319c"
UUID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"


def acts(service):
    found = [json.loads(line) for line in service.log_text().splitlines()]
    return [line for line in found if line["message"] == "administrative act"]


@pytest.mark.parametrize(("path", "method"), [(path, method) for _, path, method, _ in PRIVATE_OPERATIONS])
def test_every_operation_answers_an_id(service, path, method):
    answer = wire.ask(service.api_listen, method.upper(), re.sub(r"\{\w+\}", "1", path))
    assert FORM.fullmatch(answer.header("X-Request-Id"))
    if answer.status >= 400:
        assert json.loads(answer.body)["requestId"] == answer.header("X-Request-Id")


@pytest.mark.parametrize(("path", "method", "operation"), [each[1:] for each in PRIVATE_OPERATIONS])
def test_every_documented_answer_has_it(path, method, operation):
    for status, response in operation["responses"].items():
        assert "X-Request-Id" in resolved(WHOLE, response).get("headers", {}), status


def test_each_request_has_another_one(org):
    ids = [org.expect(200, "GET", org.path()).headers["x-request-id"] for _ in range(50)]
    assert len(set(ids)) == 50


@pytest.mark.parametrize("method", ["OPTIONS", "PATCH", "HEAD"])
def test_so_has_what_no_route_is_for(service, method):
    for path in ("/nowhere", "/healthz"):
        assert FORM.fullmatch(wire.ask(service.api_listen, method, path).header("X-Request-Id"))


def test_streamed_answers_have_it_and_their_lines_do_not(org):
    lines = "\n".join(json.dumps(line) for line in ({"recipient": person(), "state": "given"}, {"recipient": 1}))
    answer = org.call(
        "POST", org.path("/consents"), content=lines.encode(), headers={"Content-Type": "application/x-ndjson"}
    )
    assert answer.status_code == 200 and FORM.fullmatch(answer.headers["x-request-id"])
    assert "requestId" not in answer.text and '"error"' in answer.text


@pytest.mark.parametrize("sent", [HEX, HEX.upper(), UUID])
def test_a_clients_id_is_taken_over_into_answer_and_log(own_service, own_org, sent):
    headers = {"X-Request-Id": sent, "traceparent": f"00-{HEX}-b7ad6b7169203331-01"}
    before = len(acts(own_service))
    answer = own_org.call("PATCH", own_org.path(), {"name": 1}, headers=headers)
    assert (answer.headers["x-request-id"], answer.json()["requestId"]) == (sent, sent)
    assert [(line["request"], line["trace"]) for line in acts(own_service)[before:]] == [(sent, HEX)]


@pytest.mark.parametrize("sent", ["ana@people.example", "7", HEX + "0", f"{HEX}, {HEX}", UUID.replace("-", "_")])
def test_another_text_is_not(own_service, own_org, sent):
    answer = own_org.call(
        "PATCH", own_org.path(), {"name": "x"}, headers={"X-Request-Id": sent, "traceparent": f"00-{sent}-{sent}-01"}
    )
    assert FORM.fullmatch(answer.headers["x-request-id"]) and answer.headers["x-request-id"] != sent
    (line,) = acts(own_service)[-1:]
    assert line["request"] == answer.headers["x-request-id"] and "trace" not in line
    assert "people.example" not in own_service.log_text()
    own_service.assert_log_is_discreet()


def test_the_public_listener_answers_none(service, org):
    link = org.tracked_link(content=message())
    answers = [wire.follow(link.url, headers={"X-Request-Id": HEX}), wire.follow(link.url[:-1])]
    for path in ("/o/nonsense.gif", "/healthz", "/robots.txt", "/p/nonsense", "/nowhere"):
        answers.append(wire.ask(service.listen, "GET", path, headers={"X-Request-Id": HEX}))
    for answer in answers:
        assert answer.header("X-Request-Id") is None
        assert b"requestId" not in answer.body
