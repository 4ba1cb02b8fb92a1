"""Who is the same recipient: spellings of one e-mail address, everywhere a recipient is named."""

import json
import pathlib
import uuid

import httpx
import pytest

from harness.client import Organization, assert_problem, message, unique

VECTORS = json.loads(
    (pathlib.Path(__file__).parents[1] / "IdentifiersTests/Vectors/recipients.json").read_text()
)


def spellings():
    """One address in four spellings that no other test has; the first is not the one that is compared by."""
    name = f"ana-{uuid.uuid4().hex[:12]}"
    return [
        f"{name.title()}@Bücher.example",
        f"{name}@bücher.example",
        f"{name.upper()}@XN--BCHER-KVA.example",
        f"{name}@bu\u0308cher.example",
    ]


def states(org, recipient):
    return [record["state"] for record in org.consent(recipient)["history"]]


def make(operator, **members):
    id = unique("org")
    made = operator.expect(201, "POST", "/v1/orgs", {"id": id, "enforcement": "restrictive"} | members).json()
    return Organization(operator.service, id, made["key"]["key"], made)


@pytest.mark.parametrize("group", VECTORS["same"], ids=lambda group: group["why"])
def test_spellings_of_an_address_are_one_recipient(operator, group):
    org = make(operator)
    for spelling in group["spellings"]:
        org.record(spelling, "given")
    for spelling in group["spellings"]:
        answer = org.consent(spelling)
        assert len(answer["history"]) == len(group["spellings"])
        assert answer["recipient"] == group["spellings"][0]


@pytest.mark.parametrize("group", VECTORS["different"], ids=lambda group: group["why"])
def test_other_texts_are_compared_byte_for_byte(operator, group):
    org = make(operator)
    org.record_all([{"recipient": spelling, "state": "given"} for spelling in group["spellings"]])
    for spelling in group["spellings"]:
        assert len(org.consent(spelling)["history"]) == 1
        assert org.consent(spelling)["recipient"] == spelling


def test_a_no_in_one_spelling_ends_tracking_in_all(org):
    names = spellings()
    org.record(names[0], "given")
    link = org.tracked_link(names[1], consented=False)
    org.record(names[2], "withdrawn")
    content = message()
    composed = org.compose(names, content)
    assert [entry["recipient"] for entry in composed.payloads] == names
    assert not any(entry["tracked"] for entry in composed.payloads)
    assert {entry["decision"]["reason"] for entry in composed.payloads} == {"consentWithdrawn"}
    assert httpx.get(link.url).status_code == 302
    assert org.query_interactions(recipient=names[3]) == []


def test_lists_and_exports_show_the_name_that_was_given_first(org):
    names = spellings()
    org.record(names[0], "given")
    composed = org.compose(names[1:3])
    assert [entry["recipient"] for entry in composed.payloads] == names[1:3]
    assert httpx.get(composed.link(names[1])).status_code == 302
    for name in names:
        found = org.query_decisions(recipient=name)
        assert [entry["recipient"] for entry in found] == [names[0], names[0]]
        assert [item["recipient"] for item in org.query_interactions(recipient=name)] == [names[0]]
        whole = org.expect(200, "POST", org.path("/recipients/export"), {"recipient": name}).json()
        assert whole["recipient"] == names[0]
        assert len(whole["history"]) == 1 and len(whole["decisions"]) == 2 and len(whole["interactions"]) == 1
        explained = org.expect(200, "GET", org.path(f"/decisions/{found[0]['id']}")).json()
        assert explained["consentRecord"]["recipient"] == names[0]


def test_erasure_in_one_spelling_erases_all(org):
    names = spellings()
    org.record(names[0], "given")
    org.compose(names[:2])
    assert org.erase(names[3]) == {"consents": 1, "decisions": 2, "interactions": 0}
    for name in names:
        assert org.consent(name) == {"recipient": name, "current": [], "history": []}
        assert org.compose([name]).of(name)["decision"]["reason"] == "recipientErased"


def test_rewrites_lines_and_withdrawal_pages_know_them(org):
    names = spellings()
    org.record(names[0], "given")
    made = org.make_message(message())
    body = {"messageId": made["id"], "recipient": names[2], "html": '<p><a href="https://shop.example/a">a</a></p>'}
    assert org.expect(200, "POST", org.path("/rewrites"), body).json()["tracked"]
    token = org.compose([names[1]], message_id=made["id"]).links(names[1])["trackingId"]
    page = httpx.post(f"{org.service.public}/p/{token}")
    assert page.status_code == 200, page.text
    for name in names:
        assert states(org, name) == ["given", "withdrawn"]
    order = {"messageId": made["id"], "format": "plain"}
    lines = "\n".join(json.dumps(line) for line in [order, *names])
    answer = org.call(
        "POST", org.path("/payloads"), content=lines.encode(), headers={"Content-Type": "application/x-ndjson"}
    )
    entries = [json.loads(line) for line in answer.text.splitlines()]
    assert [entry["recipient"] for entry in entries] == names
    assert {entry["decision"]["reason"] for entry in entries} == {"consentWithdrawn"}


def test_audits_are_filtered_by_every_spelling(org):
    names = spellings()
    org.record(names[0], "given")
    org.compose(names[1:2])
    sizes = set()
    for name in names:
        answer = org.expect(200, "POST", org.path("/audits"), {"recipient": name})
        sizes.add(len(answer.content))
        assert names[0].encode() in answer.content or json.dumps(names[0]).encode() in answer.content
    assert len(sizes) == 1


def test_exact_organizations_compare_bytes_and_say_so(operator):
    org = make(operator, identifiers="exact")
    assert org.made["identifiers"] == "exact"
    assert org.expect(200, "GET", org.path()).json()["identifiers"] == "exact"
    assert make(operator).made["identifiers"] == "email"
    names = spellings()
    org.record(names[0], "given")
    assert states(org, names[1]) == []
    assert not org.compose([names[1]]).of(names[1])["tracked"]


def test_the_comparison_is_chosen_once(operator, org):
    for value in ("email", "exact", "bytes", 7):
        problem = assert_problem(org.call("PATCH", org.path(), {"identifiers": value, "name": "other"}), 422)
        assert problem["errors"][0]["pointer"] == "/identifiers"
    assert org.expect(200, "GET", org.path()).json()["name"] != "other"
    id = unique("org")
    answer = operator.call("POST", "/v1/orgs", {"id": id, "enforcement": "restrictive", "identifiers": "bytes"})
    assert_problem(answer, 422)


