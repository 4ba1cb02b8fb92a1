"""Whatever is changed in the database behind the service's back, a fresh export does not verify, and `consentlink verify`
names the entry or the break.

    TAMPERED_DECISIONS=100000 .venv/bin/pytest Tests/EndToEnd/test_tampering.py -s
"""

import os
import re
import shutil
import subprocess
import threading
import time

import httpx
import pytest

from harness.client import Operator, assert_problem, message, person
from harness.ledger import Ledger
from harness.service import Service, binary
from harness.sql import as_bytes, as_text

DECISIONS = int(os.environ.get("TAMPERED_DECISIONS", 3_000))
BATCH = 1_000


def grow(org, count, name):
    content = message(name)
    people = [person() for _ in range(min(count, 200))]
    org.record_all([{"recipient": one, "state": "given", "evidence": {"method": "form"}} for one in people])
    for start in range(0, count, BATCH):
        org.compose([people[number % len(people)] for number in range(start, min(start + BATCH, count))], content)
    return people


def export(org, folder, **body):
    """An export on disk, as an auditor gets it."""
    file = folder / "audit.tar"
    sent = {"Authorization": f"Bearer {org.key}"}
    with httpx.stream("POST", f"{org.service.api}{org.path('/audits')}", json=body, headers=sent, timeout=600) as answer:
        assert answer.status_code == 200, answer.read()
        with file.open("wb") as out:
            for chunk in answer.iter_bytes():
                out.write(chunk)
    return file


def verify(file, key, since=None):
    since = ["--since", str(since)] if since else []
    return subprocess.run(
        [str(binary()), "verify", str(file), "--key", key, *since],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600,
    )  # fmt: skip


class Recorded:
    """A data folder as it was when its service ended, and what an auditor kept of its ledger."""

    def __init__(self, folder):
        folder.mkdir()
        self.service = Service(folder).start()
        self.org = Operator(self.service).make("nonRestrictive")
        self.people = grow(self.org, DECISIONS, "first")
        self.org.erase(person("nobody"))
        self.org.erase(self.people[3])
        ledger = Ledger(self.org)
        self.key = ledger.head["verifierKey"]
        last = self.org.query_decisions(recipient=self.people[-1])[-1]["id"]
        self.org.expect(200, "GET", self.org.path(f"/decisions/{last}/proof"))
        self.earlier = folder / "earlier.txt"
        self.earlier.write_text(self.org.expect(200, "GET", self.org.path("/ledger/checkpoint")).text)
        grow(self.org, 400, "second")
        assert self.service.stop() == 0
        self.newest = folder / "newest.txt"
        self.newest.write_text((self.service.data / "checkpoints" / f"{self.org.id}.txt").read_text())

    def again(self, folder, statement=None, *, checkpoints=True):
        """A service on a copy of the data folder in which `statement` was done to the database."""
        folder.mkdir(exist_ok=True)
        service = Service(folder)
        service.copy_from(self.service)
        if statement:
            assert service.change(statement) > 0, "nothing was changed"
        if not checkpoints:
            shutil.rmtree(folder / "data" / "checkpoints")
            service.change("UPDATE ledgers SET checkpoint = NULL")
        service.start()
        return type(self.org)(service, self.org.id, self.org.key)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    return Recorded(tmp_path_factory.mktemp("recorded") / "service")


@pytest.fixture
def again(recorded, tmp_path):
    running = []

    def again(*arguments, **options):
        org = recorded.again(tmp_path / "copy", *arguments, **options)
        running.append(org.service)
        return org

    yield again
    for service in running:
        service.kill()


NTH = "(SELECT id FROM {table} ORDER BY id LIMIT 1 OFFSET {offset})"


def nth(table, offset):
    return NTH.format(table=table, offset=offset)


MORE_DECISIONS = as_bytes(f'''replace({as_text("entry")}, '"decisions":', '"decisions":1')''')

FIELDS = {
    "the reason of a decision": f"UPDATE decisions SET reason = 6 WHERE id = {nth('decisions', 700)}",
    "the enforcement of a decision": f"UPDATE decisions SET enforcement = 3 - enforcement WHERE id = {nth('decisions', 900)}",
    "whom a decision was about": f"UPDATE decisions SET recipient = recipient % 50 + 7 WHERE id = {nth('decisions', 800)}",
    "which message a decision was about": (
        f"UPDATE decisions SET message = (SELECT max(id) FROM messages) WHERE id = {nth('decisions', 300)}"),
    "the consent record that a decision rests on": (
        f"UPDATE decisions SET consent = {nth('consents', 2)} WHERE id = {nth('decisions', 111)}"),
    "the name of somebody": "UPDATE recipients SET identifier = 'somebody@else.example' WHERE number = 20",
    "the state of a consent record": f"UPDATE consents SET state = 3 WHERE id = {nth('consents', 5)}",
    "when a consent was given": f"UPDATE consents SET occurred_at = occurred_at - 86400000 WHERE id = {nth('consents', 5)}",
    "when a consent was recorded": f"UPDATE consents SET recorded_at = recorded_at - 1000 WHERE id = {nth('consents', 5)}",
    "until when a consent is valid": f"UPDATE consents SET valid_until = 1893456000000 WHERE id = {nth('consents', 5)}",
    "the evidence of a consent": (
        "UPDATE consents SET evidence = '{\"method\":\"paper\"}' WHERE id = " + nth("consents", 6)),
    "a salt": f"UPDATE decisions SET salt = randomblob(16) WHERE id = {nth('decisions', 650)}",
    "a salt that was taken away": f"UPDATE decisions SET salt = NULL WHERE id = {nth('decisions', 650)}",
    "an entry's text": f"UPDATE ledger_events SET entry = {MORE_DECISIONS} WHERE number = 2",
    "what an erased entry was committed to": "UPDATE kept_commitments SET commitment = randomblob(32)",
    "a hash": "UPDATE ledger_tiles SET hashes = randomblob(8192) WHERE level = 0 AND tile = 2",
}

ROWS = {
    "a decision was deleted": f"DELETE FROM decisions WHERE id = {nth('decisions', 500)}",
    "a consent record was deleted": f"DELETE FROM consents WHERE id = {nth('consents', 50)}",
    "a decision was added": (
        # The ids within a run of entries leave no gap, so it is added in front of one.
        "CREATE TEMP TABLE run AS SELECT * FROM ledger_runs WHERE kind = 1 AND NOT EXISTS"
        " (SELECT 1 FROM decisions WHERE id = first_id - 1) ORDER BY first_leaf LIMIT 1;"
        " INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, volume, salt)"
        " SELECT id - 1, organization, message, recipient, reason, enforcement, volume, randomblob(16)"
        " FROM decisions WHERE id = (SELECT first_id FROM run);"
        " UPDATE ledger_runs SET first_id = first_id - 1 WHERE kind = 1 AND first_id = (SELECT first_id FROM run)"),
    "two decisions were exchanged": (
        "CREATE TEMP TABLE pair AS SELECT * FROM decisions WHERE id IN"
        f" ({nth('decisions', 420)}, {nth('decisions', 421)});"
        " DELETE FROM decisions WHERE id IN (SELECT id FROM pair);"
        " INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, consent, volume, salt, activity)"
        " SELECT (SELECT id FROM pair p WHERE p.id <> pair.id), organization, message, recipient,"
        " reason, enforcement, consent, volume, salt, activity FROM pair;"),
    "two salts were exchanged": (
        "CREATE TEMP TABLE pair AS SELECT id, salt FROM decisions WHERE id IN"
        f" ({nth('decisions', 420)}, {nth('decisions', 421)});"
        " UPDATE decisions SET salt = (SELECT salt FROM pair WHERE pair.id <> decisions.id)"
        " WHERE id IN (SELECT id FROM pair);"),
}


class TestUntouched:
    def test_verifies_whole_and_since_an_earlier_checkpoint(self, recorded, again, tmp_path):
        org = again()
        begin = time.monotonic()
        file = export(org, tmp_path, since=recorded.earlier.read_text())
        exported = time.monotonic()
        done = verify(file, recorded.key, recorded.earlier)
        assert done.returncode == 0, done.stdout + done.stderr
        assert str(Ledger(org).head["size"]) in done.stdout.replace(",", "")
        print(f"{DECISIONS + 400} decisions: exported in {exported - begin:.1f} s, "
              f"verified in {time.monotonic() - exported:.1f} s, {file.stat().st_size / 1e6:.0f} MB")


@pytest.mark.parametrize("what", FIELDS | ROWS)
def test_what_was_changed_is_named(recorded, again, tmp_path, what):
    org = again((FIELDS | ROWS)[what])
    done = verify(export(org, tmp_path), recorded.key)
    print(f"{what}: {(done.stdout + done.stderr).strip().split(': ', 1)[-1]}")
    assert done.returncode == 1
    assert re.search(r"\b(entry|entries|tile) \S*\d|tiles", done.stderr), done.stderr


class TestErasuresMeanwhile:
    EXPORTS = int(os.environ.get("EXPORTS_UNDER_ERASURES", 4))

    def test_every_export_is_whole_and_verifies(self, recorded, again, tmp_path):
        org = again()
        people = [one for number, one in enumerate(recorded.people) if number != 3]
        over = threading.Event()

        def erase():
            for one in people:
                if over.wait(0.05):
                    return
                org.erase(one)

        thread = threading.Thread(target=erase, daemon=True)
        thread.start()
        before = Ledger(org).head["size"]
        for number in range(self.EXPORTS):
            folder = tmp_path / str(number)
            folder.mkdir()
            done = verify(export(org, folder), recorded.key)
            assert done.returncode == 0, done.stdout + done.stderr
        over.set()
        thread.join(timeout=30)
        grown = Ledger(org).head["size"] - before
        assert grown > 0, "nobody was erased meanwhile"
        print(f"{self.EXPORTS} exports during {grown} erasures")


class TestTheNewestRowsCut:
    CUT = (
        "DELETE FROM decisions WHERE id >= (SELECT first_id FROM ledger_runs ORDER BY first_leaf DESC LIMIT 1);"
        "DELETE FROM ledger_runs WHERE first_leaf >= (SELECT max(first_leaf) FROM ledger_runs);"
        # Or the counts would say so.
        "DELETE FROM decision_counts;"
        "INSERT INTO decision_counts SELECT message, reason, count(*) FROM decisions GROUP BY message, reason;"
    )

    def test_is_noticed_at_the_start(self, recorded, again):
        org = again(self.CUT)
        ready = httpx.get(f"{org.service.api}/readyz")
        assert ready.status_code == 503 and "are missing" in ready.json()["detail"]

    def test_is_named_by_whoever_verifies_an_export(self, recorded, again, tmp_path):
        """As it is when an older database was put under the newest checkpoints."""
        org = again(self.CUT)
        (first, last), = re.findall(r"entries (\d+) to (\d+) of", httpx.get(f"{org.service.api}/readyz").json()["detail"])
        done = verify(export(org, tmp_path), recorded.key)
        assert done.returncode == 1
        assert f"entries {first} to {last} are missing" in done.stderr, done.stderr
        assert f"the checkpoint is of {int(last) + 1} entries, and the export has {first}" in done.stderr

    # On a server the ledger is closed, because it does not have the seal of what is left (test_postgres_seals.py).
    @pytest.mark.embedded_storage_only
    def test_is_seen_by_whoever_has_a_checkpoint_even_when_ours_are_gone(self, recorded, again, tmp_path):
        org = again(self.CUT, checkpoints=False)
        file = export(org, tmp_path)
        assert verify(file, recorded.key).returncode == 0
        done = verify(file, recorded.key, recorded.newest)
        assert done.returncode == 1
        assert "older than yours" in done.stdout + done.stderr


# An organization that the service did not make, with a ledger of the name `origin`.
INSERTED = """
    CREATE TEMP TABLE made AS SELECT * FROM organizations WHERE number = 1;
    UPDATE made SET number = 2, id = 'mallory';
    INSERT INTO organizations SELECT * FROM made;
    INSERT INTO ledgers SELECT 2, {origin}, NULL FROM ledgers WHERE organization = 1;
    INSERT INTO enforcements (organization, since, enforcement)
        SELECT 2, since, enforcement FROM enforcements WHERE organization = 1;
    INSERT INTO ledger_events (organization, entry)
        SELECT 2, entry FROM ledger_events WHERE organization = 1 ORDER BY number LIMIT 1;
    INSERT INTO ledger_runs SELECT 2, 0, 1, 3, max(number), max(number) FROM ledger_events;
"""


@pytest.mark.embedded_storage_only
class TestAnInsertedOrganization:
    """One key signs for all organizations: the name of a ledger alone says whose statement a checkpoint is."""

    @pytest.mark.parametrize("end, origin, said", [
        (Service.kill, "origin", "the ledger of mallory has the name of another ledger"),
        (Service.stop, "origin", "of mallory were appended while no service ran"),
        (Service.stop, "replace(origin, '/acme', '/mallory')", "of mallory were appended while no service ran"),
    ])
    def test_has_nothing_signed(self, own_service, end, origin, said):
        org = Operator(own_service).make("restrictive", id="acme")
        org.compose([person()])
        key = Ledger(org).head["verifierKey"]
        end(own_service)
        own_service.change(INSERTED.format(origin=origin))
        for _ in range(2):
            own_service.start()
            detail = assert_problem(httpx.get(f"{own_service.api}/readyz"), 503)["detail"]
            assert re.search(said, detail) and "acme" not in detail, detail
            operator = Operator(own_service)
            for path, body in ("/audits", {}), ("/consents", [{
                "recipient": person(), "purpose": "tracking", "state": "given"}]):
                assert_problem(operator.call("POST", f"/v1/orgs/mallory{path}", body), 503)
            assert_problem(operator.call("GET", "/v1/orgs/mallory/ledger/checkpoint"), 503)
            assert not (own_service.data / "checkpoints" / "mallory.txt").exists()
            # The one whose name it has is not held up.
            org.compose([person()])
            assert verify(export(org, own_service.folder), key).returncode == 0
            own_service.kill()


class TestCheckpoints:
    def test_of_another_key_is_refused(self, recorded, again, tmp_path):
        org = again()
        other = Ledger(Operator(org.service).make()).head["verifierKey"]
        assert verify(export(org, tmp_path), other).returncode == 1

    def test_of_an_earlier_time_is_refused_where_a_newer_one_is_known(self, recorded, again, tmp_path):
        org = again()
        file = export(org, tmp_path)
        later = tmp_path / "later.txt"
        (made,) = org.compose([person()]).payloads
        answer = org.expect(200, "GET", org.path(f"/decisions/{made['decision']['id']}/proof"))
        later.write_text(answer.text.split("\n\n", 1)[1])
        done = verify(file, recorded.key, later)
        assert done.returncode == 1 and "older than yours" in done.stdout + done.stderr
