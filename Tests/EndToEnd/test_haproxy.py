"""Deploy/haproxy: which node a reader and a backend are sent to, and what is said of it."""

import http.server
import shutil
import socket
import ssl
import subprocess
import threading

import httpx
import pytest

from harness.eventually import eventually
from harness.service import ROOT, free_port

CONFIGURATION = ROOT / "Deploy/haproxy/consentlink.cfg"
TOKEN = "AQF0a2Vu"


class StubNode:
    """Answers health checks as a test says, and keeps what else it was asked."""

    def __init__(self):
        self.redirects = self.does_all = True
        self.requests = []
        self.server = None
        self.ports = {"public": free_port(), "private": free_port()}
        self.servers = []
        self.start()

    def start(self):
        node = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if self.path.startswith("/readyz"):
                    is_well = node.redirects if self.path == "/readyz?for=links" else node.does_all
                    return self.reply(200 if is_well else 503)
                node.requests.append((self.command, self.path, self.headers))
                self.reply(302 if self.path.startswith("/r/") else 200)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def reply(self, status):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        for port in self.ports.values():
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
            server.handle_error = lambda *_: None  # Health checks end their connections as they like.
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
            self.servers.append(server)

    def stop(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()
        self.servers = []


class Doors:
    """haproxy with the example's configuration, on the ports and certificates of a test."""

    def __init__(self, folder, nodes, certificate):
        self.folder = folder
        self.links, self.plain, self.api = free_port(), free_port(), free_port()
        text = CONFIGURATION.read_text()
        changes = {
            "/etc/haproxy/links.example.com.pem": str(certificate),
            "/etc/haproxy/api.example.com.pem": str(certificate),
            "bind :443": f"bind 127.0.0.1:{self.links}",
            "bind :80": f"bind 127.0.0.1:{self.plain}",
            "bind 10.0.0.5:8443": f"bind 127.0.0.1:{self.api}",
            "log /dev/log local0 notice": "log stderr format raw local0 notice",
            "    user haproxy\n    group haproxy\n": "",
            # Of file descriptors a test has fewer.
            "maxconn 20000": "maxconn 2000",
        }
        for i, node in enumerate(nodes, 1):
            changes[f"10.0.0.1{i}:8080"] = f"127.0.0.1:{node.ports['public']}"
            changes[f"10.0.0.1{i}:8081"] = f"127.0.0.1:{node.ports['private']}"
        for there, here in changes.items():
            assert there in text, there
            text = text.replace(there, here)
        (folder / "haproxy.cfg").write_text(text)
        self.log = folder / "log"
        self.process = None

    def start(self):
        command = [shutil.which("haproxy", path="/usr/sbin:/usr/bin"), "-f", self.folder / "haproxy.cfg", "-db"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(lambda: socket.socket().connect_ex(("127.0.0.1", self.links)) == 0)

    def notice(self, *servers):
        """Returns when these servers are known to be down, such as "api/n1"."""
        eventually(lambda: all(f"Server {server} is DOWN" in self.log.read_text() for server in servers))

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=10)


@pytest.fixture
def nodes():
    nodes = [StubNode() for _ in range(3)]
    yield nodes
    for node in nodes:
        node.stop()


@pytest.fixture
def doors(tmp_path, nodes):
    key, certificate, both = (tmp_path / name for name in ("key", "certificate", "both.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=links.example.com", "-addext", "subjectAltName=DNS:links.example.com,DNS:api.example.com"],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_text(certificate.read_text() + key.read_text())
    doors = Doors(tmp_path, nodes, both)
    doors.start()
    doors.trust = ssl.create_default_context(cafile=certificate)
    yield doors
    doors.stop()


def ask(doors, name, path, *, method="GET", host=None, **options):
    port = doors.api if name == "api" else doors.links
    host = host or f"{name}.example.com"
    with httpx.Client(verify=doors.trust) as client:
        return client.request(
            method, f"https://127.0.0.1:{port}{path}", headers={"Host": host} | options.pop("headers", {}),
            extensions={"sni_hostname": "links.example.com"}, timeout=10, **options,
        )  # fmt: skip


def asked(nodes):
    return [len(node.requests) for node in nodes]


def test_a_node_without_its_database_gets_readers_and_no_backends(doors, nodes):
    nodes[0].does_all = False
    nodes[1].does_all = nodes[1].redirects = False
    doors.notice("links/n2", "api/n1", "api/n2")
    for _ in range(30):
        assert ask(doors, "links", f"/r/{TOKEN}").status_code == 302
    assert nodes[0].requests and nodes[2].requests and not nodes[1].requests
    for node in nodes:
        node.requests.clear()
    for _ in range(10):
        assert ask(doors, "api", "/v1/orgs", method="POST", json={}).status_code == 200
    assert asked(nodes) == [0, 0, 10]


def test_readers_are_sent_to_some_node_even_when_none_says_that_it_can(doors, nodes):
    for node in nodes:
        node.redirects = node.does_all = False
    doors.notice("links/n1", "links/n2", "links/n3", "api/n1", "api/n2", "api/n3")
    assert ask(doors, "links", f"/r/{TOKEN}").status_code == 302
    refused = ask(doors, "api", "/v1/orgs", method="POST", json={})
    assert refused.status_code == 503 and refused.json()["status"] == 503 and refused.headers["Retry-After"] == "1"


def test_a_dead_node_costs_no_reader_a_request(doors, nodes):
    nodes[0].stop()
    for _ in range(30):
        assert ask(doors, "links", f"/r/{TOKEN}").status_code == 302
    assert sum(asked(nodes)) == 30, "each was asked once"
    nodes[1].stop()
    nodes[2].stop()
    assert ask(doors, "links", f"/r/{TOKEN}").status_code == 503
    doors.notice("links/n1")
    text = doors.log.read_text()
    assert TOKEN not in text and "/r/" not in text


def test_a_request_that_was_sent_is_not_sent_again(doors, nodes):
    """A node that was killed before it answered may have recorded the click."""
    with socket.socket() as server:
        for node in nodes[1:]:
            node.stop()
        nodes[0].stop()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(("127.0.0.1", nodes[0].ports["public"]))
        server.listen()
        sent = []

        def swallow():
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    sent.append(connection.recv(65536))

        threading.Thread(target=swallow, daemon=True).start()
        assert ask(doors, "links", f"/r/{TOKEN}").status_code in (502, 503)
        assert len([request for request in sent if b"/r/" in request]) <= 1
        server.shutdown(socket.SHUT_RDWR)


def test_passes_on_what_was_asked_and_no_address(doors, nodes):
    address = {"X-Forwarded-For": "203.0.113.7", "X-Real-IP": "203.0.113.7", "Forwarded": "for=203.0.113.7"}
    answer = ask(doors, "links", f"/r/{TOKEN}?a=%2F&b=//x", headers=address)
    assert answer.headers["Strict-Transport-Security"]
    ((method, path, headers),) = [request for node in nodes for request in node.requests]
    assert (method, path) == ("GET", f"/r/{TOKEN}?a=%2F&b=//x")
    assert headers["Host"] == "links.example.com" and "203.0.113.7" not in headers.as_string()


def test_health_metrics_and_other_names_are_not_for_the_public(doors, nodes):
    for path in ("/readyz", "//readyz/", "/healthz"):
        assert ask(doors, "links", path).status_code == 404
    assert ask(doors, "api", "/metrics").status_code == 404
    with pytest.raises(httpx.HTTPError):
        ask(doors, "links", f"/r/{TOKEN}", host="other.example.com")
    assert ask(doors, "links", "/e/x", method="POST", content=b"x" * 40_000).status_code == 413
    plain = httpx.get(f"http://127.0.0.1:{doors.plain}/r/{TOKEN}", headers={"Host": "links.example.com"})
    assert plain.status_code == 308 and plain.headers["Location"] == f"https://links.example.com/r/{TOKEN}"
    assert asked(nodes) == [0, 0, 0]


def test_haproxy_finds_nothing_wrong_with_it(doors):
    done = subprocess.run(
        [shutil.which("haproxy", path="/usr/sbin:/usr/bin"), "-c", "-V", "-f", doors.folder / "haproxy.cfg"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0 and "WARNING" not in done.stderr, done.stderr
