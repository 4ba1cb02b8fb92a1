"""Deploy/postgres: the server for trying out, its roles and settings, and what is for production."""

import re
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
import yaml

from harness.service import ROOT, CommandLine, free_port

FOLDER = ROOT / "Deploy/postgres"


def cluster(action, folder, *options):
    return subprocess.run(
        [FOLDER / "cluster", action, folder, *options], capture_output=True, text=True, timeout=120, cwd=folder.parent
    )


class Server:
    def __init__(self, folder):
        self.folder = folder
        started = cluster("start", folder)
        assert started.returncode == 0, started.stderr
        self.url = started.stdout.strip()

    def psql(self, sql, role="postgres", *options):
        return subprocess.run(
            ["psql", "--no-psqlrc", "-At", "-h", self.folder, "-U", role, "-v", "ON_ERROR_STOP=1", *options,
             "consentlink", "-c", sql],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip


@pytest.fixture(scope="module")
def server():
    # The server's user must be able to enter, and a socket's path is short.
    parent = Path(tempfile.mkdtemp(prefix="postgres of a test ", dir="/tmp"))
    parent.chmod(0o755)
    yield Server(parent / "server")
    assert cluster("stop", parent / "server").returncode == 0
    shutil.rmtree(parent)


@pytest.fixture(scope="module")
def database(server):
    """The server, with the tables."""
    done = CommandLine().run("database", "init", "--storage", server.url)
    assert done.returncode == 0, done.stderr
    return server


def test_each_action_may_be_repeated_and_what_is_stored_stays(database):
    database.psql("CREATE TABLE public.mark (); ALTER TABLE public.mark OWNER TO consentlink_owner")
    for _ in range(2):
        assert cluster("stop", database.folder).returncode == 0
        assert cluster("status", database.folder).returncode == 3
    for _ in range(2):
        assert cluster("start", database.folder).stdout.strip() == database.url
        assert cluster("status", database.folder).returncode == 0
    assert database.psql("DROP TABLE mark", "consentlink").returncode == 0


def test_with_a_port_it_listens_there_on_this_machine_too_and_its_url_says_so():
    parent = Path(tempfile.mkdtemp(prefix="port ", dir="/tmp"))
    parent.chmod(0o755)
    port = free_port()
    try:
        started = cluster("start", parent / "server", "--port", str(port))
        assert started.returncode == 0, started.stderr
        assert started.stdout.strip().endswith(f"server&port={port}")
        with socket.create_connection(("127.0.0.1", port), timeout=10):
            pass
    finally:
        assert cluster("stop", parent / "server").returncode == 0
        shutil.rmtree(parent)


def test_a_path_with_a_quotation_mark_is_refused_before_anything_is_made(tmp_path):
    folder = tmp_path / "it's"
    done = cluster("start", folder)
    assert done.returncode == 2 and "quotation mark" in done.stderr
    assert not folder.exists()


def test_the_server_is_private(server):
    assert server.folder.stat().st_mode & 0o077 == 0
    assert server.psql("SHOW listen_addresses").stdout == "\n"
    assert server.psql("SHOW data_checksums").stdout == "on\n"
    assert server.psql("SELECT datcollate, pg_encoding_to_char(encoding) FROM pg_database WHERE datname = 'consentlink'")\
        .stdout == "C|UTF8\n"  # fmt: skip


def test_all_is_well_with_it(database):
    done = CommandLine().run("database", "check", "--storage", database.url)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE ROLE another", "CREATE DATABASE another", "COPY (SELECT 1) TO '/tmp/another'",
        "SELECT pg_read_file('/etc/passwd')", "ALTER SYSTEM SET fsync = off", "SET SESSION AUTHORIZATION postgres",
        "SELECT pg_create_physical_replication_slot('another')",
    ],
)  # fmt: skip
def test_the_service_cannot(database, sql):
    done = database.psql(sql, "consentlink")
    assert done.returncode != 0, done
    assert re.search("must be|permission denied", done.stderr), done


@pytest.mark.parametrize(
    "sql", ["DELETE FROM decisions", "INSERT INTO folder VALUES ('x')", "CREATE TABLE another ()", "SET ROLE consentlink_owner"]
)
def test_the_auditor_reads_and_cannot(database, sql):
    tables = database.psql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").stdout.split()
    assert len(tables) > 20
    for table in tables:
        assert database.psql(f"SELECT count(*) FROM {table}", "consentlink_auditor").returncode == 0, table
    done = database.psql(f"BEGIN READ WRITE; {sql}", "consentlink_auditor")
    assert done.returncode != 0 and "permission denied" in done.stderr, done


@pytest.mark.parametrize("sql", ["SELECT count(*) FROM public.consents", "CREATE TABLE public.another ()", "SET ROLE consentlink_owner"])
def test_the_exporters_role_cannot(database, sql):
    done = database.psql(sql, "consentlink_monitor")
    assert done.returncode != 0 and "permission denied" in done.stderr, done


def test_the_owner_of_everything_cannot_log_in(database):
    assert database.psql("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'").stdout == (
        "consentlink_owner\n"
    )
    assert "not permitted to log in" in database.psql("SELECT 1", "consentlink_owner").stderr


def test_its_log_keeps_no_statements_and_no_values_of_keys(database):
    database.psql("CREATE TABLE public.mark (a text PRIMARY KEY)")
    values = "INSERT INTO public.mark VALUES ('clk_private'), ('clk_private')"
    assert "clk_private" in database.psql(values).stderr
    database.psql("DROP TABLE public.mark")
    log = subprocess.run(["cat", database.folder / "log"], capture_output=True, text=True).stdout
    assert "duplicate key value" in log and "clk_private" not in log


def test_every_query_of_the_exporter_gives_the_columns_that_it_names(database):
    for name, query in yaml.safe_load((FOLDER / "queries.yaml").read_text()).items():
        done = database.psql(query["query"], "consentlink_monitor", "--csv", "--pset=tuples_only=off")
        assert done.returncode == 0, f"{name}: {done.stderr}"
        if name == "consentlink_postgres_table":
            assert "consentlink,decisions" in done.stdout, "an alert about dead rows never fires"
        assert set(done.stdout.splitlines()[0].split(",")) == {key for each in query["metrics"] for key in each}, name


def test_commits_wait_for_the_one_standby_that_may_take_over():
    """With a second name, or with ANY, another standby could go on confirming what an old primary commits."""
    settings = (FOLDER / "postgresql.conf").read_text()
    (names,) = re.findall(r"^#synchronous_standby_names = '(.*)'$", settings, re.MULTILINE)
    assert re.fullmatch(r"FIRST 1 \(\w+\)", names)


def test_the_alerts_use_metrics_of_these_queries():
    queries = yaml.safe_load((FOLDER / "queries.yaml").read_text())
    offered = {f"{name}_{key}" for name, query in queries.items() for each in query["metrics"] for key in each}
    rules = (ROOT / "Deploy/prometheus/postgres.rules.yaml").read_text()
    used = set(re.findall(r"\bconsentlink_postgres_[a-z_]+", rules))
    assert used and used <= offered
    guide = (ROOT / "docs/postgresql.md").read_text()
    tests = (ROOT / "Deploy/prometheus/postgres.rules.test.yaml").read_text()
    for rule in yaml.safe_load(rules)["groups"][0]["rules"]:
        assert rule["alert"] in guide and tests.count(rule["alert"]) >= 2, rule["alert"]


def test_the_alerts_fire_when_they_should():
    for words in (["check", "rules", "postgres.rules.yaml"], ["test", "rules", "postgres.rules.test.yaml"]):
        done = subprocess.run(["promtool", *words], cwd=ROOT / "Deploy/prometheus", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_compose_file_has_flags_of_the_service_and_volumes_that_it_declares():
    composed = yaml.safe_load((FOLDER / "compose.yaml").read_text())
    help = CommandLine().run("serve", "--help").stdout
    flags = [word.split("=")[0] for word in composed["services"]["consentlink"]["command"][1:]]
    assert flags and all(f"  {flag} <" in help for flag in flags)
    assert any(service.get("ports") for service in composed["services"].values())
    for service in composed["services"].values():
        assert {volume.split(":")[0] for volume in service["volumes"]} <= set(composed["volumes"])
        assert set(service["secrets"]) <= set(composed["secrets"])
        assert all(port.startswith("127.0.0.1:") for port in service.get("ports", []))
