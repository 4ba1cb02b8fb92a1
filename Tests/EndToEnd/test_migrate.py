"""`consentlink migrate`: everything goes to PostgreSQL and back while readers click, and is the same there. What breaks it
off, and what it refuses."""

import json
import os
import signal
import sqlite3
import subprocess
import threading
import time

import httpx
import pytest

from conftest import run_to_the_end
from harness import wire
from harness.client import Operator, Organization, assert_problem, message, person
from harness.eventually import eventually
from harness.exports import verified_export
from harness.service import CommandLine, Service, binary, environment

pytestmark = [pytest.mark.fault, pytest.mark.embedded_storage_only]


@pytest.fixture
def database(server):
    return server.make_database()


@pytest.fixture
def url(server, database):
    return server.url(database)


@pytest.fixture
def on_server(tmp_path, url):
    """A service whose storage is in the database."""
    yield from run_to_the_end(Service(tmp_path, flags=["--storage", url]))


@pytest.fixture
def service(tmp_path):
    service = Service(tmp_path)
    service.starts_again = True
    yield from run_to_the_end(service)


class Readers:
    """Click, each on a connection of their own, and must be led on each time."""

    def __init__(self, links):
        self.links = links
        self.clicked = []
        self.surprises = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._click, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, kind, *_):
        self._over.set()
        self._thread.join(timeout=60)
        assert kind or self.surprises == []

    def _click(self):
        for reader, link in self.links.items():
            if self._over.is_set():
                return
            try:
                answer = wire.follow(link)
                assert answer.status == 302, answer.status
                self.clicked.append(reader)
            except Exception as surprise:
                self.surprises.append(surprise)
            time.sleep(0.01)


class Campaign:
    """An organization with something in every table."""

    def __init__(self, service):
        self.operator = Operator(service)
        self.org = org = self.operator.make("restrictive")
        self.other = self.operator.make("nonRestrictive")
        org.set(consentUrl="https://shop.example/consent")
        self.readers = [person("reader") for _ in range(1_500)]
        org.record_all([{"recipient": reader, "state": "given"} for reader in self.readers])
        self.withdrawn, self.erased, self.respelled = person("withdrawn"), person("erased"), person("Spelt").title()
        org.record(self.withdrawn, "given", evidence={"method": "form", "notice": {"id": "n", "version": "7", "language": "en"}})
        org.record(self.withdrawn, "withdrawn")
        org.record(self.respelled, "given")
        org.record(self.erased, "given")
        content = message(name="moved", link="https://shop.example/moved", tags=["spring"], openTracking=True)
        first = org.compose([*self.readers, self.withdrawn, self.erased, self.respelled], content)
        self.message = first.message
        self.links = {reader: first.payload(reader)["link"] for reader in self.readers}
        org.erase(self.erased)
        self.other.compose([person() for _ in range(20)], message())
        org.ask_for_consent(person("asked"), purposes=["tracking"], notice=NOTICE)
        for reader in self.readers[:5]:
            assert wire.follow(self.links.pop(reader)).status == 302
        org.settle()

    def answers(self, all=True):
        """What the service says: of all of it, or of what neither readers nor a new message change."""
        org = self.org
        asked = [
            org.path(), org.path(f"/messages/{self.message}"), org.path("/consent-requests?state=awaitingConfirmation"), self.other.path("/decisions"),
        ]  # fmt: skip
        if all:
            asked += [
                org.path("/decisions?limit=500"), org.path("/messages"), org.path(f"/messages/{self.message}/report"),
                org.path(f"/interactions?limit=5&message={self.message}"),
            ]  # fmt: skip
        said = [self.operator.call("GET", path).json() for path in asked]
        for recipient in (self.readers[0], self.withdrawn, self.erased, self.respelled, self.respelled.lower()):
            said.append(org.consent(recipient))
            said.append(org.query_decisions(recipient=recipient))
        return said


NOTICE = {"id": "n", "version": "1", "language": "en", "text": "May we measure what you open?"}


def migrate(service, to, *more, settings=None):
    return CommandLine(service).run(
        "migrate", "--data", str(service.data), "--to", to, *more, settings=settings, timeout=300)


def break_off(service, to):
    """A move that is killed when something was copied."""
    command = [str(binary()), "migrate", "--data", str(service.data), "--to", to]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as move:
        for line in move.stderr:
            if line.startswith("copying recipients"):
                break
        move.kill()


def test_everything_goes_there_and_back_while_readers_click(service, url):
    campaign = Campaign(service)
    before = campaign.answers(all=False)
    first = verified_export(service, campaign.org, "before")
    with Readers(dict(campaign.links)) as readers:
        there = migrate(service, url)
        assert there.returncode == 0, there.stderr
        root = campaign.org.expect(200, "GET", campaign.org.path("/ledger/checkpoint")).text.splitlines()[2]
        assert "every ledger is the same" in there.stdout and f"root {root}" in there.stdout
        assert not (service.data / "consentlink.db").exists()
        assert service.files_with(campaign.readers[0], campaign.withdrawn) == set()
        eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
        new = person("new")
        campaign.org.record(new, "given")
        campaign.org.compose([new], message_id=campaign.message)
        back = migrate(service, f"sqlite:{service.data}")
        assert back.returncode == 0, back.stderr
        eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    assert readers.clicked
    campaign.org.settle()
    assert campaign.answers(all=False) == before
    clicks = campaign.org.interactions(message=campaign.message, type="PushLinkClicked", limit=500)
    assert sorted(click["recipient"] for click in clicks) == sorted([*campaign.readers[:5], *readers.clicked])
    # The ledger of today continues that of before.
    verified_export(service, campaign.org, "after", *first)
    assert service.stop() == 0
    assert service.start().is_running


def test_a_folder_that_came_back_moves_to_a_server_again(service, server, url):
    campaign = Campaign(service)
    before = campaign.answers()
    for to in (url, f"sqlite:{service.data}", server.url(server.make_database())):
        moved = migrate(service, to)
        assert moved.returncode == 0, moved.stderr
        eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
        assert (service.data / "node.json").exists() == (service.data / "mirror.db").exists() == to.startswith("postgres")
    assert campaign.answers() == before
    reader, link = campaign.links.popitem()
    assert wire.follow(link).status == 302
    assert service.stop() == 0
    assert service.start().is_running


def test_nothing_is_written_while_it_is_moved_and_a_broken_off_move_goes_on(service, server, url):
    campaign = Campaign(service)
    break_off(service, url)
    for _ in range(2):
        eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 503)
        assert "moved" in httpx.get(f"{service.api}/readyz").json()["detail"]
        refused = campaign.org.call("POST", campaign.org.path("/consents"), [{"recipient": person(), "state": "given"}])
        assert "while it is moved to another one" in assert_problem(refused, 503)["detail"]
        assert "withdrawn" in str(campaign.org.consent(campaign.withdrawn))
        reader, link = campaign.links.popitem()
        assert wire.follow(link).status == 302
        # A service that is started anew knows it too.
        service.kill()
        service.start()
    refused = migrate(service, server.url(server.make_database()))
    assert refused.returncode == 1 and "was begun" in refused.stderr
    done = migrate(service, url)
    assert done.returncode == 0, done.stderr
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    campaign.org.settle()
    assert reader in {c["recipient"] for c in campaign.org.interactions(message=campaign.message, limit=500)}
    verified_export(service, campaign.org, "after")


def test_a_copy_that_is_not_in_its_file_alone_is_not_put_in_place(service, url):
    campaign = Campaign(service)
    before = campaign.answers()
    assert migrate(service, url).returncode == 0
    command = [str(binary()), "migrate", "--data", str(service.data), "--to", f"sqlite:{service.data}"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment()) as move:
        said, reader = [], None
        for line in move.stderr:
            said.append(line)
            if line.startswith("copying access_keys") and reader is None:
                # Who reads keeps the log from being written back, as a full disk does.
                reader = sqlite3.connect(service.data / "moving/consentlink.db", isolation_level=None)
                reader.execute("BEGIN")
                reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        assert move.wait() == 1, said
    reader.close()
    assert any("consentlink.db in the data folder cannot be written" in line for line in said), said
    assert "migrate --abandon" in said[-1], said
    assert not (service.data / "consentlink.db").exists()
    again = migrate(service, f"sqlite:{service.data}")
    assert again.returncode == 0, again.stderr
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    assert campaign.answers() == before


def test_a_database_that_only_the_command_can_reach_is_not_switched_to(service, server, url, tmp_path):
    org = Operator(service).make("restrictive")
    link = org.tracked_link()
    # Each process finds the server's socket by its own working folder.
    (elsewhere := tmp_path / "elsewhere").mkdir()
    (elsewhere / "pg").symlink_to(server.folder)
    command = ("migrate", "--data", str(service.data), "--to", url.replace(str(server.folder), "/proc/self/cwd/pg"))
    refused = CommandLine(service).run(*command, cwd=elsewhere, timeout=300)
    assert refused.returncode == 1 and "the running service cannot use the new database" in refused.stderr, refused.stderr
    assert "cannot use the database that its storage is moved to" in service.log_text()
    assert (service.data / "consentlink.db").exists()
    org.record(person(), "given")
    (service.cwd / "pg").symlink_to(server.folder)
    done = CommandLine(service).run(*command, cwd=elsewhere, timeout=300)
    assert done.returncode == 0, done.stderr
    assert wire.follow(link.url).status == 302
    org.record(person(), "given")


def test_a_service_goes_on_when_the_new_database_can_never_be_used(service, server, url, tmp_path):
    """Another folder's database, in which nothing is stored yet, whether or not its service runs."""
    org = Operator(service).make("restrictive")
    manifest = (service.data / "manifest.json").read_bytes()
    other = Service(tmp_path / "other", settings={"CONSENTLINK_STORAGE": url})
    other.folder.mkdir()
    other.start()
    for is_running in (True, False):
        if not is_running:
            assert other.stop() == 0
        refused = migrate(service, url)
        assert refused.returncode == 1 and "belongs to another data folder" in refused.stderr, refused.stderr
        assert (service.data / "manifest.json").read_bytes() == manifest
        org.record(person(), "given")
    other.start()
    assert other.stop() == 0


def test_an_upgrade_that_was_broken_off_is_finished_before_a_move(service, url):
    org = Operator(service).make("restrictive")
    org.record_all([{"recipient": person(), "state": "given"} for _ in range(20)])
    before = org.expect(200, "GET", org.path("/consent-report")).json()["purposes"]
    assert service.stop() == 0
    file = sqlite3.connect(service.data / "consentlink.db")
    file.executescript("DELETE FROM consent_counts; DELETE FROM decision_days; INSERT INTO consent_filling VALUES (0, 0, 0)")
    file.close()
    refused = migrate(service, url)
    assert refused.returncode == 1 and "start the service with this version" in refused.stderr, refused.stderr
    service.start()
    assert service.stop() == 0
    done = migrate(service, url)
    assert done.returncode == 0, done.stderr
    service.start()
    assert org.expect(200, "GET", org.path("/consent-report")).json()["purposes"] == before


@pytest.mark.parametrize("completing", ["migrate", "abandon", "start"])
def test_a_move_that_was_killed_after_the_switch_is_completed(server, database, url, on_server, completing):
    service = on_server
    service.starts_again = True
    org = Operator(service).make("restrictive")
    link = org.tracked_link()
    to = f"sqlite:{service.data}"
    command = [str(binary()), "migrate", "--data", str(service.data), "--to", to, "--storage", url]
    with server.session(database) as session, subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env=environment()
    ) as move:
        for line in move.stderr:
            if line.startswith("copying"):
                break
        # The old database cannot be told.
        session.stdin.write("BEGIN; SELECT FROM folder FOR UPDATE;\n")
        session.stdin.flush()
        noted = service.data / "manifest.json"
        eventually(lambda: json.loads(noted.read_text())["move"]["done"], within=60)
        move.kill()
        session.stdin.write("ROLLBACK;\n\\q\n")
        session.stdin.flush()
    assert json.loads(noted.read_text())["move"]["told"] is False
    assert httpx.get(f"{service.api}/readyz").status_code == 503
    if completing == "start":
        service.kill()
        service.start()
    else:
        more = ["--to", to] if completing == "migrate" else ["--abandon"]
        done = CommandLine(service).run("migrate", "--data", str(service.data), *more, "--storage", url, timeout=300)
        assert done.returncode == 0 and "counted already" in done.stdout, done.stderr
    eventually(lambda: "told" not in json.loads(noted.read_text())["move"])
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    org.record(person(), "given")
    assert wire.follow(link.url).status == 302
    assert server.psql("SELECT id FROM folder", database).startswith("moved to ")


def test_what_is_left_of_a_move_that_was_given_up_is_removed_at_the_next_start(on_server):
    service = on_server
    org = Operator(service).make("restrictive")
    assert service.stop() == 0
    (service.data / "moving").mkdir(mode=0o700)
    left = [service.data / "moving/consentlink.db", service.data / "consentlink.db"]
    for path in left:
        path.touch(mode=0o600)
        file = sqlite3.connect(path)
        file.execute("CREATE TABLE recipients (identifier TEXT)")
        file.close()
    service.start()
    assert not any(path.exists() for path in [*left, service.data / "moving"])
    org.record(person(), "given")


def test_a_folder_with_an_open_move_says_so_without_its_service(service, url):
    Campaign(service)
    assert service.stop() == 0
    break_off(service, url)
    told = CommandLine(service).run("doctor", "--data", str(service.data))
    assert told.returncode == 1 and "is not done, so the service takes no writes" in told.stdout
    assert "migrate --abandon" in told.stdout
    done = CommandLine(service).run("migrate", "--data", str(service.data), "--abandon")
    assert done.returncode == 0, done.stderr
    told = CommandLine(service).run("doctor", "--data", str(service.data))
    assert "is not done" not in told.stdout


def test_the_signing_keys_of_all_nodes_come_with_a_move_to_the_folder(server, url, tmp_path):
    flags = ["--storage", url, "--public-url", "http://127.0.0.1:29999"]
    (tmp_path / "first").mkdir()
    (tmp_path / "second").mkdir()
    ending = run_to_the_end(Service(tmp_path / "first", flags=[*flags, "--node-name", "first"]))
    first = next(ending)
    key = ["--cluster-key", str(first.data / "cluster.key")]
    second = Service(tmp_path / "second", flags=[*flags, "--node-name", "second", *key])
    try:
        org = Operator(first).make("restrictive")
        old = org.tracked_link().url
        second.start()
        assert first.stop() == 0
        command = CommandLine(second)
        for words in (["rotate"], ["retire", "1", "--force"]):
            done = command.run("keys", *words, "--api", second.api, "--data", str(second.data))
            assert done.returncode == 0, done.stderr
        new = Organization(second, org.id, org.key).tracked_link().url
        assert second.stop() == 0
        done = migrate(first, f"sqlite:{first.data}", "--storage", url)
        assert done.returncode == 0, done.stderr
        first.flags = ["--public-url", "http://127.0.0.1:29999"]
        first.start()
        statuses = [wire.ask(first.listen, "GET", link.removeprefix("http://127.0.0.1:29999")).status for link in (old, new)]
        assert statuses == [404, 302]
    finally:
        if second.is_running:
            second.stop()
        next(ending, None)


def test_a_move_can_be_abandoned(service, server, url):
    campaign = Campaign(service)
    break_off(service, url)
    done = CommandLine(service).run("migrate", "--data", str(service.data), "--abandon", "--json")
    assert done.returncode == 0 and json.loads(done.stdout) == {"abandoned": True}, done.stderr
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    campaign.org.record(person(), "given")
    # What was copied is older now.
    refused = migrate(service, url)
    assert refused.returncode == 1 and "that database is not empty" in refused.stderr
    assert migrate(service, server.url(server.make_database())).returncode == 0
    assert CommandLine(service).run("migrate", "--data", str(service.data), "--abandon").returncode == 1


@pytest.mark.parametrize("ending", ["abandoned", "finished"])
def test_a_service_whose_setting_is_two_moves_old_goes_on(server, url, on_server, ending):
    service = on_server
    service.starts_again = True
    org = Operator(service).make("restrictive")
    link = org.tracked_link()
    assert wire.follow(link.url).status == 302
    there = migrate(service, f"sqlite:{service.data}", "--storage", url)
    assert there.returncode == 0, there.stderr
    other = server.url(server.make_database())
    if ending == "finished":
        back = migrate(service, other)
        assert back.returncode == 0, back.stderr
    else:
        break_off(service, other)
        service.kill()
        service.start()
        assert wire.follow(link.url).status == 302
        given_up = CommandLine(service).run("migrate", "--data", str(service.data), "--abandon")
        assert given_up.returncode == 0, given_up.stderr
    service.kill()
    service.start()
    assert wire.follow(link.url).status == 302
    org.record(person(), "given")
    assert len(org.decisions()) == 1


def test_a_storage_that_is_spelled_otherwise_is_the_same_and_another_name_is_refused_at_once(server, url, on_server, tmp_path):
    service = on_server
    service.starts_again = True
    org = Operator(service).make("restrictive")
    link = org.tracked_link()
    # The same folder, by another name.
    alias = tmp_path / "alias"
    alias.symlink_to(server.folder)
    refused = migrate(service, f"sqlite:{service.data}", "--storage", url.replace(str(server.folder), str(alias)))
    # A command that waits for the service first says instead that the service did not come back.
    assert refused.returncode == 1 and f"the running service has storage {url}" in refused.stderr, refused.stderr
    org.record(person(), "given")
    respelled = url.replace("postgres://", "postgresql://") + "&application_name=move&port=5432"
    done = migrate(service, f"sqlite:{service.data}", "--storage", respelled)
    assert done.returncode == 0, done.stderr
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    org.record(person(), "given")
    service.kill()
    service.start()
    assert wire.follow(link.url).status == 302
    org.record(person(), "given")


def test_it_moves_the_folder_of_a_service_that_does_not_run(service, url):
    campaign = Campaign(service)
    before = campaign.answers()
    assert service.stop() == 0
    done = migrate(service, url)
    assert done.returncode == 0, done.stderr
    assert (service.data / "consentlink.db").exists() and "when the service has opened the new" in done.stdout
    # The setting storage is still that of before.
    service.start()
    assert not (service.data / "consentlink.db").exists()
    assert "the storage was moved" in service.log_text()
    assert campaign.answers() == before
    assert service.stop() == 0
    service.flags = ["--storage", url]
    service.start()
    assert campaign.answers() == before
    assert service.stop() == 0
    # A server that cannot be reached may be this folder's under another name: readers come first, and nothing else works.
    service.flags = ["--storage", "postgres:///elsewhere?host=/nowhere"]
    service.start()
    assert httpx.get(f"{service.api}/readyz").status_code == 503
    assert httpx.get(f"{service.api}/readyz?for=links").status_code == 200
    reader, link = next(iter(campaign.links.items()))
    assert wire.follow(link).status == 302
    assert campaign.org.call("GET", campaign.org.path("/decisions")).status_code == 503
    assert service.stop() == 0
    service.flags = ["--storage", url]
    service.start()
    campaign.org.settle()
    assert len(campaign.org.query_interactions(message=campaign.message, recipient=reader)) == 1


def test_what_it_refuses_changes_nothing(service, server, url, tmp_path):
    org = Operator(service).make("restrictive")
    manifest = (service.data / "manifest.json").read_bytes()
    used = server.make_database()
    other = Service(tmp_path / "other", settings={"CONSENTLINK_STORAGE": server.url(used)})
    other.folder.mkdir()
    other.start()
    Operator(other).make("restrictive")
    for to, text in (
        ("sqlite", "its embedded store already"),
        ("sqlite:/tmp", "must name the data folder itself"),
        ("mysql://x", "must be sqlite, or a URL"),
        (server.url("nobody_made_it"), "does not exist"),
        (server.url(used), "belongs to another data folder"),
        ("postgres://test@/x?host=/nowhere", "No such file"),
    ):
        done = migrate(service, to)
        assert done.returncode in (1, 2) and text in done.stderr, (to, done.stderr)
        assert (service.data / "manifest.json").read_bytes() == manifest
    assert other.stop() == 0
    done = migrate(service, url, settings={"CONSENTLINK_STORAGE_PASSWORD": "a secret"})
    assert done.returncode == 1 and "does not know the password" in done.stderr and "a secret" not in done.stderr
    done = CommandLine(service).run("migrate", "--data", str(tmp_path / "nothing"), "--to", url)
    assert done.returncode == 1 and "no data folder" in done.stderr
    org.record(person(), "given")
    done = CommandLine(service).run("migrate", "--data", str(service.data))
    assert done.returncode == 2 and "--to" in done.stderr, done


def test_a_database_that_another_node_uses_is_not_moved_and_no_node_uses_it_afterwards(service, url, tmp_path):
    org = Operator(service).make("restrictive")
    assert migrate(service, url).returncode == 0
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    (tmp_path / "second").mkdir()
    key = str(service.data / "cluster.key")
    flags = ["--storage", url, "--node-name", "second", "--cluster-key", key, "--public-url", service.public]
    second = Service(tmp_path / "second", flags=flags)
    second.start()
    try:
        refused = migrate(service, f"sqlite:{service.data}")
        assert refused.returncode == 1 and "stop second" in refused.stderr, refused.stderr
        org.record(person(), "given")
    finally:
        assert second.stop() == 0
    done = migrate(service, f"sqlite:{service.data}")
    assert done.returncode == 0, done.stderr
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    late = subprocess.run(second.command, env=second.environment, capture_output=True, text=True, timeout=60)
    assert late.returncode == 3 and "was moved to the data folder of node" in late.stderr, late.stderr


def test_a_service_that_starts_again_refuses_no_connection(service):
    campaign = Campaign(service)
    process = service.process.pid
    with Readers(dict(campaign.links)) as readers:
        for _ in range(5):
            count = len(readers.clicked)
            lines = service.log_text().count('"the service starts"')
            os.kill(process, signal.SIGUSR2)
            eventually(lambda: service.log_text().count('"the service starts"') > lines)
            eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
            eventually(lambda: len(readers.clicked) > count + 10)
    assert service.is_running and service.process.pid == process
    campaign.org.settle()
    clicks = campaign.org.interactions(message=campaign.message, type="PushLinkClicked", limit=500)
    assert {click["recipient"] for click in clicks} >= set(readers.clicked)
    # SIGTERM ends it as before.
    assert service.stop() == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{service.public}/healthz")
