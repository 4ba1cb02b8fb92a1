"""A malformed request is answered with 400 and the connection closed, on both listeners, whatever stands behind the
path. What came whole before it is answered first."""

import pytest

from harness import tokens
from harness.client import message
from harness.eventually import eventually
from harness.metrics import scrape
from harness.raw import Raw, held_back

CHUNKED = "Transfer-Encoding: chunked\r\n"
PATHS = {
    "public": [
        "/api/v1.0/orgs/any/pushchannel/event/trackings/x",
        "/bird/v1/orgs/any/interactions",
        "/p/x",
        "/r/x",
        "/r?x",
        "/healthz",
        "/nothing/here",
    ],
    "private": ["/v1/orgs", "/v1/orgs/any/consents", "/healthz", "/nothing/here"],
}
BODIES = {
    "a chunk size of letters": f"{CHUNKED}\r\nZZ\r\nabc\r\n",
    "a chunk size with a sign": f"{CHUNKED}\r\n+3\r\nabc\r\n0\r\n\r\n",
    "a negative chunk size": f"{CHUNKED}\r\n-3\r\nabc\r\n0\r\n\r\n",
    "a chunk size over 64 bits": f"{CHUNKED}\r\n1FFFFFFFFFFFFFFFF\r\nabc\r\n",
    "a chunk longer than it says": f"{CHUNKED}\r\n1\r\nabc\r\n0\r\n\r\n",
    "a second chunk of nonsense": f"{CHUNKED}\r\n3\r\nabc\r\nnonsense\r\n",
    "a trailer of nonsense": f"{CHUNKED}\r\n0\r\nno colon\r\n\r\n",
}
HEADS = {
    "chunks in HTTP/1.0": f"HTTP/1.0\r\nHost: x\r\n{CHUNKED}\r\n0\r\n\r\n",
    "chunks in HTTP/1.0 that is kept open": f"HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n{CHUNKED}\r\n0\r\n\r\n",
    "identity before chunked": "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
    "gzip before chunked": "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "identity alone": "HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: identity\r\n\r\n",
    "no host": "HTTP/1.1\r\n\r\n",
}
CASES = [(door, path) for door, paths in PATHS.items() for path in paths]


def address(service, door):
    return service.listen if door == "public" else service.api_listen


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize(("door", "path"), CASES)
def test_a_malformed_body_is_400_and_the_connection_closed(service, door, path, body):
    raw = Raw(address(service, door))
    raw.socket.settimeout(5)
    raw.send(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{body}".encode())
    assert raw.read_to_the_end(), f"still open: {raw.received}"
    assert raw.statuses() == [400], raw.received


@pytest.mark.parametrize("body", ["ZZ\r\n", "+3\r\nabc\r\n"])
@pytest.mark.parametrize(("door", "path"), CASES)
def test_a_body_that_becomes_malformed_later_ends_the_connection(service, door, path, body):
    """The router may have answered by then: no second answer follows."""
    raw = Raw(address(service, door))
    raw.socket.settimeout(5)
    raw.send(f"POST {path} HTTP/1.1\r\nHost: x\r\n{CHUNKED}\r\n3\r\nabc\r\n".encode())
    raw.socket.settimeout(0.3)
    raw.read_to_the_end()
    raw.socket.settimeout(5)
    raw.send(body.encode())
    assert raw.read_to_the_end(), f"still open: {raw.received}"
    assert len(raw.statuses()) == 1, raw.received


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize(("door", "path"), CASES)
def test_framing_that_two_parsers_read_in_two_ways_is_400(service, door, path, head):
    raw = Raw(address(service, door))
    raw.socket.settimeout(5)
    raw.send(f"POST {path} {head}".encode() + b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    assert raw.read_to_the_end(), f"still open: {raw.received}"
    assert raw.statuses() == [400], raw.received


def test_whole_requests_before_a_malformed_one_are_answered(service, org):
    link = org.tracked_link()
    click = f"GET /r/{tokens.of_link(link.url)} HTTP/1.1\r\nHost: x\r\n\r\n"
    page = "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n"
    raw = Raw(service.listen)
    raw.send((click + click + page + click + page + "NONSENSE\r\n\r\n").encode())
    assert raw.read_to_the_end()
    assert raw.statuses() == [302, 302, 200, 302, 200, 400], raw.received
    assert len(org.clicks(link)) == 3


@pytest.mark.parametrize("rest", ["NONSENSE\r\n\r\n", "GET /healthz HTTP/1.1\r\n\r\n", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"])
@pytest.mark.parametrize("last", ["HTTP/1.1\r\nHost: x\r\nConnection: close", "HTTP/1.0"])
@pytest.mark.parametrize("door", PATHS)
def test_nothing_after_the_last_request_of_a_connection_is_answered_or_counted(service, door, last, rest):
    def refused():
        prefix = {"public": "", "private": "private_"}[door]
        return scrape(service).value(f"consentlink_{prefix}connections_refused_total", reason="malformed")

    before = refused()
    for pause in (0, 0.2):
        raw = Raw(address(service, door))
        request = f"GET /healthz {last}\r\n\r\n"
        raw.send(request.encode() if pause else (request + rest).encode())
        if pause:
            assert raw.answers(1) == [200]
            raw.send(rest.encode())
        raw.socket.settimeout(1)
        raw.read_to_the_end()
        assert raw.statuses() == [200], raw.received
    assert refused() == before


def test_whole_requests_before_a_malformed_body_are_answered(service):
    raw = Raw(service.api_listen)
    page = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    raw.send((page * 20 + f"POST /v1/orgs HTTP/1.1\r\nHost: x\r\n{CHUNKED}\r\nZZ\r\n").encode())
    assert raw.read_to_the_end()
    assert raw.statuses() == [200] * 20 + [400], raw.received


def test_the_authority_of_an_absolute_target_ends_at_the_query(service, org):
    link = org.tracked_link()
    raw = Raw(service.listen)
    raw.send(f"GET http://x?/r/{tokens.of_link(link.url)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert raw.read_to_the_end()
    assert 302 not in raw.statuses(), raw.received
    assert org.clicks(link) == []


@pytest.mark.parametrize(
    ("path", "media_type", "body"),
    [
        ("/payloads", "application/x-ndjson", b""),
        ("/payloads", "application/x-ndjson", b'{"messageId'),
        ("/rewrites", "application/x-ndjson", b""),
        ("/consents", "application/json", b"["),
        ("/messages", "application/json", b"{"),
    ],
)
def test_a_client_that_breaks_off_amid_its_body_is_no_fault_of_the_service(service, org, path, media_type, body):
    def failed():
        answers = scrape(service).by("hb_requests_total", "http_response_status_code")
        return sum(count for status, count in answers.items() if status.startswith("5"))

    before = failed()
    request = held_back(org, "POST", path, body + b" " * 999, media_type, sent=len(body))
    request.reset()
    org.make_message(message())
    eventually(lambda: scrape(service).value("http_server_active_requests", http_request_method="POST") == 0)
    assert "unexpected error" not in service.log_text()
    assert failed() == before
