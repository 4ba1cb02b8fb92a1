"""Which names of buttons a device can write into the feed."""

import json

import httpx
import pytest

from harness.client import Operator, message, person


@pytest.mark.parametrize(
    "kind, name, kept",
    [
        ("Button", "buy", "buy"), ("Button", "é", "é"), ("Tap", "default", "default"), ("Tap", "buy", "buy"),
        ("Button", "=HYPERLINK(1)", None), ("Tap", "Buy", None), ("Button", "e\u0301", None), ("Button", "buy ", None),
    ],
)
def test_only_names_that_the_message_has_are_kept(org, kind, name, kept):
    who = person()
    org.record(who, "given")
    buy = {"id": "buy", "title": "Buy", "link": "https://shop.example/buy"}
    composed = org.compose([who], message(actions=[buy, {"id": "é", "title": "E"}]), format="bird", platform="android")
    token = json.loads(composed.payload(who)["data"]["bird"])["trackingId"]
    body = {"type": kind, "trackingId": token, "action": {"identifier": name}}
    answer = httpx.post(f"{org.service.public}/bird/v1/orgs/{org.id}/interactions", json=body)
    assert answer.status_code == 202, answer.text
    org.settle()
    (item,) = org.interactions(message=composed.message)
    assert (item["type"], item["action"]) == ("PushNotificationClicked", kept)


def test_two_buttons_within_a_minute_are_two_interactions_and_the_same_again_is_none(start):
    service = start()
    org = Operator(service).make()
    who = person()
    org.record(who, "given")
    buttons = [{"id": name, "title": name, "link": f"https://shop.example/{name}"} for name in ("buy", "later")]
    composed = org.compose([who], message(actions=buttons), format="bird", platform="android")
    token = json.loads(composed.payload(who)["data"]["bird"])["trackingId"]

    def press(name):
        body = {"type": "Button", "trackingId": token, "action": {"identifier": name}}
        answer = httpx.post(f"{service.public}/bird/v1/orgs/{org.id}/interactions", json=body)
        assert answer.status_code == 202, answer.text

    def pressed():
        org.settle()
        return [item["action"] for item in org.interactions(message=composed.message)]

    for name in ("buy", "later", "buy", "later"):
        press(name)
    assert pressed() == ["buy", "later"]
    service.restart()
    for name in ("later", "buy"):
        press(name)
    assert pressed() == ["buy", "later"]
