"""APNs takes every payload for iOS: a server with Apple's documented rules, and 4,096 bytes."""

import json

import httpx
import pytest

from carriers import apns
from harness.client import assert_misfit, message, person, unique
from stage.lengths import fit
from stage.messages import full_message

FORMATS = ["dynamics365", "adobe-campaign", "bird"]
DEVICE = "/3/device/" + "5e" * 32
ALERT = {"apns-topic": "example.shop", "apns-push-type": "alert"}


@pytest.fixture(params=FORMATS)
def format(request):
    return request.param


@pytest.fixture(scope="module")
def server():
    with apns.Server() as server, httpx.Client(base_url=server.origin) as client:
        yield client


def push(server, text, headers=ALERT):
    answer = server.post(DEVICE, content=text.encode(), headers=headers)
    return answer.status_code, answer.json()["reason"] if answer.content else None


MESSAGES = {
    "full": full_message(),
    "with a link alone": message(),
    "with a title alone": {"name": unique(), "title": "Hello"},
    "silent": {"name": unique(), "contentAvailable": True},
    "untracked for everybody": message(title="T", tracking=False),
}


@pytest.mark.parametrize("content", MESSAGES.values(), ids=MESSAGES.keys())
def test_takes_what_is_composed_for_ios(org, format, content, server):
    given, unseen = person(), person()
    org.record(given, "given")
    composed = org.compose([given, unseen], content, format=format, platform="ios")
    for who in (given, unseen):
        assert push(server, composed.payload_text(who)) == (200, None)
    aps = composed.payload(given)["aps"]
    assert ("content-available" in aps) == content.get("contentAvailable", False)
    # Only what brings an image along needs the app's extension that fetches it.
    carries_image = "imageUrl" in content and "imageUrl" not in composed.body["unsupportedMembers"]
    assert ("mutable-content" in aps) == carries_image


@pytest.mark.parametrize("key", ["aps"])
def test_the_key_of_the_carrier_is_refused_by_the_service(org, format, key):
    body = {"message": message(custom={key: "1"}), "format": format, "platform": "ios", "recipients": ["a"]}
    answer = org.call("POST", org.path("/payloads"), body)
    if format == "bird" and answer.status_code == 200:
        # Custom data travels inside of one string, where APNs sees no key of it.
        assert isinstance(answer.json()["payloads"][0]["payload"]["aps"], dict)
        return
    assert_misfit(answer, f"/message/custom/{key}")


@pytest.mark.parametrize("filler", ["x", "☀", "🎈", '"', "\n"], ids=["ascii", "bmp", "astral", "quote", "line break"])
def test_takes_4096_bytes_and_the_service_refuses_one_more(org, format, filler, server):
    fitting, refused = fit(org, format, "ios", filler, apns.MAXIMUM)
    assert len(fitting.encode()) == apns.MAXIMUM
    assert push(server, fitting) == (200, None)
    assert_misfit(refused, "/message")


def test_a_target_so_long_that_the_untracked_payload_is_the_longer_one_counts_in_full(org, format, server):
    content = {"title": "T", "link": "https://shop.example/" + "q" * 900}
    fitting, refused = fit(org, format, "ios", "x", apns.MAXIMUM, content=content, tracked=False)
    assert len(fitting.encode()) == apns.MAXIMUM
    assert push(server, fitting) == (200, None)
    assert_misfit(refused, "/message")


class TestTheServerItself:
    """It can refuse: each of these is wrong in one thing."""

    def test_takes_a_good_payload_of_4096_bytes_and_not_one_of_4097(self, server):
        payload = json.dumps({"aps": {"alert": ""}})
        body = payload.replace('""', '"' + "x" * (apns.MAXIMUM - len(payload)) + '"')
        assert push(server, body) == (200, None)
        assert push(server, body.replace("x", "xx", 1)) == (413, "PayloadTooLarge")

    def test_counts_bytes_and_not_characters(self, server):
        assert push(server, json.dumps({"aps": {"alert": "☀" * 2000}}, ensure_ascii=False)) == (413, "PayloadTooLarge")

    @pytest.mark.parametrize(
        "aps",
        [
            {"badge": "2"},
            {"badge": -1},
            {"badge": True},
            {"badge": 1.5},
            {"sound": 1},
            {"alert": 1},
            {"alert": {"title": None}},
            {"alert": {"tittle": "T"}},
            {"category": 7},
            {"thread-id": 7},
            {"content-available": True},
            {"content-available": "1"},
            {"mutable-content": 0},
            {"interruption-level": "loud"},
            {"relevance-score": 2},
            {"link": "https://shop.example"},
        ],
    )
    def test_refuses_what_is_not_as_documented_in_aps(self, server, aps):
        assert push(server, json.dumps({"aps": aps})) == (400, "BadPayload")

    @pytest.mark.parametrize("text", ["[]", "{}", '{"aps":1}', '{"aps":{},"aps":{}}', '{"aps":{},"a":NaN}', "{"])
    def test_refuses_what_is_no_object_with_a_dictionary_aps(self, server, text):
        assert push(server, text) == (400, "BadPayload")

    def test_refuses_an_empty_payload_and_one_without_its_headers(self, server):
        assert push(server, "") == (400, "PayloadEmpty")
        assert push(server, '{"aps":{}}', {}) == (400, "MissingTopic")
        assert push(server, '{"aps":{}}', {"apns-topic": "a"}) == (400, "InvalidPushType")
        answer = server.post("/4/device/1", content=b'{"aps":{}}', headers=ALERT)
        assert (answer.status_code, answer.json()) == (404, {"reason": "BadPath"})
