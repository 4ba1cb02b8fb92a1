"""A client of the private API: the contract's names, and a failure that shows what the service said."""

import json
import ssl
import uuid
from dataclasses import dataclass

import httpx

from . import evidence, slices, wire
from .eventually import eventually

# Of nobody: everything here is plain HTTP, and reading the machine's authorities takes longer than a request.
AUTHORITIES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
EVERY_SCOPE = ["compose", "consent", "read", "manage", "report", "deliver"]


def person(name="person"):
    """A recipient that no other test has."""
    return f"{name}-{uuid.uuid4().hex[:12]}@people.example"


def unique(name="message"):
    return f"{name}-{uuid.uuid4().hex[:12]}"

# Every member that the evidence for a consent record can have.
EVIDENCE = {
    "method": "web-form",
    "source": "https://shop.example/signup",
    "notice": {"id": "privacy", "version": "3", "language": "en", "sha256": "0" * 64},
    "actor": "subject",
    "language": "de",
}


def message(name=None, **content):
    """A message that no other test has, with a link unless the content names another."""
    return {"name": name or unique(), "link": "https://shop.example/offer?a=1&b=2"} | content


class Refused(AssertionError):
    """The service's answer was not the one the test needed."""

    def __init__(self, answer):
        super().__init__(f"{answer.request.method} {answer.request.url} → {answer.status_code}: {answer.text[:2000]}")
        self.answer = answer


class Client:
    """Requests with one credential."""

    def __init__(self, service, key):
        self.service = service
        self.key = key
        self._http = httpx.Client(base_url=service.api, timeout=60, verify=AUTHORITIES)

    def close(self):
        self._http.close()

    def call(self, method, path, body=None, *, content=None, headers=None):
        """One request, whatever the answer. `body` is sent as JSON, `content` as it is."""
        sent = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        if body is not None:
            content = json.dumps(body, ensure_ascii=False).encode()
        if content is not None:
            sent["Content-Type"] = "application/json"
        sent |= headers or {}
        answer = self._http.request(method, path, content=content, headers=sent)
        if answer.is_error:
            evidence.keep_text("refusals", answer.text)
        return answer

    def expect(self, status, method, path, body=None, **more):
        """One request that must be answered with `status` (or one of several); the answer."""
        answer = self.call(method, path, body, **more)
        if answer.status_code not in (status if isinstance(status, tuple) else (status,)):
            raise Refused(answer)
        return answer


class Operator(Client):
    """The operator, the only one who can make organizations."""

    def __init__(self, service):
        super().__init__(service, service.operator_key)

    def make(self, enforcement="restrictive", id=None):
        id = id or unique("org")
        made = self.expect(201, "POST", "/v1/orgs", {"id": id, "name": "A test", "enforcement": enforcement}).json()
        return Organization(self.service, id, made["key"]["key"], made)


@dataclass(frozen=True)
class Composition:
    """The answer to a compose call, and its text."""

    body: dict
    text: str

    @property
    def message(self):
        return self.body["message"]

    @property
    def payloads(self):
        return self.body["payloads"]

    def of(self, recipient):
        """A recipient's entry."""
        (entry,) = [entry for entry in self.payloads if entry["recipient"] == recipient]
        return entry

    def payload(self, recipient):
        return self.of(recipient)["payload"]

    def payload_text(self, recipient):
        """A recipient's payload as it was in the answer, byte for byte."""
        (entry,) = [
            slices.members(item)
            for item in slices.items(slices.members(self.text)["payloads"])
            if json.loads(slices.members(item)["recipient"]) == recipient
        ]
        return entry["payload"]

    def links(self, recipient):
        """`link`, `originalLink` and `trackingId`, wherever the format has them."""
        payload = self.payload(recipient)
        return payload.get("data", payload)

    def link(self, recipient):
        return self.links(recipient)["link"]


class Organization(Client):
    """One organization, through one of its keys."""

    def __init__(self, service, id, key, made=None):
        super().__init__(service, key)
        self.id = id
        self.made = made

    def path(self, tail=""):
        return f"/v1/orgs/{self.id}{tail}"

    def with_scopes(self, *scopes):
        """The same organization through a new key with these scopes alone."""
        made = self.expect(201, "POST", self.path("/keys"), {"scopes": list(scopes), "name": "scoped"}).json()
        return Organization(self.service, self.id, made["key"], made)

    def set(self, **settings):
        return self.expect(200, "PATCH", self.path(), settings).json()

    # Consent

    def record(self, recipient, state, **members):
        """Records one state of consent; the record as answered."""
        body = {"recipient": recipient, "purpose": "tracking", "state": state} | members
        return self.record_all([body])[0]

    def record_all(self, records):
        return self.expect(201, "POST", self.path("/consents"), records).json()["consents"]

    def consent(self, recipient):
        return self.expect(200, "POST", self.path("/consents/query"), {"recipient": recipient}).json()

    def ask_for_consent(self, recipient, **members):
        """Makes a consent request for the purpose `tracking`; the request as answered."""
        notice = {"id": "privacy", "version": "3", "language": "en", "text": "May we see which links you open?"}
        body = {"recipient": recipient, "notice": notice} | members
        return self.expect(201, "POST", self.path("/consent-requests"), body).json()

    def consent_request(self, id):
        return self.expect(200, "GET", self.path(f"/consent-requests/{id}")).json()

    def erase(self, recipient):
        return self.expect(200, "POST", self.path("/recipients/erase"), {"recipient": recipient}).json()

    # Messages and payloads

    def make_message(self, content):
        return self.expect((200, 201), "POST", self.path("/messages"), content).json()

    def compose(self, recipients, content=None, *, message_id=None, format="plain", platform=None):
        body = {"format": format, "recipients": list(recipients)}
        body |= {"messageId": message_id} if message_id else {"message": content or message()}
        body |= {"platform": platform} if platform else {}
        answer = self.expect(200, "POST", self.path("/payloads"), body)
        return Composition(answer.json(), answer.text)

    def tracked_link(self, recipient=None, content=None, *, consented=True):
        """The redirect link of one recipient, who has given consent unless told otherwise."""
        recipient = recipient or person()
        if consented:
            self.record(recipient, "given")
        composed = self.compose([recipient], content)
        assert composed.of(recipient)["tracked"], composed.of(recipient)
        return TrackedLink(composed.message, recipient, composed.link(recipient))

    # Reading

    def pages(self, path, name, /, **query):
        """All the items of a list, page by page."""
        after = {}
        found = []
        while True:
            page = self.expect(200, "GET", str(httpx.URL(self.path(path), params=query | after))).json()
            found += page[name]
            if not page["next"]:
                return found
            after = {"after": page["next"]}

    def decisions(self, **query):
        return self.pages("/decisions", "decisions", **query)

    def query_decisions(self, **query):
        return self.expect(200, "POST", self.path("/decisions/query"), query).json()["decisions"]

    def interactions(self, **query):
        return self.pages("/interactions", "interactions", **query)

    def query_interactions(self, **query):
        return self.expect(200, "POST", self.path("/interactions/query"), query).json()["interactions"]

    # Clicks

    def settle(self):
        """Returns when every click made before this call is visible, if it ever will be: it makes a click for another
        recipient and waits until that one is visible."""
        sentinel = self.tracked_link(person("sentinel"))
        assert wire.follow(sentinel.url).status == 302
        eventually(lambda: self.interactions(message=sentinel.message))

    def clicks(self, link):
        """The clicks that are recorded for a link of one recipient, once all are visible."""
        self.settle()
        found = self.interactions(message=link.message, type="PushLinkClicked")
        return [click for click in found if click["recipient"] == link.recipient]


@dataclass(frozen=True)
class TrackedLink:
    message: str
    recipient: str
    url: str


def assert_problem(answer, status):
    """A refusal as RFC 9457 has it; its body."""
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:1000]}"
    assert answer.headers["content-type"].split(";")[0] == "application/problem+json", answer.headers
    problem = answer.json()
    assert isinstance(problem["type"], str)
    assert isinstance(problem["title"], str) and problem["title"]
    assert problem["status"] == status
    assert isinstance(problem["detail"], str) and problem["detail"]
    assert problem.get("requestId") == answer.headers.get("x-request-id")
    return problem


def assert_misfit(answer, pointer):
    """A 422 that points to the value which does not fit."""
    problem = assert_problem(answer, 422)
    pointers = [error["pointer"] for error in problem["errors"]]
    assert pointer in pointers, f"{pointer} is not among {pointers}: {problem}"
    assert all(isinstance(error["detail"], str) and error["detail"] for error in problem["errors"])
    return problem
