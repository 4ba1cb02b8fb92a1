"""Whatever decisions are derived from is held to what the ledger committed to: each change of the database is found and
named, nobody of the organization is tracked from then on, and the links of all organizations go on redirecting.

    .venv/bin/pytest Tests/EndToEnd/test_changed_database.py -s | grep ' → '
"""

import hashlib
import json
import os
import re
import resource
import shutil
import tarfile
import time

import httpx
import pytest
from tlog_scales.tlog import Checkpoint

from harness import postgres, wire
from harness.client import Operator, Organization, assert_problem, message, person
from harness.eventually import eventually
from harness.ledger import Ledger, Proof
from harness.metrics import Metrics, scrape
from harness.service import CommandLine, Service
from harness.sql import as_bytes, as_text, hexadecimal


class Recorded:
    """A data folder with everything that decisions are derived from, of two organizations."""

    def __init__(self, folder):
        folder.mkdir()
        self.service = Service(folder).start()
        operator = Operator(self.service)
        self.org, self.other = operator.make("restrictive"), operator.make("nonRestrictive")
        self.org.set(enforcement="nonRestrictive")
        self.withdrawn, self.given, self.erased = person("withdrawn"), person("given"), person("erased")
        people = (self.withdrawn, self.given, self.erased, *(person() for _ in range(40)))
        self.consents = [self.org.record(one, "given", evidence={"method": "form"})["id"] for one in people]
        content = message("campaign")
        composed = self.org.compose([self.withdrawn, self.given, self.erased], content)
        self.message = composed.message
        self.decisions = [payload["decision"]["id"] for payload in composed.payloads]
        self.old_link, self.link = composed.link(self.withdrawn), composed.link(self.given)
        self.org.compose([person("unasked") for _ in range(300)], content)
        self.org.expect(200, "POST", self.org.path("/rewrites"), {
            "messageId": self.message, "recipient": self.given, "text": "See https://shop.example/added for more"})
        self.org.record(self.withdrawn, "withdrawn")
        self.org.erase(self.erased)
        self.org.erase(person("never heard of"))
        # Erased, and heard of again without a new yes.
        again = person("again")
        self.org.erase(again)
        self.org.record(again, "refused")
        assert not self.org.compose([again], message(purpose="newsletter")).of(again)["tracked"]
        self.other_link = self.other.tracked_link()
        assert self.service.stop() == 0

    def changed(self, folder, statement):
        """A service on a copy of the folder in which `statement` was done to the database."""
        folder.mkdir()
        # On the same listeners, for links say where they lead.
        service = Service(folder, listen=self.service.listen, api_listen=self.service.api_listen)
        service.copy_from(self.service)
        assert service.change(statement) > 0, "nothing was changed"
        return service.start()


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    return Recorded(tmp_path_factory.mktemp("recorded") / "service")


@pytest.fixture
def changed(recorded, tmp_path):
    running = []

    def changed(statement):
        running.append(recorded.changed(tmp_path / "copy", statement))
        return running[-1]

    yield changed
    for service in running:
        service.kill()


def at(table, offset):
    return f"(SELECT id FROM {table} ORDER BY id LIMIT 1 OFFSET {offset})"


def replaced(column, text, other):
    return as_bytes(f"replace({as_text(column)}, '{text}', '{other}')")


OTHER, VIP = as_bytes("'other'"), as_bytes("'vip'")
WITHDRAWAL = "(SELECT id FROM consents WHERE state = 3)"
SEVENTH = at("decisions", 7)
GREATEST = 2**63 - 1
CAMPAIGN = "(SELECT min(id) FROM messages)"
VALUE = r"has a value that cannot be read"
ENTRY = r"entry \d+ of \S+ or its hash is not the one that was entered, or its row is gone"
SWAP = """
    CREATE TEMP TABLE pair AS SELECT * FROM {table} WHERE {key} IN ({one}, {two});
    UPDATE {table} SET {column} = NULL WHERE {key} IN ({one}, {two});
    UPDATE {table} SET {column} = (SELECT {column} FROM pair p WHERE p.{key} <> {table}.{key})
        WHERE {key} IN ({one}, {two});
"""

# Where ids leave room for a row is chance. Within a run of entries it stands where another entry's row was, and that
# entry is named.
INSERTED = f"is in no entry of the ledger|{ENTRY}"

# What was done to the database: the statement, and what the service says of it when it starts.
FOUND = {
    "a withdrawal is attributed to another organization": (
        f"UPDATE consents SET organization = 77 WHERE id = {WITHDRAWAL}", "is attributed to another organization"),
    "a withdrawal is attributed to the other organization": (
        f"UPDATE consents SET organization = 2 WHERE id = {WITHDRAWAL}", "is attributed to another organization"),
    "ends_tracking of a withdrawal": (
        f"UPDATE consents SET ends_tracking = 0 WHERE id = {WITHDRAWAL}", "ends_tracking that does not follow"),
    "a decision is attributed to another organization": (
        f"UPDATE decisions SET organization = 77 WHERE id = {SEVENTH}", "is attributed to another organization"),
    "a consent record without an entry, the newest": (
        "INSERT INTO consents SELECT (SELECT max(id) + 1 FROM consents), organization, recipient, purpose, 1, 0,"
        f" occurred_at + 1, recorded_at, NULL, NULL, randomblob(16) FROM consents WHERE id = {WITHDRAWAL}",
        "is in no entry of the ledger"),
    "a consent record without an entry, among others": (
        "INSERT INTO consents SELECT id + 1, organization, recipient, purpose, 1, 0, occurred_at + 1, recorded_at,"
        " NULL, NULL, randomblob(16) FROM consents c WHERE organization = 1 AND NOT EXISTS (SELECT 1 FROM consents d"
        " WHERE d.id = c.id + 1) ORDER BY id LIMIT 1 OFFSET 5", INSERTED),
    "a decision without an entry, the newest": (
        "INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, consent, volume, salt, activity)"
        " SELECT (SELECT max(id) + 1 FROM decisions), organization, message, recipient, reason,"
        " enforcement, consent, volume, randomblob(16), activity FROM decisions"
        " WHERE id = (SELECT max(id) FROM decisions WHERE organization = 1)",
        "decision .* is in no entry of the ledger"),
    "a decision without an entry, among others": (
        "INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, consent, volume, salt, activity)"
        " SELECT id + 1, organization, message, recipient, reason, enforcement, consent, volume,"
        " randomblob(16), activity FROM decisions d WHERE organization = 1 AND NOT EXISTS (SELECT 1 FROM decisions e WHERE"
        " e.id = d.id + 1) AND id < (SELECT max(id) FROM decisions WHERE organization = 1) ORDER BY id LIMIT 1",
        INSERTED),
    "an event without an entry": (
        "INSERT INTO ledger_events (organization, entry) SELECT organization, entry FROM ledger_events"
        " WHERE organization = 1 LIMIT 1", "the enforcement of"),
    "a row with a run of its own behind the hashes": (
        "INSERT INTO ledger_runs SELECT organization, first_leaf + count + 5, 1, 2, first_id + 1, first_id + 1"
        " FROM ledger_runs WHERE organization = 1 ORDER BY first_leaf DESC LIMIT 1", r"the runs of \S+ do not lead to entry"),
    "a consent record without an entry, with the greatest id": (
        f"INSERT INTO consents SELECT {GREATEST}, organization, recipient, purpose, 1, 0, occurred_at + 1, recorded_at,"
        f" NULL, NULL, randomblob(16) FROM consents WHERE id = {WITHDRAWAL}",
        "consent record 7fffffffffffffff of .* is in no entry of the ledger"),
    "a decision without an entry, with the greatest id": (
        "INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, consent, volume, salt, activity)"
        f" SELECT {GREATEST}, organization, message, recipient, reason, enforcement, consent, volume, randomblob(16),"
        f" activity FROM decisions WHERE id = {SEVENTH}",
        "decision 7fffffffffffffff of .* is in no entry of the ledger"),
    "a withdrawal is made to look erased, by an event that is no entry": (
        "UPDATE consents SET recipient = NULL, evidence = NULL, salt = NULL WHERE state = 3;"
        "INSERT INTO kept_commitments SELECT 2, id, randomblob(32) FROM consents WHERE recipient IS NULL AND state = 3;"
        f"INSERT INTO ledger_events (number, organization, entry) SELECT {GREATEST}, 1, entry FROM ledger_events"
        f" WHERE organization = 1 AND {as_text('entry')} LIKE '%\"consents\":1,%erasure%' LIMIT 1",
        "name no recipient, its erasure entries account for"),
    "the enforcement of the organization": (
        "UPDATE organizations SET enforcement = 1 WHERE number = 1", "the enforcement of"),
    "the history of enforcement": (
        "UPDATE enforcements SET enforcement = 3 - enforcement WHERE organization = 1", "the enforcement of"),
    "since when an enforcement applied": (
        "UPDATE enforcements SET since = since - 5000 WHERE number = (SELECT max(number) FROM enforcements"
        " WHERE organization = 1)", "the enforcement of"),
    "the enforcement and its entry": (
        "UPDATE organizations SET enforcement = 1 WHERE number = 1;"
        "UPDATE enforcements SET enforcement = 1 WHERE organization = 1;"
        f"UPDATE ledger_events SET entry = {replaced('entry', 'nonRestrictive', 'restrictive')}"
        " WHERE organization = 1", ENTRY),
    "an enforcement that is none": ("UPDATE organizations SET enforcement = 99 WHERE number = 1", "a setting of"),
    "target hosts that are none": ("UPDATE organizations SET target_hosts = '{' WHERE number = 1", "a setting of"),
    "a reason that is none": (f"UPDATE decisions SET reason = 99 WHERE id = {SEVENTH}", f"decision \\w+ .entry \\d+. of \\S+ {VALUE}"),
    "evidence that is none": (f"UPDATE consents SET evidence = 'x' WHERE id = {at('consents', 3)}", f"consent record \\w+ .entry \\d+. of \\S+ {VALUE}"),
    "a state that is none": (f"UPDATE consents SET state = 99 WHERE id = {WITHDRAWAL}", f"consent record \\w+ .entry \\d+. of \\S+ {VALUE}"),
    "an identifier that is none": ("UPDATE recipients SET identifier = '' WHERE number = 2", VALUE),
    "a withdrawal becomes a grant": (f"UPDATE consents SET state = 1, ends_tracking = 0 WHERE id = {WITHDRAWAL}", ENTRY),
    "when a withdrawal occurred": (f"UPDATE consents SET occurred_at = 5 WHERE id = {WITHDRAWAL}", ENTRY),
    "when a consent was recorded": (f"UPDATE consents SET recorded_at = 5 WHERE id = {at('consents', 3)}", ENTRY),
    "until when a consent is valid": (f"UPDATE consents SET valid_until = 5 WHERE id = {at('consents', 3)}", ENTRY),
    "the evidence of a consent": (
        f"""UPDATE consents SET evidence = '{{"method":"paper"}}' WHERE id = {at('consents', 3)}""",
        # What is not sealed is not what the service wrote.
        VALUE if postgres.is_asked_for() else ENTRY),
    "whose consent it is": (f"UPDATE consents SET recipient = recipient + 1 WHERE id = {WITHDRAWAL}", ENTRY),
    "a consent record is deleted": (f"DELETE FROM consents WHERE id = {WITHDRAWAL}", ENTRY),
    "a decision is deleted": (f"DELETE FROM decisions WHERE id = {SEVENTH}", ENTRY),
    "the reason of a decision": (f"UPDATE decisions SET reason = 1 WHERE id = {SEVENTH}", ENTRY),
    "the enforcement of a decision": (f"UPDATE decisions SET enforcement = 1 WHERE id = {SEVENTH}", ENTRY),
    "the consent record of a decision": (f"UPDATE decisions SET consent = NULL WHERE id = {at('decisions', 0)}", ENTRY),
    "the message of a decision": (
        f"UPDATE decisions SET message = (SELECT max(id) FROM messages) WHERE id = {SEVENTH}",
        "recipient, message or purpose that is not the organization's"),
    "whom a decision was about": (f"UPDATE decisions SET recipient = 3 WHERE id = {at('decisions', 0)}", ENTRY),
    "the salt of a decision": (f"UPDATE decisions SET salt = randomblob(16) WHERE id = {SEVENTH}", ENTRY),
    "the salt of a decision is taken away": (f"UPDATE decisions SET salt = NULL WHERE id = {SEVENTH}", "names a recipient"),
    "two decisions are exchanged": (
        f"CREATE TEMP TABLE pair AS SELECT * FROM decisions WHERE id IN ({at('decisions', 7)}, {at('decisions', 8)});"
        "DELETE FROM decisions WHERE id IN (SELECT id FROM pair);"
        "INSERT INTO decisions (id, organization, message, recipient, reason, enforcement, consent, volume, salt, activity)"
        " SELECT (SELECT id FROM pair p WHERE p.id <> pair.id), organization, message, recipient,"
        " reason, enforcement, consent, volume, salt, activity FROM pair;", ENTRY),
    "the names of two people are exchanged": (
        SWAP.format(table="recipients", key="number", one=1, two=2, column="identifier"), ENTRY),
    "the rows that two people are found by are exchanged": (
        "CREATE TEMP TABLE pair AS SELECT * FROM people WHERE recipient IN (4, 5);"
        "UPDATE people SET recipient = 9 - recipient WHERE recipient IN (4, 5);",
        "is not the one that their identifier leads to"),
    "a recipient is found no more": ("DELETE FROM people WHERE recipient = 1", "is not the one that their identifier"),
    "two people are found by one row": (
        "INSERT INTO people SELECT randomblob(32), recipient, 0, 0 FROM people WHERE recipient = 4",
        "row 4 of the recipients of"),
    "a recipient that is none is found": (
        "INSERT INTO people SELECT randomblob(32), max(number) + 1, 0, 0 FROM recipients", "the register of .* has a row without a recipient"),
    "somebody who gave consent is marked as erased": (
        "UPDATE people SET is_erased = 1 WHERE recipient = 2", "row 2 of .* is marked as erased"),
    "somebody tracked unasked is marked as erased": (
        "UPDATE people SET is_erased = 1 WHERE recipient = (SELECT max(recipient) FROM tracked_unasked"
        " WHERE organization = 1)", "row [0-9]+ of .* is marked as erased"),
    "an erased person is not marked as erased any more": (
        "UPDATE people SET is_erased = 0 WHERE recipient IS NULL", "the register of .* has a row without a recipient"),
    "an erased person who refused since is not marked as erased any more": (
        "UPDATE people SET is_erased = 0 WHERE recipient IS NOT NULL AND is_erased = 1",
        r"decision \w+ .entry \d+. of \S+ was made about an erased recipient"),
    "a recipient is attributed to another organization": (
        "UPDATE recipients SET organization = 2 WHERE number = 1", "recipient, message or purpose"),
    "somebody tracked unasked is taken off the list": (
        "DELETE FROM tracked_unasked WHERE recipient = (SELECT max(recipient) FROM tracked_unasked"
        " WHERE organization = 1)", "who is missing in tracked_unasked"),
    "a withdrawal is made to look erased": (
        "UPDATE consents SET recipient = NULL, evidence = NULL, salt = NULL WHERE state = 3;"
        "INSERT INTO kept_commitments SELECT 2, id, randomblob(32) FROM consents WHERE recipient IS NULL AND state = 3",
        "name no recipient, its erasure entries account for"),
    "a withdrawal is made to look as if it had been erased before there was a ledger": (
        "UPDATE consents SET recipient = NULL, evidence = NULL, salt = NULL WHERE state = 3;"
        "INSERT INTO kept_commitments SELECT 2, id, randomblob(32) FROM consents WHERE recipient IS NULL AND state = 3;"
        "INSERT INTO erased_before_ledger VALUES (1, 1)", "name no recipient, its erasure entries account for"),
    "a consent record that is said to be older than the ledger": (
        "INSERT INTO consents SELECT (SELECT min(id) FROM consents) - 5000000, organization, recipient, purpose, 1, 0,"
        f" occurred_at + 1, recorded_at, NULL, NULL, NULL FROM consents WHERE id = {WITHDRAWAL};"
        "UPDATE ledger_beginnings SET count = 1, last_id = (SELECT min(id) FROM consents) WHERE kind = 2",
        r"consent record \w+ of \S+ is in no entry of the ledger"),
    "an erased consent is given to somebody": (
        "UPDATE consents SET recipient = 1 WHERE recipient IS NULL", "name no recipient, its erasure entries account for"),
    "what an erased entry was committed to": ("UPDATE kept_commitments SET commitment = randomblob(32)", ENTRY),
    "the volume of a decision": (f"UPDATE decisions SET volume = 0 WHERE id = {SEVENTH}", "is in a volume"),
    "hashes": ("UPDATE ledger_tiles SET hashes = randomblob(8192)", ENTRY),
    "hashes are deleted": (
        "DELETE FROM ledger_tiles", r"the hashes of entries 0 to 255 of"),
    "a run is deleted": (
        "DELETE FROM ledger_runs WHERE organization = 1 AND first_leaf = (SELECT max(first_leaf) FROM ledger_runs"
        " WHERE organization = 1)", r"decision .* is in no entry of the ledger"),
    "a run within is deleted": (
        "DELETE FROM ledger_runs WHERE organization = 1 AND first_leaf = (SELECT min(first_leaf) FROM ledger_runs"
        " WHERE organization = 1 AND first_leaf > 0)", "event 3 of .* is in no entry of the ledger"),
    "a run is longer than it may be": (
        "UPDATE ledger_runs SET count = 5000 WHERE organization = 1 AND first_leaf = 0", "the runs of"),
    "the checkpoint in the database": (
        "UPDATE ledgers SET checkpoint = replace(checkpoint, '—', '–') WHERE organization = 1", "is not signed with"),
    "the counts of decisions": ("UPDATE decision_counts SET count = count + 1", "has counts that are not those"),
    "the content of a message": (
        f"UPDATE messages SET content = {replaced('content', 'shop.example', 'evil.example')}"
        f" WHERE id = {CAMPAIGN}", "does not have the content that it was stored with"),
    "a message that cannot be read": (
        f"UPDATE messages SET content = {hexadecimal('7B')} WHERE id = {CAMPAIGN}", f"message \\w+ of \\S+ {VALUE}"),
    "the purpose of a message": (
        "INSERT INTO purposes (name) VALUES ('offers'); UPDATE messages SET purpose = (SELECT max(number) FROM purposes)"
        f" WHERE id = {CAMPAIGN}", ENTRY),
    "the name of a purpose": ("UPDATE purposes SET name = 'offers' WHERE name = 'tracking'", ENTRY),
    "whether a message tracks, with its digest": (
        "-- python", "has decisions that its tracking setting rules out"),
    "the name under which a message is listed": (
        f"UPDATE message_names SET name = {OTHER} WHERE message = {CAMPAIGN}",
        "is listed under another name or other tags than it has"),
    "a tag that a message does not have": (
        f"INSERT INTO message_tags SELECT organization, {VIP}, id FROM messages WHERE id = {CAMPAIGN}",
        "is listed under another name or other tags than it has"),
    "the index of an added link, to one of the content": (
        "UPDATE added_links SET link = 1", "has an added link that cannot be read, or that has an index of its content"),
}


def campaign(recorded, change):
    """Changes the content of a message together with its digest."""
    ((content,),) = recorded.service.stored(f"SELECT {as_text('content')} FROM messages WHERE id = {CAMPAIGN}")
    changed = json.dumps(change(json.loads(content)), sort_keys=True, separators=(",", ":")).encode()
    digest = hashlib.sha256(changed).hexdigest()
    return f"UPDATE messages SET content = {hexadecimal(changed.hex())}, digest = {hexadecimal(digest)} WHERE id = {CAMPAIGN}"


def untracking(recorded):
    """The message now asks that nobody be tracked, and its digest agrees."""
    return campaign(recorded, lambda content: content | {"tracking": False})


@pytest.mark.parametrize("what", FOUND)
def test_is_found_at_the_start_and_nobody_is_tracked(recorded, changed, what):
    statement, said = FOUND[what]
    if statement == "-- python":
        statement = untracking(recorded)
    service = changed(statement)
    ready = httpx.get(f"{service.api}/readyz")
    assert ready.status_code == 503, "not found"
    detail = ready.json()["detail"]
    print(f"\n{what} → start: {detail}")
    org = Organization(service, recorded.org.id, recorded.org.key)
    other = Organization(service, recorded.other.id, recorded.other.key)
    closed = org if f"of {org.id}" in detail else other
    if said:
        assert re.search(said, detail) and closed is org, detail
    assert not re.search("one of the entries", detail), "not which"
    assert detail.removeprefix("a ledger is closed: ").split(";")[0] in service.log_text()
    # Nobody is tracked, nothing is recorded, and a reader who follows a link arrives.
    body = {"format": "plain", "recipients": [recorded.withdrawn, recorded.given], "message": message()}
    problem = assert_problem(closed.call("POST", closed.path("/payloads"), body), 503)
    assert problem["detail"]
    open_org = other if closed is org else org
    if f"of {open_org.id}" not in detail:
        open_org.compose([person()])
    # Where the links of a message lead that cannot be read, nobody can say.
    answers = (302, 503) if re.search("message .* cannot be read", detail) else (302,)
    for link in (recorded.old_link, recorded.link):
        assert wire.follow(link).status in answers
    assert wire.follow(recorded.other_link.url).status == 302
    scraped = Metrics(httpx.get(f"{service.api}/metrics").text)
    if closed is org:
        assert scraped.value("consentlink_redirects_total", outcome="recorded") <= 1
    # What was signed last can be had, and says so.
    head = closed.expect(200, "GET", closed.path("/ledger")).json()
    assert head["closed"] and head["size"] > 0
    assert Ledger(closed).checkpoint().size == head["size"]


class TestEvidenceThatCannotBeRead:
    @pytest.fixture
    def closed(self, recorded, changed):
        service = changed(FOUND["evidence that is none"][0])
        org = Organization(service, recorded.org.id, recorded.org.key)
        detail = assert_problem(httpx.get(f"{service.api}/readyz"), 503)["detail"]
        return org, re.search(rf"consent record (\w+) \(entry (\d+)\) of {org.id}", detail).groups()

    def test_costs_an_export_its_one_entry_and_verifiers_are_told_which(self, closed):
        org, (consent, entry) = closed
        export = org.service.folder / "audit.tar"
        export.write_bytes(org.expect(200, "POST", org.path("/audits"), {}).content)
        key = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
        done = CommandLine(org.service).run("verify", str(export), "--key", key)
        assert done.returncode == 1 and re.search(rf"entr\w+ {entry}\b", done.stderr), done.stderr
        with tarfile.open(export) as archive:
            members = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
        lines = [
            json.loads(line) for name, text in members.items() if name.startswith("entries/") for line in text.splitlines()
        ]
        size = json.loads(members["manifest.json"])["size"]
        assert [line["index"] for line in lines] == [index for index in range(size) if index != int(entry)]
        assert consent not in [line["entry"].get("id") for line in lines]

    def test_leaves_the_proofs_of_all_others(self, recorded, closed):
        org, (changed, _) = closed
        checkpoint = Ledger(org).checkpoint()
        untouched = [f"/consents/{consent}" for consent in recorded.consents[:6] if consent != changed]
        assert len(untouched) == 5
        for path in [*untouched, *(f"/decisions/{decision}" for decision in recorded.decisions)]:
            proof = Proof.read(org.expect(200, "GET", org.path(f"{path}/proof")).text)
            assert Checkpoint.from_text(proof.checkpoint).root_hash == checkpoint.root_hash
            proof.check(checkpoint)
        problem = assert_problem(org.call("GET", org.path(f"/consents/{changed}/proof")), 503)
        assert changed in problem["detail"]


# What the ledger says nothing about and nothing else does: docs/threat-model.md has each of them.
UNNOTICED = {
    "the references of two recipients are exchanged": lambda _: """
        CREATE TEMP TABLE pair AS SELECT * FROM recipients WHERE number IN (1, 2);
        UPDATE recipients SET reference = -number WHERE number IN (1, 2);
        UPDATE recipients SET reference = (SELECT reference FROM pair p WHERE p.number <> recipients.number)
            WHERE number IN (1, 2)""",
    "the index of an added link": lambda _: "UPDATE added_links SET link = link + 7",
    "where an added link leads": lambda _: "UPDATE added_links SET url = 'https://shop.example/other'",
    "where links may lead": lambda _: """UPDATE organizations SET target_hosts = '["evil.example"]'""",
    "the page on which people can consent": lambda _: "UPDATE organizations SET consent_url = 'https://evil.example/'",
    "the quotas, and what is counted towards them": lambda _: """
        UPDATE organizations SET quota_requests = 1, quota_interactions = 1, interactions_stored = 2""",
    "when retention may delete": lambda _: "UPDATE purge_clock SET trusted = trusted - 1000",
    "when the clock was wrong": lambda _: "INSERT INTO clock_faults VALUES (1000, 2000, 500)",
    "the content of a message, with its digest": lambda recorded: campaign(
        recorded, lambda content: json.loads(json.dumps(content).replace("shop.example", "evil.example"))),
}


@pytest.mark.parametrize("what", UNNOTICED)
def test_what_the_ledger_says_nothing_about_is_documented_as_not_noticed(recorded, changed, what):
    service = changed(UNNOTICED[what](recorded))
    assert httpx.get(f"{service.api}/readyz").status_code == 200


@pytest.mark.embedded_storage_only
def test_what_the_last_process_knew_of_its_clocks_is_documented_as_not_noticed(changed):
    """Nodes that share a database go by its server's clock, and keep no such note."""
    service = changed("UPDATE clock_note SET suspect_since = suspect_since + 1")
    assert httpx.get(f"{service.api}/readyz").status_code == 200


class TestWhileItRuns:
    def test_a_value_that_cannot_be_read_is_named_and_hidden_from_no_list(self, recorded, changed):
        service = changed("UPDATE decision_counts SET count = count")
        org = Organization(service, recorded.org.id, recorded.org.key)
        assert httpx.get(f"{service.api}/readyz").status_code == 200
        assert service.change(f"UPDATE decisions SET reason = 99 WHERE id = {SEVENTH}") == 1
        problem = assert_problem(org.call("GET", org.path("/decisions")), 503)
        assert re.search(rf"decision \w+ \(entry \d+\) of {org.id} {VALUE}", problem["detail"])
        assert problem["detail"].split(": ")[-1].rstrip(".") in service.log_text()
        assert httpx.get(f"{service.api}/readyz").status_code == 503
        # An export is whole but for the entry, which an auditor who verifies it is told of.
        export = service.folder / "audit.tar"
        export.write_bytes(org.expect(200, "POST", org.path("/audits"), {}).content)
        key = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
        done = CommandLine(service).run("verify", str(export), "--key", key)
        assert done.returncode == 1 and re.search(r"entr\w+ \d+", done.stderr), done.stderr

    def test_metrics_say_when_all_was_checked(self, recorded, changed):
        service = changed("UPDATE decision_counts SET count = count")
        scraped = Metrics(httpx.get(f"{service.api}/metrics").text)
        assert scraped.value("consentlink_ledger_check_passes_total") == 1
        assert scraped.value("consentlink_ledger_check_entries_total") > 340
        assert scraped.value("consentlink_ledger_check_progress_ratio") == 1
        assert scraped.value("consentlink_ledger_check_last_pass_timestamp_seconds") > 0


class TestTheRowOfALedger:
    """Only by it is a ledger compared with its checkpoints."""

    @pytest.mark.parametrize("also", ["", "DELETE FROM ledger_runs WHERE organization = 1;"
                                          "DELETE FROM ledger_tiles WHERE organization = 1"])
    def test_is_missed_where_a_withdrawal_was_changed(self, recorded, changed, also):
        service = changed(
            f"UPDATE consents SET state = 1, ends_tracking = 0 WHERE id = {WITHDRAWAL};"
            f"DELETE FROM ledgers WHERE organization = 1; {also}")
        org = Organization(service, recorded.org.id, recorded.org.key)
        said = f"the ledger of {org.id} has entries and no row in the table of the ledgers"
        assert said in assert_problem(httpx.get(f"{service.api}/readyz"), 503)["detail"]
        assert said in service.log_text()
        body = {"format": "plain", "recipients": [recorded.withdrawn], "message": message()}
        for path, asked in ("/payloads", body), ("/audits", {}):
            assert said in assert_problem(org.call("POST", org.path(path), asked), 503)["detail"]
        assert said in assert_problem(org.call("GET", org.path("/ledger")), 503)["detail"]
        assert wire.follow(recorded.old_link).status == 302
        Organization(service, recorded.other.id, recorded.other.key).compose([person()])
        assert service.stop() == 0
        assert service.stored("SELECT count(*) FROM interactions") == [["0"]]
        assert service.stored("SELECT count(*) FROM ledgers WHERE organization = 1") == [["0"]]


def added(table, **changed):
    """Adds a row that is like another one but for these columns."""
    values = ", ".join(f"{column} = {value}" for column, value in changed.items())
    return (f"CREATE TEMP TABLE made AS SELECT * FROM {table} LIMIT 1; UPDATE made SET {values};"
            f"INSERT INTO {table} SELECT * FROM made")


LEAST = "-9223372036854775807 - 1"


@pytest.mark.embedded_storage_only
class TestNumbersThatTheServiceNeverMakes:
    @pytest.mark.parametrize("statement, said", [
        (added("organizations", number=GREATEST, id="'zz'"), "of zz"),
        (added("messages", id=GREATEST, digest="randomblob(32)"), "message 7fffffffffffffff of"),
        (added("recipients", number=GREATEST, reference=5, identifier="'zz@people.example'"), f"row {GREATEST} of the"),
        (added("ledger_events", number=LEAST), "the enforcement of"),
        (f"UPDATE clock_note SET difference = {LEAST}, suspect_since = {LEAST}", None),
        (f"UPDATE clock_note SET difference = {GREATEST}, suspect_since = {LEAST}", None),
    ])
    def test_end_no_start(self, changed, statement, said):
        service = changed(statement)
        ready = httpx.get(f"{service.api}/readyz")
        if said:
            assert said in assert_problem(ready, 503)["detail"]
        assert service.stop() == 0

    @pytest.mark.parametrize("number, id", [(77, "'Z Z'"), (-7, "'zz'")])
    def test_are_named_where_no_start_is_possible(self, recorded, tmp_path, number, id):
        (tmp_path / "copy").mkdir()
        service = Service(tmp_path / "copy")
        service.copy_from(recorded.service)
        service.change(added("organizations", number=number, id=id))
        service.launch()
        try:
            assert service.process.wait(timeout=30) != 0
        finally:
            service.kill()
        assert f"row {number} of organizations" in service.log_text()


# An erasure of nobody, entered once more behind the last entry.
APPENDED = (
    "INSERT INTO ledger_events (organization, entry) SELECT organization, entry FROM ledger_events"
    f" WHERE organization = 1 AND {as_text('entry')} LIKE '%\"consents\":0,%erasure%' LIMIT 1;"
    "INSERT INTO ledger_runs SELECT organization, first_leaf + count, 1, 3, (SELECT max(number) FROM"
    " ledger_events), (SELECT max(number) FROM ledger_events) FROM ledger_runs WHERE organization = 1"
    " ORDER BY first_leaf DESC LIMIT 1")
UNSIGNED = "signs entries that the last process had not signed when it ended"


class TestCheckpoints:
    def test_are_not_found_where_too_many_files_were_open(self, own_service):
        operator = Operator(own_service)
        operator.make("restrictive")
        pid = own_service.process.pid
        usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        # A descriptor that the service closes meanwhile is free for the request, so there are several attempts.
        for attempt in range(20):
            taken = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
            free = next(number for number in range(3, 10_000) if number not in taken)
            body = {"id": f"acme-{attempt}", "name": "Acme", "enforcement": "restrictive"}
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (free, usual[1]))
            try:
                status = operator.call("POST", "/v1/orgs", body).status_code
            finally:
                resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
            if status != 201:
                break
        assert status == 503
        operator.expect(201, "POST", "/v1/orgs", body)

    def test_are_tried_again_when_too_many_files_were_open(self, own_service):
        org = Operator(own_service).make("restrictive")
        org.compose([person()])
        ledger = Ledger(org)
        assert eventually(lambda: ledger.checkpoint().size >= 2)
        pid = own_service.process.pid
        usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        taken = {int(name) for name in os.listdir(f"/proc/{pid}/fd")}
        free = next(number for number in range(3, 10_000) if number not in taken)
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (free, usual[1]))
        try:
            body = {"format": "plain", "recipients": [person()], "message": message()}
            org.expect(200, "POST", org.path("/payloads"), body)
            assert eventually(lambda: "too many files are open" in own_service.log_text())
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
        assert eventually(lambda: ledger.checkpoint().size >= 3)
        assert eventually(lambda: httpx.get(f"{own_service.api}/readyz").status_code == 200)

    # On a server the ledger is closed (test_postgres_seals.py).
    @pytest.mark.embedded_storage_only
    def test_say_what_was_entered_while_nobody_signed(self, recorded, changed):
        service = changed(APPENDED)
        assert UNSIGNED in service.log_text()

    @pytest.mark.embedded_storage_only
    def test_close_a_ledger_that_grew_after_an_orderly_stop(self, own_service):
        operator = Operator(own_service)
        org, other = operator.make("restrictive"), operator.make("restrictive")
        org.erase(person("nobody"))
        link = org.tracked_link().url
        assert own_service.stop() == 0
        own_service.change(APPENDED)
        for end in (own_service.kill, own_service.stop, own_service.stop):
            own_service.start()
            detail = assert_problem(httpx.get(f"{own_service.api}/readyz"), 503)["detail"]
            assert re.search(rf"entries \d+ to \d+ of {org.id} were appended while no service ran", detail)
            assert wire.follow(link).status == 302
            other.compose([person()])
            end()
        # The operator has found out that these entries must count.
        (own_service.data / "signed.json").unlink()
        own_service.start()
        assert UNSIGNED in own_service.log_text()
        assert scrape(own_service).value("consentlink_checkpoints_late_entries_total") == 1
        org.compose([person()])

    @pytest.mark.embedded_storage_only
    @pytest.mark.parametrize("happened", ["killed", "an older version", "a copy"])
    def test_close_no_ledger_where_it_may_be_the_service_that_entered(self, own_service, happened):
        org = Operator(own_service).make("restrictive")
        org.erase(person("nobody"))
        time.sleep(1.5)
        if happened == "killed":
            own_service.kill()
        else:
            assert own_service.stop() == 0
        if happened == "an older version":
            # It writes into the lock file, and leaves the note.
            (own_service.data / "lock").write_text("1\nserving\n")
        if happened == "a copy":
            database = own_service.data / "consentlink.db"
            shutil.copy2(database, own_service.data / "copied")
            (own_service.data / "copied").rename(database)
        own_service.change(APPENDED)
        own_service.start()
        assert UNSIGNED in own_service.log_text()
        org.compose([person()])

    def test_are_not_replaced_by_those_of_an_organization_made_again(self, own_service):
        operator = Operator(own_service)
        org = operator.make("restrictive")
        org.compose([person()])
        file = own_service.data / "checkpoints" / f"{org.id}.txt"
        assert eventually(file.exists)
        kept = file.read_text()
        id = f"{org.id}-again"
        (own_service.data / "checkpoints" / f"{id}.txt").write_text(kept)
        answer = operator.call("POST", "/v1/orgs", {"id": id, "name": "A test", "enforcement": "restrictive"})
        assert f"checkpoints/{id}.txt" in assert_problem(answer, 409)["detail"]
        assert (own_service.data / "checkpoints" / f"{id}.txt").read_text() == kept

    def test_are_not_replaced_by_smaller_ones_while_the_service_runs(self, own_service):
        org = Operator(own_service).make("restrictive")
        org.compose([person()])
        ledger = Ledger(org)
        assert eventually(lambda: ledger.checkpoint().size >= 2)
        file = own_service.data / "checkpoints" / f"{org.id}.txt"
        other = Operator(own_service).make("restrictive")
        assert eventually((own_service.data / "checkpoints" / f"{other.id}.txt").exists)
        foreign = (own_service.data / "checkpoints" / f"{other.id}.txt").read_text()
        file.write_text(foreign)
        org.call("POST", org.path("/payloads"), {"format": "plain", "recipients": [person()], "message": message()})
        eventually(lambda: httpx.get(f"{own_service.api}/readyz").status_code == 503)
        assert "is not signed with this ledger's key" in httpx.get(f"{own_service.api}/readyz").json()["detail"]
        assert file.read_text() == foreign
