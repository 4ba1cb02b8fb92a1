"""A start holds what decisions are derived from to the ledgers. Readers do not wait for it; a client that wants a
decision, or to know what was clicked, does.
"""

import json
import sqlite3

import pytest

from harness import postgres, wire
from harness.client import Operator, Organization, message, person
from harness.eventually import eventually
from harness.service import CommandLine, Service

# So many that checking them takes longer than following a link, and no more than a start waits for.
DECISIONS = 8_000 if postgres.is_asked_for() else 20_000
ATTEMPTS = 5


class Recorded:
    """A data folder with a tracked link of somebody who withdrew since, and one of somebody who did not."""

    def __init__(self, folder):
        folder.mkdir()
        self.service = Service(folder).start()
        self.org = Operator(self.service).make("nonRestrictive")
        content = message("campaign")
        self.withdrawn = self.org.tracked_link(content=content)
        self.given = self.org.tracked_link(content=content)
        everybody = [person() for _ in range(500)]
        for _ in range(0, DECISIONS, len(everybody)):
            self.org.compose(everybody, content)
        self.org.record(self.withdrawn.recipient, "withdrawn")
        assert self.service.stop() == 0

    def copy(self, folder, statement=None):
        folder.mkdir()
        service = Service(folder, listen=self.service.listen, api_listen=self.service.api_listen)
        service.copy_from(self.service)
        if statement:
            assert service.change(statement) == 1
        return service


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    return Recorded(tmp_path_factory.mktemp("recorded") / "service")


def is_open(address):
    try:
        wire.Connection(address).close()
        return True
    except ConnectionRefusedError:
        return False


def followed_while_it_starts(service, url):
    """Follows a link until the private listener is open. Returns how often it led on before that."""
    count = 0
    service.launch()
    while not is_open(service.api_listen):
        assert service.is_running, service.log_text()[-2000:]
        if is_open(service.listen):
            assert wire.follow(url).status == 302
            # Closed still, so this one was answered before anything was checked to its end.
            count += not is_open(service.api_listen)
    service.wait_until_ready()
    return count


def test_links_redirect_while_the_ledgers_are_checked(recorded, tmp_path):
    service = recorded.copy(tmp_path / "copy")
    try:
        for _ in range(ATTEMPTS):
            count = followed_while_it_starts(service, recorded.given.url)
            org = Organization(service, recorded.org.id, recorded.org.key)
            service.kill()
            if count:
                break
        assert count > 0, "no link was followed before the check was over"
        # The log says it in this order.
        said = [json.loads(line)["message"] for line in service.log_text().splitlines()]
        assert said.index("links redirect; the rest of the service waits for the check of the ledgers") < said.index(
            "the ledgers were checked")
        # Nothing that was clicked meanwhile is lost.
        service.start()
        assert eventually(org.interactions)
        service.assert_log_is_discreet()
    finally:
        service.kill()


@pytest.mark.parametrize("statement, who, said", [
    # The withdrawal is gone from where it is looked for, so nothing but the check speaks against these clicks.
    ("UPDATE consents SET organization = 77 WHERE state = 3", "withdrawn", "is attributed to another organization"),
    # What is checked last.
    ("DELETE FROM people WHERE recipient = (SELECT max(number) FROM recipients)", "given", "row"),
])
def test_nothing_is_recorded_of_what_the_check_refutes(recorded, tmp_path, statement, who, said):
    """Neither while it goes on, nor when the service is stopped in its midst."""
    service = recorded.copy(tmp_path / "copy", statement)
    url = getattr(recorded, who).url
    try:
        for _ in range(ATTEMPTS):
            if followed_while_it_starts(service, url):
                break
            service.kill()
        org = Organization(service, recorded.org.id, recorded.org.key)
        assert said in org.call("GET", "/readyz").json()["detail"]
        assert org.interactions() == []
        service.kill()
        service.launch()
        while not is_open(service.listen):
            assert service.is_running
        assert wire.follow(url).status == 302
        assert service.stop() == 0
        assert service.stored("SELECT count(*) FROM interactions") == [["0"]]
    finally:
        service.kill()


def ruin_page(file, table):
    """Overwrites the type of a page that the check reads, and nothing of a start before it."""
    database = sqlite3.connect(file)
    [(page,)] = database.execute("SELECT max(pageno) FROM dbstat WHERE name = ? AND pagetype = 'leaf'", [table])
    [(size,)] = database.execute("PRAGMA page_size")
    database.close()
    content = bytearray(file.read_bytes())
    content[(page - 1) * size] = 0xFF
    file.write_bytes(content)


@pytest.mark.skipif(postgres.is_asked_for(), reason="the pages are the server's")
def test_a_damaged_page_is_told_by_the_private_listener_and_nothing_is_written(recorded, tmp_path):
    service = recorded.copy(tmp_path / "copy")
    ruin_page(service.data / "consentlink.db", "people")
    try:
        service.start()
        assert wire.follow(recorded.given.url).status == 302
        ready = wire.ask(service.api_listen, "GET", "/readyz")
        assert ready.status == 503 and b"the ledgers cannot be checked" in ready.body and b"malformed" in ready.body
        assert wire.ask(service.listen, "GET", "/readyz").status == 503
        org = Organization(service, recorded.org.id, recorded.org.key)
        withdrawn = [{"recipient": person(), "purpose": "tracking", "state": "withdrawn"}]
        assert org.call("POST", org.path("/consents"), withdrawn).status_code == 503
        doctor = CommandLine(service).run("doctor", "--data", str(service.data), "--api", service.api)
        assert doctor.returncode == 1 and "the ledgers cannot be checked" in doctor.stdout
        lines = [json.loads(line) for line in service.log_text().splitlines()]
        [line] = [line for line in lines if line["level"] == "critical"]
        assert "the ledgers cannot be checked" in line["message"] and "consentlink doctor" in line["remedy"]
        service.stop()
        doctor = CommandLine(service).run("doctor", "--data", str(service.data), "--api", service.api)
        assert doctor.returncode == 1 and "consentlink.db is damaged" in doctor.stdout
    finally:
        if service.is_running:
            service.kill()
