"""What PostgreSQL reads for a question does not grow with the tables: every statement of the API, of the drain and of
composing, as the server planned and ran it (auto_explain)."""

import json

import httpx
import pytest

from conftest import run_to_the_end
from harness import wire
from harness.client import Operator, message, person
from harness.eventually import eventually
from harness.postgres import Server
from harness.service import Service

pytestmark = pytest.mark.embedded_storage_only

PEOPLE = 60_000
BATCH = 10_000
# Blocks of 8 KiB for one statement about one person, or about a page of ten rows. The index of all consent records has
# about six hundred.
BLOCKS = 150
# One entry is read behind those before it in its run, of which there are 512 at most; each costs some blocks.
BLOCKS_OF_RUN = 4_000
# To look up one decision, with its message and whom it is about.
BLOCKS_OF_DRAW = 20
# To look up one block of people, as the report of many messages does, a thousand at a time.
BLOCKS_OF_PLACE = 8
# Tables that a service's first minutes do not fill: of organizations, keys, purposes, and what has one row.
SMALL = {
    "organizations", "access_keys", "purposes", "enforcements", "ledgers", "ledger_beginnings", "ledger_check",
    "ledger_last_hashes", "erased_before_ledger", "erasure_key", "purge_clock", "clock_faults", "folder", "writer", "schema_version",
    "q", "unnest", "write_tokens", "nodes", "leases", "vault", "ledger_edges", "endpoints",
    "consent_counts", "evidence_words", "evidence_word_filling", "decision_days", "consent_filling",
}  # fmt: skip


@pytest.fixture(scope="module")
def server():
    server = Server(**{
        "shared_preload_libraries": "auto_explain", "auto_explain.log_min_duration": "0", "auto_explain.log_analyze": "on",
        "auto_explain.log_buffers": "on", "auto_explain.log_timing": "off", "auto_explain.log_format": "json",
        "log_min_messages": "log",
    })  # fmt: skip
    yield server
    server.stop()


@pytest.fixture(scope="module")
def service(server, tmp_path_factory):
    url = server.url(server.make_database())
    yield from run_to_the_end(Service(tmp_path_factory.mktemp("service"), settings={"CONSENTLINK_STORAGE": url}))


class Plans:
    """The plans of what was asked since the last look."""

    def __init__(self, log):
        self._log = log
        self._at = 0

    def take(self):
        with self._log.open("rb") as file:
            file.seek(self._at)
            text = file.read().decode(errors="replace")
            self._at = file.tell()
        found, decoder = [], json.JSONDecoder()
        for part in text.split("plan:\n")[1:]:
            plan, _ = decoder.raw_decode(part.lstrip())
            if "FROM pg_" not in plan["Query Text"]:
                found.append(plan)
        return found


def nodes(plan):
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


def faults(plan):
    """Why what was read grows with a table."""
    top = plan["Plan"]
    blocks = top["Shared Hit Blocks"] + top["Shared Read Blocks"]
    # A sample draws from the ledger, a hundred and more at a time, and looks each of them up.
    text = " ".join(plan["Query Text"].split())
    each = BLOCKS_OF_DRAW * top["Actual Rows"] if "WHERE d.id = ANY" in text else 0
    if "q (message, block, number)" in text:
        each = BLOCKS_OF_PLACE * top["Actual Rows"]
    if blocks > (BLOCKS_OF_RUN if "OFFSET" in plan["Query Text"] else BLOCKS + each):
        yield f"{blocks} blocks"
    for node in nodes(top):
        table = node.get("Relation Name", "")
        if node["Node Type"] == "Seq Scan" and table not in SMALL and node["Actual Loops"] > 0:
            yield f"reads all of {table}"


@pytest.fixture(scope="module")
def campaign(service):
    org = Operator(service).make("restrictive")
    people = [person("planned") for _ in range(PEOPLE)]
    first = None
    content = message(name="planned", tags=["spring"])
    for start in range(0, PEOPLE, BATCH):
        part = people[start : start + BATCH]
        org.record_all([{"recipient": one, "state": "given"} for one in part])
        composed = org.compose(part, content)
        first = first or composed
    for one in people[:50]:
        assert wire.follow(first.payload(one)["link"]).status == 302
    org.settle()
    return org, people, first


def asked(org, people, first):
    """Every question of the API, and what is written for one person, each with a name."""
    one, id = people[7], first.message
    decision = org.query_decisions(recipient=one)[0]
    record = org.consent(one)["history"][0]["id"] if "history" in org.consent(one) else None
    ledger = org.path("/ledger")
    query = [
        {"recipient": one}, {"recipient": one, "message": id}, {"message": id}, {"message": id, "outcome": "untracked"},
        {"outcome": "tracked"}, {"reason": "consentGiven"}, {"reason": "consentExpired"},
        {"from": "2026-01-01T00:00:00Z", "to": "2030-01-01T00:00:00Z"}, {"recipient": "nobody@people.example"},
    ]  # fmt: skip
    for body in query:
        yield f"decisions {body}", lambda body=body: org.expect(
            200, "POST", org.path("/decisions/query"), body | {"limit": 10})
    for path in (
        "", "/decisions?limit=10", f"/decisions/{decision['id']}", "/interactions?limit=10",
        f"/interactions?limit=10&message={id}", "/interactions?limit=10&type=PushLinkClicked",
        "/messages?limit=10", "/messages?limit=10&tag=spring", "/messages?limit=10&name=plan", f"/messages/{id}",
        f"/messages/{id}/report", "/report", "/consent-report", "/consent-report?purpose=tracking", "/decisions/summary",
        f"/decisions/summary?message={id}", "/decisions/sample?seed=dice&size=100",
        "/decisions/sample?seed=dice&size=10&from=2026-01-01T00:00:00Z&reason=consentGiven", "/keys", "/consent-requests?state=awaitingConfirmation&limit=10", "/ledger",
        "/ledger/checkpoint", f"/ledger/decisions/{decision['id']}", f"/ledger/consents/{record}",
    ):  # fmt: skip
        yield f"GET {path}", lambda path=path: org.call("GET", org.path(path))
    for path in ("/accesses?limit=10", "/accesses?limit=10&who=operator", "/accesses?limit=10&from=2026-01-01T00:00:00Z"):
        yield f"GET {path}", lambda path=path: org.call("GET", org.path(path))
    yield "looks of one", lambda: org.call("POST", org.path("/accesses/query"), {"recipient": one, "who": "operator"})
    recipient = {"recipient": one}
    for path in ("/consents/query", "/interactions/query", "/consent-requests/query", "/recipients/export"):
        yield f"POST {path}", lambda path=path: org.call("POST", org.path(path), recipient)
    yield "a record", lambda: org.record(person(), "given")
    yield "a withdrawal", lambda: org.record(one, "withdrawn")
    yield "composing for one", lambda: org.compose([people[9]], message_id=id)
    yield "composing for ten", lambda: org.compose(people[10:20], message_id=id)
    yield "composing for somebody new", lambda: org.compose([person()], message_id=id)
    yield "a preview", lambda: org.call("POST", org.path("/preview"), {"messageId": id, "format": "plain", **recipient})
    yield "a page", lambda: wire.follow(first.payload(people[11])["link"])
    yield "the drain", org.settle
    yield "an erasure", lambda: org.erase(people[12])
    assert ledger


def test_what_is_read_for_a_question_does_not_grow_with_the_tables(server, service, campaign):
    org, people, first = campaign
    database = service.settings["CONSENTLINK_STORAGE"].split("/")[3].split("?")[0]
    server.psql("ANALYZE", database)
    plans, found, seen = Plans(server.log), {}, 0
    eventually(lambda: httpx.get(f"{service.api}/readyz").status_code == 200)
    questions = list(asked(org, people, first))
    plans.take()
    for name, ask in questions:
        ask()
        for plan in plans.take():
            seen += 1
            for fault in faults(plan):
                found.setdefault((name, " ".join(plan["Query Text"].split())[:300]), set()).add(fault)
    assert seen > 100
    lines = [f"{name}: {sorted(why)}: {text}" for (name, text), why in found.items()]
    assert not lines, "\n" + "\n".join(lines)


def test_a_missing_index_is_found(server, service, campaign):
    org, people, first = campaign
    database = service.settings["CONSENTLINK_STORAGE"].split("/")[3].split("?")[0]
    plans = Plans(server.log)
    plans.take()
    server.psql("DROP INDEX consents_in_force", database)
    org.consent(people[30])
    org.compose([people[31]], message_id=first.message)
    assert any(fault for plan in plans.take() for fault in faults(plan))
