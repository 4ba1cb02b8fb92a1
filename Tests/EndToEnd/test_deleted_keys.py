"""A key that is deleted ends what it has open: streams in, streams out, and everything that is written from then on."""

import json
import re
import socket
import subprocess

import pytest

from harness import wire
from harness.client import message, person
from harness.lines import Lines
from harness.raw import held_back
from harness.service import binary, environment


def delete(org, client):
    """Takes the key of `client` away."""
    org.expect(204, "DELETE", org.path(f"/keys/{client.made['id']}"))


def assert_refused(line):
    problem = line["error"]
    assert problem["status"] == 401
    assert "deleted" in problem["detail"]


class TestStreamsIn:
    def test_consents_after_the_deletion_are_not_stored(self, org):
        key = org.with_scopes("consent")
        before, after = person(), [person() for _ in range(3)]
        with Lines(key, "/consents") as lines:
            answers = lines.answers()
            lines.send(json.dumps({"recipient": before, "state": "given"}).encode() + b"\n")
            assert next(answers)["recipient"] == before
            delete(org, key)
            for who in after:
                lines.send(json.dumps({"recipient": who, "state": "given"}).encode() + b"\n")
            assert_refused(next(answers))
            assert list(answers) == []
        assert len(org.consent(before)["history"]) == 1
        assert [org.consent(who)["history"] for who in after] == [[], [], []]

    def test_a_client_that_goes_on_sending_is_cut_off(self, org):
        key = org.with_scopes("consent")
        with Lines(key, "/consents") as lines:
            answers = lines.answers()
            lines.send(b'{"recipient":"first@people.example","state":"given"}\n')
            next(answers)
            delete(org, key)
            with pytest.raises(OSError):
                while True:
                    lines.send(b'{"recipient":"later@people.example","state":"given"}\n')
        assert org.consent("later@people.example")["history"] == []

    def test_payloads_after_the_deletion_are_not_decided(self, org):
        key = org.with_scopes("compose")
        made = org.make_message(message())
        before, after = person(), person()
        org.record_all([{"recipient": who, "state": "given"} for who in (before, after)])
        with Lines(key, "/payloads") as lines:
            answers = lines.answers()
            lines.send(json.dumps({"messageId": made["id"], "format": "plain"}).encode() + b"\n")
            lines.send(json.dumps(before).encode() + b"\n")
            assert next(answers)["tracked"]
            delete(org, key)
            lines.send(json.dumps(after).encode() + b"\n")
            assert_refused(next(answers))
            assert list(answers) == []
        assert org.query_decisions(recipient=after) == []

    def test_another_key_and_the_operators_go_on(self, org, operator):
        keys = [org.with_scopes("consent"), org.with_scopes("consent")]
        with Lines(keys[0], "/consents") as lines:
            answers = lines.answers()
            delete(org, keys[1])
            lines.send(json.dumps({"recipient": person(), "state": "given"}).encode() + b"\n")
            assert "id" in next(answers)
            lines.end()
            assert list(answers) == []


class Slowly:
    """The answer to one request, received no faster than it is asked for."""

    def __init__(self, client, method, path, body=None, accept="application/x-ndjson"):
        host, port = client.service.api_listen.rsplit(":", 1)
        self._socket = socket.socket()
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 14)
        self._socket.settimeout(60)
        self._socket.connect((host, int(port)))
        content = b"" if body is None else json.dumps(body).encode()
        head = [
            f"{method} {client.path(path)} HTTP/1.1", f"Host: {host}", f"Authorization: Bearer {client.key}",
            f"Accept: {accept}", "Content-Type: application/json", f"Content-Length: {len(content)}", "Connection: close",
        ]
        self._socket.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + content)

    def some(self):
        return self._socket.recv(1 << 12)

    def rest(self):
        received = b""
        try:
            while data := self._socket.recv(1 << 16):
                received += data
        except ConnectionResetError:
            pass
        self._socket.close()
        return received


def refusal_of_a_late_body(org, method, path, body):
    """The answer to a request whose key is deleted after its head was read, and before its body has come.

    The head is read on one connection and the key is deleted on another. Which of the two comes first shows in the
    answer alone: a key that is looked up after its deletion is any unknown key. That request is refused, too, and the
    case is made again.
    """
    for _ in range(20):
        key = org.with_scopes("manage", "read", "compose", "consent")
        request = held_back(key, method, path, body)
        delete(org, key)
        status, answer = request.finish()
        assert status == 401 and not re.search(r"clk_\w", answer), answer
        if "A key of this service is needed" not in answer:
            return answer
    pytest.fail("each key was deleted before the head of its request was read")


class TestBodiesOnTheirWay:
    """A key that is deleted before the body of its request has come can do nothing any more."""

    @pytest.mark.parametrize(
        ("method", "path", "body"),
        [
            ("POST", "/keys", {"scopes": ["manage", "read", "compose", "consent"], "name": "child"}),
            ("PATCH", "", {"enforcement": "nonRestrictive"}),
            ("POST", "/endpoints", {"url": "https://elsewhere.example/", "kinds": ["consent.recorded"]}),
            ("POST", "/messages", message()),
            ("POST", "/recipients/erase", {"recipient": "known@people.example"}),
            ("POST", "/recipients/export", {"recipient": "known@people.example"}),
            ("POST", "/consents", {"recipient": "known@people.example", "state": "withdrawn"}),
            ("POST", "/payloads", {"message": message(), "format": "plain", "recipients": ["known@people.example"]}),
            ("POST", "/decisions/query", {"recipient": "known@people.example"}),
            ("POST", "/audits", {}),
        ],
    )
    def test_do_nothing(self, org, method, path, body):
        org.record("known@people.example", "given")
        keys = org.expect(200, "GET", org.path("/keys")).json()["keys"]
        before = org.expect(200, "GET", org.path()).json()
        assert "deleted" in refusal_of_a_late_body(org, method, path, body)
        assert org.expect(200, "GET", org.path("/keys")).json()["keys"] == keys
        assert org.expect(200, "GET", org.path()).json() == before
        assert [record["state"] for record in org.consent("known@people.example")["history"]] == ["given"]
        assert org.expect(200, "GET", org.path("/messages")).json()["messages"] == []

    def test_are_taken_while_the_key_exists(self, org, operator):
        for client in (org.with_scopes("manage"), org):
            request = held_back(client, "POST", "/keys", {"scopes": ["manage"], "name": "child"})
            assert request.finish()[0] == 201


class TestStreamsOut:
    @pytest.fixture
    def decided(self, org):
        people = [f"{'x' * 200}{number}@people.example" for number in range(10_000)]
        made = org.make_message(message())
        for _ in range(4):
            org.compose(people, message_id=made["id"])
        return org

    def test_end_with_a_line_that_says_so_or_are_cut_off(self, decided):
        for accept, path in (("application/x-ndjson", "/decisions"), ("text/csv", "/decisions")):
            key = decided.with_scopes("read")
            answer = Slowly(key, "GET", path, accept=accept)
            first = answer.some()
            assert first.startswith(b"HTTP/1.1 200")
            delete(decided, key)
            received = first + answer.rest()
            assert received.count(b"noConsentRecord") < 40_000
            if accept == "text/csv":
                assert not received.endswith(b"0\r\n\r\n")
            else:
                assert received.endswith(b"0\r\n\r\n")
                lines = [line for line in received.split(b"\n") if line.startswith(b'{"error"')]
                assert len(lines) == 1
                assert_refused(json.loads(lines[0]))

    def test_of_the_command_line_are_told_and_have_decisions_alone(self, decided):
        key = decided.with_scopes("read")
        process = subprocess.Popen(
            [str(binary()), "audit", "--org", decided.id, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            bufsize=0, env=environment(CONSENTLINK_KEY=key.key, CONSENTLINK_API=decided.service.api),
        )  # fmt: skip
        first = process.stdout.readline()
        delete(decided, key)
        rest, stderr = process.communicate(timeout=60)
        listed = [json.loads(line) for line in [first, *rest.splitlines()]]
        assert process.returncode == 1 and 0 < len(listed) < 40_000
        assert all("outcome" in decision for decision in listed)
        assert b"deleted" in stderr and stderr.endswith(b"The list is not whole.\n")

    def test_audits_are_cut_off(self, decided):
        key = decided.with_scopes("read")
        answer = Slowly(key, "POST", "/audits", {}, accept="*/*")
        assert answer.some().startswith(b"HTTP/1.1 200")
        delete(decided, key)
        assert not answer.rest().endswith(b"0\r\n\r\n")


class TestWaiting:
    @pytest.mark.parametrize("path", ["/consents?wait=30", "/interactions?wait=30"])
    def test_a_reader_is_told_nothing_that_comes_after_the_deletion(self, org, path):
        key = org.with_scopes("read")
        who = person()
        answer = Slowly(key, "GET", path, accept="application/json")
        # A request that came later is answered: the first one is very likely waiting by now.
        org.expect(200, "GET", org.path("/consents"))
        delete(org, key)
        link = org.tracked_link(who)
        wire.follow(link.url)
        received = answer.rest()
        assert received.startswith(b"HTTP/1.1 401")
        assert who.encode() not in received
