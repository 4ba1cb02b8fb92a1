"""The log has one line for each thing that is done to the service or to an organization, and nobody's data in it."""

import json

from harness import contract
from harness.client import Operator, message, person, unique
from harness.eventually import eventually
from harness.service import Service
from harness.small_disk import fill, small_disk

#: Every operation of the private API that is no administrative act: it reads, records, or composes.
OTHERS = {
    "listOrganizations", "getOrganization", "listKeys", "recordConsent",
    "listConsentChanges", "listEndpoints", "getEndpoint", "listDeliveryAttempts", "takeDeliveries", "renewDelivery",
    "reportDelivery",
    "queryConsent", "askForConsent", "listConsentRequests",
    "queryConsentRequests", "getConsentRequest", "listMessages", "createMessage",
    "getMessage", "reportMessage",
    "compose", "rewrite", "listDecisions", "queryDecisions", "getDecision", "listInteractions", "queryInteractions",
    "listSigningKeys", "inspect", "listNodes", "queryAccesses",
}


class Acts:
    """Does every administrative act once, as the operator and with a key."""

    def __init__(self, service):
        self.service = service
        self.operator = Operator(service)
        self.org = self.operator.make()
        self.secret = f"private-{unique('name')}"
        self.who = person(self.secret)

    def lines(self):
        found = [json.loads(line) for line in self.service.log_text().splitlines()]
        return [line for line in found if line["message"] == "administrative act"]

    def all(self):
        """Pairs of what is done, and the members of the line that must come of it."""
        org, operator = self.org, self.operator
        made = org.make_message(message())["id"]
        org.record(self.who, "given")
        org.compose([self.who], message_id=made)
        first = org.made["key"]["id"]
        new = unique("org")
        yield "createOrganization", lambda: operator.call(
            "POST", "/v1/orgs", {"id": new, "name": self.secret, "enforcement": "restrictive"}
        ), {"act": "organization.create", "by": "operator", "organization": new, "status": "201"}
        yield "createOrganization", lambda: operator.call(
            "POST", "/v1/orgs", {"id": new, "enforcement": "restrictive"}
        ), {"act": "organization.create", "by": "operator", "organization": new, "status": "409"}
        yield "changeOrganization", lambda: org.call(
            "PATCH", org.path(), {"name": self.secret, "enforcement": "nonRestrictive", "retention": {}}
        ), {
            "act": "organization.change", "by": first, "status": "200", "fields": "name,enforcement,retention",
            "enforcement": "nonRestrictive",
        }
        yield "changeOrganization", lambda: org.call("PATCH", org.path(), {"enforcement": self.secret}), {
            "act": "organization.change", "by": first, "status": "422",
        }
        key = {}
        yield "createKey", lambda: key.setdefault("made", org.call(
            "POST", org.path("/keys"), {"scopes": ["read", "compose"], "name": self.secret}
        )), {"act": "key.create", "by": first, "status": "201", "scopes": "compose,read"}
        yield "deleteKey", lambda: org.call("DELETE", org.path(f"/keys/{key['made'].json()['id']}")), {
            "act": "key.delete", "by": first, "status": "204",
        }
        hook = org.call("POST", org.path("/endpoints"), {"url": "https://hooks.example/", "kinds": ["endpoint.failing"]})
        hook = hook.json()["id"]
        yield "createEndpoint", lambda: org.call(
            "POST", org.path("/endpoints"), {"url": f"https://{self.secret}/", "kinds": [self.secret]}
        ), {"act": "endpoint.create", "by": first, "status": "422"}
        for operation, act, body, status in (
            ("changeEndpoint", "change", {"kinds": ["consent.recorded"]}, "200"),
            ("testEndpoint", "test", None, "202"), ("disableEndpoint", "disable", None, "200"),
            ("enableEndpoint", "enable", None, "200"), ("rotateEndpointSecret", "rotate", None, "200"),
            ("replayEndpoint", "replay", {"after": "0"}, "200"), ("deleteEndpoint", "delete", None, "204"),
        ):
            method = {"change": "PATCH", "delete": "DELETE"}.get(act, "POST")
            tail = {"change": "", "delete": "", "rotate": "/secret"}.get(act, f"/{act}")
            yield operation, lambda: org.call(method, org.path(f"/endpoints/{hook}{tail}"), body), {
                "act": f"endpoint.{act}", "by": first, "status": status, "endpointId": hook,
            }
        for operation, act in (("disableMessage", "message.disable"), ("enableMessage", "message.enable")):
            path = org.path(f"/messages/{made}/{act.split('.')[1]}")
            yield operation, lambda: org.call("POST", path), {
                "act": act, "by": first, "status": "200", "messageId": made,
            }
        yield "exportRecipient", lambda: org.call("POST", org.path("/recipients/export"), {"recipient": self.who}), {
            "act": "recipient.export", "by": first, "status": "200",
        }
        yield "exportAudit", lambda: org.call("POST", org.path("/audits"), {"recipient": self.who}), {
            "act": "audit.export", "by": first, "status": "200", "filters": "recipient",
        }
        yield "eraseRecipient", lambda: org.call("POST", org.path("/recipients/erase"), {"recipient": self.who}), {
            "act": "recipient.erase", "by": first, "status": "200", "consents": "1", "decisions": "1",
            "interactions": "0",
        }
        yield "rotateSigningKey", lambda: operator.call("POST", "/v1/keyring/rotate"), {
            "act": "keyring.rotate", "by": "operator", "status": "201",
        }
        yield "retireSigningKey", lambda: operator.call("POST", "/v1/keyring/1/retire", {"force": False}), {
            "act": "keyring.retire", "by": "operator", "status": "409", "signingKey": "1", "force": "false",
        }
        yield "retireSigningKey", lambda: operator.call("POST", "/v1/keyring/1/retire", {"force": True}), {
            "act": "keyring.retire", "by": "operator", "status": "204", "signingKey": "1", "force": "true",
        }
        yield "backUp", lambda: operator.call("POST", "/v1/backup"), {
            "act": "backup.make", "by": "operator", "status": "201",
        }
        yield "removeNode", lambda: operator.call("DELETE", "/v1/nodes/nobody"), {
            "act": "node.remove", "by": "operator", "status": "404",
        }
        yield "makeSignInLink", lambda: operator.call("POST", "/v1/console/sign-in-links"), {
            "act": "console.link", "by": "operator", "status": "404",
        }


def test_each_act_is_one_line_that_says_who_what_and_with_which_result(own_service):
    acts = Acts(own_service)
    acts.lines()
    for operation, act, expected in acts.all():
        before = len(acts.lines())
        answer = act()
        (line, *more) = acts.lines()[before:]
        assert more == [], operation
        assert line["level"] == "info"
        assert str(answer.status_code) == expected["status"], answer.text
        assert line["request"] == answer.headers["x-request-id"]
        assert {name: line.get(name) for name in expected} == expected
    text = own_service.log_text()
    for private in (acts.secret, acts.org.key, own_service.operator_key, "shop.example"):
        assert private not in text
    own_service.assert_log_is_discreet()


def test_what_reads_records_or_composes_writes_no_line(own_service):
    acts = Acts(own_service)
    org, who, before = acts.org, person(), len(acts.lines())
    org.record(who, "given")
    org.consent(who)
    composed = org.compose([who])
    org.decisions()
    org.query_interactions(recipient=who)
    org.expect(200, "GET", org.path())
    org.expect(200, "GET", org.path("/keys"))
    org.expect(200, "GET", org.path(f"/messages/{composed.message}/report"))
    acts.operator.expect(200, "GET", "/v1/keyring")
    acts.operator.expect(200, "POST", "/v1/inspect", {"token": composed.link(who).rsplit("/", 1)[1]})
    assert len(acts.lines()) == before


def test_every_operation_that_changes_something_is_one_of_these(own_service):
    acted = {operation for operation, _, _ in Acts(own_service).all()}
    changing = {
        operation["operationId"]
        for path, operations in contract.document()["paths"].items() if path.startswith("/v1/")
        for method, operation in operations.items() if method in ("post", "put", "patch", "delete")
    }
    assert changing - acted - OTHERS == set()
    assert acted <= changing


def test_debug_prints_nothing_of_the_insides(start):
    service = start(flags=["--log-level", "debug"])
    service.restart()
    for part in ("SQLiteStorage", "Redirect.", "Logging.", "(Function)"):
        assert part not in service.log_text()


def test_acts_wait_while_the_disk_of_the_log_is_full(tmp_path):
    service = Service(tmp_path)
    with small_disk(tmp_path / "disk", 64 << 10):
        service.log = tmp_path / "disk/stderr.log"
        service.start()
        try:
            operator = Operator(service)
            fill(tmp_path / "disk/filler")
            made = [operator.make().id for _ in range(15)]
            (tmp_path / "disk/filler").unlink()
            last = operator.make().id
            eventually(lambda: last in service.log_text())
            lines = [json.loads(line) for line in service.log_text().splitlines()]
            acts = [line["organization"] for line in lines if line.get("act") == "organization.create"]
            assert acts == [*made, last]
            assert "consentlink_log_lines_lost_total 0" in operator.call("GET", "/metrics").text
        finally:
            service.kill()
