"""The ledger: what was signed holds for verifiers of others, over HTTP from the tiles alone; nothing is lost by a kill,
nothing is left of an erased person, and a data folder that was put back is noticed.

    CRASH_ROUNDS=50 .venv/bin/pytest Tests/EndToEnd/test_ledger.py -k killed -s
"""

import base64
import json
import os
import shutil
import sqlite3
import threading
from pathlib import Path

import httpx
import pytest
from tlog_scales.tiles import leaf_hash
from tlog_scales.tlog import Checkpoint

from harness import wire
from harness.client import Operator, assert_problem, message, person
from harness.eventually import eventually
from harness.ledger import Ledger, Proof, tree_of

ROUNDS = int(os.environ.get("CRASH_ROUNDS", 5))


def decide(org, count, content=None):
    """Decisions about people nobody has heard of."""
    return [p["decision"]["id"] for p in org.compose([person() for _ in range(count)], content).payloads]


def signed_with(org, size):
    """The ledger once its newest checkpoint has as many entries."""
    ledger = Ledger(org)
    assert eventually(lambda: ledger.checkpoint().size >= size), f"{ledger.checkpoint()}: not {size}"
    return ledger


class TestOtherVerifiers:
    """tlog-scales reads logs as tlog-tiles has them, pymerkle computes RFC 6962 trees; both are others' work."""

    @pytest.fixture(scope="class")
    @classmethod
    def grown(cls, service):
        """An organization whose ledger has two levels of tiles and every kind of entry, and a checkpoint on its way."""
        org = Operator(service).make("restrictive")
        ana = person("ana")
        consent = org.record(ana, "given", evidence={"method": "web-form", "source": "https://é.example/\"1\""})
        first = org.compose([ana, *(person() for _ in range(300))])
        earlier = signed_with(org, 303).checkpoint()
        org.set(enforcement="nonRestrictive")
        decide(org, 300)
        org.erase(person("nobody"))
        org.erase(first.payloads[5]["recipient"])
        signed_with(org, 606)
        return org, earlier, consent, first

    def test_agree_on_signatures_and_roots(self, grown):
        org, *_ = grown
        ledger = Ledger(org)
        checkpoint, entries = ledger.verify()
        assert checkpoint.size == 606
        assert ledger.head["size"] == 606
        assert base64.b64decode(ledger.head["root"]) == checkpoint.root_hash
        assert ledger.head["origin"] == checkpoint.origin == f"{org.service.listen}/{org.id}"
        assert [entry["type"] for entry in entries[:2]] == ["enforcement", "consent"]
        assert [entry["type"] for entry in entries[302:304]] == ["decision", "enforcement"]
        assert [entry["type"] for entry in entries[-2:]] == ["erasure", "erasure"]
        assert entries[-1] | {"at": None} == {
            "at": None, "consents": 0, "decisions": 1, "interactions": 0, "type": "erasure", "v": 1,
        }

    def test_agree_on_inclusion(self, grown):
        ledger = Ledger(grown[0])
        checkpoint = ledger.checkpoint()
        tree = tree_of(ledger.entries())
        for index in (0, 1, 255, 256, 257, 511, 512, 605):
            proof = ledger.reader.get_inclusion_proof(index, checkpoint.size)
            proof.check(leaf_hash(ledger.reader.get_entry(index)), checkpoint.root_hash)
            tree.prove_inclusion(index + 1).verify(tree.get_leaf(index + 1), checkpoint.root_hash)

    def test_agree_on_consistency(self, grown):
        org, earlier, *_ = grown
        ledger = Ledger(org)
        checkpoint = ledger.checkpoint()
        proof = ledger.reader.get_consistency_proof(earlier.size, checkpoint.size)
        proof.check(earlier.root_hash, checkpoint.root_hash)
        tree = tree_of(ledger.entries())
        tree.prove_consistency(earlier.size).verify(earlier.root_hash, checkpoint.root_hash)

    def test_agree_on_proofs_of_decisions_and_consent_records(self, grown):
        org, _, consent, first = grown
        ledger = Ledger(org)
        decision = first.payloads[0]["decision"]["id"]
        for kind, id in [("consents", consent["id"]), ("decisions", decision)]:
            answer = org.expect(200, "GET", org.path(f"/{kind}/{id}/proof"))
            assert answer.headers["content-type"] == "text/plain; charset=utf-8"
            proof = Proof.read(answer.text)
            signed = Checkpoint.from_text(proof.checkpoint)
            signed.verify(ledger.key)
            proof.check(signed)
            assert proof.extra["entry"]["id"] == id
            assert proof.extra["private"]["recipient"] == first.payloads[0]["recipient"]
        erased = Proof.read(
            org.expect(200, "GET", org.path(f"/decisions/{first.payloads[5]['decision']['id']}/proof")).text)
        assert set(erased.extra) == {"entry"}
        erased.check(Checkpoint.from_text(erased.checkpoint))

    def test_a_decision_can_be_proved_as_soon_as_it_was_made(self, grown):
        org, *_ = grown
        for _ in range(5):
            (decision,) = decide(org, 1)
            proof = Proof.read(org.expect(200, "GET", org.path(f"/decisions/{decision}/proof")).text)
            proof.check(Checkpoint.from_text(proof.checkpoint))

    def test_many_may_ask_at_once_for_what_is_not_signed_yet(self, grown):
        org, *_ = grown
        reader = org.with_scopes("read", "compose")
        failures = []

        def ask():
            try:
                with httpx.Client(base_url=org.service.api, timeout=30, headers={"Authorization": f"Bearer {reader.key}"}) as client:
                    for _ in range(10):
                        body = {"format": "plain", "recipients": [person()], "message": message()}
                        made = client.post(org.path("/payloads"), json=body).json()
                        proof = client.get(org.path(f"/decisions/{made['payloads'][0]['decision']['id']}/proof"))
                        Proof.read(proof.text).check(Checkpoint.from_text(proof.text.split("\n\n", 1)[1]))
            except Exception as failure:
                failures.append(failure)

        threads = [threading.Thread(target=ask, daemon=True) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert failures == [] and not any(thread.is_alive() for thread in threads)

    def test_every_tile_that_was_whole_stays_as_it_is(self, grown):
        org, *_ = grown
        whole = org.expect(200, "GET", org.path("/ledger/tile/0/000"))
        assert len(whole.content) == 8192
        assert "immutable" in whole.headers["cache-control"] and "private" in whole.headers["cache-control"]
        assert org.expect(200, "GET", org.path("/ledger/tile/0/000.p/7")).content == whole.content[: 7 * 32]
        assert len(org.expect(200, "GET", org.path("/ledger/tile/1/000.p/2")).content) == 64

    @pytest.mark.parametrize(
        "path",
        [
            "0/999", "0/x001/000", "0/000.p/0", "0/000.p/256", "0/000.p/01", "0/0", "0/000.p", "00/000", "64/000",
            "1/000", "1/000.p/200", "entries/x001/000", "entries/999.p/3", "-1/000", "0/000.p/3/4", "0/%30%30%30",
            "entries/x999/x999/x999/x999/999", "0/x001/x002/x003/x004/x005/006",
        ],
    )
    def test_what_is_no_tile_of_the_tree_is_not_found(self, grown, path):
        org, *_ = grown
        assert_problem(org.call("GET", org.path(f"/ledger/tile/{path}")), 404)

    def test_is_for_those_who_may_read(self, grown):
        org, _, consent, first = grown
        reader = org.with_scopes("read")
        other = Operator(org.service).make().with_scopes("read")
        compose = org.with_scopes("compose", "consent", "manage")
        paths = [
            "/ledger", "/ledger/checkpoint", "/ledger/tile/0/000", "/ledger/tile/entries/000",
            f"/decisions/{first.payloads[0]['decision']['id']}/proof", f"/consents/{consent['id']}/proof",
        ]
        for path in paths:
            reader.expect(200, "GET", org.path(path))
            assert_problem(compose.call("GET", org.path(path)), 403)
            assert_problem(other.call("GET", org.path(path)), 403)
        for path in paths[-2:]:
            assert_problem(other.call("GET", other.path(path)), 404)


class TestErasure:
    @pytest.mark.embedded_storage_only  # its files are searched
    def test_leaves_proofs_and_no_byte(self, own_service, own_org):
        people = [person("somebody") for _ in range(60)]
        for one in people:
            own_org.record(one, "given", evidence={"method": "form", "source": f"https://form.example/{one}"})
        composed = own_org.compose(people)
        signed_with(own_org, 121)
        with sqlite3.connect(f"file:{own_service.data / 'consentlink.db'}?mode=ro", uri=True) as database:
            salts = dict(
                database.execute(
                    "SELECT r.identifier, group_concat(hex(d.salt) || hex(c.salt)) FROM recipients r"
                    " JOIN decisions d ON d.recipient = r.number JOIN consents c ON c.recipient = r.number GROUP BY 1"))
        before = Ledger(own_org).verify()[1]
        for one in people[:50]:
            own_org.erase(one)
        assert not own_service.files_with(*people[:50])
        files = b"".join(file.read_bytes() for file in sorted(own_service.data.rglob("*")) if file.is_file())
        for one in people:
            found = [bytes.fromhex(salts[one][at : at + 32]) in files for at in (0, 32)]
            assert found == ([False, False] if one in people[:50] else [True, True])
        signed_with(own_org, 171)
        assert Ledger(own_org).verify()[1][:121] == before[:121]
        for payload in composed.payloads[45:55]:
            proof = Proof.read(own_org.expect(200, "GET", own_org.path(f"/decisions/{payload['decision']['id']}/proof")).text)
            proof.check(Checkpoint.from_text(proof.checkpoint))
            assert ("salt" in proof.extra) == (payload["recipient"] in people[50:])


@pytest.mark.crash
@pytest.mark.timeout(60 * max(ROUNDS, 10))
def test_killed_during_appends_the_tree_the_rows_and_the_last_checkpoint_agree(own_service):
    org = Operator(own_service).make("nonRestrictive")
    known, size = {}, 0
    for round in range(ROUNDS):
        over, acknowledged = threading.Event(), []

        def work(number):
            content = message()
            while not over.is_set():
                try:
                    if number == 0:
                        org.record(person(), "given")
                    else:
                        acknowledged.extend(decide(org, (1, 40, 700)[number % 3], content))
                except (httpx.TransportError, AssertionError):
                    return

        threads = [threading.Thread(target=work, args=(number,), daemon=True) for number in range(4)]
        for thread in threads:
            thread.start()
        threading.Event().wait(0.2 + 0.13 * (round % 7))
        own_service.kill()
        over.set()
        for thread in threads:
            thread.join(timeout=30)
        kept = own_service.data / "checkpoints" / f"{org.id}.txt"
        survived = Checkpoint.from_text(kept.read_text())
        own_service.start()
        assert httpx.get(f"{own_service.api}/readyz").status_code == 200
        ledger = Ledger(org)
        checkpoint = ledger.checkpoint()
        ledger.reader.get_consistency_proof(survived.size, checkpoint.size).check(
            survived.root_hash, checkpoint.root_hash)
        assert checkpoint.size >= max(size, survived.size)
        size = checkpoint.size
        if round in (0, ROUNDS - 1):
            _, entries = ledger.verify()
            known = {entry["id"] for entry in entries if entry["type"] == "decision"}
            assert set(acknowledged) <= known
        else:
            assert ledger.reader.calculate_root_hash() == checkpoint.root_hash
    print(f"{ROUNDS} rounds, {size} entries")


@pytest.mark.embedded_storage_only  # its file is put back
class TestAnOlderState:
    def put_back(self, service, backup, *, checkpoints):
        """The databases of a backup in the place of the newer ones."""
        for file in service.data.glob("*.db*"):
            file.unlink()
        for file in backup.glob("*.db*"):
            shutil.copy(file, service.data / file.name)
        if checkpoints:
            shutil.rmtree(service.data / "checkpoints")
            shutil.copytree(backup / "checkpoints", service.data / "checkpoints")

    def test_is_noticed_and_explained_and_nothing_is_entered_until_somebody_sees_to_it(self, own_service, own_org):
        link = own_org.tracked_link()
        signed_with(own_org, 3)
        operator = Operator(own_service)
        backup = Path(operator.expect(201, "POST", "/v1/backup").json()["folder"])
        assert (backup / "checkpoints" / f"{own_org.id}.txt").exists()
        decide(own_org, 20)
        newest = signed_with(own_org, 23).checkpoint()
        assert own_service.stop() == 0
        self.put_back(own_service, backup, checkpoints=False)
        own_service.start()

        finding = f"entries 3 to 22 of {own_org.id} are missing"
        assert finding in own_service.log_text()
        assert "this data folder is a copy" in own_service.log_text()
        answer = httpx.get(f"{own_service.api}/readyz")
        assert answer.status_code == 503 and finding in answer.json()["detail"]
        for path in ("/readyz", "/readyz/", "//readyz"):
            answer = httpx.get(f"{own_service.public}{path}")
            assert answer.status_code == 503 and str(own_org.id) not in answer.text and "entries" not in answer.text
        recipient = person()
        refused = [
            own_org.call("POST", own_org.path("/payloads"), {"format": "plain", "recipients": [recipient], "message": message()}),
            own_org.call("POST", own_org.path("/consents"), {"recipient": recipient, "state": "withdrawn"}),
            own_org.call("POST", own_org.path("/recipients/erase"), {"recipient": link.recipient}),
            own_org.call("PATCH", own_org.path(), {"enforcement": "nonRestrictive"}),
            own_org.call("GET", own_org.path(f"/decisions/{own_org.decisions()[0]['id']}/proof")),
        ]
        for answer in refused[:4]:
            problem = assert_problem(answer, 503)
            assert finding in problem["detail"] and answer.headers["retry-after"]
        # What was signed is not signed away, and people get where they want to go.
        assert Checkpoint.from_text((own_service.data / "checkpoints" / f"{own_org.id}.txt").read_text()).size == newest.size
        assert wire.follow(link.url).status == 302
        assert not own_service.files_with(recipient)

        # The operator decides that the older state counts: the newer checkpoint is kept elsewhere.
        assert own_service.stop() == 0
        shutil.move(own_service.data / "checkpoints" / f"{own_org.id}.txt", own_service.folder / "evidence.txt")
        own_service.start()
        assert httpx.get(f"{own_service.api}/readyz").status_code == 200
        decide(own_org, 1)
        signed_with(own_org, 4).verify()

    def test_that_came_with_its_own_checkpoints_is_told_as_a_copy(self, own_service, own_org):
        decide(own_org, 3)
        signed_with(own_org, 4)
        backup = Path(Operator(own_service).expect(201, "POST", "/v1/backup").json()["folder"])
        decide(own_org, 3)
        assert own_service.stop() == 0
        self.put_back(own_service, backup, checkpoints=True)
        before = len(own_service.log_text())
        own_service.start()
        warned = [json.loads(line) for line in own_service.log_text()[before:].splitlines()]
        assert any("this data folder is a copy" in str(line) for line in warned)
        assert httpx.get(f"{own_service.api}/readyz").status_code == 200
        own_service.restart()
        assert own_service.log_text().count("this data folder is a copy") == 1

    @pytest.mark.parametrize("as_backup", [True, False], ids=["with_the_manifest", "without_the_manifest"])
    def test_that_was_copied_over_the_newer_one_is_told_as_a_copy(self, own_service, own_org, as_backup):
        """The files in the folder stay the same ones, and no service has appended anything."""
        decide(own_org, 3)
        signed_with(own_org, 4)
        backup = Path(Operator(own_service).expect(201, "POST", "/v1/backup").json()["folder"])
        decide(own_org, 3)
        signed_with(own_org, 7)
        assert own_service.stop() == 0
        for file in backup.rglob("*"):
            if file.is_file() and (as_backup or file.name != "manifest.json"):
                shutil.copyfile(file, own_service.data / file.relative_to(backup))
        own_service.start()
        assert own_service.log_text().count("this data folder is a copy") == 1
        assert httpx.get(f"{own_service.api}/readyz").status_code == 200
        decide(own_org, 1)
        own_service.restart()
        assert own_service.log_text().count("this data folder is a copy") == 1

    def test_a_checkpoint_of_another_key_is_not_believed(self, own_service, own_org):
        decide(own_org, 3)
        signed_with(own_org, 4)
        assert own_service.stop() == 0
        (own_service.data / "ledger.key").write_bytes(os.urandom(32))
        # Or it would be refused.
        (own_service.data / "manifest.json").unlink()
        own_service.start()
        answer = httpx.get(f"{own_service.api}/readyz")
        assert answer.status_code == 503 and "not signed with this ledger's key" in answer.json()["detail"]
        assert_problem(own_org.call("POST", own_org.path("/consents"), {"recipient": person(), "state": "given"}), 503)


def test_the_key_and_the_checkpoints_are_for_the_owner_alone(own_service, own_org):
    decide(own_org, 1)
    signed_with(own_org, 2)
    assert (own_service.data / "ledger.key").stat().st_mode & 0o777 == 0o600
    assert (own_service.data / "checkpoints").stat().st_mode & 0o777 == 0o700
    assert (own_service.data / "checkpoints" / f"{own_org.id}.txt").stat().st_mode & 0o777 == 0o600
    key = (own_service.data / "ledger.key").read_bytes()
    for file in own_service.data.glob("*.db*"):
        assert key not in file.read_bytes()


def test_a_checkpoint_that_cannot_be_written_stops_the_signing_and_nothing_else(own_service, own_org):
    decide(own_org, 1)
    signed_with(own_org, 2)
    folder, aside = own_service.data / "checkpoints", own_service.data / "checkpoints.aside"
    folder.rename(aside)
    folder.write_text("in the way")
    (decision,) = decide(own_org, 1)
    assert_problem(own_org.call("GET", own_org.path(f"/decisions/{decision}/proof")), 503)
    reason = "checkpoints cannot be signed until a restart"
    assert reason in httpx.get(f"{own_service.api}/readyz").json()["detail"]
    assert "nothing more is signed until a restart" in own_service.log_text()
    assert own_org.expect(200, "GET", own_org.path("/ledger")).json()["size"] == 2
    assert wire.follow(own_org.tracked_link().url).status == 302

    # What failed once is not tried again before somebody has looked at it.
    folder.unlink()
    aside.rename(folder)
    decide(own_org, 1)
    assert reason in httpx.get(f"{own_service.api}/readyz").json()["detail"]
    assert own_service.stop() == 1
    assert "the last entries of the ledgers are not signed" in own_service.log_text()
    own_service.forget_last_words()
    own_service.start()
    assert httpx.get(f"{own_service.api}/readyz").status_code == 200
    assert signed_with(own_org, 6).verify()[0].size == 6


def test_what_grew_is_signed_before_the_service_ends(own_service, own_org):
    content = message()
    for _ in range(5):
        decide(own_org, 7, content)
    assert own_service.stop() == 0
    kept = own_service.data / "checkpoints" / f"{own_org.id}.txt"
    assert Checkpoint.from_text(kept.read_text()).size == 36
