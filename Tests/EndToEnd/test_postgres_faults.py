"""What an operator gets wrong between the service and PostgreSQL, and what happens to a server that is well connected:
each has a message that says what to mend, or goes by without anybody's noticing."""

import contextlib
import http.server
import itertools
import json
import os
import shutil
import signal
import ssl
import subprocess
import threading
import time

import pytest

from conftest import run_to_the_end
from harness import wire
from harness.cable import Cable
from harness.client import Operator, assert_problem, message, person
from harness.eventually import eventually
from harness.postgres import Server
from harness.service import CommandLine, Service, free_port
from test_faults import small_disk
from test_storage_outage import readiness

pytestmark = pytest.mark.fault

NUMBERS = itertools.count(1)
PASSWORD = "correct-horse-battery"


def openssl(folder, *arguments):
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


def authority(folder, name):
    """A certificate authority, and a certificate of it for the host `localhost`."""
    folder = folder / name
    folder.mkdir()
    openssl(folder, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days", "2",
            "-subj", f"/CN={name}")
    openssl(folder, "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "server.key", "-out", "server.csr", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    openssl(folder, "x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-out", "server.pem",
            "-days", "2", "-copy_extensions", "copy")
    return folder


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    return authority(folder, "known"), authority(folder, "unknown")


@pytest.fixture(scope="module")
def server(certificates):
    """Takes connections through the network with TLS and a password alone."""
    server = Server(listen_addresses="127.0.0.1", port=free_port())
    for name in ("server.pem", "server.key"):
        shutil.copy(certificates[0] / name, server.folder / "data" / name)
        if os.geteuid() == 0:
            shutil.chown(server.folder / "data" / name, "postgres", "postgres")
        (server.folder / "data" / name).chmod(0o600)
    with (server.folder / "data/pg_hba.conf").open("w") as rules:
        rules.write("local all all trust\nlocal replication all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n")
    for setting in ("ssl = on", "ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'"):
        server.psql(f"ALTER SYSTEM SET {setting}")
    server.psql(f"CREATE ROLE app LOGIN PASSWORD '{PASSWORD}'")
    server.psql("SELECT pg_reload_conf()")
    yield server
    server.stop()


@pytest.fixture
def database(server):
    """The name of an empty database that the role `app` owns."""
    name = f"faults{next(NUMBERS)}"
    server.psql(f"CREATE DATABASE {name} TEMPLATE template0 OWNER app")
    return name


def url(server, database, host="localhost", options="sslmode=verify-full", certificates=None):
    authority = f"&sslrootcert={certificates}/ca.pem" if certificates else ""
    return f"postgres://app@{host}:{server.port}/{database}?{options}{authority}"


def ask(action, location, password=PASSWORD):
    return CommandLine().run("database", action, "--storage", location, settings={"CONSENTLINK_STORAGE_PASSWORD": password})


def assert_refused(done, *words):
    assert done.returncode not in (0, 2), done.stdout
    for word in words:
        assert word in done.stdout + done.stderr
    assert PASSWORD not in done.stdout + done.stderr and "wrong-password" not in done.stdout + done.stderr


class TestTheWayToTheServer:
    def test_is_protected_by_tls_and_a_password(self, server, database, certificates, tmp_path):
        location = url(server, database, certificates=certificates[0])
        assert ask("init", location).returncode == 0
        service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": location, "CONSENTLINK_STORAGE_PASSWORD": PASSWORD})
        try:
            service.start()
            link = Operator(service).make().tracked_link()
            assert wire.follow(link.url).status == 302
            protected = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'app'"
            assert server.psql(protected).strip() == "t"
            # Neither in what `ps` shows nor in a file.
            assert PASSWORD not in open(f"/proc/{service.process.pid}/cmdline").read()
            assert not service.files_with(PASSWORD)
            assert service.stop() == 0
        finally:
            service.kill()

    @pytest.mark.parametrize("host, authority, word", [
        ("127.0.0.1", 0, "does not match host name"),
        ("localhost", 1, "certificate verify failed"),
    ])
    def test_ends_at_a_server_that_cannot_prove_its_name(self, server, database, certificates, host, authority, word):
        assert_refused(ask("init", url(server, database, host, certificates=certificates[authority])), word)

    def test_is_not_taken_without_tls(self, server, database):
        assert_refused(ask("init", url(server, database, "127.0.0.1", "sslmode=disable")), "no encryption")

    def test_ends_at_a_wrong_password(self, server, database, certificates, tmp_path):
        location = url(server, database, certificates=certificates[0])
        words = "password authentication failed", "CONSENTLINK_STORAGE_PASSWORD"
        assert_refused(ask("check", location, "wrong-password"), *words)
        settings = {"CONSENTLINK_STORAGE": location, "CONSENTLINK_STORAGE_PASSWORD": "wrong-password"}
        service = Service(tmp_path, settings=settings)
        assert_refused(CommandLine().run(*service.command[1:], settings=settings), *words)

    def test_is_what_the_url_says_whatever_the_environment_says(self, server, database, certificates):
        """`PGHOSTADDR` has precedence over the host in libpq, and `PGSERVICE` names a file with any parameter."""
        location = url(server, database, certificates=certificates[0])
        assert ask("init", location).returncode == 0
        others = {"PGHOSTADDR": "127.0.0.2", "PGSERVICE": "missing", "PGTARGETSESSIONATTRS": "standby"}
        done = CommandLine().run(
            "database", "check", "--storage", location, settings={"CONSENTLINK_STORAGE_PASSWORD": PASSWORD} | others)
        assert done.returncode == 0, done

    def test_needs_a_mode_in_which_the_authorities_are_asked(self, server, database, certificates):
        location = url(server, database, certificates=certificates[0])
        assert ask("init", location).returncode == 0
        done = ask("check", location.replace("sslmode=verify-full&", ""))
        assert done.returncode == 1 and "sslrootcert" in done.stdout and "sslmode=verify-full" in done.stdout, done

    def test_does_not_wait_for_a_passphrase(self, server, database, certificates, tmp_path):
        """OpenSSL would ask for it on the terminal."""
        known = certificates[0]
        key = tmp_path / "encrypted.key"
        openssl(known, "rsa", "-aes256", "-passout", "pass:secret", "-in", "server.key", "-out", str(key))
        key.chmod(0o600)
        location = url(server, database, certificates=known) + f"&sslcert={known / 'server.pem'}&sslkey={key}"
        assert_refused(ask("check", location), "could not load private key", "passphrase")

    def test_that_is_long_is_named(self):
        server = Server()
        cable = Cable(server)
        try:
            location = cable.url(server.make_database())
            assert CommandLine().run("database", "check", "--storage", location).returncode == 0
            cable.delay = 0.02
            done = CommandLine().run("database", "check", "--storage", location)
            assert done.returncode == 1 and "a round trip to the server takes 4" in done.stdout, done
        finally:
            cable.close()
            server.stop()

    def test_ends_at_a_database_that_is_not_there(self, server, certificates):
        assert_refused(ask("check", url(server, "nowhere", certificates=certificates[0])), '"nowhere" does not exist')

    @pytest.mark.parametrize("passes, imitates", [(False, False), (True, False), (True, True)])
    def test_ends_at_a_pooler(self, server, passes, imitates, tmp_path):
        """Which would lend the claim on the database to whoever comes next. It may drop the options of a session, and
        the database may have those by which that is noticed."""
        name = server.make_database()
        location = f"postgres://test@127.0.0.1:{free_port()}/{name}"
        if imitates:
            server.psql(f"ALTER DATABASE {name} SET plan_cache_mode = force_generic_plan")
        port = location.split(":")[2].split("/")[0]
        server.folder.chmod(0o755)
        configuration = server.folder / "pgbouncer.ini"
        configuration.write_text(
            f"[databases]\n* = host={server.folder} port={server.port} user=test\n[pgbouncer]\n"
            f"listen_addr=127.0.0.1\nlisten_port={port}\nauth_type=any\npool_mode=transaction\nunix_socket_dir=\n"
            + ("ignore_startup_parameters = options\n" if passes else ""))
        pooler = subprocess.Popen(
            [*server.as_user, "/usr/sbin/pgbouncer", "-q", configuration], cwd="/", stderr=subprocess.DEVNULL)
        try:
            check = ["database", "check", "--storage", location]
            eventually(lambda: "Connection refused" not in CommandLine().run(*check).stderr)
            assert_refused(CommandLine().run(*check), "a pooler")
            service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": location})
            assert_refused(CommandLine().run(*service.command[1:], settings=service.settings), "a pooler")
        finally:
            pooler.terminate()
            pooler.wait()

    def test_leads_to_the_newest_of_several_servers(self, server, tmp_path):
        """A standby is passed by, and so is a primary that another one has replaced."""
        first = Server()
        standby = Server(standby_of=first)
        try:
            name = first.make_database()
            # Both listen on sockets alone, so each is asked through a folder.
            hosts = ",".join(str(one.folder).replace("/", "%2F") for one in (standby, first))
            location = f"postgres://test@{hosts}/{name}"
            service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": location}).start()
            org = Operator(service).make("nonRestrictive")
            org.record(person("before"), "given")
            assert first.psql("SELECT count(*) FROM consents", name) == "1\n"
            eventually(lambda: standby.psql("SELECT count(*) FROM consents", name) == "1\n")
            assert service.stop() == 0
            standby.psql("SELECT pg_promote()")
            eventually(lambda: standby.psql("SELECT pg_is_in_recovery()") == "f\n")
            # The first one runs on, and knows nothing of it.
            service.start()
            org.record(person("after"), "given")
            assert service.stop() == 0
            assert standby.psql("SELECT count(*) FROM consents", name) == "2\n"
            assert first.psql("SELECT count(*) FROM consents", name) == "1\n"
        finally:
            first.stop()
            standby.stop()


    def test_a_standby_that_would_not_wait_for_another_is_named(self, tmp_path):
        """Whether commits wait is known to a server from its checkpointer, which learns it late when it takes over."""
        primary = Server()
        standby = Server(standby_of=primary)
        try:
            primary.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            primary.psql("SELECT pg_reload_conf()")
            name = primary.make_database()
            # Its commit waits until the standby has it on disk, and not until the database can be connected to there.
            eventually(lambda: name in standby.psql("SELECT datname FROM pg_database").split())
            hosts = ",".join(str(one.folder).replace("/", "%2F") for one in (primary, standby))
            location = f"postgres://test@{hosts}/{name}"
            settings = {"CONSENTLINK_STORAGE": location, "CONSENTLINK_DURABILITY": "quorum"}
            service = Service(tmp_path, settings=settings).start()
            said = f"synchronous_standby_names is empty on the standby {standby.folder}:"
            eventually(lambda: said in service.log_text())
            check = ["database", "check", "--storage", location, "--durability", "quorum"]
            done = CommandLine().run(*check)
            assert done.returncode == 1 and said in done.stdout and "postgresql.base.conf" in done.stdout, done
            assert CommandLine().run(*check[:-1], "local").returncode == 0
            standby.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
            standby.psql("SELECT pg_reload_conf()")
            eventually(lambda: CommandLine().run(*check).returncode == 0)
            assert service.stop() == 0
        finally:
            primary.stop()
            standby.stop()


class Patroni(http.server.BaseHTTPRequestHandler):
    """The answers of Patroni's REST API that are asked for."""

    answers = {}

    def do_GET(self):
        body = json.dumps(self.answers[self.path]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def patroni(version, tls=None, **configuration):
    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Patroni)
    if tls:
        listener.socket = tls.wrap_socket(listener.socket, server_side=True)
    Patroni.answers = {
        "/patroni": {"state": "running", "role": "primary", "patroni": {"version": version, "scope": "consentlink"}},
        "/config": {"ttl": 20, "synchronous_mode": True, "synchronous_mode_strict": True} | configuration,
    }
    thread = threading.Thread(target=listener.serve_forever)
    thread.start()
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{listener.server_address[1]}"
    finally:
        listener.shutdown()
        thread.join()
        listener.server_close()


def test_limits_of_connections_that_are_too_low_for_the_nodes_are_named(server):
    name = server.make_database()
    check = ["database", "check", "--storage", server.url(name)]
    server.psql(f"ALTER DATABASE {name} CONNECTION LIMIT 10")
    assert CommandLine().run(*check).stdout == "All is well.\n"
    server.psql(f"ALTER DATABASE {name} CONNECTION LIMIT 9")
    server.psql("ALTER ROLE test CONNECTION LIMIT 8")
    try:
        done = CommandLine().run(*check)
        assert done.returncode == 1
        assert "CONNECTION LIMIT of the database allows 9 connections, and a node may need 10" in done.stdout
        assert "CONNECTION LIMIT of the role allows 8 connections" in done.stdout
        assert "ALTER ROLE … CONNECTION LIMIT 10" in done.stdout
    finally:
        server.psql("ALTER ROLE test CONNECTION LIMIT -1")


def test_a_sequence_that_is_behind_its_table_is_named(server, tmp_path):
    name = server.make_database()
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": server.url(name)}).start()
    try:
        Operator(service).make().record(person(), "given")
        assert service.stop() == 0
        server.psql("ALTER TABLE recipients ALTER number RESTART WITH 1", name)
        said = "the sequence of recipients.number gives 1 next"
        done = CommandLine().run("database", "check", "--storage", server.url(name))
        assert done.returncode == 1 and said in done.stdout and "setval" in done.stdout, done.stdout
        service.start()
        eventually(lambda: said in service.log_text())
        assert service.stop() == 0
    finally:
        service.kill()


def test_a_partition_that_was_detached_and_renamed_is_named_and_comes_back(server, tmp_path):
    name = server.make_database()
    service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": server.url(name)}).start()
    try:
        org = Operator(service).make("nonRestrictive")
        one = person()
        decision = org.compose([one]).of(one)["decision"]["id"]
        assert service.stop() == 0
        month = server.psql("SELECT tableoid::regclass FROM decisions LIMIT 1", name).strip()
        server.psql(f"ALTER TABLE decisions DETACH PARTITION {month}; ALTER TABLE {month} RENAME TO archived", name)
        said = f"the table archived was the partition {month}, and was detached"
        done = CommandLine().run("database", "check", "--storage", server.url(name))
        assert done.returncode == 1 and said in done.stdout, done.stdout
        remedy = "BEGIN; INSERT INTO decisions SELECT * FROM archived; DROP TABLE archived; COMMIT"
        assert remedy in done.stdout
        server.psql(remedy, name)
        service.start()
        assert [entry["id"] for entry in org.query_decisions(recipient=one)] == [decision]
        assert service.stop() == 0
    finally:
        service.kill()


def test_a_server_with_too_few_connections_says_how_many_more_the_nodes_need():
    server = Server(max_connections=12)
    try:
        check = ["database", "check", "--storage", server.url(server.make_database())]
        done = CommandLine().run(*check)
        assert done.returncode == 1 and "allows 9 connections, and a node may need 10" in done.stdout, done.stdout
        assert "Raise max_connections by 1 or more" in done.stdout
    finally:
        server.stop()


def test_patroni_is_noticed_and_a_version_that_loses_commits_is_named(server):
    location = server.url(server.make_database())
    check = ["database", "check", "--storage", location]
    assert CommandLine().run(*check).stdout == "All is well.\n"
    agent = subprocess.Popen(
        ["psql", "-X", server.url("postgres"), "-c", "SELECT pg_sleep(60)"], env=os.environ | {"PGAPPNAME": "Patroni heartbeat"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: "--patroni" in CommandLine().run(*check).stdout)
    finally:
        agent.terminate()
        agent.wait()
    with patroni("3.0.2") as api:
        done = CommandLine().run(*check, "--patroni", api)
        assert done.returncode == 1 and "Patroni 3.0.2" in done.stdout and "3.1 or later" in done.stdout
    with patroni("3.3.8") as api:
        assert CommandLine().run(*check, "--patroni", api).stdout == "All is well.\n"
    done = CommandLine().run(*check, "--patroni", api)
    assert done.returncode == 1 and "no Patroni answers" in done.stdout
    assert CommandLine().run(*check, "--patroni", "not a URL").returncode == 2


def test_a_patroni_with_a_certificate_of_its_own_authority_is_asked(server, tmp_path):
    check = ["database", "check", "--storage", server.url(server.make_database())]

    def certified(name):
        key, certificate = tmp_path / f"{name}.key", tmp_path / f"{name}.crt"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
             "-subj", "/CN=db1", "-addext", f"subjectAltName={name}"],
            check=True, capture_output=True)  # fmt: skip
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate, key)
        return key, certificate, tls

    _, other, tls = certified("DNS:db1.example.com")
    with patroni("3.3.8", tls) as api:
        done = CommandLine().run(*check, "--patroni", api, "--patroni-ca", other)
        assert done.returncode == 1 and "its certificate is for another host" in done.stdout
    key, certificate, tls = certified("IP:127.0.0.1")
    with patroni("3.3.8", tls) as api:
        assert CommandLine().run(*check, "--patroni", api, "--patroni-ca", certificate).stdout == "All is well.\n"
        done = CommandLine().run(*check, "--patroni", api)
        assert done.returncode == 1 and "its certificate is not trusted" in done.stdout and "--patroni-ca" in done.stdout
    done = CommandLine().run(*check, "--patroni", api, "--patroni-ca", certificate)
    assert done.returncode == 1 and "connection refused" in done.stdout
    for wrong in (["--patroni", api, "--patroni-ca", key], ["--patroni", api, "--patroni-ca", "nowhere"],
                  ["--patroni-ca", certificate]):  # fmt: skip
        assert CommandLine().run(*check, *wrong).returncode == 2


def test_commits_that_wait_for_any_standby_are_named(server):
    check = ["database", "check", "--storage", server.url(server.make_database()), "--durability", "quorum"]
    with patroni("3.3.8", synchronous_mode="quorum") as api:
        for names, text in [("ANY 1 (a, b)", "is ANY 1 (a, b)"), ("FIRST 1 (a, b)", None)]:
            # Nothing is written, which would wait for these standbys.
            server.psql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
            server.psql("SELECT pg_reload_conf()")
            try:
                if text:
                    eventually(lambda: text in CommandLine().run(*check).stdout)
                else:
                    eventually(lambda: CommandLine().run(*check).returncode == 0)
                    done = CommandLine().run(*check, "--patroni", api)
                    assert done.returncode == 1 and "synchronous_mode is not true" in done.stdout
            finally:
                server.psql("ALTER SYSTEM RESET synchronous_standby_names")
                server.psql("SELECT pg_reload_conf()")


class TestWhatTheRoleMayDo:
    def test_a_role_that_may_not_make_tables_is_told_so(self, server, certificates):
        server.psql("CREATE DATABASE unowned TEMPLATE template0")
        location = url(server, "unowned", certificates=certificates[0])
        assert_refused(ask("init", location), "permission denied for schema public")

    def test_a_right_that_is_taken_away_stops_no_reader(self, server, database, certificates, tmp_path):
        location = url(server, database, certificates=certificates[0])
        service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": location, "CONSENTLINK_STORAGE_PASSWORD": PASSWORD})
        try:
            service.start()
            org = Operator(service).make()
            link = org.tracked_link()
            server.psql("REVOKE INSERT ON consents FROM app", database)
            answer = org.call("POST", org.path("/consents"), [{"recipient": person(), "state": "given"}])
            assert answer.status_code in (500, 503) and "detail" in assert_problem(answer, answer.status_code)
            assert wire.follow(link.url).status == 302
            eventually(lambda: "permission denied for table consents" in service.log_text())
            server.psql("GRANT INSERT ON consents TO app", database)
            eventually(lambda: readiness(service)[0] == 200)
            org.record(person(), "given")
            assert service.stop() == 0
        finally:
            service.kill()

    def test_tables_of_a_newer_version_are_left_alone(self, server, database, certificates, tmp_path):
        location = url(server, database, certificates=certificates[0])
        assert ask("init", location).returncode == 0
        server.psql("UPDATE schema_version SET version = 999", database)
        settings = {"CONSENTLINK_STORAGE": location, "CONSENTLINK_STORAGE_PASSWORD": PASSWORD}
        service = Service(tmp_path, settings=settings)
        for done in (ask("check", location), ask("migrate", location), CommandLine().run(*service.command[1:], settings=settings)):
            assert_refused(done, "schema version 999")


@pytest.fixture
def service(tmp_path, server):
    location = server.url(server.make_database())
    yield from run_to_the_end(Service(tmp_path, settings={"CONSENTLINK_STORAGE": location}))


def database_of(service):
    return service.settings["CONSENTLINK_STORAGE"].split("/")[3].split("?")[0]


# An insert into a table fails, as many times as the sequence says, with this SQLSTATE.
# The service does not look at functions of an extension.
FAILING = """
    CREATE SEQUENCE IF NOT EXISTS failures;
    CREATE OR REPLACE FUNCTION fail() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN
        IF nextval('failures') <= {times} THEN RAISE EXCEPTION 'as a test wants it' USING ERRCODE = '{code}'; END IF;
        RETURN true;
    END $$;
    DO $$ BEGIN ALTER EXTENSION plpgsql ADD FUNCTION fail();
    EXCEPTION WHEN object_not_in_prerequisite_state THEN NULL; END $$;
    ALTER SEQUENCE failures RESTART;
    ALTER TABLE {table} DROP CONSTRAINT IF EXISTS failing;
    ALTER TABLE {table} ADD CONSTRAINT failing CHECK (fail()) NOT VALID;
"""


# What returns NULL before a row is inserted swallows the row, and the insert succeeds.
SWALLOWING = """
    CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
    CREATE TRIGGER silent BEFORE INSERT ON consents FOR EACH ROW EXECUTE FUNCTION swallow();
"""
SWALLOWS = "the table consents has the trigger silent"


class TestATableThatSwallowsWhatIsWritten:
    def test_takes_no_write_until_the_trigger_is_gone(self, server, service):
        org = Operator(service).make("nonRestrictive")
        one = person()
        link = org.tracked_link()
        org.record(one, "given")
        server.psql(SWALLOWING, database_of(service))
        assert SWALLOWS in eventually(lambda: readiness(service)[1], within=40)
        assert readiness(service)[0] == 503
        refused = org.call("POST", org.path("/consents"), [{"recipient": one, "state": "withdrawn"}])
        assert_problem(refused, 503)
        assert wire.follow(link.url).status == 302
        eventually(lambda: SWALLOWS in service.log_text())
        # Each second it tries again, and says nothing more.
        time.sleep(3)
        assert service.log_text().count("nothing is stored until the database is repaired") == 1
        assert SWALLOWS in readiness(service)[1]
        server.psql("DROP TRIGGER silent ON consents", database_of(service))
        eventually(lambda: readiness(service)[0] == 200)
        org.record(one, "withdrawn")
        assert [entry["state"] for entry in org.consent(one)["history"]] == ["given", "withdrawn"]
        org.settle()
        assert len(org.interactions(message=link.message)) == 1

    def test_keeps_a_service_from_starting(self, server, tmp_path):
        database = server.make_database()
        location = server.url(database)
        assert CommandLine().run("database", "init", "--storage", location).returncode == 0
        server.psql(SWALLOWING, database)
        service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": location})
        for done in (
            CommandLine().run("database", "check", "--storage", location),
            CommandLine().run(*service.command[1:], settings=service.settings),
        ):
            assert_refused(done, SWALLOWS, "DROP TRIGGER silent ON consents")
        server.psql("DROP TRIGGER silent ON consents", database)
        assert CommandLine().run("database", "check", "--storage", location).returncode == 0


class TestAServerThatIsBusy:
    @pytest.mark.parametrize("code", ["40001", "40P01", "57014", "57P01", "53300"])
    def test_what_passes_by_itself_is_noticed_by_nobody(self, server, service, code):
        """Serialization failure, deadlock, cancelled, the server is told to stop, too many connections."""
        org = Operator(service).make("nonRestrictive")
        database = database_of(service)
        server.psql(FAILING.format(times=2, code=code, table="consents"), database)
        one = person()
        record = org.record(one, "given")
        assert [entry["id"] for entry in org.consent(one)["history"]] == [record["id"]]
        server.psql(FAILING.format(times=2, code=code, table="decisions"), database)
        composed = org.compose([one])
        assert [entry["id"] for entry in org.query_decisions(recipient=one)] == [composed.of(one)["decision"]["id"]]
        assert int(server.psql("SELECT last_value FROM failures", database)) >= 3
        server.psql(FAILING.format(times=2, code=code, table="interactions"), database)
        assert wire.follow(composed.link(one)).status == 302
        org.settle()
        assert len(org.interactions(message=composed.message)) == 1

    def test_what_the_server_refuses_is_an_error_that_names_nobody(self, server, service):
        org = Operator(service).make("nonRestrictive")
        server.psql(FAILING.format(times=1, code="P0001", table="consents"), database_of(service))
        one = person("unlucky")
        answer = org.call("POST", org.path("/consents"), [{"recipient": one, "state": "given"}])
        assert_problem(answer, answer.status_code)
        assert answer.status_code >= 500 and one not in answer.text
        assert one not in service.log_text() and "as a test wants it" not in service.log_text()
        assert org.consent(one)["history"] == []
        org.record(one, "given")

    def test_a_setting_that_loses_what_is_acknowledged_is_noticed_while_the_service_runs(self, server, service):
        server.psql("ALTER SYSTEM SET full_page_writes = off")
        server.psql("SELECT pg_reload_conf()")
        try:
            assert "full_page_writes is off" in eventually(lambda: readiness(service)[1])
            eventually(lambda: "a crash may lose acknowledged writes" in service.log_text())
        finally:
            server.psql("ALTER SYSTEM RESET full_page_writes")
            server.psql("SELECT pg_reload_conf()")
        eventually(lambda: readiness(service)[0] == 200)

    @pytest.mark.parametrize("ending", ["pg_terminate_backend", "pg_cancel_backend"])
    def test_what_no_standby_has_is_not_acknowledged(self, server, service, ending):
        """A commit waits for a standby that is away, and its wait is broken off. Then it is visible, and on the primary
        alone. A standby that takes over does not have it, so nobody may be told that it is stored."""
        org = Operator(service).make("restrictive")
        one = person()
        waiting = f"datname = '{database_of(service)}' AND wait_event = 'SyncRep'"
        key = {"Idempotency-Key": '"standby"'}
        answers = []

        def ask():
            answers.append(org.call("POST", org.path("/consents"), {"recipient": one, "state": "given"}, headers=key))

        # What the service writes at its start has been written: while one of its own is in doubt nothing else is.
        time.sleep(1)
        with server.without_a_standby():
            asking = threading.Thread(target=ask)
            asking.start()
            # What waits first may be a commit of the service's own; who is refused meanwhile asks again.
            for turn in range(20):
                if not asking.is_alive():
                    asking = threading.Thread(target=ask)
                    asking.start()
                eventually(lambda: "t" in server.psql(f"SELECT bool_or(true) FROM pg_stat_activity WHERE {waiting}"))
                server.psql(f"SELECT {ending}(pid) FROM pg_stat_activity WHERE {waiting}")
                time.sleep(0.7)
                assert [answer.status_code for answer in answers if answer.status_code != 503] == []
                stored = server.psql("SELECT count(*) FROM consents", database_of(service)).strip()
                if turn >= 2 and stored == "1":
                    break
            # The record is there for whoever looks, and a repeat of the request must not say so either.
            assert stored == "1", [(answer.status_code, answer.text) for answer in answers]
            repeat = threading.Thread(target=ask)
            repeat.start()
            time.sleep(1)
            server.psql(f"SELECT {ending}(pid) FROM pg_stat_activity WHERE {waiting}")
            time.sleep(0.5)
            assert [answer.status_code for answer in answers if answer.status_code not in (409, 503)] == []
        asking.join(timeout=60)
        repeat.join(timeout=60)
        eventually(lambda: readiness(service)[0] == 200, within=60)

        def is_acknowledged():
            ask()
            return answers[-1].status_code == 201

        # A client repeats what is refused while the service connects again.
        eventually(is_acknowledged, within=60)
        assert len(org.consent(one)["history"]) == 1

    def test_whoever_waits_for_a_lock_is_answered_when_it_goes(self, server, service):
        org = Operator(service).make("nonRestrictive")
        link = org.tracked_link()
        lock = "BEGIN; LOCK TABLE decisions IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(5); COMMIT"
        holder = threading.Thread(target=server.psql, args=(lock, database_of(service)))
        holder.start()
        eventually(lambda: "ACCESS EXCLUSIVE" in server.psql("SELECT query FROM pg_stat_activity WHERE query LIKE 'BEGIN%'"))
        people = [person() for _ in range(10)]
        composed = org.compose(people)
        assert {entry["recipient"] for entry in composed.payloads} == set(people)
        assert wire.follow(link.url).status == 302
        holder.join()
        assert sorted(one["recipient"] for one in org.decisions(message=composed.message)) == sorted(people)

    def test_readers_do_not_notice_that_the_server_stands_still(self, server, service):
        org = Operator(service).make("nonRestrictive")
        link = org.tracked_link()
        stopped = server.processes()
        for process in stopped:
            os.kill(process, signal.SIGSTOP)
        try:
            begun = time.monotonic()
            while time.monotonic() - begun < 5:
                assert wire.follow(link.url).status == 302
                time.sleep(0.2)
            # It says that it cannot, and does not hold the connection for ever.
            withdrawal = {"recipient": link.recipient, "purpose": "tracking", "state": "withdrawn"}
            assert_problem(org.call("POST", org.path("/consents"), [withdrawal]), 503)
            eventually(lambda: readiness(service)[0] == 503)
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)
        eventually(lambda: readiness(service)[0] == 200)
        eventually(lambda: org.interactions(message=link.message))
        clicked = len(org.interactions(message=link.message))
        org.record(link.recipient, "withdrawn")
        assert wire.follow(link.url).status == 302
        org.settle()
        assert len(org.interactions(message=link.message)) == clicked

    def test_a_retirement_names_the_nodes_that_lacked_the_ring_before_the_server_stood_still(self, server, service):
        operator = Operator(service)
        operator.expect(201, "POST", "/v1/keyring/rotate")
        (service.folder / "second").mkdir()
        settings = {"CONSENTLINK_NODE_NAME": "second", "CONSENTLINK_CLUSTER_KEY": str(service.data / "cluster.key")}
        second = Service(service.folder / "second", settings=service.settings | settings).start()
        answers = []
        retirement = threading.Thread(
            target=lambda: answers.append(operator.call("POST", "/v1/keyring/1/retire", {"force": True})))
        stopped = []
        try:
            second.process.send_signal(signal.SIGSTOP)
            retirement.start()
            other = Operator(service)
            eventually(lambda: len(other.expect(200, "GET", "/v1/keyring").json()["keys"]) == 1)
            # It asks every 50 ms.
            time.sleep(0.5)
            stopped = server.processes()
            for process in stopped:
                os.kill(process, signal.SIGSTOP)
            retirement.join()
        finally:
            for process in stopped:
                os.kill(process, signal.SIGCONT)
            second.kill()
        assert [answer.status_code for answer in answers] == [204]
        warnings = [line for line in service.log_text().splitlines() if "with a retired signing key" in line]
        assert [json.loads(line)["nodes"] for line in warnings] == ["second"]

    def test_a_full_disk_is_told_and_goes_on_by_itself_once_there_is_room(self, server, tmp_path):
        disk = server.folder / "small"
        with small_disk(disk, 96 << 20):
            shutil.chown(disk, "postgres", "postgres")
            server.psql(f"CREATE TABLESPACE small LOCATION '{disk}'")
            server.psql("CREATE DATABASE crowded TEMPLATE template0 TABLESPACE small")
            service = Service(tmp_path, settings={"CONSENTLINK_STORAGE": server.url("crowded")})
            try:
                service.start()
                org = Operator(service).make("nonRestrictive")
                link = org.tracked_link()
                filler = disk / "filler"
                told = []
                content = message()
                with filler.open("wb", buffering=0) as file:
                    space = os.statvfs(disk)
                    file.write(b"x" * (space.f_bavail * space.f_frsize))
                    while not told:
                        answer = org.call(
                            "POST", org.path("/payloads"),
                            {"format": "plain", "message": content, "recipients": [person() for _ in range(1000)]})
                        if answer.status_code != 200:
                            told.append(answer)
                assert_problem(told[0], 503)
                assert wire.follow(link.url).status == 302
                assert "the disk is full" in readiness(service)[1]
                assert "the disk is full" in service.log_text()
                before = len(org.decisions(limit=1000))
                filler.unlink()
                eventually(lambda: readiness(service)[0] == 200)
                eventually(lambda: org.interactions(message=link.message))
                # What was refused left nothing behind.
                assert len(org.decisions(limit=1000)) == before
                org.compose([person()], content)
                assert service.stop() == 0
            finally:
                service.kill()
                server.psql("DROP DATABASE crowded WITH (FORCE)")
                server.psql("DROP TABLESPACE small")
