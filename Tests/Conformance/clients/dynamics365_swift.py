"""The Swift sample of Dynamics 365.

Its guard is inverted: it returns for every id that is not empty, so it posts for an empty (or missing) one alone.
`RepairedSwiftApp` is what a developer makes of it who has noticed. Both send the status as a string of digits.
"""

from .dynamics365 import CLICKED, OPENED, ZERO_GUID


class SwiftApp:
    platform = "ios"

    def __init__(self, device, endpoint):
        self.device = device
        self.endpoint = endpoint

    def notification_tapped(self, payload):
        data = payload.get("data")
        data = data if isinstance(data, dict) else {}
        link = data.get("link")
        link = link if isinstance(link, str) else None
        tracking_id = data.get("trackingId")
        tracking_id = tracking_id if isinstance(tracking_id, str) else ""
        if link:
            self._create_interaction(CLICKED, tracking_id)
            self.device.open_url(link)
        else:
            self._create_interaction(OPENED, tracking_id)

    def _keeps_silent_for(self, tracking_id):
        return tracking_id != "" or tracking_id == ZERO_GUID

    def _create_interaction(self, status, tracking_id):
        if self._keeps_silent_for(tracking_id):
            return
        post = self.device.request(
            "POST",
            self.endpoint.url(tracking_id),
            {"Content-Type": "application/json", "Accept": "application/json"},
            self.endpoint.body(str(status), self.device.token, tracking_id),
        )
        post.succeeded = 200 <= post.status <= 299


class RepairedSwiftApp(SwiftApp):
    def _keeps_silent_for(self, tracking_id):
        return tracking_id == "" or tracking_id == ZERO_GUID
