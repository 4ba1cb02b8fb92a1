"""Who looked at whom, when, and why: every look through the API at a recipient is in the ledger with its reason before it is
answered, survives `kill -9`, goes with the recipient but for who and when, and nobody edits one unnoticed."""

import base64
import json
import threading
import urllib.parse

import pytest

from harness import times, wire
from harness.client import Operator, assert_problem, person
from harness.eventually import eventually
from harness.exports import exported, record_much
from harness.service import CommandLine
from test_audit import Auditor

REASON = {"Access-Reason": "complaint%204711"}


def because(reason):
    return {"Access-Reason": urllib.parse.quote(reason)}


def accesses(org, **query):
    return org.pages("/accesses", "accesses", **query)


def entries(org):
    """The public entries of kind `access` and what forgets them, as tiles have them."""
    # An export begins with a checkpoint over everything.
    org.expect(200, "POST", org.path("/audits"), {})
    head = org.expect(200, "GET", org.path("/ledger")).json()["size"]
    found = []
    for tile in range((head + 255) // 256):
        width = min(256, head - 256 * tile)
        part = "" if width == 256 else f".p/{width}"
        bundle = org.expect(200, "GET", org.path(f"/ledger/tile/entries/{tile:03}{part}")).content
        while bundle:
            length = int.from_bytes(bundle[:2], "big")
            found.append(json.loads(bundle[2 : 2 + length]))
            bundle = bundle[2 + length :]
    return [entry for entry in found if entry["type"].startswith("access")]


@pytest.fixture
def known(org):
    """Somebody of whom something is held, in an organization that records looks."""
    ana = person("ana")
    org.record(ana, "given")
    composed = org.compose([ana])
    request = org.ask_for_consent(ana)["id"]
    decision = composed.of(ana)["decision"]["id"]
    consent = org.consent(ana)["history"][0]["id"]
    org.set(recordAccess=True)
    return ana, decision, consent, request


def looks(org, known):
    """Every request that is a look, and what it looks at."""
    ana, decision, consent, request = known
    body = {"recipient": ana}
    return [
        ("consents", lambda **more: org.call("POST", org.path("/consents/query"), body, **more)),
        ("consents", lambda **more: org.call("GET", org.path(f"/consents/{consent}/proof"), **more)),
        ("consentRequests", lambda **more: org.call("POST", org.path("/consent-requests/query"), body, **more)),
        ("consentRequests", lambda **more: org.call("GET", org.path(f"/consent-requests/{request}"), **more)),
        ("decisions", lambda **more: org.call("POST", org.path("/decisions/query"), body, **more)),
        ("decisions", lambda **more: org.call("GET", org.path(f"/decisions/{decision}"), **more)),
        ("decisions", lambda **more: org.call("GET", org.path(f"/decisions/{decision}/proof"), **more)),
        ("interactions", lambda **more: org.call("POST", org.path("/interactions/query"), body, **more)),
        ("export", lambda **more: org.call("POST", org.path("/recipients/export"), body, **more)),
        ("export", lambda **more: org.call("POST", org.path("/audits"), body, **more)),
        ("accesses", lambda **more: org.call("POST", org.path("/accesses/query"), body, **more)),
    ]


class TestALook:
    def test_is_refused_without_a_reason_and_leaves_nothing(self, org, known):
        for _, look in looks(org, known):
            problem = assert_problem(look(), 422)
            assert "Access-Reason" in problem["detail"] and known[0] not in json.dumps(problem)
        assert accesses(org) == [] and entries(org) == []

    def test_is_recorded_with_who_when_what_and_why(self, org, known):
        before = times.parse(times.render(times.now()))
        for _, look in looks(org, known):
            assert look(headers=REASON).status_code == 200
        found = accesses(org)
        assert [access["what"] for access in found] == [what for what, _ in reversed(looks(org, known))]
        assert {access["recipient"] for access in found} == {known[0]}
        assert {access["reason"] for access in found} == {"complaint 4711"}
        assert all(access["who"].startswith("key:") for access in found) and len({one["who"] for one in found}) == 1
        assert all(before <= times.parse(access["accessedAt"]) <= times.now() for access in found)
        assert [access["id"] for access in found] == sorted((access["id"] for access in found), reverse=True)
        assert {access["recipient"] for access in accesses(org, who=found[0]["who"])} == {known[0]}
        assert accesses(org, who="operator") == []

    def test_has_an_entry_that_names_neither_the_recipient_nor_the_reason(self, org, known):
        asked = looks(org, known)
        for _, look in asked:
            look(headers=REASON)
        public = entries(org)
        assert len(public) == len(asked)
        assert [(entry["id"], entry["what"], entry["who"]) for entry in reversed(public)] == [
            (access["id"], access["what"], access["who"]) for access in accesses(org)
        ]
        assert all(set(entry) == {"at", "commit", "id", "type", "v", "what", "who"} for entry in public)
        assert known[0] not in json.dumps(public) and "4711" not in json.dumps(public)

    @pytest.mark.parametrize(
        "reason", ["", "%20", "%E2%80%8B", "%EF%BB%BF%20", "a%00b", "%0A", "%ED%A0%80", "%FF", "%4", "x" * 501, "%C3%A9" * 501]
    )
    def test_with_a_reason_that_is_none_is_refused(self, org, known, reason):
        answer = org.call("POST", org.path("/consents/query"), {"recipient": known[0]}, headers={"Access-Reason": reason})
        problem = assert_problem(answer, 422)
        assert "Access-Reason" in problem["detail"] and (len(reason) < 4 or reason not in answer.text)
        assert accesses(org) == []

    def test_is_not_needed_where_no_look_is_recorded_and_refused_there_too_if_it_is_none(self, org, known):
        org.set(recordAccess=False)
        for reason, status in ((None, 200), ("4711", 200), ("", 422), ("%zz", 422), ("x" * 501, 422)):
            headers = {} if reason is None else {"Access-Reason": reason}
            answer = org.call("POST", org.path("/consents/query"), {"recipient": known[0]}, headers=headers)
            assert answer.status_code == status, reason
        assert accesses(org) == []

    def test_may_be_long_and_in_any_script(self, org, known):
        reason = "Rückfrage des Kunden " + "問" * 479
        org.expect(200, "POST", org.path("/consents/query"), {"recipient": known[0]}, headers=because(reason))
        assert [access["reason"] for access in accesses(org)] == [reason]

    def test_at_somebody_unknown_stores_nothing_of_them(self, org, known):
        stranger = person("stranger")
        reason = f"{stranger} called"
        org.expect(200, "POST", org.path("/consents/query"), {"recipient": stranger}, headers=because(reason))
        assert [(access["recipient"], access["reason"]) for access in accesses(org)] == [(None, None)]
        assert [entry["accesses"] for entry in entries(org) if entry["type"] == "accessesForgotten"] == [1]
        assert not org.service.files_with(stranger)

    def test_is_asked_for_only_where_the_organization_says_so(self, org, known):
        org.set(recordAccess=False)
        for _, look in looks(org, known):
            assert look().status_code == 200
        assert accesses(org) == []

    def test_is_not_what_lists_feeds_and_whole_exports_are(self, org, known):
        for path in ("/decisions", "/interactions", "/consents", "/accesses"):
            org.expect(200, "GET", org.path(path))
        for path in ("/decisions/query", "/interactions/query", "/accesses/query", "/audits"):
            org.expect(200, "POST", org.path(path), {})
        assert accesses(org) == []


class TestThePerson:
    def test_gets_the_looks_in_their_export_and_not_who_looked(self, org, known):
        org.expect(200, "POST", org.path("/decisions/query"), {"recipient": known[0]}, headers=because("a complaint"))
        document = org.expect(
            200, "POST", org.path("/recipients/export"), {"recipient": known[0]}, headers=because("their own request")
        ).json()
        assert [(access["what"], access["reason"]) for access in document["accesses"]] == [
            ("export", "their own request"),
            ("decisions", "a complaint"),
        ]
        assert all(set(access) == {"id", "accessedAt", "what", "reason"} for access in document["accesses"])

    def test_takes_reason_and_name_with_them_when_erased(self, org, known):
        other = person("bo")
        org.record(other, "given")
        for who, reason in ((known[0], "hers"), (other, "his"), (known[0], "hers again")):
            org.expect(200, "POST", org.path("/consents/query"), {"recipient": who}, headers=because(reason))
        before = accesses(org)
        public = entries(org)
        org.erase(known[0])
        after = accesses(org)
        assert [(access["recipient"], access["reason"]) for access in after] == [(None, None), (other, "his"), (None, None)]
        assert [(one["id"], one["who"], one["accessedAt"]) for one in after] == [
            (one["id"], one["who"], one["accessedAt"]) for one in before
        ]
        assert entries(org)[: len(public)] == public
        assert [entry.get("accesses") for entry in entries(org)[len(public) :]] == [2]
        closed = "recipient IS NULL AND reason IS NULL AND salt IS NULL"
        own = f"organization = (SELECT number FROM organizations WHERE id = '{org.id}')"
        ((count,),) = org.service.stored(f"SELECT count(*) FROM accesses WHERE {closed} AND {own}")
        assert int(count) == 2


class TestAnAuditor:
    def test_verifies_looks_in_an_export_and_sees_those_of_erased_people_closed(self, org, known, tmp_path):
        for _, look in looks(org, known)[:5]:
            look(headers=REASON)
        auditor = Auditor(org, tmp_path)
        auditor.export("whole.tar")
        counts = auditor.holds("whole.tar")["entries"]
        assert counts["accesses"] == 5 and counts["others"] == 0
        org.erase(known[0])
        auditor.export("later.tar")
        later = auditor.holds("later.tar")["entries"]
        assert (later["accesses"], later["accessesForgotten"]) == (5, 1)
        assert later["closed"] >= counts["closed"] + 5

    def test_gives_a_reason_on_the_command_line(self, org, known, tmp_path):
        auditor = Auditor(org, tmp_path)
        arguments = ("audit", "--org", org.id, "--recipient", "-")
        refused = auditor.run(*arguments, given=f"{known[0]}\n")
        assert refused.returncode != 0 and "--access-reason must say why" in refused.stderr
        assert "percent" not in refused.stderr, "the command encodes the reason itself"
        done = auditor.run(*arguments, "--access-reason", "the yearly audit: é", given=f"{known[0]}\n")
        assert done.returncode == 0, done.stderr
        shown = auditor.run("audit", "show", known[1], "--org", org.id, "--access-reason", "a second look")
        assert shown.returncode == 0, shown.stderr
        exported = auditor.run(
            "audit", "export", "--org", org.id, "--recipient", "-", "--output", "ana.tar", "--access-reason", "evidence",
            given=f"{known[0]}\n",
        )  # fmt: skip
        assert exported.returncode == 0, exported.stderr
        assert {access["reason"] for access in accesses(org)} >= {"the yearly audit: é", "a second look", "evidence"}
        found = auditor.holds("ana.tar")["entries"]
        assert found["accesses"] >= 3

    @pytest.mark.parametrize(
        "change",
        ["who = 'operator'", "what = 4", "recipient = NULL, reason = NULL, salt = NULL", "recipient = NULL", "id = id + 1"],
    )
    def test_finds_a_look_that_was_changed(self, own_service, change):
        org = Operator(own_service).make("restrictive")
        ana = person()
        org.record(ana, "given")
        org.set(recordAccess=True)
        for count in range(3):
            org.expect(200, "POST", org.path("/consents/query"), {"recipient": ana}, headers=because(f"look {count}"))
        second = int(accesses(org)[1]["id"], 16)
        org.expect(200, "GET", org.path("/ledger/checkpoint"))
        own_service.stop()
        own_service.change(f"UPDATE accesses SET {change} WHERE id = {second}")
        own_service.start()
        closed = eventually(lambda: org.expect(200, "GET", org.path("/ledger")).json()["closed"])
        assert org.id in closed
        answer = org.call("POST", org.path("/consents/query"), {"recipient": ana}, headers=REASON)
        assert_problem(answer, 503)


class TestAKill:
    def test_loses_no_look_that_was_answered(self, own_service):
        org = Operator(own_service).make("restrictive")
        ana = person()
        org.record(ana, "given")
        org.set(recordAccess=True)
        for round in range(3):
            answered = []

            def look(round=round, answered=answered):
                for count in range(10_000):
                    try:
                        reason = f"look {round}.{count}"
                        answer = org.call("POST", org.path("/consents/query"), {"recipient": ana}, headers=because(reason))
                    except Exception:
                        return
                    if answer.status_code == 200:
                        answered.append(reason)

            thread = threading.Thread(target=look)
            thread.start()
            eventually(lambda: len(answered) > 2)
            own_service.kill()
            thread.join()
            own_service.start()
            kept = {access["reason"] for access in accesses(org)}
            assert answered and set(answered) <= kept
            assert len(entries(org)) == len(accesses(org))


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson", "text/csv"])
def test_a_look_at_somebody_who_becomes_known_while_the_request_waits_names_them(org, accept):
    org.set(recordAccess=True)
    ana = person("ana")
    answers = []
    body = {"recipient": ana, "wait": 20}
    headers = REASON | {"Accept": accept}
    waiting = threading.Thread(
        target=lambda: answers.append(org.call("POST", org.path("/interactions/query"), body, headers=headers)))
    waiting.start()
    eventually(lambda: accesses(org))
    assert [look.get("recipient") for look in accesses(org)] == [None]
    org.record(ana, "given")
    assert wire.follow(org.compose([ana]).link(ana)).status == 302
    waiting.join()
    assert "PushLinkClicked" in answers[0].text
    assert [look.get("recipient") for look in accesses(org) if look.get("recipient")] == [ana]


@pytest.mark.embedded_storage_only
def test_a_look_that_was_closed_is_in_an_export_during_which_another_one_is_erased(own_org, tmp_path):
    """Where one node alone erases, it hands to the export what it takes away: no erasure explains other entries."""
    org = own_org
    ana, bo = person("ana"), person("bo")
    record_much(org, person())
    org.set(recordAccess=True)
    for who in (ana, bo):
        org.record(who, "given")
        org.expect(200, "POST", org.path("/consents/query"), {"recipient": who}, headers=REASON)
    (first, _) = entries(org)
    commitment = base64.b64decode(first["commit"] + "==", altchars=b"-_").hex()
    look = int(first["id"], 16)
    assert org.service.change(
        f"UPDATE accesses SET recipient = NULL, reason = NULL, salt = NULL WHERE id = {look};"
        f"INSERT INTO kept_commitments VALUES (4, {look}, X'{commitment}')") == 2
    archive = exported(org, {}, meanwhile=lambda: org.erase(bo))
    (tmp_path / "a.tar").write_bytes(archive)
    key = org.expect(200, "GET", org.path("/ledger")).json()["verifierKey"]
    done = CommandLine(org.service).run("verify", str(tmp_path / "a.tar"), "--key", key)
    assert done.returncode == 1 and "private fields" in done.stderr, done.stdout + done.stderr
