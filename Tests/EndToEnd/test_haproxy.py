"""Deploy/haproxy: which node a reader and a backend are sent to, and what is said of it."""

import contextlib
import http.server
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
from types import SimpleNamespace

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
        self.leaves = self.dies = False
        self.closed_org = None
        self.requests = []
        self.connections = []
        self.ports = {"public": free_port(), "private": free_port()}
        self.servers = []
        self.start()

    def start(self):
        node = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                node.connections.append(self.connection)

            def do_GET(self):
                if self.path.startswith("/readyz"):
                    is_well = node.redirects if self.path == "/readyz?for=links" else node.does_all
                    return self.reply(200 if is_well and not node.leaves else 503)
                node.requests.append((self.command, self.path, self.headers))
                if node.dies:
                    self.close_connection = True
                elif node.closed_org and f"/orgs/{node.closed_org}" in self.path:
                    self.reply(503)
                else:
                    self.reply(302 if self.path.startswith("/r/") else 200)

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.do_GET()

            def reply(self, status):
                self.send_response(status)
                self.send_header("Content-Length", "0")
                if node.leaves:
                    self.send_header("Connection", "close")
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

    def leave(self):
        """Ends as a node does that is asked to: ready for nothing, and gone after three seconds."""
        self.leaves = True
        time.sleep(3)
        self.stop()
        for connection in self.connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def come_back(self):
        self.leaves, self.connections = False, []
        self.start()


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
        self.trust = ssl.create_default_context(cafile=certificate)

    def start(self):
        command = [shutil.which("haproxy", path="/usr/sbin:/usr/bin"), "-f", self.folder / "haproxy.cfg", "-db"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        for port in (self.links, self.plain, self.api):
            eventually(lambda port=port: socket.socket().connect_ex(("127.0.0.1", port)) == 0)

    def notice(self, *servers, state="DOWN"):
        """Returns when these servers, such as "api/n1", are known to be down, or up."""
        eventually(lambda: all(f"Server {server} is {state}" in self.log.read_text() for server in servers))

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
def certificate(tmp_path):
    """A file with a key and its certificate for both doors."""
    key, certificate, both = (tmp_path / name for name in ("key", "certificate", "both.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
         "-subj", "/CN=links.example.com", "-addext", "subjectAltName=DNS:links.example.com,DNS:api.example.com"],
        check=True, capture_output=True,
    )  # fmt: skip
    both.write_text(certificate.read_text() + key.read_text())
    return both


@pytest.fixture
def doors(tmp_path, nodes, certificate):
    doors = Doors(tmp_path, nodes, certificate)
    doors.start()
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


def test_a_closed_ledger_of_one_organization_keeps_no_other_one_from_the_api(doors, nodes):
    """Every node says then that it is not ready."""
    for node in nodes:
        node.does_all, node.closed_org = False, "acme"
    doors.notice("api/n1", "api/n2", "api/n3")
    for _ in range(6):
        assert ask(doors, "api", "/v1/orgs/other/payloads", method="POST", json={}).status_code == 200
        assert ask(doors, "api", "/v1/orgs/acme/payloads", method="POST", json={}).status_code == 503
    assert ask(doors, "links", f"/r/{TOKEN}").status_code == 302


def test_backends_hear_in_json_that_no_node_is_there(doors, nodes):
    for node in nodes:
        node.stop()
    refused = ask(doors, "api", "/v1/orgs", method="POST", json={})
    assert refused.status_code == 503 and refused.json()["status"] == 503 and refused.headers["Retry-After"] == "1"


class Clients:
    """Keep asking at both doors as long as the `with` lasts, and note what they were not answered as they should be."""

    def __init__(self, doors, *requests):
        """`requests`: each a door, a method, a path and the statuses that are right."""
        self._doors, self._ended = doors, threading.Event()
        self.failed, self.counts = [], {"links": 0, "api": 0}
        self._threads = [threading.Thread(target=self._ask, args=request, daemon=True) for request in requests * 2]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _ask(self, name, method, path, right):
        port = self._doors.api if name == "api" else self._doors.links
        with httpx.Client(verify=self._doors.trust, timeout=20) as client:
            while not self._ended.is_set():
                try:
                    answer = client.request(
                        method, f"https://127.0.0.1:{port}{path}", headers={"Host": f"{name}.example.com"},
                        extensions={"sni_hostname": "links.example.com"}, json={} if method == "POST" else None,
                    )  # fmt: skip
                    if answer.status_code != right:
                        self.failed.append((name, method, answer.status_code, answer.text))
                except httpx.HTTPError as error:
                    self.failed.append((name, method, repr(error)))
                self.counts[name] += 1

    def go_on(self):
        before = dict(self.counts)
        eventually(lambda: all(self.counts[name] > before[name] + 50 for name in before))


def test_a_node_that_leaves_costs_no_request_at_either_door(doors, nodes):
    requests = (
        ("links", "GET", f"/r/{TOKEN}", 302), ("links", "POST", "/e/x", 200), ("api", "POST", "/v1/orgs", 200),
        ("api", "GET", "/v1", 200))  # fmt: skip
    with Clients(doors, *requests) as clients:
        for number, node in enumerate(nodes[:2], 1):
            clients.go_on()
            node.leave()
            doors.notice(f"links/n{number}", f"api/n{number}")
            node.come_back()
            doors.notice(f"links/n{number}", f"api/n{number}", state="UP")
    assert clients.failed == []


def test_a_service_that_is_stopped_and_started_costs_no_request_at_either_door(start, tmp_path, certificate):
    services = [start() for _ in range(3)]
    ports = [{"public": of.listen.rsplit(":")[1], "private": of.api_listen.rsplit(":")[1]} for of in services]
    doors = Doors(tmp_path, [SimpleNamespace(ports=each) for each in ports], certificate)
    # No storage is asked for these, and nothing is sent twice that is not repeated by itself.
    requests = (
        ("links", "GET", "/robots.txt", 200), ("links", "POST", "/robots.txt", 405), ("api", "POST", "/v1/orgs", 401),
        ("api", "GET", "/v1/orgs/acme", 401))  # fmt: skip
    doors.start()
    try:
        with Clients(doors, *requests) as clients:
            for number, service in enumerate(services[:2], 1):
                clients.go_on()
                assert service.stop() == 0
                doors.notice(f"links/n{number}", f"api/n{number}")
                clients.go_on()
                service.start()
                doors.notice(f"links/n{number}", f"api/n{number}", state="UP")
    finally:
        doors.stop()
    assert clients.failed == []


def test_a_node_that_says_that_it_leaves_is_out_before_it_closes_its_door():
    """It goes on for three seconds."""
    (words,) = re.findall(r"^    default-server check (.*)$", CONFIGURATION.read_text(), re.MULTILINE)
    options = dict(zip(words.split()[::2], words.split()[1::2], strict=True))
    unit = {"ms": 0.001, "s": 1}
    inter, fast = (
        float(number) * unit[name]
        for number, name in (re.fullmatch(r"(\d+)(ms|s)", options[key]).groups() for key in ("inter", "fastinter"))
    )
    assert inter + (int(options["fall"]) - 1) * fast < 2


def test_what_only_reads_is_asked_of_another_node_when_one_ends_before_it_answers(doors, nodes):
    nodes[0].dies = nodes[1].dies = True
    for _ in range(6):
        assert ask(doors, "api", "/v1/orgs/acme").status_code == 200
    assert nodes[0].requests or nodes[1].requests
    for node in nodes:
        node.requests.clear()
    answers = [ask(doors, "api", "/v1/orgs", method="POST", json={}).status_code for _ in range(6)]
    assert sum(asked(nodes)) == 6 and 502 in answers
    for node in nodes:
        node.requests.clear()
        node.dies = True
    assert ask(doors, "links", f"/r/{TOKEN}").status_code == 502
    assert sum(asked(nodes)) == 1, "a click that is asked for twice is recorded twice"


def test_takes_as_long_a_head_as_it_says(doors, nodes):
    assert "HAProxy takes 15 KiB" in CONFIGURATION.read_text()
    for size, status in ((14_800, 200), (15 * 1024, 400)):
        assert ask(doors, "api", "/v1/orgs", headers={"X-Long": "x" * size}).status_code == status
    assert sum(asked(nodes)) == 1


def test_sends_no_node_more_connections_than_its_private_listener_takes():
    source = (ROOT / "Sources/Service/Process/DescriptorShares.swift").read_text()
    (most,) = re.findall(r"usualPrivate = ([\d_]+)", source)
    backend = CONFIGURATION.read_text().partition("\nbackend api\n")[2]
    (given,) = re.findall(r"^    default-server maxconn (\d+)$", backend, re.MULTILINE)
    assert int(given) < int(most.replace("_", ""))


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
