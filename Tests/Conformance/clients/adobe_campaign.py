"""The samples of Adobe Campaign Standard, Android and iOS: impression, click, dismissal, opening.

Since 21.1 they look at `_acsDeliveryTracking` and take a missing one as "on"; before that they did not look at all.
Samples of every age send nothing when `_dId` or `_mId` is missing.
"""

OPENED, CLICKED, IMPRESSION = "1", "2", "7"


class _App:
    platform = None

    def __init__(self, device, hits, *, before_21_1=False):
        self.device = device
        self.hits = hits
        self.before_21_1 = before_21_1

    def notification_arrived(self, fields):
        self._track(fields, IMPRESSION)

    def notification_dismissed(self, fields):
        self._track(fields, CLICKED)

    def notification_tapped(self, fields):
        """A tap is a click, and then an opening; the app goes where `uri` leads."""
        self._track(fields, CLICKED, OPENED)
        uri = fields.get("uri")
        if uri:
            self.device.open_url(uri)

    def _track(self, fields, *actions):
        delivery_id, message_id = self._string(fields, "_dId"), self._string(fields, "_mId")
        if delivery_id is None or message_id is None:
            return
        tracking = self._string(fields, "_acsDeliveryTracking")
        if not self.before_21_1 and not self._means_on("on" if tracking is None else tracking):
            return
        for action in actions:
            self.hits.track(delivery_id, message_id, action)

    @staticmethod
    def _string(fields, name):
        """`as? String`, `getString`: whatever is no string is as good as missing."""
        value = fields.get(name)
        return value if isinstance(value, str) else None


class AndroidApp(_App):
    """`equals("on")`. The hits of a tap are sent in `onResume`, from an intent that stays with the activity: coming
    back to the app sends them again."""

    platform = "android"

    @staticmethod
    def _means_on(tracking):
        return tracking == "on"

    def activity_resumed(self, fields):
        self._track(fields, CLICKED, OPENED)


class IOSApp(_App):
    """Ignores case. In the background iOS wakes it for an impression only when the push says `content-available`."""

    platform = "ios"

    @staticmethod
    def _means_on(tracking):
        return tracking.lower() == "on"

    def notification_arrived(self, fields, *, in_background=False):
        if in_background and fields["aps"].get("content-available") != 1:
            return
        super().notification_arrived(fields)
