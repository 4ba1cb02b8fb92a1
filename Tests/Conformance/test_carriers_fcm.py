"""FCM takes every payload for Android: Google's encoder, Google's schema, the reserved keys, 4,096 bytes."""

import json

import pytest

from carriers import fcm
from harness.client import assert_misfit, message, person, unique
from stage.lengths import fit
from stage.messages import full_message

FORMATS = ["dynamics365", "adobe-campaign", "bird"]


@pytest.fixture(params=FORMATS)
def format(request):
    return request.param


MESSAGES = {
    "full": full_message(),
    "with a link alone": message(),
    "with a title alone": {"name": unique(), "title": "Hello"},
    "with a badge that is large": message(title="T", badge=2_147_483_647),
    "untracked for everybody": message(title="T", tracking=False),
}


@pytest.mark.parametrize("content", MESSAGES.values(), ids=MESSAGES.keys())
def test_takes_what_is_composed_for_android(org, format, content):
    given, unseen = person(), person()
    org.record(given, "given")
    composed = org.compose([given, unseen], content, format=format, platform="android")
    for who in (given, unseen):
        data = fcm.deliver(composed.payload_text(who))
        assert data == composed.payload(who)["data"] != {}


class TestReservedKeys:
    @pytest.mark.parametrize(
        "key", ["from", "From", "message_type", "google", "google.sent_time", "GOOGLE_x", "gcm", "gcm.n.e", "Gcm1"]
    )
    def test_are_refused_by_the_service(self, org, format, key):
        body = {"message": message(custom={key: "1"}), "format": format, "platform": "android", "recipients": ["a"]}
        answer = org.call("POST", org.path("/payloads"), body)
        if format == "bird":
            # Custom data travels inside of the one string, where FCM sees no key of it.
            assert answer.status_code in (200, 422), answer.text
            if answer.status_code == 200:
                fcm.deliver(json.dumps(answer.json()["payloads"][0]["payload"], ensure_ascii=False))
            return
        assert_misfit(answer, f"/message/custom/{key}")

    @pytest.mark.parametrize("key", ["fromage", "message_types", "x-google", "e", "collapse"])
    def test_that_only_look_alike_are_taken(self, org, format, key):
        given = person()
        org.record(given, "given")
        composed = org.compose([given], message(custom={key: "1"}), format=format, platform="android")
        fcm.deliver(composed.payload_text(given))


@pytest.mark.parametrize("filler", ["x", "☀", "🎈", '"', "\n"], ids=["ascii", "bmp", "astral", "quote", "line break"])
def test_takes_4096_bytes_and_the_service_refuses_one_more(org, format, filler):
    fitting, refused = fit(org, format, "android", filler, fcm.MAXIMUM)
    assert len(fitting.encode()) == fcm.MAXIMUM
    fcm.deliver(fitting)
    assert_misfit(refused, "/message")


class TestTheCheckItself:
    """It can refuse: each of these is wrong in one thing."""

    GOOD = {"data": {"title": "T", "badge": "2"}}

    def test_takes_a_good_payload(self):
        assert fcm.deliver(json.dumps(self.GOOD)) == self.GOOD["data"]

    @pytest.mark.parametrize(
        "payload",
        [
            {"data": {"badge": 2}},
            {"data": {"link": None}},
            {"data": {"bird": {"type": "Tap"}}},
            {"data": []},
            {"data": {"title": "T"}, "notification": {"title": "T"}},
            {"Data": {"title": "T"}},
            {"data": {"from": "x"}},
            {"data": {"google.x": "x"}},
            {"data": {"title": "x" * 4096}},
            {},
        ],
    )
    def test_refuses_a_bad_one(self, payload):
        with pytest.raises(fcm.Refused):
            fcm.deliver(json.dumps(payload))

    @pytest.mark.parametrize(
        "message",
        [
            {"data": {"badge": 2}, "token": "t"},
            {"data": {"a": "b"}, "token": 1},
            {"data": {"a": "b"}, "token": "t", "unknown": 1},
            {"data": "a", "token": "t"},
            {"data": {"a": None}, "token": "t"},
            {"android": {"priority": "LOW"}, "token": "t"},
        ],
    )
    def test_and_so_does_the_published_schema_alone(self, message):
        validator = fcm.jsonschema.Draft202012Validator(fcm.schema())
        assert not validator.is_valid({"message": message})
        assert validator.is_valid({"message": self.GOOD | {"token": "t"}})
