"""What the three samples of Dynamics 365 have in common: where their events go."""

import json
from dataclasses import dataclass

ZERO_GUID = "00000000-0000-0000-0000-000000000000"
CLICKED, OPENED = 0, 1
NAMES = {CLICKED: "Clicked", OPENED: "Opened"}


@dataclass(frozen=True)
class Endpoint:
    """An app's settings. The samples put a slash behind `base` whether or not it ends in one."""

    base: str
    organization: str
    version: str

    def url(self, tracking_id):
        tails = {"v1": f"pushchannel/event/trackings/{tracking_id}", "v2": "pushdatareceiver/events"}
        return f"{self.base}/api/v1.0/orgs/{self.organization}/{tails[self.version]}"

    @property
    def success(self):
        """The one status that the documentation promises."""
        return {"v1": 200, "v2": 202}[self.version]

    def body(self, status, token, tracking_id):
        members = {"PushNotificationStatus": status, "DeviceToken": token}
        if self.version == "v2" and tracking_id is not None:
            members["TrackingId"] = tracking_id
        return json.dumps(members).encode()
