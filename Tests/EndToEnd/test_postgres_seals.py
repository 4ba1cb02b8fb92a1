"""Entries that are written into the database of nodes with SQL, by somebody who has no file of a node."""

import contextlib
import json
import re
import shutil

import httpx
import pytest

from conftest import run_to_the_end
from harness import postgres
from harness.client import Operator, assert_problem, message, person
from harness.eventually import eventually
from harness.ledger import Ledger
from harness.service import CommandLine, Service

pytestmark = pytest.mark.embedded_storage_only

# The first record of the first organization counts once more, as the last one.
FORGED = """
    CREATE TEMP TABLE made AS SELECT * FROM consents WHERE organization = 1 ORDER BY id LIMIT 1;
    UPDATE made SET (id, occurred_at, recorded_at) =
        (SELECT max(id) + 1, max(occurred_at) + 1, max(recorded_at) + 1 FROM consents);
    INSERT INTO consents SELECT * FROM made;
    INSERT INTO ledger_runs SELECT organization, first_leaf + count, 1, 2, (SELECT id FROM made), (SELECT id FROM made)
        FROM ledger_runs WHERE organization = 1 ORDER BY first_leaf DESC LIMIT 1;
"""
# A second record comes behind it, and an event has the position of that one.
OVERLAPPING = FORGED + """
    UPDATE made SET (id, occurred_at, recorded_at) = (id + 1, occurred_at + 1, recorded_at + 1);
    INSERT INTO consents SELECT * FROM made;
    INSERT INTO ledger_events (organization, entry)
        SELECT organization, entry FROM ledger_events WHERE organization = 1 ORDER BY number LIMIT 1;
    UPDATE ledger_runs SET count = 2, last_id = last_id + 1 WHERE kind = 2 AND first_id = (SELECT id - 1 FROM made);
    INSERT INTO ledger_runs SELECT organization, first_leaf + 1, 1, 3, (SELECT max(number) FROM ledger_events),
        (SELECT max(number) FROM ledger_events) FROM ledger_runs WHERE organization = 1 ORDER BY first_leaf DESC LIMIT 1;
"""
# So that every node asks the database for what others have entered.
OF_ANOTHER_NODE = "UPDATE writer SET instance = '\\x00', generation = generation + 1;"
SAID = "were written into the database without a node"


def wait_until_demanded(nodes):
    """Every node demands seals, and so does its next process."""
    eventually(lambda: all('"seals":' in (node.data / "node.json").read_text() for node in nodes.all), within=60)


@contextlib.contextmanager
def stopped(nodes):
    """No node runs within; then all start."""
    for node in nodes.all:
        assert node.stop() == 0
    yield
    for node in nodes.all:
        node.start()


def detail(node):
    answer = httpx.get(f"{node.api}/readyz")
    return answer.json()["detail"] if answer.status_code == 503 else ""


def seal(nodes, node, org, *more):
    """`consentlink database seal` on the machine of a node: its exit code, its answer and its error."""
    done = CommandLine().run(
        "database", "seal", org.id, "--data", str(node.data), "--storage", nodes.url, "--json", *more)
    return done.returncode, json.loads(done.stdout) if done.stdout else None, done.stderr


def withdrawn(nodes):
    """An organization, at each node, and its first recipient, who gave consent and withdrew it."""
    orgs, who = nodes.organization(), person()
    orgs[0].record(who, "given")
    orgs[1].record(who, "withdrawn")
    assert not compose(orgs[0], who).json()["payloads"][0]["tracked"]
    return orgs, who


def compose(org, who):
    body = {"format": "plain", "recipients": [who], "message": message()}
    return org.call("POST", org.path("/payloads"), body)


class TestAConsentThatIsWrittenWithSQL:
    def test_is_neither_used_nor_signed_and_closes_the_ledger_at_every_node(self, own_nodes):
        orgs, who = withdrawn(own_nodes)
        other = own_nodes.organization()
        wait_until_demanded(own_nodes)
        ledgers = [Ledger(org) for org in orgs]
        signed = [ledger.checkpoint().size for ledger in ledgers]
        own_nodes.server.change(FORGED + OF_ANOTHER_NODE, own_nodes.database)
        for org in orgs:
            assert_problem(compose(org, who), 503)
        for node in own_nodes.all:
            assert SAID in eventually(lambda: detail(node), within=30)
        assert [ledger.checkpoint().size for ledger in ledgers] == signed
        other[1].compose([person()])

    def test_is_found_while_nobody_composes(self, own_nodes):
        orgs, _ = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        own_nodes.server.change(FORGED, own_nodes.database)
        for node in own_nodes.all:
            assert SAID in eventually(lambda: detail(node), within=60)

    def test_is_found_by_a_start_whatever_became_of_the_seals(self, own_nodes):
        orgs, who = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        with stopped(own_nodes):
            own_nodes.server.change(
                FORGED + "ALTER TABLE ledger_edges ALTER seal DROP NOT NULL; UPDATE ledger_edges SET seal = NULL;",
                own_nodes.database)
        for org in orgs:
            assert_problem(compose(org, who), 503)
            assert SAID in eventually(lambda: detail(org.service), within=30)
        column = "attrelid = 'ledger_edges'::regclass AND attname = 'seal'"
        eventually(lambda: own_nodes.psql(f"SELECT attnotnull FROM pg_attribute WHERE {column}") == "t\n", within=30)

    def test_that_the_operator_lets_count_is_sealed_by_the_next_start(self, own_nodes):
        orgs, who = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        with stopped(own_nodes):
            own_nodes.server.change(FORGED + "ALTER TABLE ledger_edges ALTER seal DROP NOT NULL", own_nodes.database)
            for file in (node.data / "node.json" for node in own_nodes.all):
                file.write_text(re.sub(',"seals":"[^"]*"', "", file.read_text()))
        assert compose(orgs[1], who).json()["payloads"][0]["tracked"]
        wait_until_demanded(own_nodes)

    def test_that_the_operator_seals_counts_once_each_node_was_restarted(self, own_nodes):
        orgs, who = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        signed = Ledger(orgs[0]).checkpoint().size
        own_nodes.server.change(FORGED + OF_ANOTHER_NODE, own_nodes.database)
        for node in own_nodes.all:
            eventually(lambda: SAID in detail(node), within=60)
        node = own_nodes.all[1]
        code, state, _ = seal(own_nodes, node, orgs[0])
        assert (code, state["sealed"], [entry["index"] for entry in state["entries"]]) == (1, False, [signed])
        code, _, error = seal(own_nodes, node, orgs[0], "--head", state["signed"])
        assert code == 1 and state["head"] in error
        assert not (node.data / "sealed.ndjson").exists()
        code, sealed, _ = seal(own_nodes, node, orgs[0], "--head", state["head"])
        assert (code, sealed["sealed"]) == (0, True)
        (line,) = (node.data / "sealed.ndjson").read_text().splitlines()
        noted = json.loads(line)
        assert (noted["organization"], noted["signed"], noted["sealed"]) == (orgs[0].id, state["signed"], state["head"])
        for each in own_nodes.all:
            each.stop()
            each.start()
        for org in orgs:
            assert detail(org.service) == ""
            assert compose(org, who).json()["payloads"][0]["tracked"]
        assert seal(own_nodes, node, orgs[0])[0] == 0

    def test_cannot_be_sealed_once_its_row_is_gone(self, own_nodes):
        orgs, _ = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        signed = Ledger(orgs[0]).checkpoint().size
        own_nodes.server.change(
            FORGED + "DELETE FROM consents WHERE id = (SELECT id FROM made);", own_nodes.database)
        code, state, error = seal(own_nodes, own_nodes.all[0], orgs[0])
        assert (code, state) == (1, None)
        assert f"a seal would not open this ledger: entry {signed} of {orgs[0].id} or its hash is not" in error

    def test_cannot_be_sealed_where_two_rows_have_one_position(self, own_nodes):
        orgs, _ = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        signed = Ledger(orgs[0]).checkpoint().size
        own_nodes.server.change(OVERLAPPING, own_nodes.database)
        code, state, error = seal(own_nodes, own_nodes.all[0], orgs[0])
        assert (code, state) == (1, None)
        reason = f"the runs of {orgs[0].id} do not lead to entry {signed + 1}"
        assert f"a seal would not open this ledger: {reason}" in error

    def test_cannot_be_sealed_where_signed_entries_are_missing(self, own_nodes):
        orgs, _ = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        Ledger(orgs[0]).checkpoint()
        with stopped(own_nodes):
            own_nodes.server.change(TestTheNewestRowsCut.CUT, own_nodes.database)
            code, state, error = seal(own_nodes, own_nodes.all[0], orgs[0])
            assert (code, state) == (1, None)
            assert "a seal would not open this ledger: entries " in error and " are missing" in error


class TestTheNewestRowsCut:
    CUT = "DELETE FROM decisions; DELETE FROM ledger_runs WHERE kind = 1; DELETE FROM decision_counts;"

    def test_is_noticed_although_no_checkpoint_is_left(self, own_nodes):
        orgs, _ = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        with stopped(own_nodes):
            for node in own_nodes.all:
                shutil.rmtree(node.data / "checkpoints")
            own_nodes.server.change(self.CUT + "UPDATE ledgers SET checkpoint = NULL", own_nodes.database)
        for node in own_nodes.all:
            assert SAID in eventually(lambda: detail(node), within=30)


class TestSeals:
    def test_of_whole_ledgers_are_kept_over_restarts_and_a_restored_dump(self, own_nodes):
        orgs, who = withdrawn(own_nodes)
        wait_until_demanded(own_nodes)
        with stopped(own_nodes):
            dump = own_nodes.server.dump(own_nodes.database)
            restored = f"{own_nodes.database}restored"
            own_nodes.server.psql(f"CREATE DATABASE {restored} TEMPLATE template0")
            own_nodes.server.restore(dump, restored)
            own_nodes.server.swap_databases(own_nodes.database, restored)
        for org in orgs:
            assert compose(org, who).status_code == 200
            assert detail(org.service) == ""
        wait_until_demanded(own_nodes)


class TestARoleThatMayNotReadTheNumberOfItsDatabase:
    NOT_KEPT = "because the number of the database cannot be read"

    @pytest.fixture
    def service(self, tmp_path):
        server = postgres.server()
        server.psql("CREATE ROLE unprivileged LOGIN")
        server.psql("CREATE DATABASE unprivileged OWNER unprivileged TEMPLATE template0")
        server.psql("REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", "unprivileged")
        url = server.url("unprivileged").replace("test@", "unprivileged@")
        yield from run_to_the_end(Service(tmp_path, flags=["--storage", url]))

    def test_is_told_that_the_folder_cannot_keep_the_demand_until_it_may(self, service):
        Operator(service).make("restrictive")
        eventually(lambda: self.NOT_KEPT in service.log_text(), within=30)
        assert '"seals":' not in (service.data / "node.json").read_text()
        postgres.server().psql("GRANT EXECUTE ON FUNCTION pg_control_system() TO unprivileged", "unprivileged")
        service.restart()
        eventually(lambda: '"seals":' in (service.data / "node.json").read_text(), within=30)
        assert service.log_text().count(self.NOT_KEPT) == 1
