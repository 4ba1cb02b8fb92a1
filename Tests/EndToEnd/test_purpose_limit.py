"""An organization has consent records for a thousand purposes at most, and whoever says no is recorded all the same."""

import contextlib
import json
import sqlite3

import pytest

from harness.client import Operator, assert_misfit, message, person

LIMIT = 1000


def record(recipient, state, purpose):
    return {"recipient": recipient, "state": state, "purpose": purpose}


def test_a_yes_for_one_purpose_more_is_refused_and_every_no_is_recorded(own_service, own_org):
    org, who = own_org, person("reader")
    org.record_all([record(person(), "given", f"purpose-{number}") for number in range(LIMIT)])

    more = record(who, "given", "one-more")
    assert_misfit(org.call("POST", org.path("/consents"), more), "/purpose")
    answer = org.call("POST", org.path("/consents"), [record(who, "given", "purpose-7"), more])
    assert_misfit(answer, "/1/purpose")
    assert org.consent(who)["history"] == []
    notice = {"id": "privacy", "version": "3", "language": "en", "text": "May we?"}
    asked = {"recipient": who, "purposes": ["one-more"], "notice": notice}
    assert_misfit(org.call("POST", org.path("/consent-requests"), asked), "/purposes/0")

    org.record(who, "given", purpose="purpose-999")
    for state in ("refused", "withdrawn", "revoked", "invalidated"):
        org.record(who, state, purpose=f"no-{state}")
    lines = [record(who, "given", "another"), record(who, "withdrawn", "yet-another"), record(who, "given", "purpose-1")]
    done = org.expect(
        200, "POST", org.path("/consents"), content="".join(json.dumps(line) + "\n" for line in lines).encode(),
        headers={"Content-Type": "application/x-ndjson"})
    answers = [json.loads(line) for line in done.text.splitlines()]
    assert ["error" in answer for answer in answers] == [True, False, False]
    assert answers[0]["error"]["errors"][0]["pointer"] == "/purpose"
    # Refused together with a no it would keep the no from being recorded.
    org.record_all([record(who, "withdrawn", "a-last-no"), record(who, "given", "with-a-no")])

    # After a restart the service asks its store again.
    own_service.stop()
    own_service.start()
    assert_misfit(org.call("POST", org.path("/consents"), more), "/purpose")
    org.record(who, "given", purpose="with-a-no")
    assert org.compose([who], message(purpose="purpose-999")).of(who)["tracked"] is True
    assert org.erase(who)["consents"] >= 8


@pytest.mark.embedded_storage_only  # changes its file
def test_a_no_is_recorded_when_the_purposes_cannot_be_read(own_service, own_org):
    own_org.record(person(), "given")
    own_service.stop()
    with contextlib.closing(sqlite3.connect(own_service.data / "consentlink.db")) as database, database:
        database.execute("UPDATE consent_counts SET purpose = 999999")
    own_service.start()
    who = person()
    lines = [record(person(), "given", "new"), record(who, "withdrawn", "another")]
    done = own_org.expect(
        200, "POST", own_org.path("/consents"), content="".join(json.dumps(line) + "\n" for line in lines).encode(),
        headers={"Content-Type": "application/x-ndjson"})
    assert ["error" in json.loads(line) for line in done.text.splitlines()] == [False, False]


def test_the_limit_of_one_organization_is_not_that_of_another(own_service, own_org):
    own_org.record_all([record(person(), "given", f"purpose-{number}") for number in range(LIMIT)])
    other = Operator(own_service).make("restrictive")
    other.record(person(), "given", purpose="its-own")
    assert_misfit(
        own_org.call("POST", own_org.path("/consents"), record(person(), "given", "its-own")), "/purpose")
