"""What a node knows without the database: its mirror, with which it redirects also after a restart."""

import contextlib
import http.server
import itertools
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections import Counter

import httpx
import pytest

from harness import postgres, tokens, wire
from harness.client import Operator, message, person, unique
from harness.eventually import eventually
from harness.metrics import scrape
from harness.nodes import Nodes, click, clicks
from harness.service import CommandLine
from harness.small_disk import fill, small_disk

pytestmark = pytest.mark.fault


@pytest.fixture
def nodes(tmp_path):
    """Two nodes on a server of their own."""
    server = postgres.Server()
    nodes = Nodes(tmp_path, 2, server)
    yield nodes
    nodes.end()
    server.stop()


def mirror_is_whole(node):
    return "the mirror has all messages" in node.log_text()


def ready(node, door=""):
    try:
        return httpx.get(f"{node.api}/readyz{door}").status_code == 200
    except httpx.HTTPError:
        return False


def answer(node, link):
    return wire.ask(node.listen, "GET", f"/r/{tokens.of_link(link.url)}")


def is_signed(node, org):
    """Whether the node has a checkpoint of the whole ledger."""
    checkpoint = node.data / "checkpoints" / f"{org.id}.txt"
    size = org.expect(200, "GET", org.path("/ledger")).json()["size"]
    return checkpoint.exists() and checkpoint.read_text().splitlines()[1] == str(size)


def without_the_database(nodes, node, by=signal.SIGTERM):
    """Ends the database, and starts a node once more; it starts again by itself once the database is back."""
    node.starts_again = True
    eventually(lambda: mirror_is_whole(node))
    # What was noted last is in the file.
    time.sleep(0.5)
    nodes.server.stop_at_once()
    node.stop(by) if by == signal.SIGTERM else node.kill()
    node.start()


def with_it_again(nodes):
    nodes.server.start()
    for node in nodes.all:
        eventually(lambda: ready(node), within=60)


def kept_state(nodes, tmp_path):
    """A copy of the database, to which `put_back` brings it back."""
    nodes.server.stop_at_once()
    earlier = tmp_path / "earlier"
    shutil.copytree(nodes.server.folder / "data", earlier)
    with_it_again(nodes)
    return earlier


def put_back(nodes, earlier):
    nodes.server.stop_at_once()
    data = nodes.server.folder / "data"
    shutil.rmtree(data)
    shutil.copytree(earlier, data)
    if os.geteuid() == 0:
        for path in [data, *data.rglob("*")]:
            shutil.chown(path, "postgres", "postgres")
    data.chmod(0o700)
    nodes.server.start()


class TestANodeThatStartsWithoutTheDatabase:
    @pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
    def test_redirects_all_that_there_was_and_loses_no_click(self, nodes, by):
        orgs = nodes.organization()
        # It was never asked for most of them, and some were made at the other node.
        kept = [orgs[turn % 2].tracked_link(content=message(name=unique("m"))) for turn in range(30)]
        gone, erased, off = (orgs[0].tracked_link(content=message(name=unique("m"))) for _ in range(3))
        orgs[1].record(gone.recipient, "withdrawn")
        orgs[1].erase(erased.recipient)
        orgs[1].expect(200, "POST", orgs[1].path(f"/messages/{off.message}/disable"))
        node = nodes.all[1]
        without_the_database(nodes, node, by)
        process = node.process.pid
        assert ready(node, "?for=links")
        assert not ready(node)
        for link in kept:
            click(node, link.url)
            click(nodes.all[0], link.url)
        spooled = scrape(node).total("consentlink_spool_depth")
        click(node, gone.url)
        click(node, erased.url)
        assert scrape(node).total("consentlink_spool_depth") == spooled, "who was known to have ended it is written down"
        assert answer(node, off).status == 410
        assert orgs[1].call("GET", orgs[1].path("/decisions")).status_code in (401, 503)
        with_it_again(nodes)
        assert node.process.pid == process and node.is_running
        for link in kept:
            assert len(clicks(orgs, link)) == 2
        assert clicks(orgs, gone) == []

    def test_refuses_no_connection_while_the_database_comes_back(self, nodes):
        orgs = nodes.organization()
        # Of one link, at most a hundred clicks are recorded at once.
        links = [orgs[0].tracked_link(content=message(name=unique("m"))) for _ in range(10)]
        node = nodes.all[1]
        without_the_database(nodes, node)
        nodes.server.start()
        asked = Counter()
        until = time.monotonic() + 60
        for link in itertools.cycle(links):
            if ready(node):
                break
            assert time.monotonic() < until
            click(node, link.url)
            asked[link] += 1
            time.sleep(0.05)
        eventually(lambda: ready(node))
        assert asked.total() > 0
        for link in links:
            assert len(clicks(orgs, link)) == asked[link]

    def test_changes_nothing_of_what_all_nodes_share(self, nodes):
        node = nodes.all[1]
        nodes.organization()
        without_the_database(nodes, node)
        ring = (node.data / "keyring.json").read_bytes()
        operator = Operator(node)
        assert operator.call("POST", "/v1/keyring/rotate").status_code == 503
        assert operator.call("GET", "/v1/nodes").status_code == 503
        assert operator.call("POST", "/v1/orgs", {"id": unique("o"), "name": "O", "enforcement": "restrictive"}).status_code == 503
        assert (node.data / "keyring.json").read_bytes() == ring
        with_it_again(nodes)

    def test_calls_no_link_unknown_that_was_signed_with_a_key_it_has_not_seen(self, nodes):
        orgs = nodes.organization()
        before = orgs[0].tracked_link()
        node = nodes.all[1]
        node.starts_again = True
        eventually(lambda: mirror_is_whole(node))
        time.sleep(0.5)
        node.stop()
        made = Operator(nodes.all[0]).expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        after = orgs[0].tracked_link()
        nodes.server.stop_at_once()
        node.start()
        assert ready(node, "?for=links")
        click(node, before.url)
        seen = answer(node, after)
        assert seen.status == 503 and seen.header("Retry-After")
        token = tokens.of_link(after.url)
        page = httpx.get(f"{node.public}/p/{token}")
        assert page.status_code == 503 and page.headers["Retry-After"]
        forged = tokens.of_link(before.url)[:-2] + ("AA" if not before.url.endswith("AA") else "BA")
        assert wire.ask(node.listen, "GET", f"/r/{forged}").status == 404
        with_it_again(nodes)
        click(node, after.url)
        assert made in [key["id"] for key in Operator(node).expect(200, "GET", "/v1/keyring").json()["keys"]]

    def test_ends_in_an_orderly_way_and_starts_so_again(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        without_the_database(nodes, node)
        for _ in range(3):
            click(node, link.url)
            assert node.stop() == 0
            node.start()
        click(node, link.url)
        with_it_again(nodes)
        assert len(clicks(orgs, link)) == 4

    def test_knows_who_withdrew_also_when_the_database_comes_back_without_it(self, nodes, tmp_path):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        click(node, link.url)
        assert len(clicks(orgs, link)) == 1
        earlier = kept_state(nodes, tmp_path)
        orgs[0].record(link.recipient, "withdrawn")
        eventually(lambda: mirror_is_whole(node))
        time.sleep(0.5)
        for each in nodes.all:
            each.kill()
        put_back(nodes, earlier)
        node.start()
        # The database does not know of the withdrawal any more: what is in the spool would be stored.
        spooled = scrape(node).total("consentlink_clicks_spooled_total")
        click(node, link.url)
        assert scrape(node).total("consentlink_clicks_spooled_total") == spooled


def keys(node):
    listed = Operator(node).expect(200, "GET", "/v1/keyring").json()["keys"]
    return [(key["id"], key["signs"]) for key in listed]


def payloads(message_id, who):
    return {"format": "plain", "messageId": message_id, "recipients": [who]}


def retire(node, number):
    return Operator(node).call("POST", f"/v1/keyring/{number}/retire", {"force": True})


class TestASigningKeyThatIsRetiredWhileANodeIsAway:
    def test_does_not_come_back_with_that_node_although_no_key_is_newer(self, nodes):
        nodes.organization()
        first, second = nodes.all
        second.kill()
        assert Operator(first).call("POST", "/v1/keyring/rotate").status_code == 409
        second.start()
        eventually(lambda: len(keys(second)) == 2)
        (announced,) = [number for number, signs in keys(second) if not signs]
        first.stop()
        assert retire(second, announced).status_code == 204
        before = len(first.log_text())
        first.start()
        eventually(lambda: ready(first))
        for node in nodes.all:
            assert len(keys(node)) == 1
        assert "critical" not in first.log_text()[before:]
        assert not (first.data / "keyring.json.lost").exists()


class TestADatabaseThatIsPutBackWhileNodesRun:
    OTHER_HISTORY = "the database is not the one that this node followed"

    def goes_on(self, nodes, node, link):
        assert eventually(lambda: self.OTHER_HISTORY in node.log_text(), within=30)
        eventually(lambda: ready(node, "?for=links"), within=30)
        click(node, link.url)
        assert node.is_running
        listed = Operator(node).expect(200, "GET", "/v1/nodes").json()["nodes"]
        assert {known["name"]: known["state"] for known in listed}[f"links-{nodes.all.index(node) + 1}"] == "running"

    def is_not_judged_by(self, nodes, node, org, link):
        def is_closed():
            ledger = org.call("GET", org.path("/ledger"))
            return ledger.status_code == 200 and ledger.json()["closed"]

        assert eventually(is_closed, within=30)

        # The node may still say that it does not reach the database.
        def is_refused():
            refused = org.call("POST", org.path("/payloads"), payloads(link.message, link.recipient))
            assert refused.status_code == 503
            return "The ledger is closed" in refused.text

        eventually(is_refused)
        self.goes_on(nodes, node, link)

    @pytest.mark.parametrize("is_changed", [True, False])
    def test_is_told_of_by_a_process_that_began_later_and_keeps_its_node(self, nodes, tmp_path, is_changed):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        earlier = kept_state(nodes, tmp_path)
        assert node.stop() == 0
        node.start()
        eventually(lambda: ready(node))
        if is_changed:
            orgs[0].record(person(), "withdrawn")
        time.sleep(1)
        put_back(nodes, earlier)
        self.goes_on(nodes, node, link)

    def test_is_not_judged_by_although_the_node_that_signed_the_rest_does_nothing(self, nodes, tmp_path):
        org, node, who = nodes.organization()[0], nodes.all[0], person()
        link = org.tracked_link(who)
        earlier = kept_state(nodes, tmp_path)
        org.record(who, "withdrawn")
        eventually(lambda: is_signed(node, org))
        put_back(nodes, earlier)
        # Nothing is written meanwhile, so nothing is signed.
        self.is_not_judged_by(nodes, node, org, link)

    def test_is_not_judged_by_although_what_it_lacks_was_not_signed(self, nodes, tmp_path):
        org, node, who = nodes.organization()[0], nodes.all[0], person()
        link = org.tracked_link(who)
        earlier = kept_state(nodes, tmp_path)
        eventually(lambda: is_signed(node, org))
        checkpoint, aside = node.data / "checkpoints" / f"{org.id}.txt", node.data / "aside.txt"
        before = checkpoint.read_text()
        # The node cannot sign until the database is away.
        checkpoint.rename(aside)
        checkpoint.mkdir()
        org.record(who, "withdrawn")
        nodes.server.stop_at_once()
        checkpoint.rmdir()
        aside.rename(checkpoint)
        assert checkpoint.read_text() == before
        put_back(nodes, earlier)
        self.is_not_judged_by(nodes, node, org, link)

    def test_takes_no_request_that_comes_before_the_node_has_looked_at_it(self, nodes, tmp_path):
        org, node, who = nodes.organization()[0], nodes.all[0], person()
        link = org.tracked_link(who)
        earlier = kept_state(nodes, tmp_path)
        org.record(who, "withdrawn")
        # Everything is signed within a second.
        time.sleep(2)
        taken, is_over = [], threading.Event()

        def ask_on():
            while not is_over.is_set():
                with contextlib.suppress(httpx.HTTPError):
                    answered = org.call("POST", org.path("/payloads"), payloads(link.message, who))
                    if answered.status_code != 503:
                        taken.append(answered.text)

        nodes.server.stop_at_once()
        askers = [threading.Thread(target=ask_on) for _ in range(4)]
        for asker in askers:
            asker.start()
        put_back(nodes, earlier)
        assert eventually(lambda: self.OTHER_HISTORY in node.log_text(), within=30)
        eventually(lambda: ready(node, "?for=links"), within=30)
        is_over.set()
        for asker in askers:
            asker.join()
        assert taken == []

    @staticmethod
    def joined_later(nodes, folder):
        """A link, an earlier state of the database, and a node that joined after it and knows a change of the rules."""
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        earlier = kept_state(nodes, folder)
        node = nodes.add()
        orgs[0].record(person(), "withdrawn")
        eventually(lambda: mirror_is_whole(node))
        time.sleep(1)
        return link, earlier, node

    def test_is_told_of_by_a_node_that_joined_later_which_joins_again(self, nodes, tmp_path):
        link, earlier, node = self.joined_later(nodes, tmp_path)
        put_back(nodes, earlier)
        self.goes_on(nodes, node, link)

    @pytest.mark.parametrize("are_running", [True, False])
    def test_takes_no_signing_key_from_the_nodes(self, nodes, tmp_path, are_running):
        orgs = nodes.organization()
        content = message(name=unique("m"))
        before = orgs[0].tracked_link(content=content)
        earlier = kept_state(nodes, tmp_path)
        lost = Operator(nodes.all[0]).expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        # A node signs with the new key as soon as it has read the ring once more.
        after = eventually(
            lambda: tokens.decode(tokens.of_link((link := orgs[1].tracked_link(content=content)).url))[1] == lost and link)
        assert after.message == before.message
        for node in nodes.all:
            eventually(lambda: mirror_is_whole(node))
        if not are_running:
            for node in nodes.all:
                assert node.stop() == 0
        put_back(nodes, earlier)
        for node in nodes.all:
            if not are_running:
                node.start()
            eventually(lambda: ready(node, "?for=links"), within=30)
        told = "without signing keys that this node has"
        assert eventually(lambda: any(told in node.log_text() for node in nodes.all), within=30)
        for node in nodes.all:
            click(node, before.url)
            click(node, after.url)

        made = Operator(nodes.all[1]).expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        assert made != lost
        assert eventually(lambda: len({tuple(keys(node)) for node in nodes.all}) == 1)
        assert {number for number, _ in keys(nodes.all[0])} >= {lost, made}

    def test_takes_no_signing_key_from_a_node_that_starts_after_another_has_announced_one(self, nodes, tmp_path):
        orgs = nodes.organization()
        content = message(name=unique("m"))
        before = orgs[0].tracked_link(content=content)
        first, second = nodes.all
        eventually(lambda: mirror_is_whole(second))
        second.stop()
        nodes.server.stop_at_once()
        earlier = tmp_path / "earlier"
        shutil.copytree(nodes.server.folder / "data", earlier)
        nodes.server.start()
        eventually(lambda: ready(first), within=60)
        operator = Operator(first)
        older = operator.expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        signing = operator.expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        assert retire(first, older).status_code == 204
        after = orgs[0].tracked_link(content=content)
        assert tokens.decode(tokens.of_link(after.url))[1] == signing
        first.stop()
        put_back(nodes, earlier)
        second.start()
        eventually(lambda: ready(second), within=60)
        # The first node may still be taken for one that runs.
        assert Operator(second).call("POST", "/v1/keyring/rotate").status_code in (201, 409)
        first.start()
        for node in nodes.all:
            eventually(lambda: signing in [number for number, _ in keys(node)])
            click(node, before.url)
            click(node, after.url)
        assert "without signing keys that this node has" in first.log_text()

    def test_brings_back_no_signing_key_that_was_retired_after_it(self, nodes, tmp_path):
        orgs = nodes.organization()
        content = message(name=unique("m"))
        before = orgs[0].tracked_link(content=content)
        earlier = kept_state(nodes, tmp_path)
        first, second = nodes.all
        lost = Operator(first).expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        after = orgs[0].tracked_link(content=content)
        for node in nodes.all:
            eventually(lambda: mirror_is_whole(node))
        put_back(nodes, earlier)
        for node in nodes.all:
            eventually(lambda: ready(node, "?for=links"), within=60)
            eventually(lambda: lost in [number for number, _ in keys(node)], within=30)
        second.stop()
        assert retire(first, lost).status_code == 204
        assert answer(first, after).status == 404
        second.start()
        # The ledger is closed, because it lacks the decision about the link, so no node is ready for composing.
        for node in nodes.all:
            eventually(lambda: ready(node, "?for=links"), within=30)
            assert answer(node, after).status == 404
            click(node, before.url)
            assert lost not in [number for number, _ in keys(node)]

    def test_is_followed_by_a_node_whose_ring_cannot_be_written_which_says_so_once(self, nodes, tmp_path):
        orgs = nodes.organization()
        content = message(name=unique("m"))
        before = orgs[0].tracked_link(content=content)
        earlier = kept_state(nodes, tmp_path)
        node = nodes.all[0]
        lost = Operator(node).expect(201, "POST", "/v1/keyring/rotate").json()["id"]
        after = orgs[0].tracked_link(content=content)
        eventually(lambda: mirror_is_whole(node))
        time.sleep(1)
        obstacle = node.data / "keyring.json.new"
        obstacle.mkdir()
        begin = len(node.log_text())
        put_back(nodes, earlier)
        for each in nodes.all:
            eventually(lambda: ready(each, "?for=links"), within=60)
            eventually(lambda: lost in [number for number, _ in keys(each)], within=30)
        # The decision about the later link was signed and is missing: its ledger is closed where it was signed.
        eventually(lambda: any("is closed: entries" in httpx.get(f"{each.api}/readyz").text for each in nodes.all))

        # The other node announces a key: the ring changes once more. Until the nodes agree on it, it is refused.
        def rotated():
            answer = Operator(nodes.all[1]).expect((201, 409), "POST", "/v1/keyring/rotate")
            return answer.status_code == 201 and answer.json()["id"]

        made = eventually(rotated)
        eventually(lambda: (made, True) in keys(node))
        for link in (before, after):
            click(node, link.url)
        log = node.log_text()[begin:]
        assert log.count(self.OTHER_HISTORY) == 1
        assert log.count("keyring.json cannot be written") == 1
        obstacle.rmdir()
        eventually(lambda: f'"id":{made}' in (node.data / "keyring.json").read_text(), within=30)

    def test_refuses_a_start_of_a_node_that_joined_later_and_says_how_it_joins_again(self, nodes, tmp_path):
        link, earlier, node = self.joined_later(nodes, tmp_path)
        click(node, link.url)
        node.kill()
        put_back(nodes, earlier)
        done = CommandLine().run(*node.command[1:], cwd=node.folder)
        assert done.returncode == 1
        assert "before this node joined" in done.stderr and "node.json" in done.stderr
        (node.data / "node.json").rename(node.folder / "node.json")
        node.start()
        click(node, link.url)


# The service does not look at functions of an extension.
FAILING_SERVER = """
    CREATE FUNCTION refuse() RETURNS boolean LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'as a test wants it' USING ERRCODE = '{code}'; END $$;
    ALTER EXTENSION plpgsql ADD FUNCTION refuse();
    ALTER TABLE nodes ADD CONSTRAINT refusing CHECK (name <> 'links-2' OR refuse()) NOT VALID;
    ALTER TABLE write_tokens ADD CONSTRAINT refusing CHECK (refuse()) NOT VALID;
"""


@contextlib.contextmanager
def refusing(nodes, code):
    nodes.psql(FAILING_SERVER.format(code=code))
    yield
    nodes.psql("ALTER EXTENSION plpgsql DROP FUNCTION refuse(); DROP FUNCTION refuse() CASCADE")


@contextlib.contextmanager
def while_the_schema_is_changed(nodes):
    """As another node does, or one that stands still after it has asked for the lock."""
    with nodes.server.session(nodes.database) as session:
        session.stdin.write(f"SELECT pg_advisory_lock({0x636F_6E73_656E_7453});\n")
        session.stdin.flush()
        held = f"SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = {0x656E_7453} AND granted"
        eventually(lambda: "1" in nodes.psql(held))
        yield


class TestANodeThatStartsWhileTheDatabaseAnswersAndCannotBeUsed:
    @pytest.mark.parametrize("obstacle, says", [
        (lambda nodes: refusing(nodes, "53100"), "the disk of the database's server is full"),
        (lambda nodes: refusing(nodes, "42501"), "rights are missing"),
        (lambda nodes: nodes.server.without_a_standby(), "takes no commit"),
        (while_the_schema_is_changed, "takes no commit"),
    ])  # fmt: skip
    def test_redirects_and_keeps_its_clicks_until_it_can(self, nodes, obstacle, says):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        node.starts_again = True
        eventually(lambda: mirror_is_whole(node))
        # What was noted last is in the file.
        time.sleep(0.5)
        node.kill()
        with obstacle(nodes):
            node.start()
            click(node, link.url)
            assert ready(node, "?for=links") and not ready(node)
            assert says in node.log_text()
            process = node.process.pid
            # It does not come back before the obstacle is gone.
            time.sleep(4)
            assert "the service starts again" not in node.log_text()
            click(node, link.url)
        eventually(lambda: ready(node), within=60)
        assert node.process.pid == process and node.is_running
        assert len(clicks(orgs, link)) == 2


def stopped_with_a_whole_mirror(nodes):
    """A node that has ended, and a link that its mirror has."""
    link = nodes.organization()[0].tracked_link()
    node = nodes.all[1]
    eventually(lambda: mirror_is_whole(node))
    # What was noted last is in the file.
    time.sleep(0.5)
    node.stop()
    return node, link


class TestTheMirror:
    def test_is_made_anew_when_it_is_damaged(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        eventually(lambda: mirror_is_whole(node))
        node.stop()
        for name in ["mirror.db", "mirror.db-wal"]:
            if (node.data / name).exists():
                (node.data / name).write_bytes(b"not a database" * 1000)
        node.start()
        eventually(lambda: ready(node))
        without_the_database(nodes, node)
        click(node, link.url)

    @pytest.mark.parametrize("table", ["ends", "messages"])
    def test_is_made_anew_when_a_page_of_it_is_damaged(self, nodes, table):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        eventually(lambda: mirror_is_whole(node))
        node.stop()
        file = node.data / "mirror.db"
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (page,) = database.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", [table]).fetchone()
        with file.open("r+b") as content:
            content.seek((page - 1) * 4096)
            content.write(b"\x5a" * 4096)
        node.start()
        eventually(lambda: ready(node))
        eventually(lambda: "mirror.db is damaged and is made anew" in node.log_text())
        eventually(lambda: node.log_text().count("the mirror has all messages") == 2)
        without_the_database(nodes, node)
        click(node, link.url)

    def test_stays_as_it_is_when_another_process_has_locked_it(self, nodes):
        node, link = stopped_with_a_whole_mirror(nodes)
        file = node.data / "mirror.db"
        inode = file.stat().st_ino
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("UPDATE state SET noted_at = noted_at")
            node.start()
            eventually(lambda: ready(node))
            assert "the mirror cannot be opened" in node.log_text()
            assert scrape(node).value("consentlink_mirror_lag_seconds") > 0, "an alert tells of it"
            node.stop()
        assert file.stat().st_ino == inode
        node.starts_again = True
        nodes.server.stop_at_once()
        node.start()
        click(node, link.url)

    def test_stays_as_it_is_when_the_disk_is_full_at_a_start(self, nodes):
        node, link = stopped_with_a_whole_mirror(nodes)
        before = node.data.rename(node.data.with_name("before"))
        with small_disk(node.data, 64 << 20):
            shutil.copytree(before, node.data, dirs_exist_ok=True)
            file = node.data / "mirror.db"
            inode = file.stat().st_ino
            # To be opened, the file needs an index of its log, for which there is no room.
            (node.data / "mirror.db-shm").unlink()
            fill(node.data / "filler")
            try:
                node.start()
                opening = "the mirror cannot be opened"
                told = eventually(lambda: [line for line in node.log_text().splitlines() if opening in line])
                assert len(told) == 1 and "the disk is full" in told[0]
                node.stop()
                assert file.stat().st_ino == inode
                (node.data / "filler").unlink()
                node.starts_again = True
                nodes.server.stop_at_once()
                node.start()
                click(node, link.url)
            finally:
                node.kill()

    @staticmethod
    def page_of_some_messages(file):
        """A page that some of the messages are in; whether each is in it, in the order of the messages."""
        content = file.read_bytes()
        copy = file.with_name("copy.db")
        with contextlib.closing(sqlite3.connect(file)) as database:
            ids = [id for (id,) in database.execute("SELECT id FROM messages ORDER BY id")]
        for page in range(2, len(content) // 4096 + 1):
            copy.write_bytes(content[: (page - 1) * 4096] + b"\x5a" * 4096 + content[page * 4096 :])
            lost = []
            for id in ids:
                with contextlib.closing(sqlite3.connect(copy)) as database:
                    try:
                        lost.append(not database.execute("SELECT content FROM messages WHERE id = ?", [id]).fetchall())
                    except sqlite3.DatabaseError:
                        lost.append(True)
            if any(lost) and not all(lost):
                copy.unlink()
                return page, lost
        raise AssertionError("all messages are in one page")

    def test_is_used_as_far_as_it_is_intact_when_damage_is_found_without_the_database(self, nodes):
        orgs = nodes.organization()
        links = [orgs[0].tracked_link(content=message(name=unique("m"))) for _ in range(100)]
        node = nodes.all[1]
        node.starts_again = True
        eventually(lambda: mirror_is_whole(node))
        time.sleep(0.5)
        node.stop()
        file = node.data / "mirror.db"
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        page, lost = self.page_of_some_messages(file)
        assert len(lost) == len(links)
        node.start()
        # Once it has a later message, it has read the whole file, and reads pages anew.
        late = message(name=unique("m"), link="https://late.example/")
        orgs[0].tracked_link(content=late)
        eventually(lambda: any(b"late.example" in each.read_bytes() for each in node.data.glob("mirror.db*")))
        nodes.server.stop_at_once()
        nodes.all[0].kill()
        with file.open("r+b") as content:
            content.seek((page - 1) * 4096)
            content.write(b"\x5a" * 4096)
        found = [link for link, is_lost in zip(links, lost) if is_lost]
        intact = [link for link, is_lost in zip(links, lost) if not is_lost]
        assert answer(node, found[0]).status == 503
        told = eventually(lambda: [line for line in node.log_text().splitlines() if "mirror.db is damaged" in line])
        assert len(told) == 1 and "is made anew" not in told[0]
        time.sleep(1)
        for link in intact[:2] + intact[-2:]:
            click(node, link.url)
        node.stop()
        node.start()
        for link in intact[2:4]:
            click(node, link.url)
        nodes.server.start()
        eventually(lambda: ready(node), within=60)
        click(node, found[0].url)

    def test_leads_nobody_elsewhere_when_a_target_in_it_was_changed(self, nodes):
        orgs = nodes.organization()
        link = orgs[0].tracked_link()
        node = nodes.all[1]
        eventually(lambda: mirror_is_whole(node))
        # What was noted last is in the file, or in its log.
        target = b"shop.example/offer"
        eventually(lambda: any(target in file.read_bytes() for file in node.data.glob("mirror.db*")))
        node.stop()
        file = node.data / "mirror.db"
        with contextlib.closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = file.read_bytes()
        assert target in content
        file.write_bytes(content.replace(target, b"evil.example/offer"))
        nodes.server.stop_at_once()
        # The other node knows where it leads, and would say so.
        nodes.all[0].stop()
        node.start()
        assert answer(node, link).status == 503

    def test_has_no_name_of_anybody(self, nodes):
        orgs = nodes.organization()
        recipient = person("somebody")
        orgs[0].tracked_link(recipient)
        orgs[1].record(recipient, "withdrawn")
        node = nodes.all[1]
        eventually(lambda: mirror_is_whole(node))
        node.stop()
        name = str(recipient) if isinstance(recipient, str) else recipient
        for file in node.data.glob("mirror.db*"):
            assert name.encode() not in file.read_bytes()


class TestAMessageThatOneNodeAloneHasSeen:
    """It was stored just before the database went away; here, while the other node was not running."""

    @pytest.fixture
    def link(self, nodes):
        orgs = nodes.organization()
        node = nodes.all[1]
        eventually(lambda: mirror_is_whole(node))
        # Nodes look for each other now and then.
        eventually(lambda: "http://" in self.peers(node), within=20)
        node.stop()
        link = orgs[0].tracked_link(content=message(name=unique("m")))
        nodes.server.stop_at_once()
        node.starts_again = True
        self.org = orgs[0]
        return link

    def peers(self, node):
        with contextlib.closing(sqlite3.connect(f"file:{node.data}/mirror.db?mode=ro", uri=True)) as file:
            return str(file.execute("SELECT address FROM peers").fetchall())

    def test_redirects_at_another_that_asks_it(self, nodes, link):
        node = nodes.all[1]
        node.start()
        click(node, link.url)
        assert answer(node, link).status == 302
        with_it_again(nodes)
        assert len(clicks([self.org], link)) == 2

    def test_leads_nobody_elsewhere_by_the_answer_of_a_stranger(self, nodes, link):
        node = nodes.all[1]
        with stranger(b'{"message":"AQAEYWNtZQh0cmFja2luZwABARRodHRwczovL2V2aWwuZXhhbXBsZS8","tag":"x"}') as (address, asked):
            with contextlib.closing(sqlite3.connect(node.data / "mirror.db")) as file:
                file.execute("DELETE FROM peers")
                file.execute("INSERT INTO peers VALUES (?)", [address])
                file.commit()
            node.start()
            assert answer(node, link).status == 503
            assert asked

    def test_is_told_to_nodes_alone(self, nodes, link):
        path = f"/v1/peer/messages/{link.message}/links/1"
        for headers in [{}, {"ConsentLink-Peer": ""}, {"ConsentLink-Peer": "AAAAAAAAAAAAAAAAAAAAAA." + "A" * 43}]:
            found = httpx.get(nodes.all[0].api + path, headers=headers)
            nothing = httpx.get(f"{nodes.all[0].api}/v1/peer/messages/1/links/1", headers=headers)
            assert (found.status_code, nothing.status_code) == (404, 404)
            assert found.json()["detail"] == nothing.json()["detail"]
            assert httpx.get(nodes.all[0].public + path, headers=headers).status_code == 404


@contextlib.contextmanager
def stranger(body):
    """A server that answers every question with `body`; its address, and what it was asked."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


class TestALinkThatIsAddedAtOneNode:
    def test_leads_on_at_another_that_has_the_message_in_memory(self, nodes):
        orgs = nodes.organization()
        recipient = person()
        orgs[0].record(recipient, "given")
        made = orgs[0].make_message(message(name=unique("m")))["id"]
        node = nodes.all[1]
        for number in range(20):
            target = f"https://shop.example/{number}"
            body = {"messageId": made, "recipient": recipient, "text": target}
            link = orgs[0].expect(200, "POST", orgs[0].path("/rewrites"), body).json()["text"].strip()
            seen = wire.ask(node.listen, "GET", f"/r/{tokens.of_link(link)}")
            assert (seen.status, seen.header("Location")) == (302, target)
