"""All recipients who may not be tracked get the same bytes, in every format."""

import pytest

from harness import times, tokens
from harness.client import message, person

FORMATS = [
    ("plain", None),
    ("email", None),
    *((name, platform) for name in ("dynamics365", "adobe-campaign", "bird") for platform in ("ios", "android")),
]
CONTENT = {
    "title": "Spring sale",
    "body": "Have a look ☀",
    "imageUrl": "https://cdn.example/spring.png",
    "link": "https://shop.example/spring?a=1&b=%2F#top",
    "badge": 2,
    "sound": "default",
    "category": "OFFER",
    "contentAvailable": True,
    "custom": {"campaign": "spring"},
    "actions": [
        {"id": "buy", "title": "Buy", "link": "https://shop.example/buy"},
        {"id": "show", "title": "Show", "link": "shop://show"},
        {"id": "close", "title": "Close"},
    ],
    "html": '<a href="https://shop.example/spring">Spring</a>',
    "text": "https://shop.example/spring",
    "openTracking": True,
}
PAGE = "{{consentlink.preferences}}"
# The sender asks for the address of a page wherever a message may have it.
WITH_PAGE = CONTENT | {
    "custom": {"campaign": "spring", "page": PAGE, "note": f'"{PAGE}"'},
    "html": CONTENT["html"] + f'<a href="{PAGE}">Preferences</a>',
    "text": f"{CONTENT['text']} {PAGE}",
}


@pytest.fixture(params=[CONTENT, WITH_PAGE], ids=["as it is", "with the page"])
def content(request):
    return request.param


@pytest.fixture(params=FORMATS, ids=lambda it: " ".join(filter(None, it)))
def rendering(request):
    format, platform = request.param
    return {"format": format, "platform": platform}


def untracked_people(org):
    """One person for each reason not to be tracked."""
    people = {"unseen": person(), "erased": person(), "expired": person()}
    earlier = {"occurredAt": times.from_now(hours=-2)}
    org.record(people["erased"], "given", **earlier)
    org.erase(people["erased"])
    org.record(people["expired"], "given", validUntil=times.from_now(hours=-1), **earlier)
    for state in ("refused", "withdrawn", "revoked", "invalidated"):
        people[state] = person(state)
        org.record(people[state], "given", **earlier)
        org.record(people[state], state)
    return people


def test_are_the_same_bytes_for_any_two_people_for_whatever_reason(org, door, rendering, content):
    given = person("given")
    org.record(given, "given")
    content = message(**content)
    people = untracked_people(org)
    composed = org.compose([*people.values(), given], content, **rendering)
    assert not any(composed.of(who)["tracked"] for who in people.values())
    reasons = {composed.of(who)["decision"]["reason"] for who in people.values()}
    assert len(reasons) == len(people), reasons
    texts = {composed.payload_text(who) for who in people.values()}
    assert len(texts) == 1

    # A later call for somebody else, and a call for one person alone, make no difference.
    other = person("other")
    texts.add(org.compose([other], message_id=composed.message, **rendering).payload_text(other))
    texts.add(org.compose([people["unseen"]], content, **rendering).payload_text(people["unseen"]))
    (text,) = texts

    tracked = composed.payload_text(given)
    assert tracked != text
    assert door.origin in tracked
    page = f"{door.origin}/preferences/{org.id}"
    asked = content["text"] == WITH_PAGE["text"] and rendering["format"] != "plain"
    assert (page in text) == asked, "the service's host is there where the sender asks for it, and nowhere else"
    text = text.replace(page, "")
    for trace in [door.origin, door.address, "/r/", "AQ", "@people.example", composed.message, *people.values()]:
        assert trace not in text, trace
    assert text.replace(tokens.ZERO_GUID, "").count("0000000") == 0


def test_are_those_of_the_message_with_tracking_off(org, rendering, content):
    """Nobody can tell a person who said no from a message that tracks nobody."""
    given, unseen = person("given"), person("unseen")
    org.record(given, "given")
    off = org.compose([given], message(**content, tracking=False), **rendering)
    on = org.compose([unseen], message(**content), **rendering)
    assert off.of(given)["decision"]["reason"] == "trackingOffForMessage"
    assert off.payload_text(given) == on.payload_text(unseen)


def test_and_tracked_ones_differ_in_nothing_but_tracking_ids(org, rendering, content):
    """The negative control: two people who may be tracked get different bytes, of the same length."""
    people = [person(), person()]
    org.record_all([{"recipient": who, "state": "given"} for who in people])
    composed = org.compose(people, message(**content), **rendering)
    one, other = (composed.payload_text(who) for who in people)
    assert one != other
    assert len(one.encode()) == len(other.encode())
