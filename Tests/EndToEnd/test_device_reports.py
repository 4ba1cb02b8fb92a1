"""Reports of devices as nearly all come: plain requests, taken before the HTTP decoder. However a report comes, it means
the same, and it is on disk before it is answered."""

import json
import time

import pytest

from harness import times, tokens, wire
from harness.client import person
from harness.eventually import eventually
from harness.metrics import scrape
from harness.raw import Raw

# A tab at the end of a value is the decoder's.
NOT_PLAIN = {"X": "\t"}


class Phone:
    """An app of a recipient who is tracked, of any of the systems."""

    def __init__(self, org, who=None):
        self.org = org
        self.who = who or person()
        org.record(self.who, "given")
        self.message = org.compose([self.who])
        links = self.message.links(self.who)
        self.id = links["trackingId"]
        self.link = f"/r/{tokens.of_link(links['link'])}"
        hit = org.compose([self.who], format="adobe-campaign", platform="ios")
        self.hit_message = hit.message
        payload = hit.payload(self.who)
        self.hit = f"/r/?id={payload['_mId']},{payload['_dId']},2&mcId=1"

    def request(self, method, target, body="", headers=()):
        body = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        length = {} if method == "GET" else {"Content-Length": len(body)}
        return wire.request(method, target, self.org.service.listen, dict(headers) | length, body)

    def events(self, id=None, org=None):
        return f"/api/v1.0/orgs/{org or self.org.id}/pushchannel/event/trackings/{id or self.id}"

    @property
    def events_2(self):
        return f"/api/v1.0/orgs/{self.org.id}/pushdatareceiver/events"

    @property
    def interactions(self):
        return f"/bird/v1/orgs/{self.org.id}/interactions"

    @property
    def click(self):
        return wire.request("GET", self.link, self.org.service.listen)

    @property
    def opened(self):
        return self.request("POST", self.events(), {"PushNotificationStatus": "Opened", "DeviceToken": "t"})

    @property
    def tapped(self):
        return self.request("POST", self.interactions, {"type": "Tap", "trackingId": self.id})

    def recorded(self):
        """What is stored of the recipient, by type and source."""
        self.org.settle()
        found = self.org.query_interactions(recipient=self.who)
        return sorted((it["type"], it["source"]) for it in found)


@pytest.fixture
def phone(org):
    return Phone(org)


# What apps send: how, where to, and which body; whether it is taken; what it makes.
REPORTS = {
    "opened": lambda it: ("POST", it.events(), {"PushNotificationStatus": "Opened", "DeviceToken": "t"}),
    "clicked": lambda it: ("POST", it.events_2, {"TrackingId": it.id, "PushNotificationStatus": 0}),
    "tapped": lambda it: ("POST", it.interactions, {"type": "Tap", "trackingId": it.id}),
    "received": lambda it: ("POST", it.interactions, {"trackingId": it.id, "type": "Received", "more": {"a": 1}}),
    "a hit": lambda it: ("GET", it.hit, ""),
    "a hit by POST": lambda it: ("POST", it.hit, "a=b"),
    "of nobody": lambda it: ("POST", it.events("00000000-0000-0000-0000-000000000000"), {"PushNotificationStatus": 1}),
    "escaped": lambda it: ("POST", it.interactions, '{"type":"T\\u0061p","trackingId":"%s"}' % it.id),
    "in lists": lambda it: ("POST", it.interactions, {"type": "Tap", "trackingId": it.id, "list": [1, [2]]}),
    "forged": lambda it: ("POST", it.events("A" * 54), {"PushNotificationStatus": 1}),
    "of no tracking ID": lambda it: ("POST", it.events("x"), {"PushNotificationStatus": 1}),
    "of another organization": lambda it: ("POST", it.events(org="other"), {"PushNotificationStatus": 1}),
    "of no organization": lambda it: ("POST", it.events(org="a%20b"), {"PushNotificationStatus": 1}),
    "of a link": lambda it: ("POST", it.events(it.link[3:]), {"PushNotificationStatus": 1}),
    "no JSON": lambda it: ("POST", it.events(), "PushNotificationStatus=1"),
    "nothing": lambda it: ("POST", it.events(), ""),
    "a member twice": lambda it: ("POST", it.events(), '{"PushNotificationStatus":1,"PushNotificationStatus":1}'),
    "an unknown status": lambda it: ("POST", it.events(), {"PushNotificationStatus": 2}),
    "a list": lambda it: ("POST", it.events(), []),
    "a hit of nothing": lambda it: ("GET", "/r/?id=h1,2,3", ""),
    "another method": lambda it: ("PUT", it.events(), {"PushNotificationStatus": 1}),
}


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_plain_or_not_a_report_is_answered_with_the_same_bytes_and_recorded_alike(org, report):
    seen = []
    for headers in ({}, NOT_PLAIN):
        phone = Phone(org)
        method, target, body = report(phone)
        with wire.Connection(org.service.listen) as connection:
            connection.send(phone.request(method, target, body, headers))
            answer = connection.receive().undated
            connection.send(phone.request(method, target, body, headers))
            assert connection.receive().undated == answer, "a repeat is answered as the first"
        seen.append((answer, phone.recorded()))
    assert seen[0] == seen[1]


def test_a_report_of_a_recipient_who_objects_or_withdrew_is_a_success_and_leaves_nothing(org, phone):
    for request in (phone.request("POST", phone.events(), {"PushNotificationStatus": 1}, {"Sec-GPC": "1"}), phone.tapped):
        with wire.Connection(org.service.listen) as connection:
            connection.send(request)
            assert connection.receive().status in (200, 202)
        org.record(phone.who, "withdrawn")
    assert phone.recorded() == []


def test_a_report_is_recorded_after_an_equal_one_that_a_withdrawal_from_before_it_undid(org):
    who = person()
    org.record(who, "given", occurredAt=times.from_now(hours=-1))
    target = f"/api/v1.0/orgs/{org.id}/pushchannel/event/trackings/{org.compose([who]).links(who)['trackingId']}"
    clicked = wire.request("POST", target, org.service.listen, {"Content-Length": 28}, b'{"PushNotificationStatus":0}')
    with wire.Connection(org.service.listen) as connection:
        connection.send(clicked)
        assert connection.receive().status == 200
        # Both are known when the first is judged: then it is not recorded.
        org.record(who, "withdrawn", occurredAt=times.from_now(minutes=-10))
        org.settle()
        org.record(who, "given")
        connection.send(clicked)
        assert connection.receive().status == 200
    org.settle()
    assert [it["type"] for it in org.query_interactions(recipient=who)] == ["PushNotificationClicked"]


def test_clicks_and_reports_on_one_connection_are_answered_in_their_order(org, phone):
    with wire.Connection(org.service.listen) as connection:
        hit = phone.request("GET", phone.hit)
        page = wire.request("GET", "/robots.txt", org.service.listen)
        connection.send(phone.opened + phone.click + phone.tapped + hit + phone.tapped + phone.click + page + phone.tapped)
        statuses = [connection.receive().status for _ in range(8)]
    assert statuses == [200, 302, 202, 200, 202, 302, 200, 202]
    assert phone.recorded() == [
        ("PushLinkClicked", "redirect"),
        ("PushLinkClicked", "redirect"),
        ("PushNotificationClicked", "adobe-campaign"),
        ("PushNotificationClicked", "bird"),
        ("PushNotificationOpened", "dynamics365"),
    ]


@pytest.mark.parametrize("place", ["in the request line", "in the header", "before the body", "in the body", "everywhere"])
def test_a_report_may_come_in_segments(org, phone, place):
    request = phone.opened
    cuts = {
        "in the request line": [20],
        "in the header": [request.index(b"Content-Length") + 3],
        "before the body": [request.index(b"\r\n\r\n") + 4],
        "in the body": [len(request) - 5],
        "everywhere": list(range(1, len(request))),
    }[place]
    with wire.Connection(org.service.listen) as connection:
        for start, end in zip([0, *cuts], [*cuts, len(request)]):
            connection.send(request[start:end])
            time.sleep(0.002)
        assert connection.receive().status == 200
        connection.send(phone.click + phone.tapped)
        assert [connection.receive().status for _ in range(2)] == [302, 202]
    assert len(phone.recorded()) == 3


def test_plain_reports_are_counted_and_timed_as_the_routers_are(own_service, own_org):
    phone = Phone(own_org)
    route = "/bird/v1/orgs/{org}/interactions"
    labels = {"http_route": route, "http_request_method": "POST", "http_response_status_code": "202"}
    for count, headers in enumerate(({}, {}, NOT_PLAIN), start=1):
        body = {"type": "Tap", "trackingId": phone.id}
        assert wire.ask(own_service.listen, "POST", "/bird/v1/orgs/x/interactions", {"Content-Length": 0}).status == 400
        with wire.Connection(own_service.listen) as connection:
            connection.send(phone.request("POST", phone.interactions, body, headers))
            assert connection.receive().status == 202
        assert scrape(own_service).value("consentlink_http_request_seconds_count", route=route, status="2xx") == count
        eventually(lambda: scrape(own_service).value("hb_requests_total", **labels) == count)
        name = "http_server_request_duration_seconds_count"
        assert scrape(own_service).value(name, **labels) == count
    metrics = scrape(own_service)
    assert metrics.value("http_server_active_requests", http_request_method="POST") == 0
    counted = metrics.by("consentlink_device_reports_total", "outcome")
    assert counted == {"recorded": 3, "foreign": 0, "invalid": 3, "notPermitted": 0, "unavailable": 0}
    assert metrics.value("consentlink_clicks_spooled_total") == 0


def test_a_report_that_ends_too_early_is_malformed(own_service, own_org):
    phone = Phone(own_org)
    raw = Raw(own_service.listen)
    raw.send(phone.opened[:-1])
    raw.socket.shutdown(1)
    assert raw.read_to_the_end()
    assert 200 not in raw.statuses()
    assert scrape(own_service).value("consentlink_connections_refused_total", reason="malformed") == 1
    assert phone.recorded() == []


@pytest.mark.crash
def test_reports_answered_an_instant_before_kill_9_count_once(own_service, own_org):
    for _ in range(3):
        phones = [Phone(own_org) for _ in range(5)]
        with wire.Connection(own_service.listen) as connection:
            for phone in phones:
                connection.send(phone.opened + phone.tapped + phone.click)
            statuses = [connection.receive().status for _ in range(15)]
            own_service.kill()
        assert statuses == [200, 202, 302] * 5
        own_service.start()
        with wire.Connection(own_service.listen) as connection:
            # Apps send again what they have no answer for: it is known, also after the restart.
            connection.send(phones[0].opened)
            assert connection.receive().status == 200
        for phone in phones:
            assert [kind for kind, _ in phone.recorded()] == [
                "PushLinkClicked", "PushNotificationClicked", "PushNotificationOpened"
            ]  # fmt: skip
