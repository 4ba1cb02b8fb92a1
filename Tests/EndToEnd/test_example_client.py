"""The client in docs/examples/consentlink_client.py, against a service that breaks connections and is slow to answer."""

import runpy
import socket
import struct
import threading

import pytest

from harness.service import ROOT


@pytest.fixture(scope="module")
def client():
    """The names that the file defines."""
    return runpy.run_path(str(ROOT / "docs/examples/consentlink_client.py"))


RESET = None


def answer(status, body, *headers):
    lines = [f"HTTP/1.1 {status} x", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def problem(status, *headers):
    return answer(status, f'{{"status":{status},"detail":"no","requestId":"r1"}}', *headers)


# What the service says while a request with the same Idempotency-Key is worked on.
STILL_RUNNING = problem(409, "Retry-After: 1")
STORED = answer(201, '{"consents":[{"id":"c1"}]}')


class Stub:
    """Gives each connection the next answer, or resets it, after it has read the whole request."""

    def __init__(self, answers):
        self.requests = []
        self._answers = answers
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        for reply in self._answers:
            connection, _ = self._socket.accept()
            with connection, connection.makefile("rb") as received:
                head = [received.readline().decode().rstrip()]
                while head[-1]:
                    head.append(received.readline().decode().rstrip())
                headers = dict(line.lower().split(": ", 1) for line in head[1:-1])
                self.requests.append((head[0], headers, received.read(int(headers["content-length"]))))
                if reply is RESET:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                else:
                    connection.sendall(reply)

    def close(self):
        self._socket.close()


@pytest.fixture
def against(client, monkeypatch):
    """The example's client, against given answers; it notes its pauses and does not make them."""
    stubs = []

    def against(*answers):
        stubs.append(Stub(answers))
        service = client["ConsentLink"](stubs[-1].base, "acme", "clk_x")
        return service, stubs[-1]

    against.pauses = []
    monkeypatch.setattr(client["time"], "sleep", against.pauses.append)
    yield against
    for stub in stubs:
        stub.close()


def test_a_reset_and_an_earlier_try_that_is_worked_on_are_asked_again_as_the_same_request(against):
    service, stub = against(RESET, STILL_RUNNING, problem(503, "Retry-After: 7"), RESET, STORED)
    assert service.record("ana@example.com", "given") == {"id": "c1"}
    assert len(stub.requests) == 5
    assert len({(line, headers["idempotency-key"], body) for line, headers, body in stub.requests}) == 1
    assert against.pauses == [1, 1, 7, 4]


@pytest.mark.parametrize(("status", "refusal"), [(409, STILL_RUNNING), (503, problem(503))])
def test_after_five_tries_it_is_told_what_the_service_said(client, against, status, refusal):
    service, stub = against(*[refusal] * 5)
    with pytest.raises(client["Refused"]) as refused:
        service.record("ana@example.com", "given")
    assert refused.value.status == status and len(stub.requests) == 5


def test_a_conflict_that_does_not_pass_is_asked_once(client, against):
    service, stub = against(problem(409))
    with pytest.raises(client["Refused"]) as refused:
        service.make("/consent-requests", {"recipient": "ana@example.com"})
    assert refused.value.status == 409 and len(stub.requests) == 1 and against.pauses == []


def test_after_five_broken_connections_it_is_told(against):
    service, stub = against(*[RESET] * 5)
    with pytest.raises(OSError):
        service.record("ana@example.com", "given")
    assert len(stub.requests) == 5


def test_what_is_wrong_is_asked_once(client, against):
    body = '{"status":422,"detail":"no","errors":[{"pointer":"/a","detail":"x"}],"errorsOmitted":17}'
    service, stub = against(answer(422, body))
    with pytest.raises(client["Refused"]) as refused:
        service.record("ana@example.com", "given")
    assert str(refused.value).endswith("\n  /a x\n  and 17 more")
    assert len(stub.requests) == 1
