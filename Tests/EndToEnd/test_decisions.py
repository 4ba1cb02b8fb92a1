"""Decisions: an auditor finds each of them, by any of its sides, with the record that it rests on."""

import time

import pytest

from harness import times, tokens, wire
from harness.client import EVIDENCE, message, person


@pytest.fixture
def composed(org):
    """Two messages for three people, a little apart in time, so that every decision has its own moment."""
    people = {"given": person("given"), "withdrawn": person("withdrawn"), "unseen": person("unseen")}
    org.record(people["given"], "given", occurredAt=times.from_now(hours=-1), evidence=EVIDENCE)
    org.record(people["withdrawn"], "withdrawn")
    first = org.compose([people["given"]], message())
    time.sleep(0.02)
    second = org.compose([people["withdrawn"]], message())
    time.sleep(0.02)
    third = org.compose([people["unseen"]], message())
    return people, first, second, third


def ids(decisions):
    return [decision["id"] for decision in decisions]


def decision_ids(*compositions):
    return [entry["decision"]["id"] for composition in compositions for entry in composition.payloads]


def test_all_decisions_are_listed_oldest_first(org, composed):
    _, first, second, third = composed
    assert ids(org.decisions()) == decision_ids(first, second, third)


def test_a_decision_tells_who_what_when_and_why(org, composed):
    people, first, _, _ = composed
    (decision,) = org.decisions(message=first.message)
    record = org.consent(people["given"])["history"][0]
    assert set(decision) >= {
        "id",
        "decidedAt",
        "recipient",
        "message",
        "purpose",
        "outcome",
        "reason",
        "enforcement",
        "consent",
        "activity",
    }
    assert decision["recipient"] == people["given"]
    assert decision["message"] == first.message
    assert decision["purpose"] == "tracking" and decision["activity"] is None
    assert (decision["outcome"], decision["reason"]) == ("tracked", "consentGiven")
    assert decision["enforcement"] == "restrictive"
    assert decision["consent"] == record["id"]
    assert record["recordedAt"] <= decision["decidedAt"] <= times.from_now(seconds=60)


def test_a_single_decision_has_the_whole_consent_record(org, composed):
    people, first, _, third = composed
    (id,) = decision_ids(first)
    decision = org.expect(200, "GET", org.path(f"/decisions/{id}")).json()
    record = decision.pop("consentRecord")
    listed = org.decisions(message=first.message)[0]
    assert {name: decision[name] for name in listed} == listed
    (stored,) = org.consent(people["given"])["history"]
    assert (record["id"], record["purpose"], record["state"]) == (stored["id"], "tracking", "given")
    assert (record["occurredAt"], record["recordedAt"]) == (stored["occurredAt"], stored["recordedAt"])
    assert (record["validUntil"], record["evidence"]) == (None, EVIDENCE)
    (id,) = decision_ids(third)
    assert org.expect(200, "GET", org.path(f"/decisions/{id}")).json()["consentRecord"] is None


def explained(org, composition, recipient):
    id = composition.of(recipient)["decision"]["id"]
    return org.expect(200, "GET", org.path(f"/decisions/{id}")).json()


class TestTheWholeAnswer:
    """Why, by which rule, on which record, and what came of it: one question, one answer."""

    def test_names_the_rule_that_applied(self, org, lenient_org, composed):
        people, first, second, third = composed
        for composition, who, in_force in ((first, "given", "given"), (second, "withdrawn", "withdrawn"), (third, "unseen", "nothing")):
            policy = explained(org, composition, people[who])["policy"]
            assert (policy["enforcement"], policy["inForce"]) == ("restrictive", in_force)
            assert policy["rule"].endswith(".")
        over, silent = person("over"), person("silent")
        for of in (org, lenient_org):
            of.record(over, "given", occurredAt=times.from_now(days=-2), validUntil=times.from_now(days=-1))
            of.erase(people["unseen"])
            found = of.compose([over, silent, people["unseen"]])
            rows = [explained(of, found, who)["policy"]["inForce"] for who in (over, silent, people["unseen"])]
            assert rows == ["expired", "nothing", "erased"]
        found = org.compose([people["given"]], message(tracking=False))
        assert explained(org, found, people["given"])["policy"]["inForce"] is None

    def test_keeps_the_enforcement_of_then(self, lenient_org):
        silent = person("silent")
        found = lenient_org.compose([silent])
        lenient_org.set(enforcement="restrictive")
        answer = explained(lenient_org, found, silent)
        assert answer["policy"]["enforcement"] == "nonRestrictive"
        assert (answer["outcome"], answer["reason"]) == ("tracked", "notOptedOut")

    def test_tells_what_happened_to_the_link_while_consent_lasted(self, org):
        ana, bo = person("ana"), person("bo")
        org.record_all([{"recipient": who, "state": "given"} for who in (ana, bo)])
        found, other = org.compose([ana, bo]), org.compose([ana])
        for link in (found.link(ana), found.link(ana), found.link(bo), other.link(ana)):
            assert wire.follow(link).status == 302
        org.settle()
        answer = explained(org, found, ana)
        assert answer["interactions"] == org.query_interactions(recipient=ana, message=found.message)
        assert [seen["link"]["url"] for seen in answer["interactions"]] == ["https://shop.example/offer?a=1&b=2"] * 2
        assert answer["next"] is None
        org.record(ana, "withdrawn")
        assert wire.follow(found.link(ana)).status == 302
        org.settle()
        # The checkpoint that a proof leads to is a newer one.
        assert explained(org, found, ana) | {"proof": None} == answer | {"proof": None}

    def test_carries_the_proof(self, org):
        found = org.compose([person("ana")])
        (id,) = decision_ids(found)
        answer = explained(org, found, found.payloads[0]["recipient"])
        assert answer["proof"] == org.expect(200, "GET", org.path(f"/decisions/{id}/proof")).text
        assert answer["proof"].startswith("c2sp.org/tlog-proof@v1\n")

    def test_is_asked_the_moment_after_a_click(self, org):
        ana = person("ana")
        org.record(ana, "given")
        found = org.compose([ana])
        assert wire.follow(found.link(ana)).status == 302
        assert len(explained(org, found, ana)["interactions"]) == 1

    def test_tells_nothing_of_what_was_before_it_or_of_a_link_that_never_was(self, org):
        ana = person("ana")
        org.record(ana, "given")
        content = message()
        first = org.compose([ana], content)
        assert wire.follow(first.link(ana)).status == 302
        org.settle()
        again = org.compose([ana], content)
        org.record(ana, "withdrawn")
        untracked = org.compose([ana], content)
        assert again.message == untracked.message == first.message
        counts = [len(explained(org, found, ana)["interactions"]) for found in (first, again, untracked)]
        assert counts == [1, 0, 0]

    def test_tells_of_an_untracked_recipient_what_was_recorded_by_a_link_of_another_decision(self, org):
        ana = person("ana")
        org.record(ana, "given")
        content = message()
        first = org.compose([ana], content)
        org.record(ana, "withdrawn")
        untracked = org.compose([ana], content)
        org.record(ana, "given")
        assert wire.follow(first.link(ana)).status == 302
        org.settle()
        answer = explained(org, untracked, ana)
        assert (answer["outcome"], answer["reason"]) == ("untracked", "consentWithdrawn")
        assert answer["interactions"] == org.query_interactions(recipient=ana, message=first.message)
        assert [seen["type"] for seen in answer["interactions"]] == ["PushLinkClicked"]

    def test_gives_a_hundred_and_the_place_where_they_go_on(self, org):
        ana = person("ana")
        org.record(ana, "given")
        found = org.compose([ana])
        with wire.Connection(org.service.listen) as connection:
            for number in range(101):
                if number == 100:
                    time.sleep(3)  # Of one link a hundred clicks are recorded at once, and one more a second.
                connection.send(wire.request("GET", f"/r/{tokens.of_link(found.link(ana))}", org.service.listen))
                assert connection.receive().status == 302
        org.settle()
        answer = explained(org, found, ana)
        rest = org.query_interactions(recipient=ana, message=found.message, after=answer["next"])
        assert (len(answer["interactions"]), len(rest)) == (100, 1)
        ids = {seen["id"] for seen in answer["interactions"] + rest}
        assert len(ids) == 101

    def test_has_nothing_of_the_person_after_erasure(self, org):
        ana = person("ana")
        org.record(ana, "given", evidence=EVIDENCE)
        found = org.compose([ana])
        assert wire.follow(found.link(ana)).status == 302
        org.settle()
        assert len(explained(org, found, ana)["interactions"]) == 1
        org.erase(ana)
        answer = explained(org, found, ana)
        assert (answer["recipient"], answer["consent"], answer["consentRecord"]) == (None, None, None)
        assert (answer["interactions"], answer["next"]) == ([], None)
        assert (answer["reason"], answer["policy"]["inForce"]) == ("consentGiven", "given")


@pytest.mark.parametrize("who", ["given", "withdrawn", "unseen"])
def test_they_are_found_by_recipient(org, composed, who):
    people, *compositions = composed
    wanted = compositions[["given", "withdrawn", "unseen"].index(who)]
    assert ids(org.query_decisions(recipient=people[who])) == decision_ids(wanted)
    assert org.query_decisions(recipient=person("nobody")) == []


def test_they_are_found_by_message(org, composed):
    _, _, second, _ = composed
    assert ids(org.decisions(message=second.message)) == decision_ids(second)
    assert ids(org.query_decisions(message=second.message)) == decision_ids(second)


def test_they_are_found_by_outcome(org, composed):
    _, first, second, third = composed
    assert ids(org.decisions(outcome="tracked")) == decision_ids(first)
    assert ids(org.query_decisions(outcome="untracked")) == decision_ids(second, third)


@pytest.mark.parametrize(
    ("reason", "place"),
    [("consentGiven", 1), ("consentWithdrawn", 2), ("noConsentRecord", 3), ("consentRevoked", None)],
)
def test_they_are_found_by_reason(org, composed, reason, place):
    wanted = decision_ids(composed[place]) if place else []
    assert ids(org.decisions(reason=reason)) == wanted
    assert ids(org.query_decisions(reason=reason)) == wanted


def test_they_are_found_by_time_from_included_to_excluded(org, composed):
    _, first, second, third = composed
    moments = [decision["decidedAt"] for decision in org.decisions()]
    assert moments == sorted(moments) and len(set(moments)) == 3
    for ask in (org.decisions, org.query_decisions):
        assert ids(ask(**{"from": moments[1]})) == decision_ids(second, third)
        assert ids(ask(to=moments[1])) == decision_ids(first)
        assert ids(ask(**{"from": moments[1], "to": moments[2]})) == decision_ids(second)
        assert ids(ask(**{"from": moments[1], "to": moments[1]})) == []


def test_conditions_narrow_each_other(org, composed):
    people, first, second, _ = composed
    assert ids(org.query_decisions(recipient=people["given"], message=first.message)) == decision_ids(first)
    assert org.query_decisions(recipient=people["given"], message=second.message) == []
    assert org.decisions(outcome="tracked", reason="consentWithdrawn") == []


@pytest.mark.parametrize("limit", [1, 2, 5, 6])
def test_pages_give_every_decision_once_and_in_order(org, limit):
    composed = org.compose([person() for _ in range(6)])
    assert ids(org.decisions(limit=limit)) == decision_ids(composed)
    page = org.expect(200, "GET", org.path(f"/decisions?limit={limit}")).json()
    assert len(page["decisions"]) == min(limit, 6)


def test_an_erased_recipient_is_null_and_finds_nothing(org, composed):
    people, first, _, _ = composed
    org.erase(people["given"])
    (decision,) = org.decisions(message=first.message)
    assert decision["recipient"] is None
    assert (decision["outcome"], decision["reason"]) == ("tracked", "consentGiven")
    assert org.query_decisions(recipient=people["given"]) == []


def test_composing_twice_decides_twice(org):
    content, recipient = message(), person()
    first = org.compose([recipient], content)
    org.record(recipient, "given")
    second = org.compose([recipient], content)
    assert first.message == second.message
    assert [decision["reason"] for decision in org.decisions(message=first.message)] == [
        "noConsentRecord",
        "consentGiven",
    ]


def test_a_message_reports_how_many_were_tracked_and_why_the_others_were_not(org, composed):
    given, also_given, refused = person(), person(), person()
    for recipient in (given, also_given):
        org.record(recipient, "given")
    org.record(refused, "refused")
    composed = org.compose([given, also_given, refused, person(), person()])
    report = org.expect(200, "GET", org.path(f"/messages/{composed.message}/report")).json()
    assert report["message"] == composed.message
    assert report["composed"] == 5
    assert report["tracked"] == 2
    assert report["untracked"] == {"consentRefused": 1, "noConsentRecord": 2}
