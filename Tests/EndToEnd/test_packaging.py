"""What Deploy/ brings for other places than a terminal: systemd, nginx, Prometheus, Grafana, Docker, Kubernetes."""

import fnmatch
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import yaml

from harness import tokens
from harness.client import Operator
from harness.eventually import eventually
from harness.service import ROOT, CommandLine, Service, environment, free_port

DEPLOY = ROOT / "Deploy"


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


class TestDependencies:
    """Deploy/dependencies.txt: every package that was tested, by version."""

    LIST = [line.split() for line in (DEPLOY / "dependencies.txt").read_text().splitlines() if line[0] != "#"]

    @pytest.fixture
    def project(self, tmp_path):
        """A project with nothing in it but the list and its script."""
        (tmp_path / "Deploy").mkdir()
        for name in ("dependencies", "dependencies.txt"):
            shutil.copy(DEPLOY / name, tmp_path / "Deploy")
        return tmp_path

    def test_direct_ones_are_those_of_the_manifest(self):
        manifest = (ROOT / "Package.swift").read_text()
        direct = dict(re.findall(r'\.package\(url: "([^"]+)", exact: "([^"]+)"', manifest))
        assert direct.items() <= {repository: version for _, repository, version in self.LIST}.items()
        assert len(direct) == manifest.count(".package(url:"), "a version floats"

    def resolved(self, project, changed=None):
        """A Package.resolved that has the list's versions, but for the first package's, when another one is given."""
        pins = [
            {"identity": name, "location": location, "state": {"version": version}}
            for name, location, version in self.LIST
        ]
        pins[0]["state"]["version"] = changed or pins[0]["state"]["version"]
        (project / "Package.resolved").write_text(json.dumps({"pins": pins}))

    def test_the_listed_versions_are_in_order(self, project):
        self.resolved(project)
        run(project / "Deploy/dependencies", "check")

    def test_another_version_is_told_and_can_be_taken_over(self, project):
        self.resolved(project, changed="999.0.0")
        check = [project / "Deploy/dependencies", "check"]
        done = subprocess.run(check, capture_output=True, text=True)
        assert done.returncode == 1 and self.LIST[0][0] in done.stderr
        run(project / "Deploy/dependencies", "update")
        run(*check)


# What the documents give to be pasted, and the units that a command of it enables.
ENABLE = re.compile(r"\bsystemctl enable --now (.+)$", re.MULTILINE)
ENABLING = [
    block
    for document in sorted((ROOT / "docs").glob("*.md"))
    for block in re.findall(r"^```bash\n(.*?)^```$", document.read_text(), re.MULTILINE | re.DOTALL)
    if ENABLE.search(block)
]


class TestSystemd:
    UNIT = DEPLOY / "systemd/consentlink.service"
    UNITS = sorted((DEPLOY / "systemd").iterdir())

    def exposure(self, unit):
        said = run("systemd-analyze", "security", "--offline=true", "--no-pager", unit)
        return float(re.search(r"Overall exposure level for \S+: ([\d.]+)", said)[1])

    @pytest.mark.parametrize("name", ["consentlink.service", "consentlink-checkpoints@.service", "consentlink-relay.service"])
    def test_leaves_the_service_little_to_do_harm_with(self, name, tmp_path):
        unit = tmp_path / name.replace("@", "@acme")
        shutil.copy(DEPLOY / "systemd" / name, unit)
        assert self.exposure(unit) < 2.0

    def test_lets_no_core_file_have_the_keys(self):
        assert "LimitCORE=0" in self.UNIT.read_text().splitlines()

    @pytest.mark.parametrize("name", ["consentlink.service", "consentlink-relay.service"])
    def test_has_the_journal_drop_no_line_because_of_many_before_it(self, name):
        """A key with the scope manage causes as many lines as it likes, and acts after them must be in the log."""
        line = "LogRateLimitIntervalSec=0"
        assert line in (DEPLOY / "systemd" / name).read_text().splitlines()
        assert f"`{line}`" in (ROOT / "docs/logs.md").read_text()

    def test_gives_the_relay_the_time_and_the_files_that_it_takes(self):
        unit = (DEPLOY / "systemd/consentlink-relay.service").read_text()
        relay = (ROOT / "Sources/Relay/Relay.swift").read_text()
        (seconds,) = re.findall(r"timeout = Duration\.seconds\((\d+)\)", relay)
        assert f"# Deliveries under way get {seconds} seconds." in unit
        assert int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE)[1]) > int(seconds)
        limit = re.search(r"^LimitNOFILE=\d+$", self.UNIT.read_text(), re.MULTILINE)[0]
        assert limit in unit.splitlines()

    def test_lets_the_relay_ask_for_the_addresses_of_its_machine(self):
        """It refuses to send there, and does not start if it cannot ask."""
        unit = (DEPLOY / "systemd/consentlink-relay.service").read_text()
        assert "AF_NETLINK" in re.search(r"^RestrictAddressFamilies=(.*)$", unit, re.MULTILINE)[1].split()

    def test_leaves_the_service_what_it_reads_of_the_system(self):
        """Without the boot's id a node takes a copy of a folder for the folder."""
        sources = "".join(file.read_text() for file in (ROOT / "Sources/Service").rglob("*.swift"))
        assert '"/proc/sys/kernel/random/boot_id"' in sources
        for text in (self.UNIT.read_text(), (DEPLOY / "package.d/user.conf").read_text()):
            assert not re.search(r"^(ProcSubset|InaccessiblePaths)=", text, re.MULTILINE)

    def test_its_lines_for_secrets_are_lines_of_systemd_and_of_the_service(self, tmp_path):
        text = self.UNIT.read_text().replace("/usr/bin/consentlink", "/bin/true")
        lines = re.findall(r"^#((?:LoadCredential|Environment)=.*)$", text, re.MULTILINE)
        (tmp_path / "consentlink.service").write_text(text.replace("#LoadC", "LoadC").replace("#Environment=", "Environment="))
        said = run("systemd-analyze", "verify", "--recursive-errors=no", tmp_path / "consentlink.service")
        assert "consentlink" not in said, said
        files = dict(re.findall(r"LoadCredential=(\S+):/etc/consentlink/(\S+)", "\n".join(lines)))
        used = set(re.findall(r"%d/([\w.-]+)", "\n".join(lines)))
        assert len(files) == len(lines) / 2 and set(files) == set(files.values()) == used
        help = CommandLine().run("serve", "--help").stdout
        for setting in re.findall(r"Environment=CONSENTLINK_(\w+)=", "\n".join(lines)):
            assert f"  --{setting.lower().replace('_', '-')} <" in help, setting

    def test_every_document_that_puts_a_secret_into_a_file_says_how_the_service_reads_it(self):
        texts = {document.name: document.read_text() for document in sorted((ROOT / "docs").glob("*.md"))}
        secret = r"/etc/consentlink/(cluster\.key|console\.secret|database-)"
        having = {name for name, text in texts.items() if re.search(secret, text)}
        assert {"deploying.md", "many-nodes.md", "postgresql.md"} <= having
        says = {name for name in having if "#secrets-in-files" in texts[name]} | {"deploying.md"}
        assert says == having and "### Secrets in files" in texts["deploying.md"]

    def test_would_notice_if_it_left_much(self, tmp_path):
        lax = tmp_path / "consentlink.service"
        kept = [line for line in self.UNIT.read_text().splitlines() if not line.startswith(("Protect", "Restrict"))]
        lax.write_text("\n".join(kept))
        assert self.exposure(lax) > 2.0

    @pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
    def test_is_a_unit_that_systemd_reads_without_a_complaint(self, unit, tmp_path):
        for each in self.UNITS:
            text = re.sub(r"/usr/(bin/consentlink|lib/consentlink/collect)", "/bin/true", each.read_text())
            (tmp_path / each.name.replace("@", "@acme")).write_text(text)
        said = run("systemd-analyze", "verify", "--recursive-errors=no", tmp_path / unit.name.replace("@", "@acme"))
        assert "consentlink" not in said, said

    def test_starts_the_service_with_settings_that_it_has(self):
        (command,) = re.findall(r"^ExecStart=/usr/bin/consentlink (.*)$", self.UNIT.read_text(), re.MULTILINE)
        from harness.service import CommandLine

        help = CommandLine().run("serve", "--help").stdout
        assert command.split()[0] == "serve"
        for flag in re.findall(r"--[a-z-]+", command):
            assert flag in help

    def test_starts_no_service_on_a_folder_that_is_not_there_and_one_on_what_init_makes(self, tmp_path):
        (command,) = re.findall(r"^ExecStart=/usr/bin/consentlink (serve .*)$", self.UNIT.read_text(), re.MULTILINE)
        data = tmp_path / "consentlink"
        service = Service(tmp_path, data=data, flags=command.replace("/var/lib", str(tmp_path)).split()[1:])
        done = subprocess.run(service.command, capture_output=True, text=True, timeout=60, env=service.environment)
        assert (done.returncode, data.exists()) == (3, False), done.stderr
        install = (ROOT / "docs/deploying.md").read_text()
        assert "/usr/bin/consentlink init --data /var/lib/consentlink\n" in install
        assert CommandLine().run("init", "--data", str(data), settings=service.storage).returncode == 0
        service.start()
        assert service.stop() == 0


    def test_a_start_that_fails_is_tried_again_for_as_long_as_a_socket_may_wait_for_it(self):
        """systemd gives up a socket whose service it has given up, and readers are refused from then on."""
        lines = self.UNIT.read_text().splitlines()
        assert "StartLimitIntervalSec=0" in lines[lines.index("[Unit]") : lines.index("[Service]")]
        assert "Restart=on-failure" in lines
        assert not [line for line in lines if line.startswith("RestartPreventExitStatus")]

    def test_the_timer_of_backups_leaves_deleting_to_the_program_that_knows_whose_they_are(self):
        unit = (DEPLOY / "systemd/consentlink-backup.service").read_text()
        (command,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
        assert command == "/usr/bin/consentlink backup --data /var/lib/consentlink --keep-days 14 --keep 7"

    @pytest.mark.parametrize("block", ENABLING, ids=lambda block: re.search(ENABLE, block)[1].split()[0])
    def test_a_documented_block_enables_units_that_it_installs(self, block, tmp_path):
        """In a folder instead of the root of the system. A timer and a socket start the service of their name."""
        installed = tmp_path / "etc/systemd/system"
        installed.mkdir(parents=True)
        for line in block.replace("\\\n", "").splitlines():
            if line.startswith("install ") and line.endswith(" /etc/systemd/system/"):
                run("bash", "-euc", line.replace(" /etc/systemd/", f" {tmp_path}/etc/systemd/"), cwd=ROOT)
            elif line.startswith("apt-get install ") and line.endswith("/consentlink_*.deb"):
                shutil.copytree(DEPLOY / "systemd", installed, dirs_exist_ok=True)
            for names in re.findall(ENABLE, line):
                run("systemctl", f"--root={tmp_path}", "enable", *names.split())
                for name in names.split():
                    service = re.sub(r"@\w+", "@", name.rpartition(".")[0]) + ".service"
                    assert (installed / service).exists(), f"{name} starts {service}"

    def test_the_documents_it_names_are_installed_with_it(self):
        named = re.findall(r"^Documentation=(.*)$", "".join(unit.read_text() for unit in self.UNITS), re.MULTILINE)
        assert len(named) >= 3
        folder, files = "/usr/share/doc/consentlink", "docs/*.md"
        assert f"--target-directory {folder} {files}" in (ROOT / "docs/deploying.md").read_text()
        for place in " ".join(named).split():
            assert place.startswith(f"file:{folder}/"), place
            assert (ROOT / "docs" / Path(place).name).exists(), place


def headings(document):
    return re.findall(r"^#+ (.*)$", document.read_text(), re.MULTILINE)


DEPLOYED = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and "__pycache__" not in path.parts)


@pytest.mark.parametrize("file", DEPLOYED, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_what_a_file_points_to_in_the_documents_is_there(file):
    for path, section in re.findall(r'(docs/[\w./-]+\.md)(?:, "([^"]+)")?', file.read_text()):
        assert (ROOT / path).exists(), path
        assert not section or section in headings(ROOT / path), f"{path} has no section {section}"


class Upstream:
    """A service that keeps what it was sent, and counts the connections it was sent over. Without an answer it ends each
    connection when it was asked. An answer that is a function writes to the connection itself."""

    def __init__(self, answer=b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"):
        self.requests, self.connections, self._answer = [], 0, answer
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        pending = b""
        with connection:
            while data := connection.recv(65536):
                pending += data
                while b"\r\n\r\n" in pending:
                    head, pending = pending.split(b"\r\n\r\n", 1)
                    self.requests.append(head.decode("latin-1"))
                    if self._answer is None:
                        return
                    if callable(self._answer):
                        self._answer(connection)
                    else:
                        connection.sendall(self._answer)

    def close(self):
        self._socket.close()


@pytest.fixture
def front(tmp_path):
    """nginx with the example's configuration, on ports, certificates and folders of this test."""
    ended = []

    def start(upstream):
        folder = tmp_path / f"front-{len(ended)}"
        (folder / "logs").mkdir(parents=True)
        folder.chmod(0o755)
        key, certificate = folder / "key.pem", folder / "certificate.pem"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=links.example.com", "-addext", "subjectAltName=DNS:links.example.com",
            "-keyout", key, "-out", certificate)  # fmt: skip
        tls, plain = free_port(), free_port()
        site = (DEPLOY / "nginx/consentlink.conf").read_text()
        for given, here in (
            ("127.0.0.1:8080", upstream if isinstance(upstream, str) else f"127.0.0.1:{upstream}"),
            ("listen 443 ", f"listen 127.0.0.1:{tls} "),
            ("listen 80", f"listen 127.0.0.1:{plain}"),
            ("/etc/ssl/links.example.com/fullchain.pem", str(certificate)),
            ("/etc/ssl/links.example.com/privkey.pem", str(key)),
        ):
            assert given in site, given
            site = site.replace(given, here)
        site = re.sub(r"^ *listen \[::\].*\n", "", site, flags=re.MULTILINE)
        configuration = folder / "nginx.conf"
        paths = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        configuration.write_text(
            f"daemon off; master_process off; worker_processes 1; pid {folder}/pid;\n"
            f"error_log {folder}/logs/main.log crit; events {{}}\nhttp {{ access_log {folder}/logs/access.log; {paths}\n{site}\n}}\n"
        )
        command = ["nginx", "-e", folder / "logs/start.log", "-c", configuration]
        run(*command, "-t")
        process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ended.append(process)

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", tls)) == 0

        eventually(listens)
        return tls, plain, certificate, folder / "logs"

    yield start
    for process in ended:
        process.send_signal(signal.SIGQUIT)
        process.wait(timeout=20)


@pytest.fixture
def console_front(tmp_path):
    """nginx with the example of docs/console.md, which `nginx -t` takes, on a port and certificates of this test."""
    ended = []

    def start(upstream):
        (example,) = re.findall(r"^```nginx\n(.*?)^```$", (ROOT / "docs/console.md").read_text(), re.MULTILINE | re.DOTALL)
        port, logs = free_port(), tmp_path / "logs"
        logs.mkdir()
        key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=console.example.com", "-addext",
            "subjectAltName=DNS:console.example.com,IP:127.0.0.1", "-keyout", key, "-out", certificate)  # fmt: skip
        for given, here in (
            ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
            ("127.0.0.1:8082", f"127.0.0.1:{upstream}"),
            ("/etc/ssl/console.example.com/fullchain.pem", str(certificate)),
            ("/etc/ssl/console.example.com/privkey.pem", str(key)),
        ):
            assert given in example, given
            example = example.replace(given, here)
        paths = "".join(
            f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        configuration = tmp_path / "nginx.conf"
        configuration.write_text(
            f"daemon off; master_process off; pid {tmp_path}/pid; error_log {logs}/main.log error; events {{}}\n"
            f"http {{ access_log {logs}/access.log; {paths}\n{example}\n}}\n"
        )
        command = ["nginx", "-e", str(logs / "start.log"), "-c", str(configuration)]
        run(*command, "-t")
        ended.append(subprocess.Popen(command))

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0

        eventually(listens)
        return httpx.Client(verify=ssl.create_default_context(cafile=certificate), base_url=f"https://127.0.0.1:{port}"), logs

    yield start
    for process in ended:
        process.send_signal(signal.SIGQUIT)
        process.wait(timeout=20)


def reader(certificate):
    """A browser that trusts the front alone."""
    return httpx.Client(verify=ssl.create_default_context(cafile=certificate), follow_redirects=False)


def ask(client, port, path, **options):
    headers = {"Host": "links.example.com"}
    return client.get(
        f"https://127.0.0.1:{port}{path}", headers=headers, extensions={"sni_hostname": "links.example.com"}, **options
    )


class TestNginx:
    def test_carries_links_to_the_service_and_leaves_no_trace_of_them(self, service, start, front):
        listen = f"127.0.0.1:{free_port()}"
        behind = start(listen=listen, settings={"CONSENTLINK_PUBLIC_URL": "https://links.example.com"})
        org = Operator(behind).make()
        link = org.tracked_link()
        assert link.url.startswith("https://links.example.com/r/")
        tls, plain, certificate, logs = front(int(listen.rsplit(":", 1)[1]))
        path = f"/r/{tokens.of_link(link.url)}"
        with reader(certificate) as client:
            answer = ask(client, tls, path)
            assert answer.status_code == 302
            assert answer.headers["location"] == "https://shop.example/offer?a=1&b=2"
            assert answer.headers["cache-control"] == "no-store"
            for path_of_health in ("/readyz", "/readyz/", "//readyz//", "/healthz", "/healthz/"):
                assert ask(client, tls, path_of_health).status_code == 404
            assert answer.headers["strict-transport-security"] == "max-age=31536000"
            with pytest.raises(httpx.RemoteProtocolError):
                httpx.get(f"http://127.0.0.1:{plain}{path}", headers={"Host": "evil.example"})
            unsafe = httpx.get(f"http://127.0.0.1:{plain}{path}", headers={"Host": "links.example.com"})
            assert (unsafe.status_code, unsafe.headers["location"]) == (308, f"https://links.example.com{path}")
            # Which version of nginx it is, is told on no port.
            told = {response.headers.get("server", "nginx") for response in (unsafe, ask(client, tls, "/healthz"))}
            assert told == {"nginx"}
            found = eventually(lambda: org.interactions(message=link.message))
            assert [click["recipient"] for click in found] == [link.recipient]
            # With the service gone nginx has something to complain about, and still says nothing of the link.
            assert behind.stop() == 0
            assert ask(client, tls, path).status_code == 502
        for log in logs.iterdir():
            assert tokens.of_link(link.url) not in log.read_text(), log.name

    def test_takes_what_the_service_takes(self, start, front):
        """A long query, and the cookies of a whole domain, over either version of HTTP."""
        listen = f"127.0.0.1:{free_port()}"
        behind = start(listen=listen, settings={"CONSENTLINK_PUBLIC_URL": "https://links.example.com"})
        link = Operator(behind).make().tracked_link()
        tls, _, certificate, _ = front(int(listen.rsplit(":", 1)[1]))
        path = f"/r/{tokens.of_link(link.url)}"
        for headers, query in (({}, "?a=" + "b" * 12_000), ({"Cookie": "c=" + "d" * 15_000}, "")):
            for version in ("--http1.1", "--http2"):
                sent = [part for name, value in headers.items() for part in ("--header", f"{name}: {value}")]
                answer = subprocess.run(
                    ["curl", "--silent", version, "--cacert", certificate, "--output", "/dev/null", "--write-out",
                     "%{http_code}", "--resolve", f"links.example.com:{tls}:127.0.0.1", *sent,
                     f"https://links.example.com:{tls}{path}{query}"],
                    capture_output=True, text=True, timeout=20,
                )  # fmt: skip
                assert answer.stdout == "302", (version, query[:3], answer)

    def test_names_no_link_when_it_cannot_even_try_to_connect(self, tmp_path, front):
        """As when no port is left. nginx calls this critical, which a service that is gone is not."""
        tls, plain, certificate, logs = front(f"unix:{tmp_path}/none")
        with reader(certificate) as client:
            assert ask(client, tls, "/r/AQF0a2Vu").status_code == 502
        site = (DEPLOY / "nginx/consentlink.conf").read_text()
        assert set(re.findall(r"^ +error_log +(\S+)", site, re.MULTILINE)) == {"/dev/null"}
        assert site.count("error_log ") == site.count("server {") == site.count("access_log off")
        for log in logs.iterdir():
            assert "AQF0a2Vu" not in log.read_text(), log.name

    def test_the_consoles_front_keeps_the_port_and_logs_no_sign_in_link(self, console_front):
        upstream = Upstream()
        client, logs = console_front(upstream.port)
        secret = "/sign-in/link/c2VjcmV0"
        client.headers["X-Forwarded-For"] = "203.0.113.9"
        assert client.get(secret, headers={"Host": "console.example.com:8443"}).status_code == 404
        request = upstream.requests[0]
        assert request.startswith(f"GET {secret} HTTP/1.1\r\n") and "\r\nHost: console.example.com:8443" in request
        assert "203.0.113.9" not in request
        upstream.close()
        eventually(lambda: client.get(secret).status_code == 502)
        for log in logs.iterdir():
            assert "c2VjcmV0" not in log.read_text(), log.name

    def test_the_consoles_front_passes_on_what_the_console_takes_and_answers(self, console_front):
        cookies = b"".join(b"Set-Cookie: c%d=%s\r\n" % (n, b"x" * 3_000) for n in range(4))
        upstream = Upstream(b"HTTP/1.1 200 OK\r\n" + cookies + b"Content-Length: 2\r\n\r\nok")
        client, _ = console_front(upstream.port)
        answer = client.get("/sign-in/answer?code=" + "c" * 12_000)
        assert answer.status_code == 200 and len(answer.headers.get_list("set-cookie")) == 4
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert client.post("/", content=b"x" * (64 << 10)).status_code == 200
        assert client.post("/", content=b"x" * ((64 << 10) + 1)).status_code == 413

    def test_the_consoles_front_passes_an_export_on_as_it_comes(self, console_front):
        """The second half waits until the browser has the first."""
        arrived = threading.Event()

        def answer(connection):
            head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/x-tar\r\n\r\n"
            connection.sendall(head + b"5\r\nfirst\r\n")
            arrived.wait(20)
            connection.sendall(b"6\r\nsecond\r\n0\r\n\r\n")

        client, _ = console_front(Upstream(answer).port)
        with client.stream("GET", "/auditing/export") as stream:
            parts = stream.iter_raw()
            first = next(parts)
            assert first == b"first"
            arrived.set()
            assert b"".join(parts) == b"second"

    def test_keeps_connections_and_passes_on_what_was_asked_and_no_address(self, front):
        upstream = Upstream()
        tls, _, certificate, _ = front(upstream.port)
        asked = ["/r/x?a=%2f&b=1+2", "//api/v1.0/orgs/x", "/r/?id=h1%2C2,7"]
        with reader(certificate) as client:
            for path in asked:
                assert ask(client, tls, path).status_code == 404
            client.headers["X-Forwarded-For"] = "203.0.113.9"
            for _ in range(20):
                ask(client, tls, "/robots.txt")
        upstream.close()
        # More than one only where a pause was as long as nginx keeps a connection.
        assert upstream.connections < len(upstream.requests) / 2
        assert [request.split("\r\n")[0] for request in upstream.requests[:3]] == [f"GET {path} HTTP/1.1" for path in asked]
        for request in upstream.requests:
            names = {line.split(":")[0].lower() for line in request.split("\r\n")[1:]}
            assert not names & {"x-forwarded-for", "x-real-ip", "forwarded"}, request
            assert "203.0.113.9" not in request

    def test_a_restart_costs_no_reader_a_request(self, tmp_path, front):
        """systemd keeps the listening socket open (Deploy/systemd/consentlink.socket)."""
        behind = Activated(tmp_path, settings={"CONSENTLINK_PUBLIC_URL": "https://links.example.com"})
        behind.start()
        org = Operator(behind).make()
        paths = [f"/r/{tokens.of_link(org.tracked_link().url)}" for _ in range(8)]
        tls, _, certificate, _ = front(int(behind.listen.rsplit(":", 1)[1]))
        ended, statuses = threading.Event(), []

        def read(path):
            with reader(certificate) as client:
                while not ended.is_set():
                    try:
                        statuses.append(ask(client, tls, path, timeout=30).status_code)
                    except httpx.HTTPError as error:
                        statuses.append(repr(error))

        readers = [threading.Thread(target=read, args=(path,)) for path in paths]
        for thread in readers:
            thread.start()
        for _ in range(3):
            before = len(statuses)
            eventually(lambda: len(statuses) > before + 100)
            behind.restart()
        before = len(statuses)
        eventually(lambda: len(statuses) > before + 100)
        ended.set()
        for thread in readers:
            thread.join()
        assert behind.stop() == 0
        assert set(statuses) == {302}, {status: statuses.count(status) for status in set(statuses)}

    def test_ends_a_kept_connection_before_a_service_that_stops_does(self, start, front):
        """Ended by the service, it could be ended in the instant in which nginx chooses it for a request."""
        behind = start(settings={"CONSENTLINK_PUBLIC_URL": "https://links.example.com"})
        path = f"/r/{tokens.of_link(Operator(behind).make().tracked_link().url)}"
        relay = Relay(int(behind.listen.rsplit(":", 1)[1]))
        tls, _, certificate, _ = front(relay.port)
        with reader(certificate) as client:
            assert ask(client, tls, path).status_code == 302
            assert relay.ended == []
            assert behind.stop() == 0
            assert eventually(lambda: relay.ended) == ["client"]
        relay.close()


class Relay:
    """Passes connections on to a service, and keeps who ended each of them first."""

    def __init__(self, port):
        self.ended = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, args=(port,), daemon=True).start()

    def _accept(self, port):
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            service = socket.create_connection(("127.0.0.1", port))
            ends = []
            for name, source, sink in (("client", client, service), ("service", service, client)):
                threading.Thread(target=self._pass, args=(name, source, sink, ends), daemon=True).start()

    def _pass(self, name, source, sink, ends):
        while data := source.recv(65536):
            sink.sendall(data)
        ends.append(name)
        if ends == [name]:
            self.ended.append(name)
        sink.shutdown(socket.SHUT_WR)

    def close(self):
        self._listener.close()


class Activated(Service):
    """A service that gets its public listener from this process, as from systemd (sd_listen_fds(3))."""

    def __init__(self, folder, **options):
        super().__init__(folder, **options)
        host, port = self.listen.rsplit(":", 1)
        self.socket = socket.create_server((host, int(port)), backlog=4096)
        self.pass_fds = (self.socket.fileno(),)

    @property
    def command(self):
        passed = f'exec 3<&{self.socket.fileno()}; LISTEN_FDS=1 LISTEN_FDNAMES=public LISTEN_PID=$$ exec "$@"'
        return ["bash", "-c", passed, "bash", *super().command]


class TestPrometheus:
    FOLDER = DEPLOY / "prometheus"

    def test_rules_are_well_formed_and_fire_when_they_should(self):
        run("promtool", "check", "rules", "consentlink.rules.yaml", cwd=self.FOLDER)
        run("promtool", "test", "rules", "consentlink.rules.test.yaml", cwd=self.FOLDER)

    def test_the_example_of_scraping_is_configuration(self):
        run("promtool", "check", "config", "scrape.yaml", cwd=self.FOLDER)

    def test_a_pod_of_the_manifests_has_a_label_by_which_the_alert_finds_it(self):
        """Prometheus makes underscores of what else is in the name of a label. No other pod has that label."""
        rules = yaml.safe_load((self.FOLDER / "consentlink.rules.yaml").read_text())["groups"][0]["rules"]
        (down,) = [rule["expr"] for rule in rules if rule["alert"] == "ConsentLinkDown"]
        searched = {label for label in re.findall(r'up\{(\w+="[^"]+")\}', down)}
        templates = []
        for file in ("consentlink.yaml", "consentlink-nodes.yaml"):
            for found in yaml.safe_load_all((DEPLOY / "kubernetes" / file).read_text()):
                spec = found.get("spec", {}).get("jobTemplate", found).get("spec", {})
                templates += [spec["template"]["metadata"]] if "template" in spec else []
        assert len(templates) == 4
        for pod in templates:
            labels = {f'{re.sub(r"[^a-z0-9]", "_", name)}="{value}"' for name, value in pod["labels"].items()}
            is_scraped = pod.get("annotations", {}).get("prometheus.io/scrape") == "true"
            assert bool(labels & searched) == is_scraped, pod

    def test_every_alert_is_tested_and_in_the_documents(self):
        rules = yaml.safe_load((self.FOLDER / "consentlink.rules.yaml").read_text())
        tests = (self.FOLDER / "consentlink.rules.test.yaml").read_text()
        guide = (ROOT / "docs/operating.md").read_text()
        for rule in rules["groups"][0]["rules"]:
            assert tests.count(rule["alert"]) >= 2, rule["alert"]
            assert rule["alert"] in guide, rule["alert"]


def metrics_in(expressions):
    """The service's metrics that expressions speak of, by their family's name."""
    found = set(re.findall(r"\b(?:consentlink|process)_[a-z_]+", " ".join(expressions)))
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in found}


class TestGrafana:
    BOARD = json.loads((DEPLOY / "grafana/consentlink.json").read_text())

    def test_panels_have_places_and_queries_of_their_own(self):
        panels = self.BOARD["panels"]
        assert len({panel["id"] for panel in panels}) == len(panels)
        taken = set()
        for panel in panels:
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert place["x"] + place["w"] <= 24 and not cells & taken, panel["title"]
            taken |= cells
            assert panel["targets"] and all(target["expr"] for target in panel["targets"])

    def test_every_query_is_promql(self, tmp_path):
        expressions = [target["expr"] for panel in self.BOARD["panels"] for target in panel["targets"]]
        filled = [text.replace("$__rate_interval", "5m").replace("$instance", ".*") for text in expressions]
        rules = [{"record": f"query:{number}", "expr": text} for number, text in enumerate(filled)]
        (tmp_path / "rules.yaml").write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": rules}]}))
        run("promtool", "check", "rules", tmp_path / "rules.yaml")


def test_every_metric_of_boards_and_alerts_is_one_of_the_service(service, operator):
    expressions = [target["expr"] for panel in TestGrafana.BOARD["panels"] for target in panel["targets"]]
    rules = yaml.safe_load((TestPrometheus.FOLDER / "consentlink.rules.yaml").read_text())
    expressions += [rule["expr"] for rule in rules["groups"][0]["rules"]]
    operator.make().tracked_link()
    text = httpx.get(f"{service.api}/metrics").text
    offered = set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE))
    assert metrics_in(expressions) - offered == set()


class TestDocker:
    FILE = DEPLOY / "docker/Dockerfile"

    @pytest.fixture(scope="class")
    @classmethod
    def instructions(cls, tmp_path_factory):
        from dockerfile_parse import DockerfileParser

        copy = tmp_path_factory.mktemp("docker") / "Dockerfile"
        shutil.copy(cls.FILE, copy)
        return [(found["instruction"], found["value"]) for found in DockerfileParser(str(copy)).structure]

    def all(self, instructions, name):
        return [value for instruction, value in instructions if instruction == name]

    def test_copies_what_is_there_and_what_the_build_may_see(self, instructions):
        seen = {line[1:] for line in (DEPLOY / "docker/Dockerfile.dockerignore").read_text().split() if line[0] == "!"}
        copies = [value.split() for value in self.all(instructions, "COPY") if not value.startswith("--from")]
        sources = [source for copy in copies for source in copy[:-1]]
        # Brackets: copied where it is there.
        assert {re.sub(r"\[(.)\]", r"\1", source) for source in sources} == seen
        assert all((ROOT / source).exists() for source in sources if "[" not in source)

    def test_the_manifest_can_be_read_from_what_is_copied(self, instructions, tmp_path):
        """SwiftPM refuses a manifest that names a folder which is not there, whatever it is asked to build."""
        source = tmp_path / "source"
        for copy in self.all(instructions, "COPY"):
            if copy.startswith("--from"):
                continue
            *patterns, target = copy.split()
            for found in (found for pattern in patterns for found in ROOT.glob(pattern)):
                if found.is_dir():
                    shutil.copytree(found, source / target, ignore=shutil.ignore_patterns(".build*", "__pycache__"))
                else:
                    place = source / target / found.name if target.endswith("/") else source / target
                    place.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(found, place)
        command = ["swift", "package", "--scratch-path", tmp_path / "scratch", "describe", "--type", "json"]
        done = subprocess.run(command, cwd=source, env=environment(), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        executables = [target["name"] for target in json.loads(done.stdout)["targets"] if target["type"] == "executable"]
        assert "consentlink" in executables

    def test_copies_package_resolved_beside_the_manifest_where_it_is_there(self, instructions):
        """docs/deploying.md, "The versions of dependencies". A name fails the build where no file has it, a pattern does
        not."""
        copies = self.all(instructions, "COPY")
        ((manifest, kept, target),) = [copy.split() for copy in copies if "Package.swift" in copy.split()]
        assert (manifest, target) == ("Package.swift", "./")
        assert kept != "Package.resolved" and fnmatch.fnmatchcase("Package.resolved", kept)

    def test_the_image_has_the_authorities_that_a_relay_and_a_sign_in_trust(self, instructions):
        installed = self.all(instructions, "RUN")[-1].split()
        assert "ca-certificates" in installed and "install" in installed

    def test_both_base_images_can_be_named_by_digest(self, instructions, tmp_path):
        """What Deploy/docker/digests prints are arguments that the Dockerfile has, for the images it begins with."""
        defaults = dict(value.split("=") for value in self.all(instructions, "ARG"))
        assert [value.split()[0] for value in self.all(instructions, "FROM")] == [f"${{{name}}}" for name in defaults]
        digest = f"sha256:{'0f' * 32}"
        docker = tmp_path / "docker"
        docker.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\necho {digest}\n')
        docker.chmod(0o755)
        path = f"{tmp_path}:{os.environ['PATH']}"
        said = run(DEPLOY / "docker/digests", env=os.environ | {"PATH": path})
        assert said.split("\n")[:-1] == [
            f"--build-arg {name}={image}@{digest}" for name, image in defaults.items()
        ]
        asked = (tmp_path / "asked").read_text().splitlines()
        assert [words.split()[-1] for words in asked] == list(defaults.values())

    def test_no_digest_is_no_argument(self, tmp_path):
        docker = tmp_path / "docker"
        docker.write_text("#!/bin/sh\necho sha256:none\n")
        docker.chmod(0o755)
        path = f"{tmp_path}:{os.environ['PATH']}"
        done = subprocess.run(
            [DEPLOY / "docker/digests"], env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, done.stdout) == (1, "") and "no digest for swift:" in done.stderr

    def test_builds_with_the_libraries_that_a_build_here_needs(self, instructions):
        """The image is built without the file that every other script reads them from."""
        needed = (DEPLOY / "libraries").read_text().split()
        assert needed and re.findall(r"\blib[a-z0-9-]+-dev\b", self.all(instructions, "RUN")[0]) == needed

    def test_runs_as_nobody_special_and_says_how_it_is(self, instructions):
        assert self.all(instructions, "USER") == ["10001:10001"]
        assert len(self.all(instructions, "HEALTHCHECK")) == 1
        assert json.loads(self.all(instructions, "ENTRYPOINT")[0]) == ["/usr/bin/consentlink"]

    def test_its_settings_are_settings(self, instructions, start, tmp_path):
        """The service starts with the image's environment, moved to this machine's ports and folders."""
        settings = dict(re.findall(r"(CONSENTLINK_\w+)=(\S+)", " ".join(self.all(instructions, "ENV"))))
        assert len(settings) == 5
        settings["CONSENTLINK_DATA"] = str(tmp_path / "data")
        settings["CONSENTLINK_BACKUPS"] = str(tmp_path / "backups")
        Operator(start(data=tmp_path / "data", settings=settings)).make()

    def test_its_health_check_tells_a_service_from_none(self, instructions, start):
        (check,) = self.all(instructions, "HEALTHCHECK")
        command = json.loads(check[check.index("[") :])
        assert command[0] == "/bin/bash"
        service = start()
        here = [word.replace("127.0.0.1/8080", service.listen.replace(":", "/")) for word in command]
        assert here != command
        assert subprocess.run(here, timeout=20, capture_output=True).returncode == 0
        assert service.stop() == 0
        assert subprocess.run(here, timeout=20, capture_output=True).returncode != 0


class TestKubernetes:
    OBJECTS = list(yaml.safe_load_all((DEPLOY / "kubernetes/consentlink.yaml").read_text()))
    NODES = list(yaml.safe_load_all((DEPLOY / "kubernetes/consentlink-nodes.yaml").read_text()))

    @pytest.mark.parametrize("object", OBJECTS + NODES, ids=lambda object: f"{object['kind']}-{object['metadata']['name']}")
    def test_objects_fit_their_schemas(self, object):
        import kubernetes_validate

        kubernetes_validate.validate(object, "1.31", strict=True)

    def test_objects_that_do_not_fit_are_noticed(self):
        import kubernetes_validate

        wrong = json.loads(json.dumps(self.OBJECTS[0]))
        wrong["spec"]["replica"] = 2
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(wrong, "1.31", strict=True)

    def of(self, kind):
        return [object for object in self.OBJECTS if object["kind"] == kind]

    def test_kubernetes_sets_no_variable_that_looks_like_a_setting(self):
        """The services are called consentlink-…, and a variable CONSENTLINK_… that is no setting is refused."""
        pods = [
            object["spec"]["jobTemplate"]["spec"]["template"] if object["kind"] == "CronJob" else object["spec"]["template"]
            for object in self.OBJECTS + self.NODES if object["kind"] in ("StatefulSet", "Deployment", "CronJob", "Job")]
        assert len(pods) == 4
        for pod in pods:
            assert pod["spec"]["enableServiceLinks"] is False

    def test_the_ingress_asks_once_and_logs_no_token(self, tmp_path):
        """Its snippets, in nginx and where ingress-nginx puts them."""
        (ingress,) = self.of("Ingress")
        prefix = "nginx.ingress.kubernetes.io/"
        settings = {name.removeprefix(prefix): value for name, value in ingress["metadata"]["annotations"].items()}
        logs = tmp_path / "logs"
        logs.mkdir()
        access = {"true": f"{logs}/access.log", "false": "off"}[settings.pop("enable-access-log", "true")]
        # ingress-nginx has this default.
        again = settings.pop("proxy-next-upstream", "error timeout")
        location, server = settings.pop("configuration-snippet"), settings.pop("server-snippet")
        assert settings == {}, "not in the configuration below"
        first, second, port = Upstream(answer=None), Upstream(answer=None), free_port()
        folders = "".join(
            f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        (tmp_path / "nginx.conf").write_text(
            f"daemon off; master_process off; pid {tmp_path}/pid; error_log {logs}/error.log error; events {{}}\n"
            f"http {{ access_log {access}; {folders}\n"
            f"upstream pods {{ server 127.0.0.1:{first.port}; server 127.0.0.1:{second.port}; }}\n"
            f"server {{ listen 127.0.0.1:{port}; {server}\n"
            f"location / {{ proxy_next_upstream {again}; {location}\nproxy_pass http://pods; }} }} }}\n")
        nginx = subprocess.Popen(["nginx", "-e", str(logs / "start.log"), "-c", str(tmp_path / "nginx.conf")])
        try:
            eventually(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
            token = "AQF0a2Vu"
            # A service that was killed before it answered may have recorded the click.
            assert httpx.get(f"http://127.0.0.1:{port}/r/{token}").status_code == 502
            assert len(first.requests) + len(second.requests) == 1
            for path in ("/readyz", "//readyz/", "/healthz"):
                assert httpx.get(f"http://127.0.0.1:{port}{path}").status_code == 404
            assert len(first.requests) + len(second.requests) == 1
        finally:
            nginx.send_signal(signal.SIGQUIT)
            nginx.wait(timeout=20)
            first.close()
            second.close()
        for log in logs.iterdir():
            assert token not in log.read_text(), log.name

    def test_there_is_one_process_for_its_volume(self):
        (stateful,) = self.of("StatefulSet")
        assert stateful["spec"]["replicas"] == 1
        claims = {claim["metadata"]["name"] for claim in stateful["spec"]["volumeClaimTemplates"]}
        (container,) = stateful["spec"]["template"]["spec"]["containers"]
        assert {mount["name"] for mount in container["volumeMounts"]} == claims
        folders = [mount["mountPath"] for mount in container["volumeMounts"]]
        settings = {setting["name"]: setting["value"] for setting in container["env"]}
        for name in ("CONSENTLINK_DATA", "CONSENTLINK_BACKUPS"):
            assert any(settings[name].startswith(folder + "/") for folder in folders), name

    def test_a_closed_ledger_of_one_organization_shuts_no_door(self):
        """`/readyz` is 503 then, and there is no second process."""
        assert [service["spec"].get("publishNotReadyAddresses") for service in self.of("Service")] == [True, True]

    def test_the_documented_pod_for_repairs_mounts_volumes_as_the_service_does(self):
        """With another policy the kubelet opens each file to the group, and the service refuses the folder."""
        guide = (ROOT / "docs/backup.md").read_text()
        (pod,) = re.findall(r"kubectl run consentlink-repair .*? --overrides '(.*?)'\n", guide, re.DOTALL)
        repairing = json.loads(pod)["spec"]["securityContext"]
        for name in ("consentlink", "consentlink-nodes"):
            found = yaml.safe_load_all((DEPLOY / f"kubernetes/{name}.yaml").read_text())
            (stateful,) = [part for part in found if part["kind"] == "StatefulSet"]
            served = stateful["spec"]["template"]["spec"]["securityContext"]
            assert repairing.items() <= served.items(), name
            assert {member for member in served if member.startswith("fsGroup")} <= repairing.keys(), name
        last = guide.split("kubectl exec -it consentlink-repair", 1)[1].splitlines()[1]
        assert last == "kubectl exec consentlink-repair -- chmod -R go= /var/lib/consentlink/data"

    def test_backups_are_asked_for_where_the_policy_lets_them(self):
        (job,) = self.of("CronJob")
        pod = job["spec"]["jobTemplate"]["spec"]["template"]
        (policy,) = self.of("NetworkPolicy")
        ((private,),) = [rule["from"] for rule in policy["spec"]["ingress"] if "from" in rule]
        assert private["podSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
        (service,) = [service for service in self.of("Service") if service["metadata"]["name"] == "consentlink-private"]
        assert not service["spec"]["selector"].items() <= pod["metadata"]["labels"].items(), "it would serve, too"
        (container,) = pod["spec"]["containers"]
        (api,) = [setting["value"] for setting in container["env"] if setting["name"] == "CONSENTLINK_API"]
        assert api == f"http://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}"

    def test_services_and_policies_lead_to_the_process(self):
        (stateful,) = self.of("StatefulSet")
        labels = stateful["spec"]["template"]["metadata"]["labels"]
        (container,) = stateful["spec"]["template"]["spec"]["containers"]
        ports = {port["name"] for port in container["ports"]}
        for service in self.of("Service"):
            assert service["spec"]["selector"].items() <= labels.items()
            assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports
        (policy,) = self.of("NetworkPolicy")
        assert policy["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
        (ingress,) = self.of("Ingress")
        names = {service["metadata"]["name"] for service in self.of("Service")}
        for rule in ingress["spec"]["rules"]:
            for path in rule["http"]["paths"]:
                assert path["backend"]["service"]["name"] in names
                assert path["backend"]["service"]["name"] != stateful["spec"]["serviceName"], "the API on the internet"

    def test_each_node_has_a_volume_and_a_key_that_is_its_users_alone(self):
        stateful = next(object for object in self.NODES if object["kind"] == "StatefulSet")
        pod = stateful["spec"]["template"]["spec"]
        (secret,) = [volume["secret"] for volume in pod["volumes"] if "secret" in volume]
        assert secret["defaultMode"] == 0o400
        (copy,), (container,) = pod["initContainers"], pod["containers"]
        assert "--mode=0400" in copy["command"]
        settings = {setting["name"]: setting.get("value") for setting in container["env"]}
        named = [argument.split("=")[1] for argument in container["args"] if argument.startswith("--cluster-key=")]
        for file in (*named, settings["CONSENTLINK_STORAGE_PASSWORD_FILE"]):
            folder, name = file.rsplit("/", 1)
            assert f"--target-directory={folder}" in copy["command"]
            assert any(argument.endswith(f"/{name}") for argument in copy["command"])
        assert {"data", "backups"} == {claim["metadata"]["name"] for claim in stateful["spec"]["volumeClaimTemplates"]}

    def nodes(self):
        """The StatefulSet of several nodes, its container, and the container's settings."""
        stateful = next(object for object in self.NODES if object["kind"] == "StatefulSet")
        (container,) = stateful["spec"]["template"]["spec"]["containers"]
        return stateful, container, {setting["name"]: setting.get("value") for setting in container["env"]}

    def test_nodes_know_the_authority_that_their_database_has_its_certificate_from(self):
        stateful, container, settings = self.nodes()
        (query,) = [urlsplit(settings["CONSENTLINK_STORAGE"]).query]
        options = parse_qs(query)
        assert options["sslmode"] == ["verify-full"]
        folder, name = options["sslrootcert"][0].rsplit("/", 1)
        (copy,) = stateful["spec"]["template"]["spec"]["initContainers"]
        assert f"--target-directory={folder}" in copy["command"] and f"/secrets/{name}" in copy["command"]
        assert folder in [mount["mountPath"] for mount in container["volumeMounts"]]

    def test_each_node_tells_the_others_a_name_at_which_its_private_listener_is(self):
        stateful, container, settings = self.nodes()
        names = [setting["name"] for setting in container["env"]]
        assert names.index("NODE_NAME") < names.index("CONSENTLINK_PEER_ADDRESS"), "it would not be put in"
        (private,) = [port["containerPort"] for port in container["ports"] if port["name"] == "private"]
        headless = stateful["spec"]["serviceName"]
        assert settings["CONSENTLINK_PEER_ADDRESS"] == f"http://$(NODE_NAME).{headless}:{private}"
        (service,) = [object for object in self.NODES if object["metadata"]["name"] == headless]
        assert service["spec"]["clusterIP"] == "None" and service["spec"]["publishNotReadyAddresses"] is True

    def test_a_nodes_settings_are_settings(self, tmp_path):
        _, container, settings = self.nodes()
        given = {name: value.replace("$(NODE_NAME)", "consentlink-0") for name, value in settings.items() if value}
        password = tmp_path / "password"
        password.write_text("secret\n")
        password.chmod(0o600)
        assert "CONSENTLINK_STORAGE_PASSWORD_FILE" in given
        given["CONSENTLINK_STORAGE_PASSWORD_FILE"] = str(password)
        # No server is asked there.
        given["CONSENTLINK_STORAGE"] = re.sub(r"@[^/]*/", "@127.0.0.1:1/", given["CONSENTLINK_STORAGE"])
        done = CommandLine().run("doctor", "--data", str(tmp_path / "data"), "--json", settings=given, cwd=tmp_path)
        assert done.returncode == 1, done.stderr
        said = {setting["name"]: (setting["value"], setting["source"]) for setting in json.loads(done.stdout)["settings"]}
        assert said["peer-address"] == ("http://consentlink-0.consentlink-nodes:8081", "environment")

    def test_a_node_that_is_asked_to_end_goes_on_until_no_reader_is_sent_to_it(self):
        stateful, container, _ = self.nodes()
        (sleep, seconds) = container["lifecycle"]["preStop"]["exec"]["command"]
        assert sleep == "sleep" and int(seconds) >= 5
        # The service ends within 10 seconds after that.
        assert stateful["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] >= int(seconds) + 10 + 5

    def test_every_node_is_asked_for_a_backup_and_one_that_makes_none_is_told(self, tmp_path):
        stateful, _, _ = self.nodes()
        (job,) = [object for object in self.NODES if object["kind"] == "CronJob"]
        pod = job["spec"]["jobTemplate"]["spec"]["template"]
        (policy,) = [object for object in self.NODES if object["kind"] == "NetworkPolicy"]
        allowed = [peer["podSelector"]["matchLabels"] for rule in policy["spec"]["ingress"] for peer in rule.get("from", [])]
        assert any(labels.items() <= pod["metadata"]["labels"].items() for labels in allowed)
        assert not stateful["spec"]["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
        (container,) = pod["spec"]["containers"]
        name, replicas = stateful["metadata"]["name"], stateful["spec"]["replicas"]
        assert container["args"] == [f"{name}-{number}" for number in range(replicas)]
        program = tmp_path / "consentlink"
        program.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\n[ "$3" != "$BROKEN" ]\n')
        program.chmod(0o755)
        urls = [f"http://{node}.{stateful['spec']['serviceName']}:8081" for node in container["args"]]
        for broken, code in (("", 0), (urls[0], 1), (urls[-1], 1)):
            (tmp_path / "asked").unlink(missing_ok=True)
            done = subprocess.run(
                container["command"] + container["args"], timeout=60,
                env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "BROKEN": broken})
            assert done.returncode == code
            assert (tmp_path / "asked").read_text().splitlines() == [f"backup --api {url}" for url in urls]

    def test_a_drain_of_machines_takes_one_node_at_a_time(self):
        (budget,) = [object for object in self.NODES if object["kind"] == "PodDisruptionBudget"]
        stateful = next(object for object in self.NODES if object["kind"] == "StatefulSet")
        assert budget["spec"]["maxUnavailable"] == 1 < stateful["spec"]["replicas"]
        assert budget["spec"]["selector"] == stateful["spec"]["selector"]

    def test_both_ways_have_the_same_front(self):
        """The Ingress, whose snippets are tested above."""
        (front,) = self.of("Ingress")
        assert front in self.NODES


def test_no_example_checks_a_servers_certificate_without_an_authority():
    """libpq looks for one in the home of the service's user, who has none."""
    texts = [path.read_text() for path in [*(ROOT / "docs").glob("*.md"), *(DEPLOY / "kubernetes").iterdir()]]
    urls = re.findall(r"postgres://\S*sslmode=verify-full[^\s'\"`]*", "\n".join(texts))
    assert len(urls) >= 3
    for url in urls:
        assert "sslrootcert=/" in url, url


def test_no_command_shows_the_operators_key_among_the_arguments_of_a_program():
    for document in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = document.read_text()
        assert not re.search(r'"[^"\n]*\$\([^)\n]*operator\.key', text), document.name
        assert "--from-literal" not in text, document.name


class TestPatroni:
    RECIPE = yaml.safe_load((DEPLOY / "patroni/patroni.yaml").read_text())

    def test_commits_wait_for_the_one_standby_that_may_take_over(self):
        settings = self.RECIPE["bootstrap"]["dcs"]
        assert settings["synchronous_mode"] is True and settings["synchronous_mode_strict"] is True
        # Patroni's own bounds.
        assert settings["ttl"] >= max(20, settings["loop_wait"] + 2 * settings["retry_timeout"])

    def test_has_the_settings_of_a_server_without_patroni(self):
        alone = dict(re.findall(r"^(\w+) = '?([^'\n]*?)'?$", (DEPLOY / "postgres/postgresql.conf").read_text(), re.M))
        assert len(alone) > 15
        here = self.RECIPE["bootstrap"]["dcs"]["postgresql"]["parameters"]
        assert {name: str(here.get(name)) for name in alone} == alone
