"""Isolation: a key opens its own organization's doors, and of those the ones that its scopes name."""

import itertools
import re
from dataclasses import dataclass

import pytest

from harness import pages, wire
from harness.client import EVERY_SCOPE, Client, Operator, assert_misfit, assert_problem, message, person, unique
from harness.contract import PRIVATE, document, operations


@dataclass(frozen=True)
class Endpoint:
    method: str
    tail: str
    scopes: frozenset
    status: int
    body: object = None

    def __str__(self):
        return f"{self.method} {self.tail or '(the organization)'}"


def endpoint(method, tail, scopes, status, body=None):
    return Endpoint(method, tail, frozenset(scopes.split()), status, body)


# Every endpoint below an organization, the scopes that open it, and the answer to one who has them. What
# stands in braces is filled in with ids of the organization.
NOTICE = {"id": "privacy", "version": "3", "language": "en", "text": "May we?"}

RELAY = {"id": "relay-0123456789abcdef", "process": "process-0123456789"}

ENDPOINTS = [
    endpoint("GET", "", "manage", 200),
    endpoint("PATCH", "", "manage", 200, {"name": "Another name"}),
    endpoint("POST", "/keys", "manage", 201, {"scopes": ["manage"], "name": "one more"}),
    endpoint("GET", "/keys", "manage", 200),
    endpoint("DELETE", "/keys/{key}", "manage", 204),
    endpoint("GET", "/consents", "read", 200),
    endpoint("POST", "/consents", "consent", 201, {"recipient": "{recipient}", "state": "given"}),
    endpoint("POST", "/consents/query", "consent read", 200, {"recipient": "{recipient}"}),
    endpoint("POST", "/consent-requests", "consent", 201, {"recipient": "{unasked}", "notice": NOTICE}),
    endpoint("GET", "/consent-requests?state=awaitingConfirmation", "consent read", 200),
    endpoint("POST", "/consent-requests/query", "consent read", 200, {"recipient": "{recipient}"}),
    endpoint("GET", "/consent-requests/{request}", "consent read", 200),
    endpoint("POST", "/recipients/export", "read", 200, {"recipient": "{recipient}"}),
    endpoint("POST", "/recipients/erase", "manage", 200, {"recipient": "{stranger}"}),
    endpoint("GET", "/endpoints", "manage", 200),
    endpoint("POST", "/endpoints", "manage", 201, {"url": "https://crm.example/", "kinds": ["endpoint.failing"]}),
    endpoint("GET", "/endpoints/{endpoint}", "manage", 200),
    endpoint("PATCH", "/endpoints/{endpoint}", "manage", 200, {"kinds": ["consent.recorded"]}),
    endpoint("POST", "/endpoints/{endpoint}/test", "manage", 202),
    endpoint("POST", "/endpoints/{endpoint}/disable", "manage", 200),
    endpoint("POST", "/endpoints/{endpoint}/enable", "manage", 200),
    endpoint("POST", "/endpoints/{endpoint}/secret", "manage", 200),
    endpoint("POST", "/endpoints/{endpoint}/replay", "manage", 200, {"after": "0"}),
    endpoint("GET", "/endpoints/{endpoint}/attempts", "manage", 200),
    endpoint("DELETE", "/endpoints/{endpoint}", "manage", 204),
    endpoint("POST", "/deliveries/take", "deliver", 200, {"relay": RELAY}),
    endpoint("POST", "/deliveries/renew", "deliver", 409, {"relay": RELAY, "delivery": "AAAA"}),
    endpoint("POST", "/deliveries/report", "deliver", 409, {"relay": RELAY, "delivery": "AAAA", "status": 200, "milliseconds": 1}),
    endpoint("GET", "/messages", "compose read", 200),
    endpoint("POST", "/messages", "compose", 201, {"name": "{name}", "link": "https://shop.example/"}),
    endpoint("GET", "/messages/{message}", "compose read", 200),
    endpoint("POST", "/messages/{message}/disable", "manage", 200),
    endpoint("POST", "/messages/{message}/enable", "manage", 200),
    endpoint("GET", "/messages/{message}/report", "read report", 200),
    endpoint("GET", "/report", "read report", 200),
    endpoint("GET", "/consent-report", "read report", 200),
    endpoint(
        "POST",
        "/payloads",
        "compose",
        200,
        {"messageId": "{message}", "format": "plain", "recipients": ["{recipient}"]},
    ),
    endpoint("POST", "/rewrites", "compose", 200, {"messageId": "{message}", "recipient": "{recipient}", "html": ""}),
    endpoint("GET", "/accesses", "read", 200),
    endpoint("POST", "/accesses/query", "read", 200, {"recipient": "{recipient}"}),
    endpoint("GET", "/decisions", "read", 200),
    endpoint("POST", "/decisions/query", "read", 200, {"recipient": "{recipient}"}),
    endpoint("GET", "/decisions/summary", "read", 200),
    endpoint("GET", "/decisions/sample?seed=dice", "read", 200),
    endpoint("GET", "/decisions/{decision}", "read", 200),
    endpoint("GET", "/interactions", "read", 200),
    endpoint("POST", "/interactions/query", "read", 200, {"recipient": "{recipient}"}),
    endpoint("POST", "/audits", "read", 200, {}),
    endpoint("GET", "/decisions/{decision}/proof", "read", 200),
    endpoint("GET", "/consents/{consent}/proof", "read", 200),
    endpoint("GET", "/ledger", "read", 200),
    endpoint("GET", "/ledger/checkpoint", "read", 200),
    endpoint("GET", "/ledger/tile/0/000.p/1", "read", 200),
]


def test_every_endpoint_of_the_document_is_here_with_its_scopes():
    """docs/openapi.yaml tells an operation's scopes in its summary."""
    told = set()
    for path, item in document()["paths"].items():
        if path.startswith("/v1/orgs/{org}"):
            shape = re.sub(r"\{\w+\}", "*", path.removeprefix("/v1/orgs/{org}"))
            for method in ("get", "post", "patch", "put", "delete"):
                if method in item:
                    scopes = re.search(r"Scope: ([a-z ]+)\.$", item[method]["summary"])[1]
                    told.add((method.upper(), shape, frozenset(scopes.split(" or "))))
    here = set()
    for endpoint in ENDPOINTS:
        tail = "/ledger/tile/*/*" if "/tile/" in endpoint.tail else re.sub(r"\{\w+\}", "*", endpoint.tail.split("?")[0])
        here.add((endpoint.method, tail, endpoint.scopes))
    assert here == told


class Populated:
    """An organization with a person, a message, a decision, a click and a key to take away."""

    def __init__(self, operator):
        self.org = operator.make()
        self.recipient = person("inhabitant")
        self.consent = self.org.record(self.recipient, "given")["id"]
        self.request = self.org.ask_for_consent(self.recipient)["id"]
        composed = self.org.compose([self.recipient], message(title="Internal"))
        self.message = composed.message
        self.decision = composed.of(self.recipient)["decision"]["id"]
        self.link = composed.link(self.recipient)
        assert wire.follow(self.link).status == 302
        self.org.settle()

    def endpoint(self):
        """The id of an endpoint to take away. An organization may have 16."""
        for old in self.org.expect(200, "GET", self.org.path("/endpoints")).json()["endpoints"]:
            self.org.expect(204, "DELETE", self.org.path(f"/endpoints/{old['id']}"))
        body = {"url": "https://crm.example/", "kinds": ["endpoint.failing"]}
        return self.org.expect(201, "POST", self.org.path("/endpoints"), body).json()["id"]

    def names(self):
        return {
            "recipient": self.recipient,
            "message": self.message,
            "decision": self.decision,
            "consent": self.consent,
            "request": self.request,
            "endpoint": self.endpoint(),
            "unasked": person("unasked"),
            "stranger": person("stranger"),
            "name": unique(),
            "key": self.org.with_scopes("read").made["id"],
        }


def fill(template, names):
    if isinstance(template, dict):
        return {key: fill(value, names) for key, value in template.items()}
    if isinstance(template, list):
        return [fill(item, names) for item in template]
    for name, value in names.items():
        template = template.replace("{" + name + "}", value) if isinstance(template, str) else template
    return template


def ask(client, org_id, endpoint, names):
    body = None if endpoint.body is None else fill(endpoint.body, names)
    return client.call(endpoint.method, f"/v1/orgs/{org_id}" + fill(endpoint.tail, names), body)


@pytest.fixture(scope="module")
def acme(operator):
    return Populated(operator)


@pytest.fixture(scope="module")
def rival(operator):
    return Populated(operator)


@pytest.fixture(scope="module")
def scoped(acme):
    """A key of the organization for every single scope."""
    return {scope: acme.org.with_scopes(scope) for scope in EVERY_SCOPE}


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=str)
class TestEveryEndpoint:
    @pytest.mark.parametrize("scope", EVERY_SCOPE)
    def test_opens_to_its_own_scopes_alone(self, acme, scoped, endpoint, scope):
        answer = ask(scoped[scope], acme.org.id, endpoint, acme.names())
        if scope in endpoint.scopes:
            assert answer.status_code == endpoint.status, answer.text
        else:
            assert_problem(answer, 403)

    def test_opens_to_the_operator(self, operator, acme, endpoint):
        answer = ask(operator, acme.org.id, endpoint, acme.names())
        assert answer.status_code == endpoint.status, answer.text

    def test_is_closed_to_another_organizations_key(self, acme, rival, endpoint):
        there = ask(rival.org, acme.org.id, endpoint, acme.names())
        assert_problem(there, 403)
        nowhere = ask(rival.org, unique("nobody"), endpoint, acme.names())
        assert_problem(nowhere, 403)
        bodies = [{**answer.json(), "requestId": None} for answer in (there, nowhere)]
        assert bodies[0] == bodies[1], "tells whether the organization exists"

    @pytest.mark.parametrize(
        "credentials",
        [None, "Bearer clk_0000000000000000000000000000000000000000000", "Bearer", "Basic YTpi", "clk_x"],
    )
    def test_is_closed_without_a_known_key(self, acme, endpoint, credentials):
        headers = {} if credentials is None else {"Authorization": credentials}
        stranger = Client(acme.org.service, key=None)
        names = acme.names()
        body = None if endpoint.body is None else fill(endpoint.body, names)
        path = f"/v1/orgs/{acme.org.id}" + fill(endpoint.tail, names)
        answer = stranger.call(endpoint.method, path, body, headers=headers)
        assert_problem(answer, 401)
        assert answer.headers["www-authenticate"].startswith("Bearer")


class TestAKeyForReports:
    """It reads the three reports, which name nobody, and opens nothing else of what the document has."""

    REPORTS = {"reportMessage", "reportMessages", "reportConsents"}

    @pytest.mark.parametrize(
        ("path", "method", "operation"),
        [
            pytest.param(*found[1:], id=found[3]["operationId"])
            for found in operations(document())
            if PRIVATE in found[0] and found[3].get("security") != []
        ],
    )
    def test_opens_reports_alone(self, acme, scoped, path, method, operation):
        names = acme.names()
        values = {"org": acme.org.id, "id": names["message"]}
        real = re.sub(r"\{(\w+)\}", lambda name: values.get(name[1], "1"), path)
        answer = scoped["report"].call(method.upper(), real, {} if "requestBody" in operation else None)
        if operation["operationId"] in self.REPORTS:
            assert answer.status_code == 200, answer.text
            assert "people.example" not in answer.text
        else:
            assert_problem(answer, 403)


class TestAnotherOrganizations:
    """What belongs to one organization is unknown in the path of another, whose key is good there."""

    @pytest.mark.parametrize(
        ("method", "tail"),
        [
            ("GET", "/messages/{message}"),
            ("POST", "/messages/{message}/disable"),
            ("POST", "/messages/{message}/enable"),
            ("GET", "/messages/{message}/report"),
            ("GET", "/decisions/{decision}"),
            ("GET", "/decisions/{decision}/proof"),
            ("GET", "/consents/{consent}/proof"),
            ("DELETE", "/keys/{key}"),
        ],
    )
    def test_ids_are_404(self, acme, rival, method, tail):
        answer = rival.org.call(method, rival.org.path(fill(tail, acme.names())))
        assert_problem(answer, 404)
        assert acme.recipient not in answer.text and "Internal" not in answer.text

    def test_message_is_neither_switched_off_nor_composed(self, acme, rival):
        rival.org.call("POST", rival.org.path(f"/messages/{acme.message}/disable"))
        assert wire.follow(acme.link).status == 302
        body = {"messageId": acme.message, "format": "plain", "recipients": [person()]}
        answer = rival.org.call("POST", rival.org.path("/payloads"), body)
        assert answer.status_code in (404, 422)
        assert "shop.example" not in answer.text

    def test_key_still_works_after_the_attempt_to_delete_it(self, acme, rival):
        key = acme.org.with_scopes("read")
        assert_problem(rival.org.call("DELETE", rival.org.path(f"/keys/{key.made['id']}")), 404)
        assert key.call("GET", acme.org.path("/decisions")).status_code == 200

    def test_recipient_yields_nothing(self, acme, rival):
        standing = rival.org.consent(acme.recipient)
        assert (standing["current"], standing["history"]) == ([], [])
        assert rival.org.query_decisions(recipient=acme.recipient) == []
        assert rival.org.query_interactions(recipient=acme.recipient) == []

    def test_message_filters_yield_nothing(self, acme, rival):
        for what in ("decisions", "interactions"):
            found = rival.org.call("GET", rival.org.path(f"/{what}?message={acme.message}"))
            assert found.status_code in (200, 404, 422)
            assert acme.recipient not in found.text and "shop.example" not in found.text

    def test_lists_have_nothing_of_it(self, acme, rival):
        for own, foreign in ((acme, rival), (rival, acme)):
            lists = [own.org.decisions(), own.org.interactions()]
            assert all(lists)
            assert foreign.recipient not in str(lists) and foreign.message not in str(lists)

    def test_consent_counts_there_alone(self, operator):
        one, other = operator.make(), operator.make()
        recipient = person()
        one.record(recipient, "given")
        assert other.compose([recipient]).of(recipient)["decision"]["reason"] == "noConsentRecord"

    def test_withdrawal_counts_there_alone(self, operator):
        one, other = operator.make(), operator.make()
        recipient = person()
        links = [organization.tracked_link(recipient) for organization in (one, other)]
        one.record(recipient, "withdrawn")
        for link in links:
            assert wire.follow(link.url).status == 302
        assert (len(one.clicks(links[0])), len(other.clicks(links[1]))) == (0, 1)

    def test_same_message_is_a_message_of_its_own(self, operator):
        content = message()
        made = [operator.make().make_message(content)["id"] for _ in range(2)]
        assert made[0] != made[1]

    def test_cursor_leads_to_nothing_of_it(self, acme, rival):
        cursor = acme.org.expect(200, "GET", acme.org.path("/interactions")).json()["cursor"]
        answer = rival.org.call("GET", rival.org.path(f"/interactions?after={cursor}"))
        assert answer.status_code in (200, 422)
        assert acme.recipient not in answer.text

    def test_items_are_no_cursors_of_another(self, operator):
        """Each of the one's items is newer than one of the other's, which a list that took it would pass over."""
        other, one = operator.make(), operator.make()
        for organization in (other, one):
            link = organization.tracked_link(person())
            wire.follow(link.url)
            assert len(organization.clicks(link)) == 1
        places = {
            "/decisions": one.expect(200, "GET", one.path("/decisions")).json()["decisions"][-1]["id"],
            "/interactions": one.expect(200, "GET", one.path("/interactions")).json()["cursor"],
        }
        for path, after in places.items():
            one.expect(200, "GET", one.path(f"{path}?after={after}"))
            assert_misfit(other.call("GET", other.path(f"{path}?after={after}")), "/after")

    def test_ids_are_cursors_as_ids_that_nobody_has(self, operator):
        """Ids are time, slot and count: if the answers differed, a scan would find them all."""
        other, one, without = operator.make(), operator.make(), operator.make()
        for organization in (other, one):
            link = organization.tracked_link(person())
            wire.follow(link.url)
            assert len(organization.clicks(link)) == 1
        request = one.ask_for_consent(person(), confirm=True)
        pages.answer(one, request["url"], "given")
        waiting = "/consent-requests?state=awaitingConfirmation&after="
        page = one.expect(200, "GET", one.path(waiting + "0")).json()
        assert page["cursor"].startswith("c")
        after = {
            "/decisions?after=": one.expect(200, "GET", one.path("/decisions")).json()["decisions"][-1]["id"],
            "/interactions?after=": one.expect(200, "GET", one.path("/interactions")).json()["interactions"][-1]["id"],
            "/interactions?after=p": one.expect(200, "GET", one.path("/interactions")).json()["cursor"][1:],
            "/keys?after=k:": one.expect(200, "GET", one.path("/keys")).json()["keys"][-1]["id"],
            "/messages?after=m:": one.expect(200, "GET", one.path("/messages")).json()["messages"][-1]["id"],
            waiting + "c": page["cursor"][1:],
            waiting + page["cursor"] + ".": request["id"],
        }
        for asking, (path, place) in itertools.product((other, without), after.items()):
            numbers = [f"{int(place, 16) + distance:x}" for distance in (0, 1, -1, 2)]
            answers = [asking.call("GET", asking.path(path + number)) for number in numbers]
            assert len({answer.status_code for answer in answers}) == 1, (path, answers)


class TestKeys:
    def test_of_an_organization_do_not_make_organizations(self, acme):
        body = {"id": unique("org"), "name": "Ours", "enforcement": "restrictive"}
        assert_problem(acme.org.call("POST", "/v1/orgs", body), 403)
        assert_problem(Client(acme.org.service, None).call("POST", "/v1/orgs", body), 401)

    def test_make_only_keys_whose_scopes_they_have(self, acme, scoped):
        for scopes in (["read"], ["manage", "compose"], EVERY_SCOPE):
            body = {"scopes": scopes, "name": "more than I have"}
            assert_problem(scoped["manage"].call("POST", acme.org.path("/keys"), body), 403)
        made = scoped["manage"].expect(201, "POST", acme.org.path("/keys"), {"scopes": ["manage"], "name": "as I"})
        assert made.json()["scopes"] == ["manage"]

    def test_are_shown_once_and_stored_as_a_hash(self, own_service, own_org):
        made = own_org.with_scopes("read").made
        assert set(made) == {"id", "key", "scopes", "name"}
        assert made["key"].startswith("clk_")
        listed = own_org.expect(200, "GET", own_org.path("/keys"))
        assert made["id"] in listed.text and "clk_" not in listed.text
        assert own_service.files_with(made["key"], own_org.key) == set()
        assert own_service.files_with(own_service.operator_key) == {"operator.key"}

    def test_work_no_more_once_deleted(self, own_service, own_org):
        key = own_org.with_scopes("read")
        assert key.call("GET", own_org.path("/decisions")).status_code == 200
        own_org.expect(204, "DELETE", own_org.path(f"/keys/{key.made['id']}"))
        assert_problem(key.call("GET", own_org.path("/decisions")), 401)
        own_service.restart()
        assert_problem(key.call("GET", own_org.path("/decisions")), 401)
        assert own_org.call("GET", own_org.path("/decisions")).status_code == 200

    def test_are_compared_whole(self, acme):
        for key in (acme.org.key[:-1], acme.org.key + "0", acme.org.key.upper(), acme.org.key.removeprefix("clk_")):
            assert_problem(Client(acme.org.service, key).call("GET", acme.org.path("/decisions")), 401)


class TestOrganizations:
    def test_are_made_with_a_key_that_has_every_scope(self, operator):
        made = operator.make("restrictive").made
        assert set(made) >= {"id", "name", "enforcement", "targetHosts", "honorGPC", "key"}
        assert (made["enforcement"], made["targetHosts"], made["honorGPC"]) == ("restrictive", [], True)
        assert made["key"]["key"].startswith("clk_")
        assert sorted(made["key"]["scopes"]) == sorted(EVERY_SCOPE)

    def test_are_not_made_twice(self, operator):
        org = operator.make()
        body = {"id": org.id, "name": "Mine now", "enforcement": "nonRestrictive"}
        assert_problem(operator.call("POST", "/v1/orgs", body), 409)
        assert org.expect(200, "GET", org.path()).json()["enforcement"] == "restrictive"

    @pytest.mark.parametrize("id", ["a", "A.b_c-9", "x" * 64, "6F9619FF-8B86-D011-B42D-00C04FC964FF"])
    def test_have_ids_of_many_forms(self, own_service, id):
        org = Operator(own_service).make(id=id)
        assert org.expect(200, "GET", org.path()).json()["id"] == id

    def test_unknown_to_the_operator_are_404(self, operator):
        assert_problem(operator.call("GET", f"/v1/orgs/{unique('nobody')}"), 404)

    def test_are_changed_member_by_member(self, org):
        before = org.expect(200, "GET", org.path()).json()
        assert "key" not in before
        changed = org.set(name="Renamed", targetHosts=["shop.example", "*.shop.example"])
        assert changed == before | {"name": "Renamed", "targetHosts": ["shop.example", "*.shop.example"]}
        assert org.expect(200, "GET", org.path()).json() == changed
