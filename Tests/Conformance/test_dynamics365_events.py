"""Events of Dynamics 365, one request at a time: every form that is taken, and what is not."""

import json
import time
from dataclasses import dataclass, replace

import pytest

from clients.device import Device
from clients.dynamics365 import ZERO_GUID, Endpoint
from harness import times, tokens
from harness.client import Operator, message, person, unique
from stage import feed
from stage.feed import Interaction, link_click
from stage.forgeries import FIELDS, flipped
from stage.people import GIVEN, send
from stage.simultaneous import at_once

CLICKED = Interaction(feed.CLICKED, "dynamics365")
OPENED = Interaction(feed.OPENED, "dynamics365")
LIMIT = 16 * 1024


@pytest.fixture(params=["v1", "v2"])
def version(request):
    return request.param


@dataclass
class Reporter:
    """Posts events about one message to one person, who has given consent."""

    org: object
    endpoint: Endpoint
    phone: Device
    recipient: str
    message: str
    tracking_id: str
    link: str

    def post(self, body=None, *, tracking_id=None, organization=None, content_type="application/json", **members):
        """One event, well formed but for what is said here; its status."""
        tracking_id = self.tracking_id if tracking_id is None else tracking_id
        endpoint = replace(self.endpoint, organization=organization or self.endpoint.organization)
        if body is None:
            content = {"DeviceToken": self.phone.token, "PushNotificationStatus": 0}
            content |= {"TrackingId": tracking_id} if endpoint.version == "v2" else {}
            body = json.dumps({name: it for name, it in (content | members).items() if it is not ...}).encode()
        headers = {"Content-Type": content_type} if content_type else {}
        return self.phone.request("POST", endpoint.url(tracking_id), headers, body).status

    @property
    def success(self):
        return self.endpoint.success

    @property
    def recorded(self):
        return feed.recorded(self.org, self.message)


def reporter_of(org, door, version, recipient=None, **content):
    recipient = recipient or person()
    org.record(recipient, "given", occurredAt=times.from_now(hours=-2))
    composed = org.compose([recipient], message(**content), format="dynamics365", platform="android")
    data = composed.payload(recipient)["data"]
    endpoint = Endpoint(door.origin, org.id, version)
    return Reporter(org, endpoint, Device("android"), recipient, composed.message, data["trackingId"], data.get("link"))


@pytest.fixture
def reporter(org, door, version):
    return reporter_of(org, door, version)


def genuine(reporter):
    """The negative control of a test that shows that nothing is recorded: the same event, well formed, is."""
    assert reporter.post() == reporter.success
    assert reporter.recorded == [CLICKED]


class TestStatus:
    @pytest.mark.parametrize(
        ("status", "interaction"),
        [(0, CLICKED), ("0", CLICKED), ("Clicked", CLICKED), (1, OPENED), ("1", OPENED), ("Opened", OPENED)],
    )
    @pytest.mark.parametrize("tail", ["", "/"], ids=["base without slash", "base with slash"])
    def test_is_taken_in_each_of_its_forms(self, reporter, status, interaction, tail):
        reporter.endpoint = replace(reporter.endpoint, base=reporter.endpoint.base + tail)
        assert reporter.post(PushNotificationStatus=status) == reporter.success
        assert reporter.recorded == [interaction]

    @pytest.mark.parametrize("status", [..., None, 2, -1, 0.5, "2", "", " 0", "Closed", True, False, [], [0], {}])
    def test_that_is_missing_or_unknown_is_400_and_records_nothing(self, reporter, status):
        assert reporter.post(PushNotificationStatus=status) == 400
        assert reporter.recorded == []
        genuine(reporter)


FORGERIES = {
    **{f"byte {at} flipped": (lambda token, at=at: flipped(token, at)) for at in FIELDS},
    "cut": lambda token: token[:-1],
    "cut to its half": lambda token: token[:27],
    "extended": lambda token: token + "A",
    "padded": lambda token: token + "==",
    "in hexadecimal": lambda token: tokens.decode(token).hex(),
    "a GUID": lambda token: "6f9619ff-8b86-d011-b42d-00cf4fc964ff",
    "zeros without dashes": lambda token: "0" * 32,
    "null, as Android writes it": lambda token: "null",
    "null, as Objective-C writes it": lambda token: "(null)",
}


class TestTrackingID:
    @pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES.keys())
    def test_that_is_forged_is_400_and_records_nothing(self, reporter, forge):
        assert reporter.post(tracking_id=forge(reporter.tracking_id)) == 400
        assert reporter.recorded == []
        genuine(reporter)

    def test_that_is_empty_is_400_and_records_nothing(self, reporter):
        """What the Swift sample's inverted guard would send."""
        assert reporter.post(tracking_id="") == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("value", [..., None, 0, [], {}, True])
    def test_that_is_missing_or_no_string_is_400_and_records_nothing(self, org, door, value):
        reporter = reporter_of(org, door, "v2")
        assert reporter.post(TrackingId=value) == 400
        assert reporter.recorded == []
        genuine(reporter)

    def test_of_a_link_is_400_and_records_nothing(self, reporter):
        assert reporter.post(tracking_id=tokens.of_link(reporter.link)) == 400
        assert reporter.recorded == []
        genuine(reporter)

    def test_of_another_organization_is_400_and_records_nothing(self, reporter, organizations):
        other = organizations["nonRestrictive"]
        assert reporter.post(organization=other.id) == 400
        assert reporter.post(organization=unique("nobody")) == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("status", [0, "Opened"])
    def test_of_zeros_is_success_and_records_nothing(self, reporter, status):
        with_zero = reporter.post(tracking_id=ZERO_GUID, PushNotificationStatus=status)
        assert with_zero == reporter.success
        assert reporter.recorded == []


class TestBody:
    @pytest.mark.parametrize(
        "body",
        [b"", b"{", b"null", b"[]", b'"Clicked"', b"PushNotificationStatus=0", b"{}x", b'{"a":"\xff"}', b"\x00"],
    )
    def test_that_is_not_a_json_object_is_400_and_records_nothing(self, reporter, body):
        assert reporter.post(body) == 400
        assert reporter.recorded == []
        genuine(reporter)

    def body_of(self, reporter, length):
        content = {"DeviceToken": "t", "PushNotificationStatus": 0, "TrackingId": reporter.tracking_id, "more": ""}
        content["more"] = "x" * (length - len(json.dumps(content)))
        return json.dumps(content).encode()

    def test_of_16_kib_is_taken(self, reporter):
        assert reporter.post(self.body_of(reporter, LIMIT)) == reporter.success
        assert reporter.recorded == [CLICKED]

    @pytest.mark.parametrize("length", [LIMIT + 1, 5 * LIMIT])
    def test_over_16_kib_is_400_and_records_nothing(self, reporter, length):
        assert reporter.post(self.body_of(reporter, length)) == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize(
        "content_type",
        [
            None,
            "application/json; charset=utf-8",
            "text/plain",
            "application/x-www-form-urlencoded",
            "application/octet-stream",
            "multipart/form-data; boundary=x",
            "nonsense",
        ],
    )
    def test_may_have_any_content_type(self, reporter, content_type):
        assert reporter.post(content_type=content_type) == reporter.success
        assert reporter.recorded == [CLICKED]

    def test_may_have_members_that_old_apps_send_and_may_lack_the_device_token(self, reporter):
        more = {"AppVersion": "1.0", "UserId": None, "Context": {"a": [1, 2]}, "DeviceToken": ...}
        assert reporter.post(**more) == reporter.success
        assert reporter.recorded == [CLICKED]


class TestWhatHasEnded:
    """Genuine, but past its time: the app hears success and nothing is recorded."""

    def test_a_disabled_message_is_success_and_records_nothing_until_it_is_enabled(self, reporter):
        org = reporter.org
        org.expect(200, "POST", org.path(f"/messages/{reporter.message}/disable"))
        assert reporter.post() == reporter.success
        assert reporter.recorded == []
        org.expect(200, "POST", org.path(f"/messages/{reporter.message}/enable"))
        genuine(reporter)

    def test_a_message_past_its_lifetime_is_success_and_records_nothing(self, org, door, version):
        expires = int(time.time()) + 3
        expires_at = times.from_now(seconds=expires - time.time())[:-5] + ".000Z"
        reporter = reporter_of(org, door, version, expiresAt=expires_at)
        assert tokens.fields(reporter.tracking_id).expires <= expires + 1
        assert reporter.post() == reporter.success
        time.sleep(max(0.0, expires + 1.2 - time.time()))
        assert reporter.post(PushNotificationStatus=1) == reporter.success
        assert reporter.recorded == [CLICKED]

    @pytest.mark.parametrize("state", ["refused", "withdrawn", "revoked", "invalidated"])
    def test_consent_that_has_ended_is_success_and_records_nothing_until_it_is_given_again(self, reporter, state):
        reporter.org.record(reporter.recipient, state)
        assert reporter.post() == reporter.success
        assert reporter.recorded == []
        time.sleep(0.003)
        reporter.org.record(reporter.recipient, "given")
        assert reporter.post(PushNotificationStatus=1) == reporter.success
        assert reporter.recorded == [OPENED]


class TestRepeats:
    def test_a_post_that_is_repeated_after_a_timeout_counts_once(self, reporter):
        for _ in range(3):
            assert reporter.post() == reporter.success
        assert reporter.recorded == [CLICKED]
        assert reporter.post() == reporter.success
        assert reporter.recorded == [CLICKED]

    def test_the_same_event_in_another_form_or_over_the_other_api_counts_once(self, org, door):
        reporter = reporter_of(org, door, "v1")
        for version in ("v1", "v2"):
            reporter.endpoint = replace(reporter.endpoint, version=version)
            for status in (0, "0", "Clicked"):
                assert reporter.post(PushNotificationStatus=status) == reporter.success
        assert reporter.recorded == [CLICKED]

    def test_posts_at_the_same_moment_count_once(self, reporter):
        assert at_once(reporter.post) == [reporter.success] * 8
        assert reporter.recorded == [CLICKED]

    def test_another_type_another_person_and_another_message_are_no_repeat(self, org, door, version):
        recipient = person()
        one = reporter_of(org, door, version, recipient)
        other_message = reporter_of(org, door, version, recipient)
        other_person = reporter_of(org, door, version)
        for reporter in (one, other_message, other_person):
            for status in (0, 1):
                assert reporter.post(PushNotificationStatus=status) == reporter.success
        for reporter in (one, other_message, other_person):
            assert reporter.recorded == [CLICKED, OPENED]

    def test_one_message_to_two_people_counts_for_both(self, org, door, version):
        people = [person(), person()]
        org.record_all([{"recipient": who, "state": "given"} for who in people])
        composed = org.compose(people, message(), format="dynamics365", platform="android")
        endpoint = Endpoint(door.origin, org.id, version)
        for who in people:
            phone, id = Device("android"), composed.payload(who)["data"]["trackingId"]
            assert phone.request("POST", endpoint.url(id), {}, endpoint.body(1, "t", id)).status == endpoint.success
        assert feed.recorded(org, composed.message) == [OPENED, OPENED]
        assert {seen["recipient"] for seen in org.interactions(message=composed.message)} == set(people)

    def test_a_repeat_after_a_restart_counts_once(self, own_service, own_door, version):
        org = Operator(own_service).make("restrictive")
        reporter = reporter_of(org, own_door, version)
        assert reporter.post() == reporter.success
        own_service.restart()
        assert reporter.post() == reporter.success
        assert reporter.recorded == [CLICKED]

    @pytest.mark.patience
    def test_after_a_minute_it_is_a_new_event(self, reporter):
        assert reporter.post() == reporter.success
        time.sleep(61)
        assert reporter.post() == reporter.success
        assert reporter.recorded == [CLICKED, CLICKED]


def test_a_tap_that_sends_clicked_then_opened_and_follows_the_link_is_three_interactions(org, door, version, website):
    page = website.page()
    reporter = reporter_of(org, door, version, link=page)
    assert reporter.post(PushNotificationStatus="Clicked") == reporter.success
    assert reporter.post(PushNotificationStatus="Opened") == reporter.success
    reporter.phone.open_url(reporter.link)
    assert website.visits(page) == 1
    assert reporter.recorded == sorted([CLICKED, OPENED, link_click(page)])
    report = reporter.org.expect(200, "GET", reporter.org.path(f"/messages/{reporter.message}/report")).json()
    counts = {type: (seen["total"], seen["unique"]) for type, seen in report["interactions"].items() if seen["total"]}
    assert counts == {type: (1, 1) for type in (feed.CLICKED, feed.OPENED, feed.LINK_CLICKED)}


def test_an_event_is_in_the_feed_with_its_source_and_without_a_link(reporter):
    before = times.render(times.now())
    assert reporter.post() == reporter.success
    reporter.org.settle()
    (seen,) = reporter.org.interactions(message=reporter.message)
    expected = {"type": feed.CLICKED, "source": "dynamics365", "recipient": reporter.recipient, "link": None}
    assert {name: seen[name] for name in expected} == expected
    assert (seen["action"], seen["automated"]) == (None, False)
    assert before <= seen["occurredAt"] <= seen["recordedAt"] <= times.from_now(seconds=2)


def test_a_device_token_is_kept_nowhere(reporter, service):
    reporter.phone.token = unique("device-token")
    genuine(reporter)
    assert service.files_with(reporter.phone.token) == set()
    assert reporter.phone.token not in service.log_text()


def test_the_payload_of_an_android_app_is_what_a_reporter_reads(org, door):
    """The reporter's own negative control: its tracking ID is the one that the apps' payloads have."""
    delivery = send(org, GIVEN, message(), "dynamics365", "android")
    assert tokens.fields(delivery.content["trackingId"]).link == 0
    assert tokens.fields(tokens.of_link(delivery.content["link"])).link == 1
