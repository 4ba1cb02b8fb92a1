"""The Android sample of Dynamics 365.

It has no guard: it posts whatever id it has, the zero GUID and "null" included. The tap on a notification with a link
starts a viewer of that link and not the app's own activity, which is what reports "opened"; so with a link only an
app that claims its links for itself reports anything. It never reports "clicked", and nothing on dismissal: the
receiver that the sample names is not published.
"""

from .dynamics365 import NAMES, OPENED


class AndroidApp:
    platform = "android"
    claims_its_links = False

    def __init__(self, device, endpoint):
        self.device = device
        self.endpoint = endpoint

    def notification_tapped(self, data):
        title, body = data.get("title"), data.get("body")
        if title is None and body is None:
            return  # "Empty notification received": there is nothing to tap.
        link = data.get("link")
        tracking_id = data.get("trackingId")
        if link is None:
            self._main_activity_started(tracking_id)
        elif self.claims_its_links:
            self.device.open_inside_the_app(link)
            self._main_activity_started(tracking_id)
        else:
            self.device.open_url(link)

    def _main_activity_started(self, tracking_id):
        """The activity was started from the notification, as its extra "Source" says."""
        # `String.format` writes a missing string like this; `JSONObject.put` leaves it out.
        written = "null" if tracking_id is None else tracking_id
        post = self.device.request(
            "POST",
            self.endpoint.url(written),
            {"Content-Type": "application/json"},
            self.endpoint.body(NAMES[OPENED], self.device.token, tracking_id),
        )
        # The sample logs the answer whatever it is; HttpURLConnection gives no body from 400 on.
        post.succeeded = post.status < 400


class LinkClaimingAndroidApp(AndroidApp):
    """The same app with an intent filter for the links that it is sent."""

    claims_its_links = True
