"""The clients themselves: each makes its sample's decision, and its sample's mistake, on payloads made by hand.

A client that never posted would pass every test about people without consent; here each is made to.
"""

import json

import pytest

from clients.adobe_campaign import AndroidApp as AdobeAndroid
from clients.adobe_campaign import IOSApp as AdobeIOS
from clients.adobe_campaign_hits import LEGACY_POSTBACK, SDK, HitForm, HitQueue
from clients.bird import App as BirdApp
from clients.bird import UnguardedApp
from clients.device import Device, NoNetwork
from clients.dynamics365 import ZERO_GUID, Endpoint
from clients.dynamics365_android import AndroidApp, LinkClaimingAndroidApp
from clients.dynamics365_objective_c import ObjectiveCApp
from clients.dynamics365_swift import RepairedSwiftApp, SwiftApp


class Phone(Device):
    """A phone that reaches nobody: every request is answered from a script."""

    def __init__(self, platform, *statuses):
        super().__init__(platform, token="token")
        self._statuses = list(statuses)

    def _ask(self, method, url, headers, body=b""):
        if not self.online:
            raise NoNetwork

        class Answer:
            status = self._statuses.pop(0) if self._statuses else 200

            @staticmethod
            def header(name):
                return None

        return Answer


LINK = "http://shop.example/offer"
ID = "AQ" + "x" * 52


def data(**members):
    return {"title": "T"} | members


def posts_of(phone):
    return [(post.method, post.url, json.loads(post.body) if post.body else None) for post in phone.posts]


def tap(app, version, content, base="http://links.example"):
    phone = Phone(app.platform, 200 if version == "v1" else 202)
    it = app(phone, Endpoint(base, "acme", version))
    it.notification_tapped({"aps": {}, "data": content} if app.platform == "ios" else content)
    return phone


V1 = "http://links.example/api/v1.0/orgs/acme/pushchannel/event/trackings/"
V2 = "http://links.example/api/v1.0/orgs/acme/pushdatareceiver/events"


def event(status, id):
    return {"PushNotificationStatus": status, "DeviceToken": "token"} | ({} if id is None else {"TrackingId": id})


class TestDynamics365:
    @pytest.mark.parametrize(
        ("app", "content", "opened", "v1", "v2"),
        [
            (ObjectiveCApp, {"link": LINK, "trackingId": ID}, [LINK], (ID, 0), (ID, 0)),
            (ObjectiveCApp, {"link": LINK, "trackingId": ZERO_GUID}, [LINK], None, None),
            (ObjectiveCApp, {"link": LINK, "trackingId": ""}, [LINK], ("", 0), ("", 0)),
            (ObjectiveCApp, {"link": LINK}, [LINK], ("(null)", 0), (None, 0)),
            (ObjectiveCApp, {"link": None, "trackingId": ID}, [], (ID, 1), (ID, 1)),
            (ObjectiveCApp, {"trackingId": ID}, [], None, None),
            (ObjectiveCApp, {"link": "", "trackingId": ID}, [], None, None),
            (SwiftApp, {"link": LINK, "trackingId": ID}, [LINK], None, None),
            (SwiftApp, {"link": LINK, "trackingId": ZERO_GUID}, [LINK], None, None),
            (SwiftApp, {"link": LINK, "trackingId": ""}, [LINK], ("", "0"), ("", "0")),
            (SwiftApp, {"link": LINK}, [LINK], ("", "0"), ("", "0")),
            (SwiftApp, {"link": None, "trackingId": ""}, [], ("", "1"), ("", "1")),
            (RepairedSwiftApp, {"link": LINK, "trackingId": ID}, [LINK], (ID, "0"), (ID, "0")),
            (RepairedSwiftApp, {"link": None, "trackingId": ID}, [], (ID, "1"), (ID, "1")),
            (RepairedSwiftApp, {"link": LINK, "trackingId": ZERO_GUID}, [LINK], None, None),
            (AndroidApp, data(link=LINK, trackingId=ID), [LINK], None, None),
            (AndroidApp, data(trackingId=ID), [], (ID, "Opened"), (ID, "Opened")),
            (AndroidApp, data(trackingId=ZERO_GUID), [], (ZERO_GUID, "Opened"), (ZERO_GUID, "Opened")),
            (AndroidApp, data(trackingId=""), [], ("", "Opened"), ("", "Opened")),
            (AndroidApp, data(), [], ("null", "Opened"), (None, "Opened")),
            (AndroidApp, data(link="", trackingId=ID), [""], None, None),
            (AndroidApp, {"link": LINK, "trackingId": ID}, [], None, None),
            (LinkClaimingAndroidApp, data(link=LINK, trackingId=ID), [LINK], (ID, "Opened"), (ID, "Opened")),
        ],
    )
    def test_a_sample_opens_and_posts_what_its_code_says(self, app, content, opened, v1, v2):
        phone = tap(app, "v1", content)
        assert phone.opened_urls == opened
        assert posts_of(phone) == ([("POST", V1 + v1[0], event(v1[1], None))] if v1 else [])
        phone = tap(app, "v2", content)
        assert phone.opened_urls == opened
        assert posts_of(phone) == ([("POST", V2, event(v2[1], v2[0]))] if v2 else [])

    def test_none_opens_the_original_link(self):
        for app in (ObjectiveCApp, SwiftApp, RepairedSwiftApp, AndroidApp, LinkClaimingAndroidApp):
            phone = tap(app, "v1", data(link=LINK, originalLink="http://shop.example/other", trackingId=ID))
            assert phone.opened_urls == [LINK]

    def test_a_base_with_a_slash_makes_two(self):
        phone = tap(ObjectiveCApp, "v1", {"link": LINK, "trackingId": ID}, base="http://links.example/")
        assert phone.posts[0].url == V1.replace("/api", "//api") + ID

    @pytest.mark.parametrize(
        ("app", "version", "status", "succeeded"),
        [
            (ObjectiveCApp, "v1", 200, True),
            (ObjectiveCApp, "v1", 202, False),
            (ObjectiveCApp, "v2", 202, True),
            (ObjectiveCApp, "v1", 400, False),
            (RepairedSwiftApp, "v2", 200, True),
            (RepairedSwiftApp, "v2", 202, True),
            (RepairedSwiftApp, "v2", 302, False),
            (LinkClaimingAndroidApp, "v1", 200, True),
            (LinkClaimingAndroidApp, "v1", 400, False),
        ],
    )
    def test_a_sample_takes_for_success_what_its_code_says(self, app, version, status, succeeded):
        phone = Phone(app.platform, status)
        content = data(link=LINK, trackingId=ID)
        it = app(phone, Endpoint("http://links.example", "acme", version))
        it.notification_tapped({"data": content} if app.platform == "ios" else content)
        assert [post.succeeded for post in phone.posts] == [succeeded]


IDS = {"_dId": "56c4", "_mId": "h138a"}


def hit(action, form="GET", name="mcId", comma=","):
    url = f"http://links.example/r/?id=h138a{comma}56c4{comma}{action}&{name}=1"
    return (form, url, {} if form == "POST" else None)


class TestAdobeCampaign:
    def app(self, kind, form=SDK, statuses=(), **more):
        phone = Phone(kind.platform, *statuses)
        return kind(phone, HitQueue(phone, "http://links.example", "1", form), **more)

    @pytest.mark.parametrize(
        ("kind", "flag", "tracks"),
        [
            (AdobeAndroid, {"_acsDeliveryTracking": "on"}, True),
            (AdobeAndroid, {"_acsDeliveryTracking": "ON"}, False),
            (AdobeAndroid, {"_acsDeliveryTracking": "off"}, False),
            (AdobeAndroid, {"_acsDeliveryTracking": ""}, False),
            (AdobeAndroid, {}, True),
            (AdobeIOS, {"_acsDeliveryTracking": "on"}, True),
            (AdobeIOS, {"_acsDeliveryTracking": "On"}, True),
            (AdobeIOS, {"_acsDeliveryTracking": "off"}, False),
            (AdobeIOS, {}, True),
        ],
    )
    def test_the_flag_decides_since_21_1_and_a_missing_one_is_on(self, kind, flag, tracks):
        app = self.app(kind)
        app.notification_dismissed(IDS | flag)
        assert posts_of(app.device) == ([hit(2)] if tracks else [])
        old = self.app(kind, before_21_1=True)
        old.notification_dismissed(IDS | flag)
        assert posts_of(old.device) == [hit(2)]

    @pytest.mark.parametrize("kind", [AdobeAndroid, AdobeIOS])
    @pytest.mark.parametrize("lost", ["_dId", "_mId"])
    @pytest.mark.parametrize("before_21_1", [False, True])
    def test_without_an_id_nothing_is_sent(self, kind, lost, before_21_1):
        app = self.app(kind, before_21_1=before_21_1)
        fields = IDS | {"_acsDeliveryTracking": "on", "uri": LINK}
        del fields[lost]
        app.notification_arrived(fields)
        app.notification_tapped(fields)
        app.notification_dismissed(fields)
        assert posts_of(app.device) == []
        assert app.device.opened_urls == [LINK]

    def test_an_id_that_is_no_string_is_none(self):
        app = self.app(AdobeIOS)
        app.notification_dismissed({"_dId": 5604, "_mId": "h138a"})
        assert posts_of(app.device) == []

    @pytest.mark.parametrize("kind", [AdobeAndroid, AdobeIOS])
    @pytest.mark.parametrize(
        ("form", "written"),
        [(SDK, {}), (LEGACY_POSTBACK, {"form": "POST", "name": "mcid"}), (HitForm(comma="%2C"), {"comma": "%2C"})],
    )
    def test_each_action_is_its_number_and_a_tap_is_two_hits(self, kind, form, written):
        app = self.app(kind, form)
        app.notification_arrived(IDS)
        app.notification_tapped(IDS | {"uri": LINK})
        app.notification_dismissed(IDS)
        assert posts_of(app.device) == [hit(action, **written) for action in (7, 2, 1, 2)]
        assert app.device.opened_urls == [LINK]

    def test_an_ios_app_hears_of_an_impression_in_the_background_only_with_content_available(self):
        app = self.app(AdobeIOS)
        app.notification_arrived(IDS | {"aps": {}}, in_background=True)
        assert posts_of(app.device) == []
        app.notification_arrived(IDS | {"aps": {"content-available": 1}}, in_background=True)
        assert posts_of(app.device) == [hit(7)]

    @pytest.mark.parametrize("status", [408, 503, 504])
    def test_a_hit_waits_at_the_head_of_the_queue_after_a_status_that_may_pass(self, status):
        app = self.app(AdobeAndroid, statuses=(status, status, 200, 200))
        app.notification_dismissed(IDS)
        assert len(app.hits.waiting) == 1
        app.hits.flush()
        assert len(app.hits.waiting) == 1
        app.notification_arrived(IDS)
        assert posts_of(app.device) == [hit(2)] * 3 + [hit(7)]
        assert (app.hits.waiting, app.hits.dropped) == ([], [])

    @pytest.mark.parametrize("status", [201, 202, 204, 302, 400, 404, 429, 500, 502])
    def test_a_hit_is_dropped_after_any_other_status(self, status):
        app = self.app(AdobeAndroid, statuses=(status,))
        app.notification_dismissed(IDS)
        assert (app.hits.waiting, len(app.hits.dropped)) == ([], 1)
        assert [post.succeeded for post in app.device.posts] == [False]

    def test_a_hit_waits_for_the_network(self):
        app = self.app(AdobeAndroid)
        app.device.online = False
        app.notification_dismissed(IDS)
        assert (len(app.hits.waiting), app.device.posts) == (1, [])
        app.device.online = True
        app.hits.flush()
        assert posts_of(app.device) == [hit(2)]


def bird(**members):
    action = {"type": "URL", "identifier": "default", "url": LINK, "uri": LINK}
    button = {"type": "DEEP_LINK", "identifier": "show", "title": "Show", "url": "shop://a", "uri": "shop://a"}
    return {"type": "Tap", "payload": '{"a":"b"}', "action": action, "actions": [button]} | members


class TestBird:
    URL = "http://links.example/bird/v1/orgs/acme/interactions"

    def app(self, kind=BirdApp, automatically=True):
        phone = Phone("ios", 202, 202)
        return kind(phone, "http://links.example", "acme", automatically_open_deeplinks=automatically)

    @pytest.mark.parametrize("wrap", [dict, json.dumps], ids=["ios", "android"])
    def test_a_tap_opens_its_url_and_is_reported_with_a_tracking_id(self, wrap):
        app = self.app()
        delivered = {"bird": wrap(bird(trackingId=ID))}
        app.notification_arrived(delivered)
        app.notification_tapped(delivered)
        assert app.device.opened_urls == [LINK]
        assert app.results[0].payload == {"a": "b"}
        assert posts_of(app.device) == [
            ("POST", self.URL, {"type": "Received", "trackingId": ID}),
            ("POST", self.URL, {"type": "Tap", "trackingId": ID, "action": {"identifier": "default"}}),
        ]

    @pytest.mark.parametrize("missing", [{}, {"trackingId": ""}, {"trackingId": None}])
    def test_nothing_is_reported_without_one_but_by_an_app_that_does_not_look(self, missing):
        app = self.app()
        app.notification_tapped({"bird": bird(**missing)})
        assert posts_of(app.device) == []
        assert app.device.opened_urls == [LINK]
        careless = self.app(UnguardedApp)
        careless.notification_tapped({"bird": bird(**missing)})
        assert len(posts_of(careless.device)) == 1

    def test_a_deep_link_is_opened_once_by_the_sdk_or_by_the_app(self):
        for automatically in (True, False):
            app = self.app(automatically=automatically)
            app.button_pressed({"bird": bird(trackingId=ID)}, "show")
            assert app.device.opened_urls == ["shop://a"]
            assert posts_of(app.device)[0][2]["type"] == "Button"
        alone = self.app(automatically=False)
        alone.handler.handle({"bird": bird()}, "show", automatically_open_deeplinks=False)
        assert alone.device.opened_urls == []

    def test_a_notification_of_somebody_else_is_left_alone(self):
        app = self.app()
        app.notification_arrived({"aps": {}})
        app.notification_tapped({"aps": {}})
        assert (app.device.opened_urls, posts_of(app.device), app.results) == ([], [], [])

    def test_two_names_of_one_address_must_say_the_same(self):
        with pytest.raises(AssertionError):
            self.app().notification_tapped(
                {"bird": bird(action={"type": "URL", "identifier": "default", "url": LINK, "uri": "shop://b"})}
            )
