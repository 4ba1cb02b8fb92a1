"""Apps of Bird, in every state of consent: what they open, what they report, what is recorded."""

import json

import pytest

from clients.bird import DEEP_LINK, OPEN_APP, URL, App, UnguardedApp
from clients.device import Device
from harness import tokens
from harness.client import message, unique
from stage import feed
from stage.feed import Interaction, link_click
from stage.people import GIVEN, NEVER_SEEN, STATES, send

SOURCE = "bird"
RECEIVED = Interaction(feed.RECEIVED, SOURCE)
DEEP = "shop://offers/7?from=push"


def clicked(identifier="default"):
    return Interaction(feed.CLICKED, SOURCE, action=identifier)


@pytest.fixture(params=["ios", "android"])
def platform(request):
    return request.param


@pytest.fixture(params=[True, False], ids=["opens deep links by itself", "leaves deep links to the app"])
def automatically(request):
    return request.param


@pytest.fixture(params=STATES, ids=str)
def state(request):
    return request.param


CUSTOM = {"campaign": "spring", "quote": 'she said "yes" ☀'}


def run(kind, org, door, state, platform, automatically, content, identifier=None):
    """A notification arrives, and one thing on it is tapped."""
    delivery = send(org, state, content, SOURCE, platform)
    app = kind(Device(platform), door.origin, org.id, automatically_open_deeplinks=automatically)
    with door.watch() as requests:
        app.notification_arrived(delivery.content)
        if identifier is None:
            app.notification_tapped(delivery.content)
        else:
            app.button_pressed(delivery.content, identifier)
    if not state.tracked:
        assert not any(request.identifies_somebody for request in requests)
    return delivery, app, requests


def assert_reported(app, state):
    assert [post.status for post in app.device.posts] == ([202, 202] if state.tracked else [])
    assert all(post.succeeded for post in app.device.posts)


def check_link(delivery, app, state, door, website, page, identifier="default"):
    """The page was opened and is what is recorded, with consent."""
    (opened,), (result,) = app.device.opened, app.results
    assert (result.action.type, result.action.identifier) == (URL, identifier)
    assert opened.url.startswith(f"{door.origin}/r/") if state.tracked else opened.url == page
    assert (opened.arrived_at, opened.status, website.visits(page)) == (page, 200, 1)
    assert_reported(app, state)
    expected = [RECEIVED, clicked(identifier), link_click(page)] if state.recorded else []
    assert feed.recorded(delivery.org, delivery.message, delivery.recipient) == sorted(expected)


class TestATap:
    def test_on_a_link_opens_it_and_records_what_consent_permits(
        self, organizations, door, website, state, platform, automatically
    ):
        org, page = organizations[state.enforcement], website.page()
        content = message(title="T", link=page, custom=CUSTOM)
        delivery, app, _ = run(App, org, door, state, platform, automatically, content)
        check_link(delivery, app, state, door, website, page)
        assert app.results[0].payload == CUSTOM
        assert app.results[0].type == "Tap"

    @pytest.mark.parametrize("link", [DEEP, "https://shop.example/offers/7"], ids=["own scheme", "marked https"])
    def test_on_a_deep_link_opens_it_raw_for_everybody(
        self, organizations, door, state, platform, automatically, link, monkeypatch
    ):
        """A deep link of the web belongs to the app: no browser is asked."""
        monkeypatch.setattr(Device, "open_url", Device.open_inside_the_app)
        org = organizations[state.enforcement]
        content = message(title="T", link=link, deepLink=True)
        delivery, app, requests = run(App, org, door, state, platform, automatically, content)
        assert app.device.opened_urls == [link]
        assert app.results[0].action.type == DEEP_LINK
        assert_reported(app, state)
        assert len(requests) == len(app.device.posts)
        expected = [clicked(), RECEIVED] if state.recorded else []
        assert feed.recorded(org, delivery.message, delivery.recipient) == sorted(expected)

    def test_without_a_link_opens_the_app(self, organizations, door, state, platform, automatically):
        org = organizations[state.enforcement]
        content = {"name": unique(), "title": "Hello"}
        delivery, app, _ = run(App, org, door, state, platform, automatically, content)
        assert app.device.opened == []
        assert (app.results[0].action.type, app.results[0].action.url) == (OPEN_APP, None)
        assert_reported(app, state)
        expected = [clicked(), RECEIVED] if state.recorded else []
        assert feed.recorded(org, delivery.message, delivery.recipient) == sorted(expected)


class TestAButton:
    @pytest.fixture
    def content(self, website):
        self.pages = {"buy": website.page("buy"), "later": website.page("later")}
        actions = [{"id": id, "title": id.title(), "link": page} for id, page in self.pages.items()]
        actions += [{"id": "show", "title": "Show", "link": DEEP}, {"id": "close", "title": "Close"}]
        return message(title="T", link=website.page(), actions=actions)

    @pytest.mark.parametrize("identifier", ["buy", "later"])
    def test_with_a_link_opens_its_own_and_records_what_consent_permits(
        self, organizations, door, website, state, platform, content, identifier
    ):
        org = organizations[state.enforcement]
        delivery, app, _ = run(App, org, door, state, platform, True, content, identifier)
        assert app.results[0].type == "Button"
        check_link(delivery, app, state, door, website, self.pages[identifier], identifier)

    @pytest.mark.parametrize(
        ("identifier", "action", "url"), [("show", DEEP_LINK, DEEP), ("close", OPEN_APP, None)], ids=["deep", "none"]
    )
    def test_without_a_link_of_the_web_opens_what_it_says(
        self, organizations, door, state, platform, automatically, content, identifier, action, url
    ):
        org = organizations[state.enforcement]
        delivery, app, requests = run(App, org, door, state, platform, automatically, content, identifier)
        assert app.device.opened_urls == ([url] if url else [])
        assert (app.results[0].action.type, app.results[0].action.url) == (action, url)
        assert_reported(app, state)
        assert len(requests) == len(app.device.posts)
        expected = [clicked(identifier), RECEIVED] if state.recorded else []
        assert feed.recorded(org, delivery.message, delivery.recipient) == sorted(expected)

    def test_has_a_link_index_of_its_own(self, org, door, platform, content):
        delivery = send(org, GIVEN, content, SOURCE, platform)
        bird = App(Device(platform), "", "", automatically_open_deeplinks=True).handler.content(delivery.content)
        urls = [bird["action"]["url"]] + [action["url"] for action in bird["actions"] if action["type"] == URL]
        indexes = [tokens.fields(tokens.of_link(url)).link for url in urls]
        assert len(set(indexes)) == 3 and 0 not in indexes
        listed = {link["index"]: link["url"] for link in org.make_message(content)["links"]}
        assert [listed[index] for index in indexes] == [content["link"], *self.pages.values()]


class TestAnAppThatReportsNull:
    def test_is_recorded_with_consent_alone(self, organizations, door, website, state, platform):
        org, page = organizations[state.enforcement], website.page()
        content = message(title="T", link=page)
        delivery, app, _ = run(UnguardedApp, org, door, state, platform, True, content)
        assert [post.status for post in app.device.posts] == [202 if state.tracked else 400] * 2
        expected = [RECEIVED, clicked(), link_click(page)] if state.recorded else []
        assert feed.recorded(org, delivery.message, delivery.recipient) == sorted(expected)


class TestPayload:
    def test_is_an_object_on_ios_and_one_string_on_android(self, org):
        content = message(title="T", body="B", custom=CUSTOM)
        ios = send(org, NEVER_SEEN, content, SOURCE, "ios").content
        android = send(org, NEVER_SEEN, content, SOURCE, "android").content
        assert isinstance(ios["bird"], dict)
        assert ios["aps"]["category"] == "BIRD"
        assert set(android) == {"title", "body", "bird"}
        assert json.loads(android["bird"]) == ios["bird"]
        assert ios["bird"]["type"] == "Tap"
        assert json.loads(ios["bird"]["payload"]) == CUSTOM
        assert ios["bird"]["originalLink"] == content["link"]
        assert "trackingId" not in ios["bird"]

    def test_has_the_messages_own_category_when_it_has_one(self, org):
        assert send(org, GIVEN, message(category="OFFER"), SOURCE, "ios").content["aps"]["category"] == "OFFER"

    def test_has_the_tracking_id_of_the_message_even_when_its_link_is_deep(self, org):
        for content in (message(), message(link=DEEP), message(deepLink=True)):
            bird = send(org, GIVEN, content, SOURCE, "ios").content["bird"]
            assert tokens.fields(bird["trackingId"]).link == 0
