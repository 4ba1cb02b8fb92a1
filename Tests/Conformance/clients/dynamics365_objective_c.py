"""The Objective-C sample of Dynamics 365.

Its guard is right: nothing is sent for the zero GUID. It tells a null link from a missing one: only a JSON null leads
to "opened", a missing key is taken for a link of length 0 and does nothing at all.
"""

from .dynamics365 import CLICKED, OPENED, ZERO_GUID

_MISSING = object()


class ObjectiveCApp:
    platform = "ios"

    def __init__(self, device, endpoint):
        self.device = device
        self.endpoint = endpoint

    def notification_tapped(self, payload):
        data = payload.get("data") or {}
        link = data.get("link", _MISSING)
        tracking_id = data.get("trackingId")
        if link is None:
            self._create_interaction(OPENED, tracking_id)
        elif link is not _MISSING and len(link) != 0:
            self._create_interaction(CLICKED, tracking_id)
            self.device.open_url(link)

    def _create_interaction(self, status, tracking_id):
        if tracking_id == ZERO_GUID:
            return
        # `%@` writes a missing string like this, and the request goes out all the same.
        written = "(null)" if tracking_id is None else tracking_id
        post = self.device.request(
            "POST",
            self.endpoint.url(written),
            {"Content-Type": "application/json", "Accept": "application/json"},
            self.endpoint.body(status, self.device.token, tracking_id),
        )
        post.succeeded = post.status == self.endpoint.success
