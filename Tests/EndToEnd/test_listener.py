"""The public listener faces anybody: what is not plain HTTP/1 is refused, nobody keeps it busy by being slow, and
readers get through whatever others do."""

import json
import resource
import socket
import time

import pytest

from harness import tokens, wire
from harness.client import Operator, person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.raw import Raw
from harness.service import Service

NEXT = "GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked\r\n"
LENGTH = "Content-Length"

# What two parsers could read in two ways, or no parser should: request smuggling lives of it.
REFUSED = {
    "a length and chunks": f"{{}}{LENGTH}: 5\r\n{CHUNKED}\r\n0\r\n\r\n",
    "chunks and a length": f"{{}}{CHUNKED}{LENGTH}: 5\r\n\r\n0\r\n\r\n",
    "two lengths": f"{{}}{LENGTH}: 1\r\n{LENGTH}: 2\r\n\r\nab",
    "one length twice": f"{{}}{LENGTH}: 1\r\n{LENGTH}: 1\r\n\r\na",
    "a list of lengths": f"{{}}{LENGTH}: 1, 1\r\n\r\na",
    "a length with a sign": f"{{}}{LENGTH}: +1\r\n\r\na",
    "a negative length": f"{{}}{LENGTH}: -1\r\n\r\na",
    "a hexadecimal length": f"{{}}{LENGTH}: 0x1\r\n\r\na",
    "an empty length": f"{{}}{LENGTH}: \r\n\r\n",
    "a length beyond all numbers": f"{{}}{LENGTH}: 99999999999999999999999\r\n\r\n",
    "an unknown coding": "{}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunks that are not the last coding": "{}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "two codings on two lines": f"{{}}{CHUNKED}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "a vertical tab before the coding": "{}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "a folded header": "{}X: a\r\n b\r\n\r\n",
    "white space before the first header": "{request} X: a\r\n\r\n",
    "a space before the colon": f"{{}}{LENGTH} : 0\r\n\r\n",
    "a tab before the colon": "{}X\t: 0\r\n\r\n",
    "a header without a name": "{}: b\r\n\r\n",
    "a header without a colon": "{}abc\r\n\r\n",
    "line feeds alone": "GET {target} HTTP/1.1\nHost: x\n\n",
    "a line feed alone after the request line": "GET {target} HTTP/1.1\nHost: x\r\n\r\n",
    "a line feed alone after a header": "{request}Host: x\nX: y\r\n\r\n",
    "a line feed alone at the end": "{}\n",
    "a carriage return alone between headers": "{request}Host: x\rX: y\r\n\r\n",
    "a carriage return alone in a value": "{}X: a\rb\r\n\r\n",
    "NUL in a value": "{}X: a\0b\r\n\r\n",
    "NUL in a name": "{}X\0: b\r\n\r\n",
    "NUL in the target": "GET {target}\0 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a control character in a value": "{}X: a\x01b\r\n\r\n",
    "a byte beyond ASCII in the method": "GE\xe9 {target} HTTP/1.1\r\nHost: x\r\n\r\n",
    "a tab after the method": "GET\t{target} HTTP/1.1\r\nHost: x\r\n\r\n",
    "a space after the version": "GET {target} HTTP/1.1 \r\nHost: x\r\n\r\n",
    "a version in small letters": "GET {target} http/1.1\r\nHost: x\r\n\r\n",
    "HTTP/2.0": "GET {target} HTTP/2.0\r\nHost: x\r\n\r\n",
    "HTTP/2's preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "HTTP/0.9": "GET {target}\r\n\r\n",
    "a method that is none": "G@T {target} HTTP/1.1\r\nHost: x\r\n\r\n",
    "a method in small letters": "get {target} HTTP/1.1\r\nHost: x\r\n\r\n",
    "TLS": "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
    "a chunk that is no number": f"{{}}{CHUNKED}\r\nZZ\r\n",
    "a negative chunk": f"{{}}{CHUNKED}\r\n-1\r\n",
    "a chunk with a prefix": f"{{}}{CHUNKED}\r\n0x0\r\n\r\n",
    "a chunk beyond all numbers": f"{{}}{CHUNKED}\r\nFFFFFFFFFFFFFFFFF\r\n",
    "a chunk ended by line feeds": f"{{}}{CHUNKED}\r\n0\n\n",
    "a chunk longer than it says": f"{{}}{CHUNKED}\r\n1\r\nab0\r\n\r\n",
    "a space after a chunk's size": f"{{}}{CHUNKED}\r\n1 \r\na\r\n0\r\n\r\n",
    "a line feed in a chunk's extension": f"{{}}{CHUNKED}\r\n1;a\nb\r\na\r\n0\r\n\r\n",
    "no host": "{request}X: y\r\n\r\n",
    "two hosts": "{}Host: y\r\n\r\n",
    "the same host twice": "{}host: x\r\n\r\n",
    "two hosts in HTTP/1.0": "GET {target} HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n",
    "a request line of 64 KiB": "GET {target}?" + "a" * 65_536 + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "a header of 17,000 bytes": "{}X: " + "a" * 17_000 + "\r\n\r\n",
    "headers of 40 KiB": "{}" + ("X: " + "a" * 8_000 + "\r\n") * 5 + "\r\n",
    "129 headers more": "{}" + "X: a\r\n" * 129 + "\r\n",
}

# What stands in the standards and is harmless: the same link is followed, and the connection goes on.
TAKEN = {
    "as browsers do": "{}\r\n",
    "a target of 8,000 bytes": "GET {target}?" + "a" * 8_000 + " HTTP/1.1\r\nHost: x\r\n\r\n",
    "a byte beyond ASCII behind the path": "GET {target}\xe9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a byte beyond ASCII behind the path, in HTTP/1.0": "GET {target}\xe9 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "a byte beyond ASCII behind the path, of a program that only looks": "HEAD {target}\xe9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a byte beyond ASCII in the query": "GET {target}?a=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a byte beyond ASCII in the query, in HTTP/1.0": "GET {target}?a=\xe9 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "a byte beyond ASCII in the query, of a program that only looks": "HEAD {target}?a=\xe9 HTTP/1.1\r\nHost: x\r\n\r\n",
    "a byte beyond ASCII in the query, and a body": "GET {target}?a=\xe9 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n\xe9?\n",
    "a hundred headers": "{}" + "X: a\r\n" * 100 + "\r\n",
    "a header of 15,000 bytes": "{}X: " + "a" * 15_000 + "\r\n\r\n",
    "a body by its length": f"{{}}{LENGTH}: 3\r\n\r\nabc",
    "a body in chunks": f"{{}}{CHUNKED}\r\n3\r\nabc\r\n0\r\n\r\n",
    "a chunk with an extension": f"{{}}{CHUNKED}\r\n1;a=b\r\na\r\n0\r\n\r\n",
    "chunks with a trailer": f"{{}}{CHUNKED}\r\n0\r\nX: y\r\n\r\n",
    "an empty line first": "\r\n{}\r\n",
    "names in any case": "{request}hOsT: x\r\n\r\n",
    "a value with white space around it": "{}X: \t a \t\r\n\r\n",
}


def spelt(shape, target):
    request = f"GET {target} HTTP/1.1\r\n"
    head = request + "Host: x\r\n"
    return shape.replace("{request}", request).replace("{target}", target).replace("{}", head).encode("latin-1")


@pytest.fixture
def target(org):
    """A link's path, of a message that the service has in its memory."""
    link = org.tracked_link()
    return f"/r/{tokens.of_link(link.url)}"


@pytest.mark.parametrize("shape", REFUSED.values(), ids=REFUSED)
def test_what_could_be_read_in_two_ways_ends_the_connection_and_records_nothing(service, target, shape):
    before = scrape(service)
    raw = Raw(service.listen)
    raw.send(spelt(shape, target) + NEXT.encode())
    assert raw.read_to_the_end(), "still open"
    assert raw.statuses() in ([400], []), raw.received
    after = scrape(service)
    for name in ("consentlink_clicks_spooled_total", "consentlink_redirect_seconds_count"):
        assert after.value(name) == before.value(name), "it was taken for a click"
    refused = [
        metrics.value("consentlink_connections_refused_total", reason="malformed") for metrics in (before, after)
    ]
    assert refused[1] == refused[0] + 1


@pytest.mark.parametrize("shape", TAKEN.values(), ids=TAKEN)
def test_what_the_standards_allow_is_followed_and_the_next_request_is_answered(service, target, shape):
    raw = Raw(service.listen)
    raw.send(spelt(shape, target) + NEXT.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode())
    assert raw.read_to_the_end()
    assert raw.statuses() == [302, 200], raw.received


@pytest.mark.parametrize("shape", TAKEN.values(), ids=TAKEN)
def test_a_request_in_many_packets_is_followed_as_one_in_a_single_packet(service, target, shape):
    raw = Raw(service.listen)
    raw.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    request = spelt(shape, target)
    # More pieces than are collected for a request that is read without the decoder.
    size = max(1, len(request) // 12)
    for start in range(0, len(request), size):
        raw.send(request[start : start + size])
        time.sleep(0.005)
    raw.send(NEXT.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode())
    assert raw.read_to_the_end()
    assert raw.statuses() == [302, 200], raw.received


def test_a_client_that_waits_to_be_asked_for_its_body_is_asked(service, org):
    who = person()
    org.record(who, "given")
    identifier = org.compose([who]).links(who)["trackingId"]
    path = f"/api/v1.0/orgs/{org.id}/pushchannel/event/trackings/{identifier}"
    body = b'{"PushNotificationStatus":1}'
    head = wire.request("POST", path, service.listen, {"Expect": "100-continue", "Content-Length": len(body)})
    raw = Raw(service.listen)
    raw.send(head)
    raw.received = raw.socket.recv(65536)
    assert raw.received == b"HTTP/1.1 100 Continue\r\n\r\n"
    raw.send(body + NEXT.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n").encode())
    assert raw.read_to_the_end()
    assert raw.statuses() == [100, 200, 200]


def test_a_client_that_does_not_read_is_not_read_from(service, target):
    """It asks for a hundred thousand pages and takes none: neither answers nor requests may pile up in memory."""
    before = scrape(service).value("process_resident_memory_bytes")
    host, port = service.listen.rsplit(":", 1)
    greedy = socket.create_connection((host, int(port)))
    greedy.setblocking(False)
    question = f"GET {target[:-3]}xyz HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n".encode() * 100
    sent = 0
    deadline = time.monotonic() + 20
    stuck_since = time.monotonic()
    while time.monotonic() < deadline and time.monotonic() - stuck_since < 2 and sent < 300 << 20:
        try:
            sent += greedy.send(question)
            stuck_since = time.monotonic()
        except BlockingIOError:
            time.sleep(0.01)
    assert sent < 64 << 20, f"{sent} bytes of requests were taken from a client that reads nothing"
    assert scrape(service).value("process_resident_memory_bytes") - before < 64 << 20
    greedy.close()


def test_many_small_requests_of_clients_that_do_not_read_take_little_memory(service):
    """What has arrived is decoded a piece at a time: a small request takes ten times its bytes when it is decoded."""
    before = scrape(service).value("process_resident_memory_bytes")
    host, port = service.listen.rsplit(":", 1)
    question = b"GET / HTTP/1.1\r\nHost:\r\n\r\n" * 8_000
    greedy = []
    for _ in range(300):
        connection = socket.create_connection((host, int(port)))
        connection.setblocking(False)
        greedy.append(connection)
        sent = 0
        try:
            while sent < 1 << 20:
                sent += connection.send(question)
        except BlockingIOError:
            pass
    time.sleep(1)
    assert scrape(service).value("process_resident_memory_bytes") - before < 200 << 20
    for connection in greedy:
        connection.close()


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_who_waits_to_be_asked_for_a_body_is_led_on_without_it(service, target, method):
    raw = Raw(service.listen)
    raw.send(wire.request(method, target, service.listen, {"Expect": "100-continue", "Content-Length": 4}))
    assert raw.read_to_the_end()
    assert raw.statuses() == [302 if method == "GET" else 405]


def test_a_refusal_tells_nobody_where_the_reader_was(service):
    for path in ("/o/nothing.gif", "/receipt/nothing", "/nothing"):
        answer = wire.ask(service.listen, "GET", path)
        assert answer.status == 404
        assert answer.header("Referrer-Policy") == "no-referrer"
        assert answer.header("X-Robots-Tag") == "noindex, nofollow"
        assert answer.header("X-Content-Type-Options") == "nosniff"


@pytest.mark.patience
@pytest.mark.timeout(120)
def test_who_is_slow_or_silent_is_sent_away_and_who_is_not_is_kept(service, target):
    started = time.monotonic()
    slow = {
        "silent": (Raw(service.listen), b""),
        "slow with its headers": (Raw(service.listen), b"X"),
        "slow with a link's body": (Raw(service.listen), b"a"),
        "slow with a report's body": (Raw(service.listen), b" "),
        "slow with a plain report's body": (Raw(service.listen), b" "),
        "silent in a plain report's body": (Raw(service.listen), b""),
        "silent in a plain report's header": (Raw(service.listen), b""),
    }
    slow["slow with its headers"][0].send(b"GET /robots.txt HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    slow["slow with a link's body"][0].send(
        f"GET {target} HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n".encode()
    )
    slow["slow with a report's body"][0].send(
        b"POST /bird/v1/orgs/any/interactions HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n"
    )
    start = b"POST /bird/v1/orgs/any/interactions HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n"
    slow["slow with a plain report's body"][0].send(start + b"\r\n")
    slow["silent in a plain report's body"][0].send(start + b"\r\n{")
    slow["silent in a plain report's header"][0].send(start)
    busy = wire.Connection(service.listen)
    while slow and time.monotonic() - started < 60:
        for name, (raw, drop) in list(slow.items()):
            if raw.is_open:
                raw.send(drop)
            else:
                assert b"HTTP/1.1 302" not in raw.socket.recv(65536)
                del slow[name]
        busy.send(NEXT.encode())
        assert busy.receive().status == 200
        time.sleep(1)
    assert not slow, f"still there after a minute: {sorted(slow)}"
    assert scrape(service).value("consentlink_connections_refused_total", reason="slow") >= 3


class FewDescriptors(Service):
    """May have so few files open that the limit of connections is soon reached."""

    LIMIT = 512

    @property
    def command(self):
        return ["sh", "-c", f'ulimit -n {self.LIMIT}; exec "$@"', "sh", *super().command]


@pytest.fixture
def small(tmp_path):
    service = FewDescriptors(tmp_path)
    yield service.start()
    assert service.stop() == 0


def test_when_there_are_too_many_connections_the_quietest_make_room_and_readers_get_through(small):
    org = Operator(small).make("nonRestrictive")
    link = org.tracked_link()
    idle = [Raw(small.listen) for _ in range(100)]
    assert wire.follow(link.url).status == 302
    assert all(raw.is_open for raw in idle), "there is room for these"
    crowd = [Raw(small.listen) for _ in range(1_000)]
    for _ in range(20):
        assert wire.follow(link.url).status == 302
    eventually(lambda: sum(raw.is_open for raw in idle + crowd) <= 192)
    metrics = scrape(small)
    assert metrics.value("consentlink_open_connections") <= 192
    assert metrics.value("consentlink_connections_refused_total", reason="crowded") > 850
    assert len(org.clicks(link)) == 21


def test_the_limit_of_files_is_raised_to_what_the_system_allows(tmp_path):
    soft, hard = 1_000, resource.getrlimit(resource.RLIMIT_NOFILE)[1]

    class LowSoftLimit(Service):
        @property
        def command(self):
            return ["sh", "-c", f'ulimit -S -n {soft}; exec "$@"', "sh", *super().command]

    service = LowSoftLimit(tmp_path).start()
    try:
        assert scrape(service).value("process_max_fds") == hard > soft
    finally:
        assert service.stop() == 0


class TestPersistence:
    """When a connection ends with its answer, whatever the request asks for (RFC 9112, 9.3 and 9.6)."""

    def everything(self, address, request):
        """What is answered until the service closes."""
        host, port = address.split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(request.encode())
            pieces = iter(lambda: connection.recv(65536), b"")
            head, _, body = b"".join(pieces).partition(b"\r\n\r\n")
        return head.decode().lower(), body

    @pytest.mark.parametrize("path", ["/healthz", "/robots.txt", "/r/none"])
    @pytest.mark.parametrize(
        "rest",
        [
            "HTTP/1.0\r\n", "HTTP/1.0\r\nHost: x\r\n", "HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n",
            "HTTP/1.1\r\nHost: x\r\nConnection: close, TE\r\n", "HTTP/1.1\r\nHost: x\r\nConnection: TE\r\nConnection: CLOSE\r\n",
        ],
    )  # fmt: skip
    def test_the_last_request_ends_it(self, service, path, rest):
        head, _ = self.everything(service.listen, f"GET {path} {rest}\r\n")
        assert head.startswith("http/1.")

    def test_so_does_any_on_the_private_listener_in_the_old_version(self, service):
        for field in ("", "Connection: keep-alive\r\n"):
            head, body = self.everything(service.api_listen, f"GET /healthz HTTP/1.0\r\n{field}\r\n")
            assert " 200 " in head and body

    def test_lines_in_the_old_version_have_no_chunks(self, service, org):
        for _ in range(3):
            org.record(person(), "given")
        head, body = self.everything(
            service.api_listen,
            f"GET {org.path('/consents')} HTTP/1.0\r\nAuthorization: Bearer {org.key}\r\nAccept: application/x-ndjson\r\n\r\n")
        assert " 200 " in head and "transfer-encoding" not in head, head
        assert len([json.loads(line) for line in body.splitlines()]) >= 3

    def test_answers_to_both_versions_on_one_connection_keep_their_framing(self, service, org):
        org.record(person(), "given")
        lines = f"Authorization: Bearer {org.key}\r\nAccept: application/x-ndjson\r\n\r\n"
        path = org.path("/consents")
        head, body = self.everything(
            service.api_listen, f"GET {path} HTTP/1.1\r\nHost: x\r\n{lines}GET {path} HTTP/1.0\r\n{lines}")
        assert "content-length: " in head and "chunked" not in head
        assert body.count(b"HTTP/1.") == 1 and b"}\nHTTP/1." in body, body
