"""What stands around the clients, and the whole of it: a payload that tracks somebody wrongly does not go unnoticed."""

import pytest

from clients.adobe_campaign import IOSApp as AdobeApp
from clients.adobe_campaign_hits import HitQueue
from clients.bird import App as BirdApp
from clients.device import Device
from clients.dynamics365 import ZERO_GUID, Endpoint
from clients.dynamics365_objective_c import ObjectiveCApp
from harness.client import message
from stage import feed
from stage.door import Door
from stage.people import GIVEN, NEVER_SEEN, send
from stage.website import Website

ID = "AQ" + "x" * 52


def test_the_door_passes_on_and_knows_a_request_that_identifies_somebody():
    with Website() as website, Door() as door:
        door.service = website.address
        page = website.page().partition("#")[0]
        with door.watch() as requests:
            phone = Device("ios")
            phone.open_url(door.origin + page.removeprefix(website.origin))
            phone.open_url(f"{door.origin}/r/{ID}")
            phone.open_url(f"{door.origin}/r/?id=h01{'0a' * 39},1,7&mcId=1")
            phone.open_url(f"{door.origin}/{ZERO_GUID}")
        assert [request.identifies_somebody for request in requests] == [False, True, True, False]
        assert requests[1].line == f"GET /r/{ID} HTTP/1.1"
        assert website.visits(page) == 1


def test_a_phone_sends_two_slashes_as_two_and_a_percent_sign_as_it_is():
    with Website() as website, Door() as door:
        door.service = website.address
        with door.watch() as requests:
            Device("ios").request("GET", f"{door.origin}//api/(null)?id=a%2Cb", {})
        assert requests[0].line == "GET //api/(null)?id=a%2Cb HTTP/1.1"


def test_a_listener_that_has_ended_answers_nobody():
    with Website() as website:
        address = website.address
    with pytest.raises(OSError):
        Device("ios").open_url(f"http://{address}/")


def tap(format, org, door, content):
    """One client of each system, on whatever payload it is given."""
    phone = Device("ios")
    if format == "dynamics365":
        app = ObjectiveCApp(phone, Endpoint(door.origin, org.id, "v1"))
    elif format == "adobe-campaign":
        app = AdobeApp(phone, HitQueue(phone, door.origin))
    else:
        app = BirdApp(phone, door.origin, org.id, automatically_open_deeplinks=True)
    app.notification_tapped(content)


@pytest.mark.parametrize("format", ["dynamics365", "adobe-campaign", "bird"])
def test_a_payload_that_tracks_somebody_without_consent_would_be_seen_at_the_door_and_in_the_feed(
    org, door, website, format
):
    """The tracked payload of one person stands in for a service that tracks everybody."""
    right = send(org, NEVER_SEEN, message(link=website.page()), format, "ios")
    wrong = send(org, GIVEN, message(link=website.page()), format, "ios")
    with door.watch() as requests:
        tap(format, org, door, right.content)
    assert [request for request in requests if request.identifies_somebody] == []
    assert feed.recorded(org, right.message) == []
    with door.watch() as requests:
        tap(format, org, door, wrong.content)
    assert requests and all(request.identifies_somebody for request in requests)
    assert {seen.source for seen in feed.recorded(org, wrong.message)} == {format, "redirect"}
