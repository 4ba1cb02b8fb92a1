"""How the mobile SDKs of Adobe Campaign Standard deliver a hit.

Hits wait in a queue and go out in order. 200 alone is success; 408, 503 and 504, and a phone without a network, leave
the hit at the head of the queue for the next attempt (30 s later in the SDKs, a call to `flush` here); with any other
status the hit is dropped.
"""

from dataclasses import dataclass

from .device import NoNetwork

SUCCESS = 200
RECOVERABLE = {408, 503, 504}


@dataclass(frozen=True)
class HitForm:
    """How a hit is written: by the SDK itself, or by a postback rule of its older configuration."""

    method: str = "GET"
    ecid_name: str = "mcId"
    comma: str = ","

    def url(self, server, message_id, delivery_id, action, ecid):
        parts = self.comma.join([message_id, delivery_id, action])
        return f"{server}/r/?id={parts}&{self.ecid_name}={ecid}"

    @property
    def body(self):
        return b"{}" if self.method == "POST" else b""


SDK = HitForm()
LEGACY_POSTBACK = HitForm("POST", "mcid")


class HitQueue:
    def __init__(self, device, server, ecid="30614726903846537296203948573629103847", form=SDK):
        self.device = device
        self.server = server
        self.ecid = ecid
        self.form = form
        self.waiting = []
        self.dropped = []

    def track(self, delivery_id, message_id, action):
        """`trackAction("tracking", …)`, as a rule turns it into a hit."""
        self.waiting.append(self.form.url(self.server, message_id, delivery_id, action, self.ecid))
        self.flush()

    def flush(self):
        """One attempt for each hit in the queue, up to the first that has to wait."""
        while self.waiting:
            try:
                post = self.device.request(
                    self.form.method,
                    self.waiting[0],
                    {"Content-Type": "application/json", "Accept": "*/*"},
                    self.form.body,
                )
            except NoNetwork:
                return
            post.succeeded = post.status == SUCCESS
            if post.status in RECOVERABLE:
                return
            hit = self.waiting.pop(0)
            if not post.succeeded:
                self.dropped.append(hit)
