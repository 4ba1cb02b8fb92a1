"""Everything that is held about a person, as one document: complete, theirs alone, in constant memory, and empty once
they were erased."""

import json
import re
import threading
from datetime import timedelta

import httpx
import pytest

from harness import times, wire
from harness.client import EVIDENCE, Operator, assert_problem, message, person, unique
from harness.metrics import scrape

LD = "application/ld+json"
LISTS = ("history", "current", "consentRequests", "decisions", "interactions", "accesses")


def export(org, recipient, **headers):
    return org.expect(200, "POST", org.path("/recipients/export"), {"recipient": recipient}, headers=headers)


@pytest.fixture
def known(org):
    """Somebody with something of every kind, and somebody else with the same."""
    org.set(name="The shop")
    ana, bo = person("ana"), person("bo")
    for who in (ana, bo):
        org.record(who, "given", occurredAt=times.from_now(days=-2), evidence=EVIDENCE)
        org.record(who, "given", purpose="offers", validUntil=times.from_now(days=9), occurredAt=times.from_now(days=-1))
        org.record(who, "refused", purpose="offers", occurredAt=times.from_now(days=-3))
    for content in (message(), message(purpose="offers")):
        composed = org.compose([ana, bo], content)
        for who in (ana, bo):
            assert wire.follow(composed.link(who)).status == 302
    for who in (ana, bo):
        org.ask_for_consent(who)
    org.record(ana, "withdrawn", evidence={"actor": "subject"})
    org.compose([ana, bo])
    org.settle()
    return ana, bo


def test_a_notice_that_was_changed_is_named_where_it_ends_an_export(own_service):
    org = Operator(own_service).make()
    ana = person("ana")
    org.ask_for_consent(ana)
    assert export(org, ana).json()["consentRequests"]
    assert own_service.change("UPDATE consent_notices SET digest = randomblob(32)") == 1
    with pytest.raises(httpx.HTTPError):
        export(org, ana)
    assert f"notice 1 of {org.id} is not the one that was stored" in own_service.log_text()
    asked = org.call("POST", org.path("/consent-requests/query"), {"recipient": ana})
    problem = assert_problem(asked, 503)
    assert problem["detail"] == "Notice 1 of a consent request is not the one that was stored."


class TestIt:
    def test_has_all_that_is_held_and_nothing_of_anybody_else(self, org, known):
        ana, bo = known
        begun = times.now() - timedelta(seconds=1)
        answer = export(org, ana)
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["cache-control"] == "no-store"
        document = answer.json()
        assert list(document) == [
            *("recipient", "organization", "exportedAt", "history", "current", "consentRequests", "decisions"),
            *("interactions", "accesses"),
        ]
        assert document["recipient"] == ana
        assert document["organization"] == {"id": org.id, "name": "The shop", "enforcement": "restrictive"}
        assert begun <= times.parse(document["exportedAt"]) <= times.now() + timedelta(seconds=1)
        consent = org.consent(ana)
        assert document["current"] == consent["current"]
        assert sorted(document["history"], key=lambda record: record["id"]) == consent["history"]
        assert len(document["history"]) == 4 and EVIDENCE in [record["evidence"] for record in document["history"]]
        assert document["decisions"] == org.query_decisions(recipient=ana)
        assert [entry["reason"] for entry in document["decisions"]] == ["consentGiven"] * 2 + ["consentWithdrawn"]
        assert document["interactions"] == org.query_interactions(recipient=ana)
        assert [seen["link"]["url"] for seen in document["interactions"]] == ["https://shop.example/offer?a=1&b=2"] * 2
        assert bo not in answer.text
        asked = org.expect(200, "POST", org.path("/consent-requests/query"), {"recipient": ana}).json()["requests"]
        assert len(asked) == 1
        assert document["consentRequests"] == [
            {name: value for name, value in request.items() if name not in ("url", "confirmUrl")} for request in asked
        ]

    def test_has_what_was_asked_and_answered_and_no_link_to_answer_with(self, org):
        asked, other = person("asked"), person("other")
        request = org.ask_for_consent(asked, purposes=["tracking", "offers"])
        org.ask_for_consent(other)
        body = b"purpose=offers&answer=refused"
        head = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": len(body)}
        path = "/c/" + request["url"].rsplit("/", 1)[1]
        assert wire.ask(org.service.listen, "POST", path, head, body).status == 200
        answer = export(org, asked)
        (exported,) = answer.json()["consentRequests"]
        assert exported["id"] == request["id"] and exported["recipient"] == asked
        assert exported["notice"] == request["notice"]
        assert (exported["madeAt"], exported["expiresAt"]) == (request["madeAt"], request["expiresAt"])
        assert [(part["purpose"], part["answer"]) for part in exported["purposes"]] == [("tracking", None), ("offers", "refused")]
        assert exported["state"] == "open"
        assert exported["purposes"][1]["consent"] == org.consent(asked)["history"][0]["id"]
        assert "/c/" not in answer.text and other not in answer.text

    def test_has_the_records_of_a_purpose_in_the_order_in_which_they_count(self, org, known):
        history = export(org, known[0]).json()["history"]
        offers = [record["state"] for record in history if record["purpose"] == "offers"]
        tracking = [record["state"] for record in history if record["purpose"] == "tracking"]
        assert (offers, tracking) == (["refused", "given"], ["given", "withdrawn"])
        purposes = [record["purpose"] for record in history]
        assert purposes in (sorted(purposes), sorted(purposes, reverse=True))

    def test_has_what_was_clicked_the_moment_before(self, org):
        link = org.tracked_link()
        assert wire.follow(link.url).status == 302
        assert len(export(org, link.recipient).json()["interactions"]) == 1

    @pytest.mark.parametrize("accept", ["application/json", LD])
    def test_is_empty_for_somebody_unknown(self, org, accept):
        stranger = person()
        document = export(org, stranger, Accept=accept).json()
        if accept == LD:
            (controller,) = document["@graph"]
            assert controller["dct:identifier"] == org.id
            assert stranger not in json.dumps(document)
        else:
            assert [document[name] for name in LISTS] == [[]] * len(LISTS)

    @pytest.mark.parametrize("accept", ["application/json", LD])
    def test_is_empty_once_they_were_erased_and_leaves_no_trace_itself(self, org, known, accept):
        ana, bo = known
        before = export(org, ana, Accept=accept).json()
        others = export(org, bo).json() | {"exportedAt": None}
        org.erase(ana)
        after = export(org, ana, Accept=accept).json()
        if accept == LD:
            assert after == before | {"@graph": before["@graph"][:1]}
        else:
            empty = {name: [] for name in LISTS}
            assert after == before | empty | {"exportedAt": after["exportedAt"]}
        assert export(org, bo).json() | {"exportedAt": None} == others
        assert org.service.files_with(ana) == set()

    def test_says_nothing_of_the_same_person_in_another_organization(self, org, operator, known):
        other = operator.make("restrictive")
        assert export(other, known[0]).json()["history"] == []

    @pytest.mark.parametrize(
        ("accept", "type"),
        [
            ("*/*", "application/json"),
            (LD, LD),
            (f"{LD}, application/json;q=0.5", LD),
            (f"{LD};q=0.5, application/json", "application/json"),
            ("text/csv", "application/json"),
            (f'{LD};profile="http://www.w3.org/ns/json-ld#expanded"', LD),
        ],
    )
    def test_comes_in_the_type_that_is_wanted(self, org, known, accept, type):
        assert export(org, known[0], Accept=accept).headers["content-type"] == type


class TestOfAPersonWithMuch:
    def test_is_whole_beyond_a_part(self, org):
        """Parts are of a thousand: here there are more of everything."""
        recipient = person()
        start = times.now()
        org.record_all(
            [
                {
                    "recipient": recipient,
                    "purpose": f"purpose-{number % 3}",
                    "state": ["given", "withdrawn"][number % 2],
                    "occurredAt": times.render(start - timedelta(seconds=number)),
                }
                for number in range(2_500)
            ]
        )
        org.record(recipient, "given")
        composed = org.compose([recipient] * 2_100)
        # Of one link a hundred clicks are recorded at once.
        links = [f"https://shop.example/{number}" for number in range(11)]
        body = " ".join(links)
        many = org.compose([recipient], message(text=body, link=None), format="email")
        text = many.payloads[0]["payload"]["text"]
        every = re.findall(r"/r/[A-Za-z0-9_-]+", text)
        assert len(every) == len(links) and composed.payloads
        with wire.Connection(org.service.listen) as connection:
            for number in range(1_050):
                connection.send(wire.request("GET", every[number % len(every)], org.service.listen))
                assert connection.receive().status == 302
        org.settle()
        document = export(org, recipient).json()
        assert [len(document[name]) for name in ("history", "decisions", "interactions")] == [2_501, 2_101, 1_050]
        for name in ("history", "decisions", "interactions"):
            assert len({item["id"] for item in document[name]}) == len(document[name])
        assert document["current"] == org.consent(recipient)["current"]
        records = [node for node in export(org, recipient, Accept=LD).json()["@graph"] if node["@type"] == "dpv:ConsentRecord"]
        assert [node["dct:identifier"] for node in records] == [record["id"] for record in document["history"]]

    @pytest.mark.timeout(600)
    def test_is_streamed_in_constant_memory(self, own_service, own_org):
        """A hundred thousand records of 3 KB, as a hostile backend could make them, are some 300 MB of JSON."""
        recipient, count = person(), 100_000
        record = {"recipient": recipient, "state": "given", "evidence": {"method": "x" * 3_000}}
        for _ in range(count // 4_000):
            own_org.record_all([record] * 4_000)
        before, peak, over = scrape(own_service).value("process_resident_memory_bytes"), [0], threading.Event()

        def watch():
            while not over.wait(0.05):
                peak[0] = max(peak[0], scrape(own_service).value("process_resident_memory_bytes"))

        watcher = threading.Thread(target=watch)
        watcher.start()
        address, head = own_service.api + own_org.path("/recipients/export"), {"Authorization": f"Bearer {own_org.key}"}
        size, body = 0, {"recipient": recipient}
        with httpx.stream("POST", address, json=body, headers=head, timeout=300) as answer:
            assert answer.status_code == 200
            for part in answer.iter_bytes():
                size += len(part)
        over.set()
        watcher.join()
        assert size > count * 3_000
        assert part.endswith(b"}")
        assert peak[0] - before < 96 << 20


class TestTheConsentRecord:
    def test_of_each_kind_is_exported_with_its_evidence_as_it_was_given(self, org):
        recipient, kinds = person(), [None, {}, {"notice": {}}, {"actor": "guardian"}, EVIDENCE]
        for kind in kinds:
            org.record(recipient, "given", **({} if kind is None else {"evidence": kind}), purpose=f"p{kinds.index(kind)}")
        found = {record["purpose"]: record["evidence"] for record in export(org, recipient).json()["history"]}
        assert found == {f"p{number}": kind for number, kind in enumerate(kinds)}


def test_a_body_that_does_not_fit_is_refused(org):
    for body in ({}, {"recipient": ""}, {"recipient": person(), "since": unique()}):
        assert org.call("POST", org.path("/recipients/export"), body).status_code == 422
