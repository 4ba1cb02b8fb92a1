"""The apps of Adobe Campaign Standard, in every state of consent: what they open, what they send, what is recorded."""

import re

import pytest

from clients.adobe_campaign import AndroidApp, IOSApp
from clients.adobe_campaign_hits import LEGACY_POSTBACK, SDK, HitForm, HitQueue
from clients.device import Device
from harness import tokens
from harness.client import message, unique
from stage import feed
from stage.feed import Interaction, link_click
from stage.people import GIVEN, NEVER_SEEN, STATES, send

SOURCE = "adobe-campaign"
OPENED = Interaction(feed.OPENED, SOURCE)
CLICKED = Interaction(feed.CLICKED, SOURCE)
RECEIVED = Interaction(feed.RECEIVED, SOURCE)
CONTENT = {
    "title": "Spring sale",
    "body": "Have a look ☀",
    "imageUrl": "https://cdn.example/spring.png",
    "badge": 2,
    "sound": "default",
    "category": "OFFER",
    "contentAvailable": True,
    "custom": {"custom_field1": "custom_value1"},
}

APPS = {"Android": AndroidApp, "iOS": IOSApp}
# How an app's hits are written, and whether the app is from before 21.1.
GENERATIONS = {
    "SDK": (SDK, False),
    "SDK with %2C, before 21.1": (HitForm(comma="%2C"), True),
    "legacy postback": (LEGACY_POSTBACK, False),
    "legacy postback, before 21.1": (LEGACY_POSTBACK, True),
}


@pytest.fixture(params=APPS.values(), ids=APPS.keys())
def kind(request):
    return request.param


@pytest.fixture(params=GENERATIONS.values(), ids=GENERATIONS.keys())
def generation(request):
    return request.param


def app_of(kind, door, form=SDK, before_21_1=False):
    device = Device(kind.platform)
    return kind(device, HitQueue(device, door.origin, form=form), before_21_1=before_21_1)


def do(app, delivery, action):
    """What a person does, and how many hits the app sends for it when it has the ids."""
    if action == "impression":
        app.notification_arrived(delivery.content)
        return 1
    if action == "impression in the background":
        app.notification_arrived(delivery.content, in_background=True)
        return 1
    if action == "dismiss":
        app.notification_dismissed(delivery.content)
        return 1
    app.notification_tapped(delivery.content)
    return 2


ACTIONS = {
    "impression": [RECEIVED],
    "dismiss": [CLICKED],
    "tap": [CLICKED, OPENED],
}


@pytest.mark.parametrize("state", STATES, ids=str)
@pytest.mark.parametrize("action", ACTIONS)
def test_an_app_sends_hits_for_those_alone_who_may_be_tracked_and_success_is_200(
    kind, generation, action, state, organizations, door, website
):
    org, page = organizations[state.enforcement], website.page()
    delivery = send(org, state, message(link=page, **CONTENT), SOURCE, kind.platform)
    app = app_of(kind, door, *generation)
    with door.watch() as requests:
        hits = do(app, delivery, action)
    phone = app.device
    assert [post.status for post in phone.posts] == [200] * (hits if state.tracked else 0)
    assert (app.hits.waiting, app.hits.dropped) == ([], [])

    expected = list(ACTIONS[action])
    if action == "tap":
        (opened,) = phone.opened
        assert opened.url.startswith(f"{door.origin}/r/") if state.tracked else opened.url == page
        assert (opened.arrived_at, opened.status, website.visits(page)) == (page, 200, 1)
        expected.append(link_click(page))
    else:
        assert phone.opened == []
    if not state.tracked:
        assert requests == []
    assert feed.recorded(org, delivery.message, delivery.recipient) == (sorted(expected) if state.recorded else [])


@pytest.mark.parametrize("state", STATES, ids=str)
def test_a_notification_without_a_link_is_reported_with_consent_alone(kind, state, organizations, door):
    org = organizations[state.enforcement]
    delivery = send(org, state, {"name": unique(), "title": "Hello"}, SOURCE, kind.platform)
    assert not {"uri", "originalLink"} & set(delivery.content)
    app = app_of(kind, door)
    do(app, delivery, "tap")
    assert app.device.opened == []
    assert [post.status for post in app.device.posts] == [200] * (2 if state.tracked else 0)
    assert feed.recorded(org, delivery.message) == ([CLICKED, OPENED] if state.recorded else [])


@pytest.mark.parametrize("state", [GIVEN, NEVER_SEEN], ids=str)
def test_an_impression_in_the_background_is_sent_for_content_that_is_available(state, org, door):
    delivery = send(org, state, message(**CONTENT), SOURCE, "ios")
    app = app_of(IOSApp, door)
    do(app, delivery, "impression in the background")
    assert len(app.device.posts) == (1 if state.tracked else 0)
    assert feed.recorded(org, delivery.message) == ([RECEIVED] if state.recorded else [])
    silent = send(org, GIVEN, message(**CONTENT | {"contentAvailable": False}), SOURCE, "ios")
    do(app_of(IOSApp, door), silent, "impression in the background")
    assert feed.recorded(org, silent.message) == []


def test_coming_back_to_an_android_activity_sends_the_hits_again_and_counts_once(org, door, website):
    page = website.page()
    delivery = send(org, GIVEN, message(link=page), SOURCE, "android")
    app = app_of(AndroidApp, door)
    app.notification_tapped(delivery.content)
    app.activity_resumed(delivery.content)
    assert [post.status for post in app.device.posts] == [200] * 4
    assert feed.recorded(org, delivery.message) == sorted([CLICKED, OPENED, link_click(page)])


class TestAFlagThatIsMissing:
    """`_acsDeliveryTracking` lost on the way, as custom templates do: every app takes it for "on", so the ids decide."""

    @pytest.mark.parametrize("state", STATES, ids=str)
    def test_leads_to_hits_only_where_the_ids_are(self, kind, state, organizations, door):
        org = organizations[state.enforcement]
        delivery = send(org, state, message(), SOURCE, kind.platform)
        assert delivery.content.pop("_acsDeliveryTracking") == ("on" if state.tracked else "off")
        app = app_of(kind, door)
        app.notification_arrived(delivery.content)
        assert [post.status for post in app.device.posts] == [200] * state.tracked
        assert feed.recorded(org, delivery.message) == ([RECEIVED] if state.recorded else [])


class TestPayload:
    def test_has_ids_that_the_clients_can_read(self, kind, org):
        delivery = send(org, GIVEN, message(**CONTENT), SOURCE, kind.platform)
        fields = delivery.content
        assert fields["_acsDeliveryTracking"] == "on"
        assert re.fullmatch(r"h[0-9a-f]{80}", fields["_mId"])
        assert tokens.fields(tokens.encode(bytes.fromhex(fields["_mId"][1:]))).link == 0
        assert re.fullmatch(r"[1-9a-f][0-9a-f]{0,15}", fields["_dId"])
        assert int(fields["_dId"], 16) < 2**63
        assert fields["custom_field1"] == "custom_value1"
        assert fields["media-attachment-url"] == CONTENT["imageUrl"]

    def test_tells_an_untracked_person_off_and_gives_no_ids(self, kind, org):
        content = message(**CONTENT)
        fields = send(org, NEVER_SEEN, content, SOURCE, kind.platform).content
        assert fields["_acsDeliveryTracking"] == "off"
        assert not {"_mId", "_dId"} & set(fields)
        assert fields["uri"] == fields["originalLink"] == content["link"]

    def test_has_numbers_on_ios_and_strings_on_android(self, org):
        ios = send(org, GIVEN, message(**CONTENT), SOURCE, "ios").content
        assert (ios["aps"]["badge"], ios["aps"]["content-available"], ios["aps"]["mutable-content"]) == (2, 1, 1)
        assert ios["aps"]["alert"] == {"title": CONTENT["title"], "body": CONTENT["body"]}
        assert (ios["aps"]["sound"], ios["aps"]["category"]) == ("default", "OFFER")
        android = send(org, GIVEN, message(**CONTENT), SOURCE, "android").content
        assert {name: android[name] for name in ("badge", "sound", "category", "title", "body")} == {
            "badge": "2",
            "sound": "default",
            "category": "OFFER",
            "title": CONTENT["title"],
            "body": CONTENT["body"],
        }
