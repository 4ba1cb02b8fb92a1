"""The apps of Dynamics 365, in every state of consent: what they open, what they post, what is recorded."""

from dataclasses import dataclass

import pytest

from clients.device import Device
from clients.dynamics365 import ZERO_GUID, Endpoint
from clients.dynamics365_android import AndroidApp, LinkClaimingAndroidApp
from clients.dynamics365_objective_c import ObjectiveCApp
from clients.dynamics365_swift import RepairedSwiftApp, SwiftApp
from harness.client import message, unique
from stage import feed
from stage.feed import Interaction, link_click
from stage.people import STATES, send

CLICKED = Interaction(feed.CLICKED, "dynamics365")
OPENED = Interaction(feed.OPENED, "dynamics365")


@dataclass(frozen=True)
class Sample:
    app: type
    # What is recorded about a tap besides the link's own click, with consent in force.
    with_link: tuple
    without_link: tuple
    # Whether it posts although the payload has the zero GUID.
    posts_zero_with_link: bool = False
    posts_zero_without_link: bool = False
    browses: bool = True


SAMPLES = {
    "Objective-C": Sample(ObjectiveCApp, (CLICKED,), (OPENED,)),
    "Swift": Sample(SwiftApp, (), ()),
    "Swift, repaired": Sample(RepairedSwiftApp, (CLICKED,), (OPENED,)),
    "Android": Sample(AndroidApp, (), (OPENED,), posts_zero_without_link=True),
    "Android that claims its links": Sample(
        LinkClaimingAndroidApp, (OPENED,), (OPENED,), True, posts_zero_without_link=True, browses=False
    ),
}
CONTENT = {"title": "Spring sale", "body": "Have a look ☀", "imageUrl": "https://cdn.example/spring.png"}


@pytest.fixture(params=SAMPLES.values(), ids=SAMPLES.keys())
def sample(request):
    return request.param


@pytest.fixture(params=[("v1", "/"), ("v2", "")], ids=["v1, base with slash", "v2, base without"])
def api(request):
    return request.param


def endpoint_of(org, door, api):
    version, tail = api
    return Endpoint(door.origin + tail, org.id, version)


def tap(sample, org, door, api, state, content):
    """One tap by one person: the delivery, the phone, and the requests that came to the service."""
    delivery = send(org, state, content, "dynamics365", sample.app.platform)
    app = sample.app(Device(sample.app.platform), endpoint_of(org, door, api))
    with door.watch() as requests:
        app.notification_tapped(delivery.content)
    assert all(post.succeeded for post in app.device.posts), app.device.posts
    assert [post.status for post in app.device.posts] == [app.endpoint.success] * len(app.device.posts)
    if not state.tracked:
        assert [request.line for request in requests if request.identifies_somebody] == []
    return delivery, app.device, requests


@pytest.mark.parametrize("state", STATES, ids=str)
class TestATap:
    def test_on_a_notification_with_a_link_arrives_and_records_what_consent_permits(
        self, sample, api, state, organizations, door, website
    ):
        org, page = organizations[state.enforcement], website.page()
        content = message(link=page, **CONTENT)
        delivery, phone, requests = tap(sample, org, door, api, state, content)

        (opened,) = phone.opened
        assert opened.url.startswith(f"{door.origin}/r/") if state.tracked else opened.url == page
        if sample.browses:
            assert (opened.arrived_at, opened.status, website.visits(page)) == (page, 200, 1)

        posts = len(sample.with_link) if state.tracked else sample.posts_zero_with_link
        assert len(phone.posts) == posts
        assert len(requests) == posts + (state.tracked and sample.browses)
        for post in phone.posts:
            assert (ZERO_GUID in post.url or ZERO_GUID.encode() in post.body) is not state.tracked

        click = (link_click(page),) if sample.browses else ()
        assert feed.recorded(org, delivery.message, delivery.recipient) == (
            sorted(click + sample.with_link) if state.recorded else []
        )

    def test_on_a_notification_without_a_link_records_what_consent_permits(
        self, sample, api, state, organizations, door
    ):
        org = organizations[state.enforcement]
        content = {"name": unique()} | CONTENT
        delivery, phone, requests = tap(sample, org, door, api, state, content)
        assert phone.opened == []
        posts = len(sample.without_link) if state.tracked else sample.posts_zero_without_link
        assert (len(phone.posts), len(requests)) == (posts, posts)
        assert feed.recorded(org, delivery.message, delivery.recipient) == (
            sorted(sample.without_link) if state.recorded else []
        )


@pytest.mark.parametrize("state", STATES, ids=str)
@pytest.mark.parametrize("platform", ["ios", "android"])
def test_an_app_that_posts_whatever_it_finds_is_answered_and_recorded_with_consent_alone(
    state, platform, api, organizations, door
):
    """No guard at all, and both events at once: the worst that an app can be."""
    org = organizations[state.enforcement]
    delivery = send(org, state, message(**CONTENT), "dynamics365", platform)
    phone = Device(platform)
    endpoint = endpoint_of(org, door, api)
    tracking_id = delivery.content["trackingId"] if platform == "android" else delivery.content["data"]["trackingId"]
    with door.watch() as requests:
        for status in (0, "Opened"):
            body = endpoint.body(status, phone.token, tracking_id)
            post = phone.request("POST", endpoint.url(tracking_id), {"Content-Type": "application/json"}, body)
            assert post.status == endpoint.success
    if not state.tracked:
        assert not any(request.identifies_somebody for request in requests)
    assert feed.recorded(org, delivery.message, delivery.recipient) == ([CLICKED, OPENED] if state.recorded else [])
