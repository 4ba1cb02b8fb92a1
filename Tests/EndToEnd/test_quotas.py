"""Quotas of an organization: off unless the operator sets them, and clear when they are used up."""

import httpx

from harness import wire
from harness.client import Operator, assert_problem, message, person, unique
from harness.eventually import eventually

NONE = {"requestsPerMinute": None, "interactions": None}


def set_quotas(operator, org, **quotas):
    return operator.expect(200, "PATCH", org.path(), {"quotas": quotas}).json()["quotas"]


def test_there_are_none_unless_the_operator_sets_them(operator, org):
    assert org.expect(200, "GET", org.path()).json()["quotas"] == NONE
    assert set_quotas(operator, org, requestsPerMinute=1000) == NONE | {"requestsPerMinute": 1000}
    assert set_quotas(operator, org, interactions=5) == NONE | {"interactions": 5}
    assert org.expect(200, "GET", org.path()).json()["quotas"] == NONE | {"interactions": 5}
    assert operator.expect(200, "PATCH", org.path(), {"name": "x"}).json()["quotas"] == NONE | {"interactions": 5}
    assert set_quotas(operator, org) == NONE
    id = unique("org")
    made = {"id": id, "enforcement": "restrictive", "quotas": {"requestsPerMinute": 7}}
    assert operator.expect(201, "POST", "/v1/orgs", made).json()["quotas"] == NONE | {"requestsPerMinute": 7}


def test_an_organization_cannot_set_its_own(operator, org):
    set_quotas(operator, org, requestsPerMinute=1000)
    for quotas in ({"requestsPerMinute": 2000}, {}, NONE):
        assert_problem(org.call("PATCH", org.path(), {"quotas": quotas, "name": "changed"}), 403)
    assert org.expect(200, "GET", org.path()).json()["name"] != "changed"
    for quotas in ({"requestsPerMinute": 0}, {"interactions": -1}, {"interactions": "many"}, {"bytes": 1}):
        assert_problem(operator.call("PATCH", org.path(), {"quotas": quotas}), 422)


def test_requests_beyond_the_quota_are_refused_and_say_why(operator, org):
    other = operator.make()
    more = org.with_scopes("manage")
    set_quotas(operator, org, requestsPerMinute=5)
    answers = [key.call("GET", org.path()) for key in (org, more) * 5]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    refused = [answer for answer in answers if answer.status_code != 200]
    assert len(refused) >= 4
    for answer in refused:
        assert "requestsPerMinute" in assert_problem(answer, 429)["detail"]
        assert 1 <= int(answer.headers["retry-after"]) <= 12
    who = person()
    refusal = org.call("POST", org.path("/consents"), {"recipient": who, "state": "given"})
    assert_problem(refusal, 429)
    operator.expect(200, "GET", org.path())
    other.expect(200, "GET", other.path())
    set_quotas(operator, org)
    assert org.consent(who)["history"] == []


def test_what_needs_no_key_is_answered_whatever_key_comes_with_it(operator, org):
    set_quotas(operator, org, requestsPerMinute=1)
    for _ in range(3):
        for path in ("/healthz", "/readyz", "/metrics"):
            assert org.call("GET", path).status_code == 200, path
    # Nor have they used up anything.
    org.expect(200, "GET", org.path())
    assert_problem(org.call("GET", org.path()), 429)


def test_a_refused_request_counts_too(operator, org):
    other = operator.make()
    set_quotas(operator, org, requestsPerMinute=3)
    answers = [org.call("GET", other.path()).status_code for _ in range(6)]
    assert answers[0] == 403 and answers[-1] == 429


def test_quotas_hold_over_a_restart(own_service, own_org):
    operator = Operator(own_service)
    set_quotas(operator, own_org, requestsPerMinute=2)
    own_service.restart()
    answers = [own_org.call("GET", own_org.path()).status_code for _ in range(4)]
    assert answers[:2] == [200, 200] and 429 in answers
    operator.close()


def test_clicks_beyond_the_quota_are_sent_on_and_counted_as_left_out(own_service, own_org):
    operator = Operator(own_service)
    set_quotas(operator, own_org, interactions=3)
    who = person()
    own_org.record(who, "given")
    composed = own_org.compose([who], message(openTracking=True))
    link, token = composed.link(who), composed.links(who)["trackingId"]

    def left_out():
        text = httpx.get(f"{own_service.api}/metrics").text
        lines = [line for line in text.splitlines() if line.startswith("consentlink_clicks_unrecorded_total")]
        return sum(float(line.split()[-1]) for line in lines if 'reason="quota"' in line)

    def follow():
        assert wire.follow(link).status == 302
        return left_out() > 0

    eventually(follow)
    # Asked for, clicks are brought into the store first; a click to wait for would not be recorded.
    stored = len(own_org.interactions())
    assert stored >= 3
    assert wire.follow(link).status == 302
    assert httpx.get(f"{own_service.public}/o/{token}.gif").status_code == 200
    body = {"type": "Tap", "trackingId": token}
    assert httpx.post(f"{own_service.public}/bird/v1/orgs/{own_org.id}/interactions", json=body).status_code == 202
    assert len(own_org.interactions()) == stored
    # With room again they are recorded again, from the moment of the answer on.
    set_quotas(operator, own_org, interactions=stored + 1_000)
    assert wire.follow(link).status == 302
    assert len(own_org.interactions()) == stored + 1
    # A lower one counts from the moment of the answer on.
    set_quotas(operator, own_org, interactions=1)
    assert wire.follow(link).status == 302
    assert len(own_org.interactions()) == stored + 1
    operator.close()
