"""A request that offers another protocol is answered, and the connection goes on with HTTP/1.1 (RFC 9110, 7.8)."""

import subprocess

import pytest

from harness import tokens
from harness.raw import Raw

OFFERS = {
    "h2c, as Java does": "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n",
    "h2c, as ingress-nginx passes it on": "Connection: upgrade\r\nUpgrade: h2c\r\n",
    "a web socket": "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Key: eA==\r\n",
}
BODIES = {
    "no body": "\r\n",
    "a length": "Content-Length: 3\r\n\r\nabc",
    "chunks": "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
}

# What `java Twice.java` does: the client as it is by default, which offers h2c with its first request.
TWICE = """
import java.net.URI;
import java.net.http.*;
import java.time.Duration;

class Twice {
    public static void main(String[] addresses) throws Exception {
        var client = HttpClient.newHttpClient();
        for (var address : addresses) {
            for (var kind : new String[] {"GET", "POST"}) {
                for (int count = 0; count < 2; count++) {
                    var body = kind.equals("GET")
                        ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString("abc");
                    var request = HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(20))
                        .method(kind, body).build();
                    var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
                    System.out.println(kind + " " + answer.statusCode());
                }
            }
        }
    }
}
"""


@pytest.fixture(params=["public", "private"])
def listener(request, service):
    return service.listen if request.param == "public" else service.api_listen


def ask(method, path, fields="", body="\r\n"):
    return f"{method} {path} HTTP/1.1\r\nHost: x\r\n{fields}{body}".encode()


@pytest.mark.parametrize("path", ["/healthz", "/nothing/here", "/r/x", "/p/x"])
@pytest.mark.parametrize("offer", OFFERS.values(), ids=OFFERS)
def test_the_next_request_on_the_connection_is_answered(listener, offer, path):
    raw = Raw(listener)
    for count in (1, 2, 3):
        raw.send(ask("GET", path, offer))
        assert len(raw.answers(2 * count - 1)) == 2 * count - 1
        raw.send(ask("GET", "/healthz"))
        assert raw.answers(2 * count)[2 * count - 1 :] == [200], raw.received


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("offer", OFFERS.values(), ids=OFFERS)
def test_requests_that_were_sent_ahead_are_answered_in_their_order(listener, offer, body):
    raw = Raw(listener)
    for part in (3, 40, 10_000):
        sent = ask("POST", "/nothing/here", offer, body) + ask("GET", "/healthz", offer) + ask("POST", "/healthz")
        raw.received = b""
        for start in range(0, len(sent), part):
            raw.send(sent[start : start + part])
        statuses = raw.answers(3)
        assert statuses[0] in (404, 405) and statuses[1:] == [200, 405], raw.received


def test_a_click_that_offers_an_upgrade_is_recorded_and_the_next_one_too(service, org):
    link = org.tracked_link()
    raw = Raw(service.listen)
    path = f"/r/{tokens.of_link(link.url)}"
    for offer in OFFERS.values():
        raw.send(ask("GET", path, offer) + ask("GET", path))
    assert raw.answers(6) == [302] * 6
    assert len(org.clicks(link)) == 6


@pytest.mark.parametrize(
    "odd",
    [
        "Connection: upgrade\r\nConnection: keep-alive\r\nUpgrade: h2c\r\n",
        "Connection: ,upgrade\r\nUpgrade: h2c\r\n",
        "Connection: x@y, upgrade\r\nUpgrade: h2c\r\n",
        "Connection: not-upgrade\r\nUpgrade: h2c\r\n",
    ],
)
def test_an_offer_in_an_unusual_spelling_is_answered_and_no_connection_is_left_deaf(listener, odd):
    raw = Raw(listener)
    raw.send(ask("GET", "/healthz", odd) + ask("GET", "/healthz"))
    statuses = raw.answers(2)
    assert statuses in ([200], [200, 200]), raw.received
    assert len(statuses) == 2 or raw.read_to_the_end(), "it is open and says nothing"


def test_a_tunnel_is_refused_and_the_connection_closed(listener):
    raw = Raw(listener)
    raw.send(b"CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\n\r\n" + ask("GET", "/healthz"))
    assert raw.read_to_the_end()
    assert raw.statuses() == [400]


def test_java_s_own_client_gets_all_its_answers(service, tmp_path):
    program = tmp_path / "Twice.java"
    program.write_text(TWICE)
    done = subprocess.run(
        ["java", str(program), f"{service.api}/healthz", f"{service.public}/healthz", f"{service.public}/r/x"],
        capture_output=True,
        text=True,
        timeout=150,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split("\n")[:-1] == (["GET 200"] * 2 + ["POST 405"] * 2) * 2 + ["GET 404"] * 2 + ["POST 405"] * 2
