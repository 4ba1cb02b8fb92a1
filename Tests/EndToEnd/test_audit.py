"""Evidence that leaves the operator's hands: exports and proofs hold as they were made, and what was done to the
database, or to them, is named."""

import hashlib
import json
import os
import pty
import resource
import subprocess
import tarfile
from http.server import BaseHTTPRequestHandler

import pytest

from harness import times, wire
from harness.client import Operator, assert_misfit, message, person
from harness.listener import Listener
from harness.service import binary, environment

EVIDENCE = {"method": "web-form", "source": "https://é.example/\"1\"", "actor": "subject"}


class Auditor:
    """What an auditor does, with a key that may read and a folder of their own."""

    def __init__(self, org, folder):
        self.org = org.with_scopes("read")
        self.folder = folder
        self.vkey = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]

    def run(self, *arguments, given=""):
        return subprocess.run(
            [str(binary()), *arguments], cwd=self.folder, input=given, capture_output=True, text=True, timeout=120,
            env=environment(CONSENTLINK_KEY=self.org.key, CONSENTLINK_API=self.org.service.api),
        )  # fmt: skip

    def query(self, *arguments, **more):
        done = self.run("audit", "--org", self.org.id, *arguments, **more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def export(self, name, *arguments, **more):
        done = self.run("audit", "export", "--org", self.org.id, "--output", name, *arguments, **more)
        assert done.returncode == 0, done.stderr
        return self.folder / name

    def verify(self, name, *arguments, key=None):
        return self.run("verify", name, "--key", key or self.vkey, *arguments)

    def holds(self, name, *arguments):
        done = self.verify(name, "--json", *arguments)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        assert found["holds"] is True
        return found

    def fault(self, name, *arguments):
        """Why it does not hold, in one line, and as JSON."""
        done = self.verify(name, *arguments)
        assert done.returncode == 1 and done.stdout == "", (done.stdout, done.stderr)
        assert " does not hold: " in done.stderr and done.stderr.count("\n") == 1
        reason = done.stderr.split(" does not hold: ")[1].strip()
        assert json.loads(self.verify(name, "--json", *arguments).stdout) == {"holds": False, "reason": reason}
        return reason


@pytest.fixture
def audited(own_service, tmp_path):
    """An organization with every kind of entry: who gave, withdrew, was never heard of, was erased."""
    org = Operator(own_service).make("restrictive")
    people = {name: person(name) for name in ("given", "withdrawn", "erased")}
    org.record(people["given"], "given", evidence=EVIDENCE)
    org.record(people["erased"], "given")
    org.record(people["withdrawn"], "withdrawn")
    composed = org.compose([*people.values(), *(person() for _ in range(300))], message())
    wire.follow(composed.link(people["given"]))
    org.erase(people["erased"])
    org.set(enforcement="nonRestrictive")
    folder = tmp_path / "auditor"
    folder.mkdir()
    return Auditor(org, folder), people, composed


def members(archive):
    with tarfile.open(archive, "r:") as tar:
        return {member.name: tar.extractfile(member).read() for member in tar.getmembers()}


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


WHOLE = b"a" * 512 * 20 + bytes(1024)


def unsteady(cuts):
    """What stands in the service's place, and cuts its first answers off as the service does when somebody is erased."""
    left = iter(range(cuts))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", "application/x-tar")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            self.wfile.write(b"%x\r\n%b\r\n" % (len(WHOLE), WHOLE))
            if next(left, None) is None:
                self.wfile.write(b"0\r\n\r\n")
            else:
                self.close_connection = True

        def log_message(self, *_):
            pass

    return Listener(Handler)


def unframed():
    """What answers in HTTP/1.0, so that a body ends with its connection."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(200)
            self.send_header("Content-Type", self.headers["Accept"])
            self.end_headers()
            self.wfile.write(WHOLE)

        def log_message(self, *_):
            pass

    return Listener(Handler)


class TestExports:
    def test_hold_and_say_what_was_checked(self, audited):
        auditor, people, composed = audited
        archive = auditor.export("whole.tar")
        found = auditor.holds("whole.tar")
        assert found["whole"] is True and found["kind"] == "export"
        counts = found["entries"]
        made = found["recomputation"]
        assert (made["exceptions"], made["closed"], made["recomputed"]) == (0, 1, 302)
        assert counts["total"] == found["size"] == counts["decisions"] + counts["consents"] + 1 + counts["enforcements"]
        assert (counts["decisions"], counts["consents"], counts["erasures"]) == (303, 3, 1)
        assert (counts["closed"], counts["opened"]) == (2, 304)
        assert found["interactions"] == 1
        said = auditor.verify("whole.tar").stdout
        assert said.startswith("whole.tar holds.\n") and "whole: none of the" in said and " s\n" in said
        assert archive.stat().st_mode & 0o777 == 0o600
        assert [file.name for file in auditor.folder.iterdir()] == ["whole.tar"]

    def test_are_archives_of_json_lines_that_others_read(self, audited):
        auditor, people, composed = audited
        files = members(auditor.export("whole.tar"))
        entries = lines(files["entries/000001.ndjson"])
        assert [entry["index"] for entry in entries] == list(range(len(entries)))
        decisions = {entry["entry"]["id"]: entry for entry in entries if entry["entry"]["type"] == "decision"}
        for payload in composed.payloads:
            entry = decisions[payload["decision"]["id"]]
            assert entry["entry"]["reason"] == payload["decision"]["reason"]
            if payload["recipient"] != people["erased"]:
                assert entry["private"]["recipient"] == payload["recipient"]
        assert people["erased"].encode() not in b"".join(files.values())
        manifest = json.loads(files["manifest.json"])
        for file in manifest["files"]:
            assert hashlib.sha256(files[file["name"]]).hexdigest() == file["sha256"]
        assert {name for name in files if not name.startswith("tile/")} == {
            *(file["name"] for file in manifest["files"]), "manifest.json",
        }  # fmt: skip
        (interaction,) = lines(files["interactions/000001.ndjson"])
        assert interaction["recipient"] == people["given"]
        assert "consentlink verify" in files["README.txt"].decode()

    def test_of_one_person_have_their_entries_alone_and_still_hold(self, audited):
        auditor, people, _ = audited
        archive = auditor.export("ana.tar", "--recipient", "-", given=people["given"] + "\n")
        entries = lines(members(archive)["entries/000001.ndjson"])
        assert sorted(entry["entry"]["type"] for entry in entries) == ["consent", "decision"]
        assert {entry["private"]["recipient"] for entry in entries} == {people["given"]}
        found = auditor.holds("ana.tar")
        assert found["whole"] is False and found["filters"]["recipient"] == people["given"]
        assert "cannot be seen" in auditor.verify("ana.tar").stdout

    def test_of_a_message_and_of_a_time_hold(self, audited):
        auditor, _, composed = audited
        auditor.export("message.tar", "--message", composed.message)
        assert auditor.holds("message.tar")["entries"]["decisions"] == 303
        auditor.export("past.tar", "--to", times.from_now(hours=-1))
        assert auditor.holds("past.tar")["entries"]["total"] == 0
        auditor.export("hour.tar", "--from", times.from_now(hours=-1))
        found = auditor.holds("hour.tar")
        assert found["entries"]["total"] == found["size"]

    def test_continue_an_earlier_checkpoint_or_say_that_they_do_not(self, audited):
        auditor, _, _ = audited
        first = members(auditor.export("first.tar"))["checkpoint"]
        (auditor.folder / "first.txt").write_bytes(first)
        Operator(auditor.org.service).expect(200, "PATCH", auditor.org.path(), {"enforcement": "restrictive"})
        second = members(auditor.export("second.tar", "--since", "first.txt"))
        assert "consistency" in second
        (auditor.folder / "second.txt").write_bytes(second["checkpoint"])
        size = int(first.split(b"\n")[1])
        assert auditor.holds("second.tar", "--since", "first.txt")["since"] == size
        auditor.export("part.tar", "--to", times.from_now(hours=-1), "--since", "first.txt")
        assert auditor.holds("part.tar", "--since", "first.txt")["since"] == size
        assert "older than yours" in auditor.fault("first.tar", "--since", "second.txt")

    def test_are_refused_for_a_checkpoint_of_another_ledger(self, audited):
        auditor, _, _ = audited
        other = Operator(auditor.org.service).make("restrictive")
        note = other.expect(200, "GET", other.path("/ledger/checkpoint")).text
        for since in (note, "nonsense", ""):
            assert_misfit(auditor.org.call("POST", auditor.org.path("/audits"), {"since": since}), "/since")

    def test_never_replace_a_file_and_leave_none_when_refused(self, audited):
        auditor, _, _ = audited
        (auditor.folder / "there.tar").write_text("mine")
        done = auditor.run("audit", "export", "--org", auditor.org.id, "--output", "there.tar")
        assert done.returncode == 2 and (auditor.folder / "there.tar").read_text() == "mine"
        done = auditor.run("audit", "export", "--org", auditor.org.id, "--output", "new.tar", "--recipient", "x" * 257)
        assert done.returncode == 1 and "recipient" in done.stderr
        assert [file.name for file in auditor.folder.iterdir()] == ["there.tar"]

    def test_that_have_no_room_say_what_the_system_says(self, audited):
        auditor, _, _ = audited
        done = subprocess.run(
            [str(binary()), "audit", "export", "--org", auditor.org.id, "--output", "full.tar"],
            cwd=auditor.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
            env=environment(CONSENTLINK_KEY=auditor.org.key, CONSENTLINK_API=auditor.org.service.api),
            # The limit stands for a full disk. Python ignores the signal of it, and so does the command then.
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)), restore_signals=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr == b"consentlink: cannot write full.tar: File too large\n"
        assert list(auditor.folder.iterdir()) == []

    CUT = ["audit", "export", "--org", "acme", "--output", "cut.tar"]

    def test_that_are_cut_off_are_asked_for_again(self, audited):
        auditor, _, _ = audited
        with unsteady(cuts=2) as service:
            done = auditor.run(*self.CUT, "--api", service.origin)
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("broke off") == 2 and "(3 of 5)" in done.stderr
        assert (auditor.folder / "cut.tar").read_bytes() == WHOLE

    def test_that_are_cut_off_every_time_leave_no_file(self, audited):
        auditor, _, _ = audited
        with unsteady(cuts=99) as service:
            done = auditor.run(*self.CUT, "--api", service.origin)
        assert done.returncode == 1
        assert done.stderr.count("broke off") == 5
        assert list(auditor.folder.iterdir()) == []

    @pytest.mark.parametrize("arguments", [CUT, ["audit", "--org", "acme"], ["audit", "--org", "acme", "--csv"]])
    def test_whose_end_cannot_be_told_from_a_break_are_not_taken(self, audited, arguments):
        auditor, _, _ = audited
        with unframed() as service:
            done = auditor.run(*arguments, "--api", service.origin)
        assert done.returncode == 1 and done.stdout == ""
        assert "neither a length nor chunks" in done.stderr
        assert list(auditor.folder.iterdir()) == []


# What somebody with access to the database does, and what verification says of it. Entries 0 to 3 are the first
# enforcement and the consent records, so 4 + n is the decision about the nth person.
TAMPERINGS = {
    "a reason changed": (
        "UPDATE decisions SET reason = (SELECT reason FROM decisions ORDER BY id LIMIT 1 OFFSET 0) WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 50)",
        "entry 54 (decision ",
    ),
    "a recipient changed": (
        "UPDATE decisions SET recipient = (SELECT recipient FROM decisions ORDER BY id LIMIT 1 OFFSET 3) WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 60)",
        "entry 64 (decision ",
    ),
    "an enforcement changed": (
        "UPDATE decisions SET enforcement = 3 - enforcement WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 70)",
        "entry 74 (decision ",
    ),
    "a consent record's state changed": (
        "UPDATE consents SET state = (SELECT state FROM consents ORDER BY id LIMIT 1) WHERE id = (SELECT max(id) FROM consents)",
        "entry 3 (consent record ",
    ),
    "a consent record's time changed": (
        "UPDATE consents SET occurred_at = occurred_at - 1000 WHERE id = (SELECT min(id) FROM consents)",
        "entry 1 (consent record ",
    ),
    "evidence changed": (
        "UPDATE consents SET evidence = replace(evidence, 'web-form', 'paper') WHERE id = (SELECT min(id) FROM consents)",
        "entry 1 (consent record ",
    ),
    "a row deleted": (
        "DELETE FROM decisions WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 80)",
        "entry 84 (decision ",
    ),
    "rows exchanged": (
        """WITH two AS (SELECT row_number() OVER (ORDER BY id) AS n, * FROM decisions ORDER BY id LIMIT 2 OFFSET 90)
        UPDATE decisions SET (salt, recipient, reason, consent) = (
            SELECT salt, recipient, reason, consent FROM two WHERE two.id != decisions.id
        ) WHERE id IN (SELECT id FROM two)""",
        "entry 94 (decision ",
    ),
    "the newest rows cut": (
        "DELETE FROM decisions WHERE id IN (SELECT id FROM decisions ORDER BY id DESC LIMIT 20)",
        "are missing",
    ),
    "a salt exchanged": (
        "UPDATE decisions SET salt = (SELECT salt FROM decisions ORDER BY id LIMIT 1 OFFSET 99) WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 100)",
        "entry 104 (decision ",
    ),
    "a salt taken away": (
        "UPDATE decisions SET salt = NULL, recipient = NULL WHERE id = (SELECT id FROM decisions ORDER BY id LIMIT 1 OFFSET 110)",
        "entry 114 (decision ",
    ),
    "one of the last entries changed": (
        "UPDATE decisions SET enforcement = 3 - enforcement WHERE id = (SELECT max(id) FROM decisions)",
        "one of the last entries (256 to 308)",
    ),
    "a tile's hash changed": (
        "UPDATE ledger_tiles SET hashes = CAST(zeroblob(32) || substr(hashes, 33) AS BLOB) WHERE level = 0 AND tile = 0",
        "tile",
    ),
}


# The same where PostgreSQL says it otherwise.
ON_POSTGRES = {
    "a tile's hash changed": (
        "UPDATE ledger_tiles SET hashes = overlay(hashes PLACING decode(repeat('00', 32), 'hex') FROM 1)"
        " WHERE level = 0 AND tile = 0"
    ),
    # Sealed evidence that was changed cannot be opened: it closes the ledger before anybody exports.
    "evidence changed": None,
}


# What is found there, where the last entries' hashes are kept with each commit.
FOUND_ON_POSTGRES = {"one of the last entries changed": "entry 306 (decision "}


class TestTamperedDatabases:
    @pytest.mark.parametrize("tampering", TAMPERINGS)
    def test_are_named_by_whoever_verifies_a_fresh_export(self, audited, tampering):
        auditor, people, _ = audited
        if auditor.org.service.storage and ON_POSTGRES.get(tampering, "") is None:
            pytest.skip("cannot be exported")
        auditor.export("before.tar")
        auditor.holds("before.tar")
        service = auditor.org.service
        assert service.stop() == 0
        statement, expected = TAMPERINGS[tampering]
        assert service.change(ON_POSTGRES.get(tampering, statement) if service.storage else statement) != 0
        if service.storage:
            expected = FOUND_ON_POSTGRES.get(tampering, expected)
        service.start()
        auditor.export("after.tar")
        reason = auditor.fault("after.tar")
        assert expected in reason
        assert not any(one in reason for one in people.values())


class TestProofs:
    def test_of_a_decision_and_of_a_consent_record_hold(self, audited):
        auditor, people, composed = audited
        decision = composed.of(people["given"])["decision"]["id"]
        consent = auditor.org.consent(people["given"])["history"][0]["id"]
        for path, type in ((f"/decisions/{decision}/proof", "decision"), (f"/consents/{consent}/proof", "consent")):
            proof = auditor.org.expect(200, "GET", auditor.org.path(path)).text
            (auditor.folder / "proof").write_text(proof)
            found = auditor.holds("proof")
            assert (found["kind"], found["entry"]["type"]) == ("proof", type)
            assert found["private"]["recipient"] == people["given"]
            assert auditor.verify("proof").stdout.startswith("proof holds.\n")

    def test_of_another_entry_do_not(self, audited):
        auditor, people, composed = audited
        one, other = (
            auditor.org.expect(200, "GET", auditor.org.path(f"/decisions/{payload['decision']['id']}/proof")).text
            for payload in composed.payloads[:2]
        )
        exchanged = one.split("\n")
        exchanged[1] = other.split("\n")[1]
        (auditor.folder / "proof").write_text("\n".join(exchanged))
        assert "differs from the ledger" in auditor.fault("proof")

    def test_take_no_earlier_checkpoint(self, audited):
        auditor, _, composed = audited
        proof = auditor.org.expect(
            200, "GET", auditor.org.path(f"/decisions/{composed.payloads[0]['decision']['id']}/proof")
        ).text
        (auditor.folder / "proof").write_text(proof)
        (auditor.folder / "since").write_text(proof.split("\n\n", 1)[1])
        assert auditor.verify("proof", "--since", "since").returncode == 2


    def test_hold_as_jq_saves_them_and_in_the_answer_that_has_them(self, audited):
        auditor, people, composed = audited
        decision = composed.of(people["given"])["decision"]["id"]
        answer = auditor.org.expect(200, "GET", auditor.org.path(f"/decisions/{decision}"))
        (auditor.folder / "proof").write_text(answer.json()["proof"] + "\n")
        assert auditor.holds("proof")["entry"]["id"] == decision
        (auditor.folder / "decision.json").write_text(answer.text)
        found = auditor.holds("decision.json")
        assert (found["kind"], found["entry"]["id"]) == ("decision", decision)
        (auditor.folder / "decision.json").write_text(answer.text.replace('"consentGiven"', '"notOptedOut"'))
        assert "its reason is not the value that its proof proves" in auditor.fault("decision.json")


class TestShow:
    def show(self, auditor, decision, *more):
        return auditor.run("audit", "show", decision, "--org", auditor.org.id, *more)

    def test_says_why_in_words(self, audited):
        auditor, people, composed = audited
        done = self.show(auditor, composed.of(people["given"])["decision"]["id"])
        assert done.returncode == 0, done.stderr
        name = auditor.org.expect(200, "GET", auditor.org.path(f"/messages/{composed.message}")).json()["name"]
        record = auditor.org.consent(people["given"])["history"][0]
        for told in (
            "tracked, consentGiven", "had been given and was in force", "restrictive", people["given"], f"({name})",
            record["id"], record["occurredAt"], "web-form", "https://é.example/", "1 interaction", "PushLinkClicked",
            "holds: entry 4 of",
        ):  # fmt: skip
            assert told in done.stdout, done.stdout

    def test_says_why_somebody_was_not_tracked(self, audited):
        auditor, people, composed = audited
        done = self.show(auditor, composed.of(people["withdrawn"])["decision"]["id"])
        assert "withdrawn their consent" in done.stdout and "nothing" in done.stdout
        nobody = next(one for one in composed.payloads if one["recipient"] not in people.values())
        assert "no consent record" in self.show(auditor, nobody["decision"]["id"]).stdout
        erased = self.show(auditor, composed.of(people["erased"])["decision"]["id"]).stdout
        assert "not known any more" in erased and people["erased"] not in erased

    def test_is_the_answer_for_programs_which_verify_takes(self, audited):
        auditor, people, composed = audited
        decision = composed.of(people["given"])["decision"]["id"]
        done = self.show(auditor, decision, "--json")
        assert json.loads(done.stdout)["id"] == decision
        (auditor.folder / "saved.json").write_text(done.stdout)
        auditor.holds("saved.json")

    def test_says_that_a_proof_does_not_hold_under_another_key(self, audited):
        auditor, people, composed = audited
        other = Operator(auditor.org.service).make("restrictive")
        key = other.expect(200, "GET", other.path("/ledger")).json()["verifierKey"]
        done = self.show(auditor, composed.of(people["given"])["decision"]["id"], "--key", key)
        assert done.returncode == 1 and "DOES NOT HOLD" in done.stdout

    def test_names_a_decision_that_there_is_not(self, audited):
        auditor, _, _ = audited
        done = self.show(auditor, "33d0000000000001")
        assert done.returncode == 1 and "no decision 33d0000000000001" in done.stderr
        assert self.show(auditor, "../../x").returncode == 2


class TestVerify:
    def test_needs_no_service(self, audited):
        auditor, _, _ = audited
        auditor.export("whole.tar")
        assert auditor.org.service.stop() == 0
        assert auditor.verify("whole.tar").returncode == 0
        auditor.org.service.start()

    def test_reads_standard_input(self, audited):
        auditor, _, _ = audited
        archive = auditor.export("whole.tar")
        with archive.open() as given:
            done = subprocess.run(
                [str(binary()), "verify", "-", "--key", auditor.vkey], stdin=given, capture_output=True, timeout=60
            )
        assert done.returncode == 0, done.stderr

    def test_does_not_take_another_key(self, audited):
        auditor, _, _ = audited
        auditor.export("whole.tar")
        other = Operator(auditor.org.service).make("restrictive")
        key = other.expect(200, "GET", other.path("/ledger")).json()["verifierKey"]
        done = auditor.verify("whole.tar", key=key)
        assert done.returncode == 1 and "not signed" in done.stderr

    def test_does_not_take_damaged_files(self, audited):
        auditor, _, _ = audited
        whole = auditor.export("whole.tar").read_bytes()
        for name, content in (
            ("cut", whole[: len(whole) // 2]), ("nothing", b""), ("more", whole + b"x"), ("noise", os.urandom(5000)),
            ("begun", b"c2sp.org/tlog-pro"), ("text", b"c2sp.org/tlog-proof@v1\n"),
        ):  # fmt: skip
            (auditor.folder / name).write_bytes(content)
            auditor.fault(name)


class TestQueries:
    def test_are_json_lines_in_a_pipe(self, audited):
        auditor, people, composed = audited
        assert len(lines(auditor.query())) == 303
        (line,) = lines(auditor.query("--recipient", "-", given=people["withdrawn"] + "\n"))
        assert (line["recipient"], line["reason"]) == (people["withdrawn"], "consentWithdrawn")
        assert lines(auditor.query("--recipient", people["withdrawn"])) == [line]
        assert len(lines(auditor.query("--limit", "7"))) == 7
        assert {line["reason"] for line in lines(auditor.query("--reason", "noConsentRecord"))} == {"noConsentRecord"}
        assert len(lines(auditor.query("--message", composed.message, "--outcome", "tracked"))) == 2
        assert auditor.query("--to", times.from_now(hours=-1)) == ""

    def test_are_csv_when_asked(self, audited):
        auditor, _, _ = audited
        rows = auditor.query("--csv", "--limit", "3").splitlines()
        assert rows[0].startswith('"id","decidedAt","recipient"') and len(rows) == 4

    def test_are_a_table_on_a_terminal(self, audited):
        auditor, people, _ = audited
        terminal, inner = pty.openpty()
        done = subprocess.Popen(
            [str(binary()), "audit", "--org", auditor.org.id, "--limit", "5"],
            stdin=subprocess.DEVNULL, stdout=inner, stderr=subprocess.PIPE,
            env=environment(CONSENTLINK_KEY=auditor.org.key, CONSENTLINK_API=auditor.org.service.api),
        )  # fmt: skip
        _, stderr = done.communicate(timeout=60)
        os.close(inner)
        shown = os.read(terminal, 1 << 16).decode().splitlines()
        os.close(terminal)
        assert done.returncode == 0 and b"There are more" in stderr
        assert shown[0].split() == ["DECIDED", "OUTCOME", "REASON", "RECIPIENT", "MESSAGE", "DECISION"]
        assert len(shown) == 6 and people["given"] in shown[1]

    def test_take_any_limit_on_a_terminal(self, audited):
        auditor, people, _ = audited
        terminal, inner = pty.openpty()
        words = ["--limit", str(2**63 - 1), "--recipient", people["given"]]
        done = subprocess.run(
            [str(binary()), "audit", "--org", auditor.org.id, *words], stdin=subprocess.DEVNULL, stdout=inner, timeout=60,
            env=environment(CONSENTLINK_KEY=auditor.org.key, CONSENTLINK_API=auditor.org.service.api),
        )  # fmt: skip
        os.close(inner)
        shown = os.read(terminal, 1 << 16).decode().splitlines()
        os.close(terminal)
        assert done.returncode == 0 and people["given"] in shown[1]

    def test_have_lines_of_csv_on_a_terminal(self, audited):
        auditor, people, _ = audited
        terminal, inner = pty.openpty()
        done = subprocess.run(
            [str(binary()), "audit", "--org", auditor.org.id, "--csv", "--recipient", people["given"]],
            stdin=subprocess.DEVNULL, stdout=inner, timeout=60,
            env=environment(CONSENTLINK_KEY=auditor.org.key, CONSENTLINK_API=auditor.org.service.api),
        )  # fmt: skip
        os.close(inner)
        shown = os.read(terminal, 1 << 16).decode()
        os.close(terminal)
        assert done.returncode == 0 and people["given"] in shown
        assert "\\u{" not in shown

    def test_take_a_date_for_its_first_moment(self, audited):
        auditor, _, _ = audited
        assert len(lines(auditor.query("--from", times.from_now(hours=-48)[:10]))) == 303
        assert auditor.query("--to", times.from_now(hours=-48)[:10]) == ""
        assert auditor.query("--from", times.from_now(hours=48)[:10]) == ""

    def test_say_that_nothing_fits_into_a_pipe_too(self, audited):
        auditor, _, composed = audited
        for more in ([], ["--csv"]):
            done = auditor.run("audit", "--org", auditor.org.id, "--to", "2001-01-01", *more)
            assert done.returncode == 0 and "No decision fits." in done.stderr
        done = auditor.run("audit", "--org", auditor.org.id, "--message", composed.message, "--reason", "recipientErased")
        assert done.returncode == 0 and "No decision fits." in done.stderr

    def test_name_a_message_that_there_is_not(self, audited):
        auditor, _, _ = audited
        done = auditor.run("audit", "--org", auditor.org.id, "--message", "33d0000000000001")
        assert done.returncode == 1 and "no message 33d0000000000001" in done.stderr

    def test_say_what_is_wrong_with_them(self, audited):
        auditor, _, _ = audited
        for code, *arguments in ((2, "--reason", "because"), (2, "--from", "yesterday"), (2, "--message", "no-id!"), (2, "--message", "zzz")):
            done = auditor.run("audit", "--org", auditor.org.id, *arguments)
            assert done.returncode == code and arguments[0][2:] in done.stderr
        assert auditor.run("audit", "--org", "a/b").returncode == 2
        assert auditor.run("audit", "--org", auditor.org.id, "--recipient", "-").returncode == 2
