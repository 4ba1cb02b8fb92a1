"""PostgreSQL goes away while the service runs: readers arrive, their clicks wait, backends are told to come again, and
nothing is lost or doubled when it is back. And starts on a database that is not the folder's."""

import contextlib
import signal
import threading
import time

import httpx
import pytest

from conftest import run_to_the_end
from harness import wire
from harness.acknowledged import Ledger, Until, compose, record_consents
from harness.cable import Cable
from harness.client import Operator, assert_problem, message, person
from harness.console import ConsoleBrowser
from harness.eventually import eventually
from harness.metrics import scrape
from harness.postgres import Server
from harness.service import CommandLine, Service

pytestmark = pytest.mark.fault


@pytest.fixture
def url(server):
    return server.url(server.make_database())


@pytest.fixture
def service(tmp_path, url):
    yield from run_to_the_end(Service(tmp_path, settings={"CONSENTLINK_STORAGE": url}))


def readiness(service):
    # A service that starts again answers when it has opened its database.
    answer = httpx.get(f"{service.api}/readyz", timeout=30)
    return answer.status_code, answer.json().get("detail") if answer.status_code != 200 else None


def test_readers_arrive_and_clicks_wait_while_the_database_is_away(server, service):
    org = Operator(service).make("nonRestrictive")
    people = [person("reader") for _ in range(20)]
    composed = org.compose(people, message(name="followed", link="https://shop.example/followed"))
    links = {reader: composed.payload(reader)["link"] for reader in people}
    for reader in people[:5]:
        assert wire.follow(links[reader]).status == 302
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    server.kill()
    try:
        for reader in people[5:]:
            assert wire.follow(links[reader]).status == 302
        answer = org.call("GET", org.path("/interactions"))
        assert_problem(answer, 503)
        assert int(answer.headers["retry-after"]) > 0
        status, detail = eventually(lambda: (now := readiness(service))[0] == 503 and now)
        assert "the database cannot be reached" in detail
        assert httpx.get(f"{service.public}/healthz").status_code == 200
        withdrawal = {"recipient": people[0], "purpose": "tracking", "state": "withdrawn"}
        assert_problem(org.call("POST", org.path("/consents"), [withdrawal]), 503)
    finally:
        server.start()
    eventually(lambda: readiness(service)[0] == 200)
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    clicks = org.interactions(message=composed.message, type="PushLinkClicked", limit=1000)
    assert sorted(click["recipient"] for click in clicks) == sorted(people)


def test_the_console_works_while_the_database_is_away(server, url, tmp_path):
    """Its script waits five seconds for the page of health."""
    for service in run_to_the_end(Service(tmp_path, settings={"CONSENTLINK_STORAGE": url}, has_console=True)):
        before, ended = (ConsoleBrowser(service).sign_in(service.operator_key) for _ in range(2))
        copy = ConsoleBrowser(service)
        copy.cookies = dict(ended.cookies)
        server.kill()
        try:
            now = ConsoleBrowser(service, patience=4).sign_in(service.operator_key)
            before.patience = 4
            for browser in (before, now) * 2:
                assert browser.get("/health", **{"X-Live": "1"}).status_code == 200
            eventually(lambda: "the database cannot be reached" in before.get("/health").text.lower())
        finally:
            server.start()
        eventually(lambda: readiness(service)[0] == 200)
        assert ended.submit("/sessions", "/sign-out").status_code == 303
        assert copy.get("/health").status_code == 303
        assert now.get("/sessions").status_code == 200


def test_a_restart_of_the_server_loses_nothing_of_what_backends_were_told(server, service):
    org = Operator(service).make("restrictive")
    done = [person() for _ in range(30)]
    for number, recipient in enumerate(done):
        if number == 15:
            server.kill()
            server.start()
        eventually(lambda: recorded(org, recipient), within=60)
    for recipient in done:
        # One whose answer was lost was asked for again.
        assert {record["state"] for record in org.consent(recipient)["history"]} == {"given"}


def recorded(org, recipient):
    try:
        org.record(recipient, "given")
    except AssertionError:
        return False
    return True


def refused(service, url, *words):
    """A start on the folder of `service` with another storage ends with 3, and says why."""
    settings = {"CONSENTLINK_STORAGE": url} if url else {}
    other = Service(service.folder, data=service.data, settings=settings)
    done = CommandLine().run(*other.command[1:], settings=settings, timeout=60)
    assert done.returncode == 3, done.stderr
    for word in words:
        assert word in done.stderr


def test_a_folder_starts_on_its_own_database_alone(server, service, tmp_path):
    Operator(service).make("restrictive")
    service.stop()
    another = server.url(server.make_database())
    refused(service, another, "the database is empty", "Something was stored for this folder before")
    refused(service, "sqlite", "it was made for PostgreSQL", "its embedded store")
    assert not (service.data / "consentlink.db").exists()
    (tmp_path / "other").mkdir()
    other = Service(tmp_path / "other", settings={"CONSENTLINK_STORAGE": another})
    other.start()
    other.stop()
    refused(service, another, "another data folder")
    service.start()


@pytest.fixture
def clicking(server, tmp_path):
    """A service on a database of its own, and the links of eight people who gave consent."""
    database = server.make_database()
    (tmp_path / "clicking").mkdir()
    for service in run_to_the_end(Service(tmp_path / "clicking", settings={"CONSENTLINK_STORAGE": server.url(database)})):
        org = Operator(service).make("restrictive")
        people = [person() for _ in range(8)]
        for one in people:
            org.record(one, "given")
        yield service, database, org, {one: org.tracked_link(one).url for one in people}


def follow(links):
    for link in links:
        assert wire.follow(link).status == 302


def says(service, word):
    """Waits until the service is not ready, and says why."""
    eventually(lambda: (now := readiness(service))[0] == 503 and word in now[1])


def all_clicks_come(service, org, links):
    eventually(lambda: readiness(service)[0] == 200, within=60)
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    clicks = org.interactions(type="PushLinkClicked", limit=1000)
    assert sorted(click["recipient"] for click in clicks) == sorted(links)


def test_clicks_wait_while_the_database_of_another_folder_has_the_name(server, clicking, tmp_path):
    service, database, org, links = clicking
    another = server.make_database()
    (tmp_path / "another").mkdir()
    Service(tmp_path / "another", settings={"CONSENTLINK_STORAGE": server.url(another)}).start().stop()
    nodes = server.psql("SELECT id, slot, beats FROM nodes", another)
    urls = list(links.values())
    follow(urls[:2])
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    server.swap_databases(database, another)
    follow(urls[2:])
    says(service, "another data folder")
    assert_problem(org.call("GET", org.path("/interactions")), 503)
    withdrawal = {"recipient": next(iter(links)), "purpose": "tracking", "state": "withdrawn"}
    assert_problem(org.call("POST", org.path("/consents"), [withdrawal]), 503)
    # It has the name of the other one now.
    assert server.psql("SELECT id, slot, beats FROM nodes", database) == nodes
    assert scrape(service).value("consentlink_spool_depth") == len(urls) - 2
    server.swap_databases(database, another)
    all_clicks_come(service, org, links)


def test_clicks_wait_while_a_dump_is_restored_under_a_running_service(server, clicking):
    service, database, org, links = clicking
    urls = list(links.values())
    follow(urls[:2])
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    definitions, rows, keys = (
        server.dump(database, f"--section={section}") for section in ("pre-data", "data", "post-data")
    )
    server.psql(f"DROP DATABASE {database} WITH (FORCE)")
    server.psql(f"CREATE DATABASE {database} TEMPLATE template0")
    follow(urls[2:4])
    says(service, "the database is empty")
    server.restore(definitions, database)
    follow(urls[4:6])
    time.sleep(2)
    says(service, "the database is empty")
    server.restore(rows, database)
    says(service, "it is being restored")
    follow(urls[6:])
    assert scrape(service).value("consentlink_spool_depth") == len(urls) - 2
    server.restore(keys, database)
    all_clicks_come(service, org, links)


@pytest.mark.patience
def test_while_no_standby_confirms_clicks_take_no_further_connections(tmp_path):
    server = Server()
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
    try:
        settings = {"CONSENTLINK_STORAGE": server.url(server.make_database())}
        for service in run_to_the_end(Service(tmp_path, settings=settings)):
            org = Operator(service).make("nonRestrictive")
            links = {one: org.tracked_link(one).url for one in (person() for _ in range(45))}
            with server.without_a_standby():
                for link in links.values():
                    follow([link])
                    time.sleep(1)
                # One of the writer, one of the feed of rules, and one of each of four readers.
                assert 0 < int(server.psql(waiting)) <= 6
            all_clicks_come(service, org, links)
            assert int(server.psql(waiting)) == 0
    finally:
        server.stop()


@pytest.mark.patience
def test_a_second_service_on_the_database_that_is_no_node_of_it_is_refused(service, url, tmp_path):
    folder = tmp_path / "second"
    folder.mkdir()
    second = Service(folder, settings={"CONSENTLINK_STORAGE": url})
    done = CommandLine().run(*second.command[1:], settings={"CONSENTLINK_STORAGE": url}, timeout=120)
    assert done.returncode == 1, done.stderr
    assert "cluster.key" in done.stderr
    assert service.is_running and readiness(service)[0] == 200


def test_no_password_is_shown(tmp_path, server):
    url = server.url(server.make_database())
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": url, "CONSENTLINK_STORAGE_PASSWORD": "hunter2"})
    service.start()
    doctor = CommandLine().run("doctor", "--data", str(service.data), "--api", service.api, settings=service.settings)
    assert "storage" in doctor.stdout and "hunter2" not in doctor.stdout + doctor.stderr
    assert service.stop() == 0
    assert "hunter2" not in service.log_text()


def test_a_service_that_is_ended_while_the_database_is_away_ends_in_order(server, tmp_path):
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": server.url(server.make_database())}).start()
    org = Operator(service).make("nonRestrictive")
    people = [person() for _ in range(40)]
    composed = org.compose(people, message(link="https://shop.example/followed"))
    work = Until(goes_on=True)
    ledger = Ledger()
    work.run(record_consents(org, ledger), 1)
    work.run(compose(org, ledger), 2)
    eventually(lambda: ledger.consents and ledger.decisions)
    server.kill()
    try:
        for reader in people:
            assert wire.follow(composed.payload(reader)["link"]).status == 302
        assert service.stop() == 0
    finally:
        server.start()
    work.join()
    service.start()
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    clicks = org.interactions(message=composed.message, type="PushLinkClicked", limit=1000)
    assert sorted(click["recipient"] for click in clicks) == sorted(people)
    assert service.stop() == 0


@pytest.fixture
def cable(server):
    """The way of one service to the server."""
    cable = Cable(server)
    yield cable
    cable.close()


@pytest.fixture
def far(server, cable, tmp_path):
    """A service at the end of the cable, whose mirror is full, and a link that leads on at it."""
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": cable.url(server.make_database())}).start()
    link = Operator(service).make("nonRestrictive").tracked_link(person())
    eventually(lambda: "the mirror has all messages" in service.log_text())
    yield service, link
    cable.delay = 0
    cable.mend()
    service.kill()


def ask_in_vain(service):
    """Some writes that wait for the database."""

    def ask():
        with contextlib.suppress(Exception):
            Operator(service).make()

    for _ in range(3):
        threading.Thread(target=ask, daemon=True).start()


@pytest.mark.parametrize("hangs_for", [0.5, 4])
def test_a_signal_while_the_database_hangs_ends_the_service_in_order(cable, far, hangs_for):
    """Every piece of work that waits for the database at the end is given up, and none connects again."""
    service, link = far
    cable.hold_up()
    ask_in_vain(service)
    time.sleep(hangs_for)
    assert wire.follow(link.url).status == 302
    assert service.stop() == 0
    assert "Fatal error" not in service.log_text()
    cable.mend()
    service.starts_again = True
    service.start()
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)
    assert service.stop() == 0


def test_a_reload_while_the_database_hangs_starts_again_from_the_mirror(cable, far):
    service, link = far
    cable.hold_up()
    ask_in_vain(service)
    time.sleep(3)
    service.starts_again = True
    started = service.log_text().count('"the service starts"')
    service.process.send_signal(signal.SIGUSR2)
    eventually(lambda: service.log_text().count('"the service starts"') > started, within=15)
    assert wire.follow(link.url).status == 302
    cable.mend()
    eventually(lambda: readiness(service)[0] == 200, within=60)
    assert service.stop() == 0


@pytest.mark.parametrize("round_trip", [0.06, 0.3])
def test_a_service_whose_database_is_far_away_ends_in_order(cable, far, round_trip):
    service, link = far
    cable.delay = round_trip / 2
    time.sleep(1)
    for _ in range(5):
        assert wire.follow(link.url).status == 302
    assert service.stop() == 0
    cable.delay = 0
    service.starts_again = True
    service.start()
    eventually(lambda: scrape(service).value("consentlink_spool_depth") == 0)


def test_a_node_starts_again_although_its_database_is_far_away(cable, far):
    service, link = far
    assert service.stop() == 0
    cable.delay = 0.02
    service.starts_again = True
    service.start()
    assert wire.follow(link.url).status == 302
    eventually(lambda: readiness(service)[0] == 200, within=30)
    assert service.log_text().count("the database can be used again") <= 1


def test_one_lost_machine_of_several_keeps_no_node_from_starting(server, cable, tmp_path):
    hosts = ",".join(str(folder).replace("/", "%2F") for folder in (server.folder, cable.folder))
    location = f"postgres://test@{hosts}/{server.make_database()}"
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": location}).start()
    try:
        link = Operator(service).make("nonRestrictive").tracked_link(person())
        eventually(lambda: "the mirror has all messages" in service.log_text())
        cable.hold_up()
        assert readiness(service)[0] == 200
        assert service.stop() == 0
        service.starts_again = True
        service.start()
        assert wire.follow(link.url).status == 302
        eventually(lambda: readiness(service)[0] == 200, within=20)
        time.sleep(5)
        assert readiness(service)[0] == 200
        assert service.log_text().count("the database can be used again") <= 1
        assert service.stop() == 0
    finally:
        service.kill()
