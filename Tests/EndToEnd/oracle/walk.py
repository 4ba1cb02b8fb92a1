"""A walk: random acts against a running service, each answer compared with the rules."""

import json
import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field

from harness import times, wire
from harness.campaign import BROWSER
from harness.client import Organization, message, person, unique

from .pages import FORM, Presses
from .rules import OPENS, TRACKING, Life, Purposes, Record, ended_by_no, is_recorded, is_tracked

HOUR = 3_600_000
STATES = ["given", "given", "given", "refused", "withdrawn", "revoked", "invalidated"]
READER = {"User-Agent": BROWSER}
KINDS = {"link": ("clicks", "PushLinkClicked"), "pixel": ("opens", "MessageOpened"),
         "Clicked": ("clicks", "PushNotificationClicked"), "Opened": ("opens", "PushNotificationOpened")}  # fmt: skip
PATHS = {"link": re.compile(r"/r/[\w-]{54}"), "pixel": re.compile(r"/o/[\w-]{54}\.gif")}


@dataclass
class Sent:
    """A tracked payload: what its recipient can do with it."""

    who: str
    life: Life
    message: str
    purposes: Purposes
    id: str
    # By kind: the path to ask for.
    paths: dict[str, str]
    is_push: bool


@dataclass
class Composed:
    """A request that can be repeated."""

    key: str
    made_at: int
    body: dict
    entries: list[dict]
    lives: list[Life]


@dataclass
class Tenant:
    """An organization, and what the rules know of it."""

    org: Organization
    enforcement: str
    messages: dict[str, tuple[Purposes, bool]]
    people: dict[str, Life]
    sent: list[Sent] = field(default_factory=list)
    composed: list[Composed] = field(default_factory=list)
    # Interactions: the message, the recipient, who is `None` after an erasure, and the type.
    expected: list[tuple[str, str | None, str]] = field(default_factory=list)
    # Reasons by decision.
    decided: dict[str, str] = field(default_factory=dict)


class Walk(Presses):
    def __init__(self, service, operator, clock, seed):
        self.service, self.clock, self.random = service, clock, random.Random(seed)
        self.ahead, self.number = 0, 0
        self.tenants = [self._tenant(operator.make(name), name) for name in ("restrictive", "nonRestrictive")]

    def _tenant(self, org, enforcement):
        made = {}
        for purposes in (Purposes(TRACKING, TRACKING), Purposes(TRACKING, OPENS), Purposes("news", TRACKING)):
            named = {"clicks": purposes.clicks, "opens": purposes.opens}
            mail = message(html='<a href="https://shop.example/">s</a>', openTracking=True, purposes=named)
            made[org.make_message(mail)["id"]] = (purposes, False)
            made[org.make_message(message(purposes=named))["id"]] = (purposes, True)
        return Tenant(org, enforcement, made, {person(): Life() for _ in range(6)})

    def now(self):
        return int(time.time() * 1000) + self.ahead

    def run(self, count):
        acts = [self.record] * 5 + [self.compose] * 5 + [self.act] * 8 + [self.press] * 2 + [self.answer, self.repeat]
        acts += [self.erase, self.enforce, self.jump, self.restart]
        for _ in range(count):
            times.next_millisecond()
            self.random.choice(acts)(self.random.choice(self.tenants))
        for tenant in self.tenants:
            self.compare(tenant)

    # Acts

    def record(self, tenant):
        if self.random.random() < 0.3:
            self.compare(tenant)
        who, life = self._somebody(tenant)
        state, back = self.random.choice(STATES), self.random.choice([0, 0, 2, 30])
        body = {"recipient": who, "purpose": self.random.choice([TRACKING, TRACKING, OPENS, "news"]), "state": state}
        if back:
            # What is reported late also judges what waits in the spool.
            self.compare(tenant)
            body["occurredAt"] = self._rendered(self.now() - back * HOUR)
        if state == "given" and self.random.random() < 0.4:
            body["validUntil"] = self._rendered(self.now() + self.random.choice([1 - back, 1, 5]) * HOUR + HOUR // 2)
        (made,) = tenant.org.record_all([body])
        self._learn(life, made | {"validUntil": body.get("validUntil")})

    def compose(self, tenant):
        id = self.random.choice(list(tenant.messages))
        purposes, is_push = tenant.messages[id]
        people = self.random.sample(list(tenant.people), self.random.choice([1, 2, 4]))
        form = {"format": "dynamics365", "platform": "ios"} if is_push else {"format": "email"}
        body, key = {"messageId": id, "recipients": people} | form, f'"{unique()}"'
        entries = self._asked(tenant, body, key)
        lives = [tenant.people[who] for who in people]
        for who, life, entry in zip(people, lives, entries, strict=True):
            expected = [life.reason(purpose, tenant.enforcement, self.now()) for purpose in purposes.distinct]
            decisions = list(entry["decisions"].values()) if len(expected) == 2 else [entry["decision"]]
            found = [one["reason"] for one in decisions]
            assert found == expected, (found, expected, purposes, tenant.enforcement, who, life)
            for one, reason in zip(decisions, expected, strict=True):
                tenant.decided[one["id"]] = reason
            clicks, opens = is_tracked(expected[0]), is_tracked(expected[-1])
            assert entry["tracked"] == (clicks or opens)
            self._send(tenant, who, life, id, entry, clicks, opens)
        tenant.composed.append(Composed(key, self.now(), body, entries, lives))

    def _send(self, tenant, who, life, id, entry, clicks, opens):
        purposes, is_push = tenant.messages[id]
        text = json.dumps(entry["payload"])
        paths = {kind: found[0] for kind, path in PATHS.items() if (found := path.search(text))}
        assert ("link" in paths) == clicks and ("pixel" in paths) == (opens and not is_push), (who, entry)
        if clicks or opens:
            named = entry["payload"].get("data", entry["payload"])
            tenant.sent.append(Sent(who, life, id, purposes, named["trackingId"], paths, is_push))

    def act(self, tenant):
        """A click, an open, or what an app reports."""
        if not tenant.sent:
            return
        # A tracked payload has at least a link or a picture, or comes to an app.
        sent = self.random.choice(tenant.sent)
        kind = self.random.choice([*sent.paths, *(["Clicked", "Opened"] if sent.is_push else [])])
        if kind in sent.paths:
            status = wire.ask(self.service.listen, "GET", sent.paths[kind], READER).status
            assert status == (302 if kind == "link" else 200)
        else:
            # A repeat within a minute is known.
            self._forward(61_000)
            report = {"TrackingId": sent.id, "DeviceToken": "d", "PushNotificationStatus": kind}
            body = json.dumps(report).encode()
            path = f"/api/v1.0/orgs/{tenant.org.id}/pushdatareceiver/events"
            headers = {"Content-Type": "application/json", "Content-Length": len(body)}
            assert wire.ask(self.service.listen, "POST", path, headers, body).status in (200, 202)
        activity, name = KINDS[kind]
        if tenant.people[sent.who] is sent.life and not sent.life.is_erased and is_recorded(
            sent.life, sent.purposes, activity, tenant.enforcement, self.now()
        ):
            tenant.expected.append((sent.message, sent.who, name))

    def answer(self, tenant):
        """A press on the page of a new consent request, if the recipient may be asked."""
        who, life = self._somebody(tenant)
        asked = self.random.choice([[TRACKING], [TRACKING, OPENS], [OPENS], ["news"]])
        notice = {"id": "privacy", "version": "3", "language": "en", "text": "May we?"}
        made = tenant.org.call(
            "POST", tenant.org.path("/consent-requests"), {"recipient": who, "notice": notice, "purposes": asked})
        assert made.status_code in (201, 409), made.text
        if made.status_code == 409:
            return
        purpose, said = asked[0], self.random.choice(["given", "refused"])
        body = f"purpose={purpose}&answer={said}".encode()
        expected = ended_by_no(life, purpose, asked == [TRACKING], tenant.enforcement, self.now())
        path = "/c/" + made.json()["url"].rsplit("/", 1)[1]
        assert wire.ask(self.service.listen, "POST", path, FORM | {"Content-Length": len(body)}, body).status == 200
        if said == "refused":
            self._compare_noes(tenant, who, life, expected, {*asked, OPENS}, "refused")
        else:
            new = self._new_records(tenant, who, life)
            assert [(one["purpose"], one["state"]) for one in new] == [(purpose, "given")]

    def repeat(self, tenant):
        """A repeated request has the decisions that were made, and payloads as consent is now."""
        # A key is kept for a day.
        known = [one for one in tenant.composed if self.now() - one.made_at < 23 * HOUR
                 and all(tenant.people[who] is life for who, life in zip(one.body["recipients"], one.lives))]
        if not known:
            return
        composed = self.random.choice(known)
        purposes, _ = tenant.messages[composed.body["messageId"]]
        for first, entry, life in zip(
            composed.entries, self._asked(tenant, composed.body, composed.key), composed.lives, strict=True
        ):
            assert entry["decision"]["id"] == first["decision"]["id"]
            assert entry["decision"]["reason"] == first["decision"]["reason"]
            was = is_tracked(first["decision"]["reason"])
            still = is_tracked(life.reason(purposes.clicks, tenant.enforcement, self.now()))
            assert bool(PATHS["link"].search(json.dumps(entry["payload"]))) == (was and still), entry

    def erase(self, tenant):
        if self.random.random() < 0.5:
            return
        self.compare(tenant)
        who, _ = self._somebody(tenant)
        tenant.org.erase(who)
        tenant.people[who] = Life(is_erased=True)
        # The interactions of an erased recipient name no one.
        tenant.expected = [(id, None if one == who else one, kind) for id, one, kind in tenant.expected]

    def enforce(self, tenant):
        self.compare(tenant)
        tenant.enforcement = self.random.choice(["restrictive", "nonRestrictive"])
        tenant.org.set(enforcement=tenant.enforcement)

    def jump(self, tenant):
        self._forward(3 * HOUR)

    def restart(self, tenant):
        if self.random.random() < 0.5:
            self.service.kill()
            self.service.start()
        else:
            self.service.restart()

    # Comparing

    def compare(self, tenant):
        tenant.org.settle()
        found = [(one["message"], one["recipient"], one["type"]) for one in tenant.org.interactions()
                 if one["message"] in tenant.messages]
        missing, unexpected = Counter(tenant.expected) - Counter(found), Counter(found) - Counter(tenant.expected)
        assert not missing and not unexpected, (
            missing, unexpected, {tenant.messages[id][0] for id, _, _ in missing | unexpected},
            {one: tenant.people.get(one) for _, one, _ in missing | unexpected})

    def compare_decisions(self, tenant):
        found = {one["id"]: one["reason"] for one in tenant.org.decisions() if one["message"] in tenant.messages}
        assert found == tenant.decided

    def _compare_noes(self, tenant, who, life, must, may, state):
        new = self._new_records(tenant, who, life)
        assert {one["state"] for one in new} <= {state}
        found = {one["purpose"] for one in new}
        # A no that is in force may be recorded once more.
        repeated = {one for one in may if (last := life.in_force(one, self.now())) and last.is_no}
        assert must <= found <= must | repeated, (who, must, new)

    def _new_records(self, tenant, who, life):
        known = {record.id for record in life.records}
        new = [one for one in tenant.org.consent(who)["history"] if one["id"] not in known]
        for one in sorted(new, key=lambda one: one["id"]):
            self._learn(life, one)
        return new

    # Tools

    def _learn(self, life, made):
        self.number += 1
        until = self._parsed(made["validUntil"]) if made.get("validUntil") else None
        record = Record(
            made["id"], made["purpose"], made["state"], self._parsed(made["occurredAt"]), until, self.number)
        life.add(record, self._parsed(made["recordedAt"]))

    def _asked(self, tenant, body, key):
        headers = {"Idempotency-Key": key}
        return tenant.org.expect(200, "POST", tenant.org.path("/payloads"), body, headers=headers).json()["payloads"]

    def _somebody(self, tenant):
        who = self.random.choice(list(tenant.people))
        return who, tenant.people[who]

    def _forward(self, milliseconds):
        for tenant in self.tenants:
            self.compare(tenant)
        self.ahead += milliseconds
        self.clock.set(self.ahead)

    @staticmethod
    def _parsed(text):
        return round(times.parse(text).timestamp() * 1000)

    @staticmethod
    def _rendered(milliseconds):
        return times.render(times.moment(milliseconds))
