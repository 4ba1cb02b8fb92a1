"""A client that closes its side behind its last request has said all it will. It gets every answer whole, however
slowly it reads."""

import re
import socket
import time

import pytest

from harness import tokens
from harness.client import person

# Less than the answers, and less than the service writes in the pauses: it has answers left when it has made the last.
WINDOW = 1 << 16
STEP = 1 << 18


def asked_and_closed(address, requests):
    """What comes back for `requests`, with the client's side closed behind them, to a slow reader."""
    host, port = address.rsplit(":", 1)
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, WINDOW)
        client.settimeout(60)
        client.connect((host, int(port)))
        client.sendall(requests)
        client.shutdown(socket.SHUT_WR)
        received = bytearray()
        paused = -1
        while piece := client.recv(WINDOW):
            received += piece
            if paused < (paused := len(received) // STEP):
                time.sleep(0.03)
        return bytes(received)


def question(org, path, version="1.1"):
    return (
        f"GET {org.path(path)} HTTP/{version}\r\nHost: x\r\nAccept: application/x-ndjson\r\n"
        f"Authorization: Bearer {org.key}\r\n\r\n"
    ).encode()


def unchunked(body):
    """The bytes of a body in chunks, up to the last one."""
    whole = bytearray()
    start = 0
    while True:
        end = body.index(b"\r\n", start)
        length = int(body[start:end], 16)
        if length == 0:
            return bytes(whole)
        start = end + 2 + length + 2
        assert body[start - 2 : start] == b"\r\n", "the body is cut"
        whole += body[end + 2 : start - 2]


@pytest.fixture(scope="module")
def long(operator):
    """The path of an answer of several megabytes, and the answer."""
    org = operator.make("restrictive")
    path = f"/messages/{org.make_message({'name': 'long', 'text': 'a long line ' * 800_000})['id']}"
    content = org.expect(200, "GET", org.path(path)).content
    assert len(content) > 9 << 20
    return org, path, content


@pytest.fixture(scope="module")
def export(operator):
    """The path of a list of several megabytes, which is streamed, and the list."""
    org = operator.make("restrictive")
    message = org.make_message({"name": "long"})["id"]
    for _ in range(30):
        org.compose([person() for _ in range(1_000)], message_id=message)
    lines = org.expect(200, "GET", org.path("/decisions"), headers={"Accept": "application/x-ndjson"}).content
    assert lines.count(b"\n") == 30_000 and len(lines) > 7 << 20
    return org, "/decisions", lines


@pytest.mark.parametrize(("kind", "version"), [("long", "1.0"), ("long", "1.1"), ("export", "1.1")])
def test_an_answer_of_several_megabytes_is_whole(request, service, kind, version):
    org, path, content = request.getfixturevalue(kind)
    for _ in range(3):
        head, _, body = asked_and_closed(service.api_listen, question(org, path, version)).partition(b"\r\n\r\n")
        assert re.match(rb"HTTP/1\.[01] 200 ", head)
        body = unchunked(body) if b"chunked" in head else body
        # Megabytes, which a failure need not show.
        is_whole = body == content
        assert is_whole, f"{len(body)} of {len(content)} bytes"


def test_a_long_list_is_refused_in_the_old_version(export, service):
    """HTTP/1.0 does not show whether it is whole, and a proxy passes on what came before the service was killed."""
    org, path, _ = export
    head, _, body = asked_and_closed(service.api_listen, question(org, path, "1.0")).lower().partition(b"\r\n\r\n")
    assert re.match(rb"http/1\.[01] 426 ", head) and b"\r\nupgrade: http/1.1" in head, head
    assert b"proxy_http_version 1.1" in body


@pytest.mark.parametrize("count", [10, 30])
def test_each_of_many_requests_at_once_is_answered(org, service, count):
    answers = asked_and_closed(service.api_listen, question(org, "") * count)
    assert re.findall(rb"HTTP/1\.1 (\d\d\d) ", answers) == [b"200"] * count


def test_each_of_many_links_behind_a_page_is_answered(org, service):
    link = org.tracked_link(content={"name": "long", "link": "https://shop.example/" + "x" * 1_900})
    path = f"/r/{tokens.of_link(link.url)}"
    requests = f"GET {path} HTTP/1.1\r\nHost: x\r\nPurpose: prefetch\r\n\r\n".encode() * 6_000
    for _ in range(3):
        answers = asked_and_closed(service.listen, b"GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n" + requests)
        assert re.findall(rb"HTTP/1\.1 (\d\d\d) ", answers) == [b"200"] + [b"302"] * 6_000
        assert answers.endswith(b"\r\n\r\n")
