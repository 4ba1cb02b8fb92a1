"""Bird: the SDK's handler of notification responses, and an app around it that reports to ConsentLink.

Public are the handler's name, its parameter `automaticallyOpenDeeplinks`, what its result is made of, and what a tap or
a button may do. How the payload spells that, and the report, are ConsentLink's own.
"""

import json
from dataclasses import dataclass

OPEN_APP, DEEP_LINK, URL = "OPEN_APP", "DEEP_LINK", "URL"
DEFAULT = "default"


@dataclass(frozen=True)
class Action:
    type: str
    identifier: str
    url: str | None


@dataclass(frozen=True)
class Result:
    """What the handler gives to the app."""

    type: str
    payload: dict | None
    action: Action


class Handler:
    """The SDK's part."""

    def __init__(self, device):
        self.device = device

    @staticmethod
    def content(delivered):
        """The object `bird`: as it is on iOS, one string in FCM's data on Android."""
        content = delivered.get("bird")
        return json.loads(content) if isinstance(content, str) else content

    def handle(self, delivered, identifier=DEFAULT, *, automatically_open_deeplinks):
        """What the person did, as a result for the app; None when the notification is not Bird's."""
        content = self.content(delivered)
        if content is None:
            return None
        if identifier == DEFAULT:
            kind, chosen = "Tap", content["action"]
        else:
            kind = "Button"
            (chosen,) = [action for action in content["actions"] if action["identifier"] == identifier]
        assert chosen.get("url") == chosen.get("uri"), "the two names of one address"
        action = Action(chosen["type"], chosen["identifier"], chosen.get("url"))
        assert action.type in (OPEN_APP, DEEP_LINK, URL), action
        if action.type == URL or (action.type == DEEP_LINK and automatically_open_deeplinks):
            self.device.open_url(action.url)
        payload = content.get("payload")
        return Result(kind, None if payload is None else json.loads(payload), action)


class App:
    """Reports what happened when the payload has a tracking ID, and opens deep links that are left to it."""

    def __init__(self, device, service, organization, *, automatically_open_deeplinks):
        self.device = device
        self.url = f"{service}/bird/v1/orgs/{organization}/interactions"
        self.automatically_open_deeplinks = automatically_open_deeplinks
        self.handler = Handler(device)
        self.results = []

    def notification_arrived(self, delivered):
        self._report(delivered, "Received")

    def notification_tapped(self, delivered):
        self._responded(delivered, DEFAULT)

    def button_pressed(self, delivered, identifier):
        self._responded(delivered, identifier)

    def _responded(self, delivered, identifier):
        result = self.handler.handle(
            delivered, identifier, automatically_open_deeplinks=self.automatically_open_deeplinks
        )
        if result is None:
            return
        self.results.append(result)
        self._report(delivered, result.type, result.action.identifier)
        if result.action.type == DEEP_LINK and not self.automatically_open_deeplinks:
            self.device.open_url(result.action.url)

    def _keeps_silent_for(self, tracking_id):
        return not tracking_id

    def _report(self, delivered, kind, identifier=None):
        content = self.handler.content(delivered) or {}
        tracking_id = content.get("trackingId")
        if self._keeps_silent_for(tracking_id):
            return
        body = {"type": kind, "trackingId": tracking_id}
        if identifier is not None:
            body["action"] = {"identifier": identifier}
        post = self.device.request("POST", self.url, {"Content-Type": "application/json"}, json.dumps(body).encode())
        post.succeeded = post.status == 202


class UnguardedApp(App):
    """An app that does not look whether there is a tracking ID: it reports null."""

    def _keeps_silent_for(self, tracking_id):
        return False
