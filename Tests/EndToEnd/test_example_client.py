"""The client in docs/examples/consentlink_client.py, against a service that breaks connections and is slow to answer."""

import email.utils
import runpy
import socket
import struct
import threading
import time

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
                self.requests.append((head[0], headers, received.read(int(headers.get("content-length", 0)))))
                if reply is RESET:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                else:
                    connection.sendall(reply)

    def close(self):
        self._socket.close()


@pytest.fixture
def against(client, monkeypatch):
    """The example's client, against given answers; it notes its pauses, without chance, and does not make them."""
    stubs = []

    def against(*answers):
        stubs.append(Stub(answers))
        service = client["ConsentLink"](stubs[-1].base, "acme", "clk_x")
        return service, stubs[-1]

    against.pauses = []
    monkeypatch.setattr(client["time"], "sleep", against.pauses.append)
    monkeypatch.setattr(client["random"], "uniform", lambda shortest, longest: shortest)
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


def test_part_of_each_pause_is_chance(against, client, monkeypatch):
    monkeypatch.setattr(client["random"], "uniform", lambda shortest, longest: longest)
    service, _ = against(RESET, problem(503, "Retry-After: 7"), STORED)
    service.record("ana@example.com", "given")
    assert against.pauses == [1.5, 8]


@pytest.mark.parametrize("attempts", [0, -1])
def test_without_tries_it_is_asked_once(client, against, attempts):
    service, stub = against(RESET)
    with pytest.raises(OSError):
        service.call("/interactions", attempts=attempts)
    assert len(stub.requests) == 1 and against.pauses == []


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


PAGE = "<html><h1>Bad Gateway</h1></html>"


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_fault_of_the_service_or_of_a_proxy_is_asked_again_where_twice_is_as_good_as_once(client, against, status):
    service, stub = against(answer(status, PAGE), STORED)
    assert service.record("ana@example.com", "given") == {"id": "c1"}
    assert len({(line, headers["idempotency-key"], body) for line, headers, body in stub.requests}) == 1
    service, stub = against(answer(status, PAGE), answer(200, '{"interactions":[],"cursor":"c1","next":null}'))
    assert list(service.interactions()) == [([], "c1")]
    service, stub = against(answer(status, PAGE))
    with pytest.raises(client["Refused"]) as refused:
        service.call("/keys", {"scopes": ["read"]})
    assert refused.value.status == status and len(stub.requests) == 1


def test_a_request_that_may_have_been_done_and_has_no_key_is_not_sent_again_after_a_broken_connection(against):
    service, stub = against(RESET)
    with pytest.raises(OSError):
        service.call("/keys", {"scopes": ["read"]})
    assert len(stub.requests) == 1


def test_a_used_up_quota_is_waited_for_whatever_the_request_is(against):
    service, stub = against(problem(429, "Retry-After: 45"), STORED)
    assert service.call("/keys", {"scopes": ["read"]}) == {"consents": [{"id": "c1"}]}
    assert len(stub.requests) == 2 and against.pauses == [45]


@pytest.mark.parametrize("body", [PAGE, "", "[]", '{"consents":[{"id":"c1"}', "\x00", "7", "[" * 100_000])
def test_a_page_of_a_proxy_with_a_good_status_is_no_answer(client, against, body):
    for status in 200, 201:
        service, stub = against(answer(status, body))
        with pytest.raises(client["Unexpected"]):
            service.record("ana@example.com", "given")
        assert len(stub.requests) == 1


def test_an_answer_about_more_or_fewer_than_were_sent_is_none(client, against):
    for body in '{"consents":[]}', '{"consents":[{},{}]}', '{"consents":2}', "{}":
        service, _ = against(answer(201, body))
        with pytest.raises(client["Unexpected"]):
            service.record("ana@example.com", "given")
    service, _ = against(answer(200, '{"message":"m","payloads":[{"recipient":"ana@example.com"}]}'))
    with pytest.raises(client["Unexpected"]):
        service.compose({"name": "sale"}, ["ana@example.com", "bo@example.com"], "plain")
    for page in "{}", '{"interactions":[],"cursor":"c1","next":"c1"}':
        service, _ = against(answer(200, page))
        with pytest.raises(client["Unexpected"]):
            list(service.interactions("c1"))


def test_a_record_that_is_asked_for_again_under_its_name_is_the_same_request(against):
    service, stub = against(STORED, STORED)
    for _ in range(2):
        service.record("ana@example.com", "given", once="sign-up-7")
    assert {headers["idempotency-key"] for _, headers, _ in stub.requests} == {'"sign-up-7"'}


def test_an_answer_that_breaks_off_is_asked_for_again_as_the_same_request(against):
    service, stub = against(STORED[:-4], STORED)
    assert service.record("ana@example.com", "given") == {"id": "c1"}
    assert len({(line, headers["idempotency-key"], body) for line, headers, body in stub.requests}) == 1


@pytest.mark.parametrize("errors", ["7", "[7]", "[{}]", "{}", "null"])
def test_a_refusal_with_other_errors_than_those_of_the_service_has_its_status(client, against, errors):
    service, _ = against(answer(422, f'{{"errors":{errors}}}'))
    with pytest.raises(client["Refused"]) as refused:
        service.record("ana@example.com", "given")
    assert refused.value.status == 422


@pytest.mark.parametrize("body", [PAGE, "", "[]", '{"detail":"cut o', "\x00"])
def test_a_page_of_a_proxy_is_a_refusal_with_its_status(client, against, body):
    for status in 403, 502:
        service, _ = against(*[answer(status, body)] * 5)
        with pytest.raises(client["Refused"]) as refused:
            service.record("ana@example.com", "given")
        assert refused.value.status == status and str(status) in str(refused.value)


def test_a_refusal_that_breaks_off_has_its_status(client, against):
    service, _ = against(b"HTTP/1.1 403 x\r\nContent-Length: 900\r\n\r\n{")
    with pytest.raises(client["Refused"]) as refused:
        service.record("ana@example.com", "given")
    assert refused.value.status == 403


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_takes_no_key_elsewhere(client, against, status):
    _, elsewhere = against(STORED)
    service, stub = against(answer(status, PAGE, f"Location: {elsewhere.base}/"))
    with pytest.raises(client["Refused"]) as refused:
        service.record("ana@example.com", "given")
    assert refused.value.status == status
    assert (len(stub.requests), elsewhere.requests) == (1, [])


def date(seconds_from_now):
    return email.utils.formatdate(time.time() + seconds_from_now, usegmt=True)


@pytest.mark.parametrize("word", ["61", "86400", "9" * 5000, pytest.param(date(86_400), id="tomorrow")])
def test_a_pause_that_is_too_long_is_told_and_not_made(client, against, word):
    service, stub = against(problem(503, f"Retry-After: {word}"))
    with pytest.raises(client["Refused"]) as refused:
        service.record("ana@example.com", "given")
    assert refused.value.status == 503 and refused.value.retry_after > 60
    assert len(stub.requests) == 1 and against.pauses == []


def test_a_pause_may_be_a_date(client, against, monkeypatch):
    monkeypatch.setattr(client["time"], "time", lambda: 784_111_770.0)
    service, _ = against(problem(503, "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"), STORED)
    service.record("ana@example.com", "given")
    assert against.pauses == [7]


def test_a_date_is_compared_with_that_of_the_answer(against):
    headers = "Date: Sun, 06 Nov 1994 08:49:30 GMT", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"
    service, _ = against(problem(503, *headers), STORED)
    service.record("ana@example.com", "given")
    assert against.pauses == [7]


@pytest.mark.parametrize("word", ["soon", "", "-7", "1e3", "nan", "inf", pytest.param(date(-86_400), id="yesterday")])
def test_a_word_that_is_no_time_and_a_time_that_is_over_delay_nothing(against, word):
    service, stub = against(problem(503, f"Retry-After: {word}"), STORED)
    service.record("ana@example.com", "given")
    assert len(stub.requests) == 2 and 0 <= against.pauses[0] <= 1
