"""Interactions reported to the endpoint of Bird, one request at a time: what is taken, and what is not."""

import json
import time
from dataclasses import dataclass

import pytest

from clients.device import Device
from harness import times, tokens
from harness.client import message, person, unique
from stage import feed
from stage.feed import Interaction, link_click
from stage.forgeries import FIELDS, flipped
from stage.simultaneous import at_once

SOURCE = "bird"
TAPPED = Interaction(feed.CLICKED, SOURCE, action="default")
LIMIT = 16 * 1024


@dataclass
class Reporter:
    """Reports about one message to one person, who has given consent."""

    org: object
    origin: str
    phone: Device
    recipient: str
    message: str
    bird: dict

    def post(self, body=None, *, organization=None, content_type="application/json", **members):
        """One interaction, well formed but for what is said here; its status."""
        if body is None:
            content = {"type": "Tap", "trackingId": self.bird["trackingId"], "action": {"identifier": "default"}}
            body = json.dumps({name: it for name, it in (content | members).items() if it is not ...}).encode()
        headers = {"Content-Type": content_type} if content_type else {}
        url = f"{self.origin}/bird/v1/orgs/{organization or self.org.id}/interactions"
        return self.phone.request("POST", url, headers, body).status

    @property
    def recorded(self):
        return feed.recorded(self.org, self.message)


def reporter_of(org, door, recipient=None, **content):
    recipient = recipient or person()
    org.record(recipient, "given", occurredAt=times.from_now(hours=-2))
    composed = org.compose([recipient], message(**content), format=SOURCE, platform="ios")
    bird = composed.payload(recipient)["bird"]
    return Reporter(org, door.origin, Device("ios"), recipient, composed.message, bird)


@pytest.fixture
def reporter(org, door):
    return reporter_of(org, door)


def genuine(reporter):
    """The negative control of a test that shows that nothing is recorded: the same report, well formed, is."""
    assert reporter.post() == 202
    assert reporter.recorded == [TAPPED]


class TestType:
    @pytest.mark.parametrize(
        ("type", "action", "interaction"),
        [
            ("Received", ..., Interaction(feed.RECEIVED, SOURCE)),
            ("Tap", {"identifier": "default"}, TAPPED),
            ("Button", {"identifier": "buy-now"}, Interaction(feed.CLICKED, SOURCE, action="buy-now")),
        ],
    )
    def test_is_recorded_with_the_identifier_of_what_was_tapped(self, org, door, type, action, interaction):
        reporter = reporter_of(org, door, actions=[{"id": "buy-now", "title": "Buy now"}])
        assert reporter.post(type=type, action=action) == 202
        assert reporter.recorded == [interaction]

    @pytest.mark.parametrize("type", [..., None, "", "tap", "Opened", "Clicked", 0, True, [], {}])
    def test_that_is_missing_or_unknown_is_400_and_records_nothing(self, reporter, type):
        assert reporter.post(type=type) == 400
        assert reporter.recorded == []
        genuine(reporter)


class TestTrackingID:
    @pytest.mark.parametrize("value", [..., None, "", 0, True, [], {}, "null", "x" * 54, "A" * 54])
    def test_that_is_missing_or_none_is_400_and_records_nothing(self, reporter, value):
        assert reporter.post(trackingId=value) == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("at", FIELDS)
    def test_that_is_forged_is_400_and_records_nothing(self, reporter, at):
        assert reporter.post(trackingId=flipped(reporter.bird["trackingId"], at)) == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("change", [lambda id: id[:-1], lambda id: id + "A", lambda id: id + "=="])
    def test_that_is_cut_or_extended_is_400_and_records_nothing(self, reporter, change):
        assert reporter.post(trackingId=change(reporter.bird["trackingId"])) == 400
        assert reporter.recorded == []
        genuine(reporter)

    def test_of_a_link_is_400_and_records_nothing(self, reporter):
        assert reporter.post(trackingId=tokens.of_link(reporter.bird["action"]["url"])) == 400
        assert reporter.recorded == []
        genuine(reporter)

    def test_of_another_organization_is_400_and_records_nothing(self, reporter, organizations):
        for organization in (organizations["nonRestrictive"].id, unique("nobody")):
            assert reporter.post(organization=organization) == 400
        assert reporter.recorded == []
        genuine(reporter)


class TestBody:
    @pytest.mark.parametrize("body", [b"", b"{", b"null", b"[]", b'"Tap"', b"type=Tap", b"{}x", b'{"a":"\xff"}'])
    def test_that_is_not_a_json_object_is_400_and_records_nothing(self, reporter, body):
        assert reporter.post(body) == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("length", [LIMIT + 1, 5 * LIMIT])
    def test_over_16_kib_is_400_and_records_nothing(self, reporter, length):
        content = {"type": "Tap", "trackingId": reporter.bird["trackingId"], "action": {"identifier": "default"}}
        content["more"] = ""
        content["more"] = "x" * (length - len(json.dumps(content)))
        assert reporter.post(json.dumps(content).encode()) == 400
        assert reporter.recorded == []
        genuine(reporter)

    @pytest.mark.parametrize("content_type", [None, "text/plain", "application/octet-stream", "nonsense"])
    def test_may_have_any_content_type(self, reporter, content_type):
        assert reporter.post(content_type=content_type) == 202
        assert reporter.recorded == [TAPPED]

    def test_may_have_members_that_nobody_knows(self, reporter):
        assert reporter.post(deviceToken="t", payload={"a": 1}) == 202
        assert reporter.recorded == [TAPPED]


class TestWhatHasEnded:
    def test_a_disabled_message_is_202_and_records_nothing_until_it_is_enabled(self, reporter):
        org = reporter.org
        org.expect(200, "POST", org.path(f"/messages/{reporter.message}/disable"))
        assert reporter.post() == 202
        assert reporter.recorded == []
        org.expect(200, "POST", org.path(f"/messages/{reporter.message}/enable"))
        genuine(reporter)

    def test_a_message_past_its_lifetime_is_202_and_records_nothing(self, org, door):
        expires = int(time.time()) + 3
        expires_at = times.from_now(seconds=expires - time.time())[:-5] + ".000Z"
        reporter = reporter_of(org, door, expiresAt=expires_at)
        assert reporter.post() == 202
        time.sleep(max(0.0, expires + 1.2 - time.time()))
        assert reporter.post(type="Received") == 202
        assert reporter.recorded == [TAPPED]

    @pytest.mark.parametrize("state", ["refused", "withdrawn", "revoked", "invalidated"])
    def test_consent_that_has_ended_is_202_and_records_nothing(self, reporter, state):
        reporter.org.record(reporter.recipient, state)
        assert reporter.post() == 202
        assert reporter.recorded == []


class TestRepeats:
    def test_a_report_that_is_repeated_after_a_timeout_counts_once(self, reporter):
        for _ in range(3):
            assert reporter.post() == 202
        assert reporter.recorded == [TAPPED]

    def test_reports_at_the_same_moment_count_once(self, reporter):
        assert at_once(reporter.post) == [202] * 8
        assert reporter.recorded == [TAPPED]

    def test_received_and_a_tap_are_two(self, reporter):
        assert reporter.post(type="Received", action=...) == 202
        assert reporter.post() == 202
        assert reporter.recorded == sorted([Interaction(feed.RECEIVED, SOURCE), TAPPED])


def test_received_a_tap_and_its_link_are_three_interactions(org, door, website):
    page = website.page()
    reporter = reporter_of(org, door, link=page)
    assert reporter.post(type="Received", action=...) == 202
    assert reporter.post() == 202
    reporter.phone.open_url(reporter.bird["action"]["url"])
    assert website.visits(page) == 1
    expected = [Interaction(feed.RECEIVED, SOURCE), TAPPED, link_click(page)]
    assert reporter.recorded == sorted(expected)
    report = org.expect(200, "GET", org.path(f"/messages/{reporter.message}/report")).json()
    assert {type: seen["total"] for type, seen in report["interactions"].items() if seen["total"]} == {
        seen.type: 1 for seen in expected
    }
