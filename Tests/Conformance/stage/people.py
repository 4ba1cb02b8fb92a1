"""The states of consent that somebody can be in when a notification is sent to them, and when they react to it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from carriers import deliver
from harness import times
from harness.client import person


def _nothing(org, recipient):
    pass


def _given(org, recipient):
    org.record(recipient, "given", occurredAt=times.from_now(hours=-2))


def _withdraws(org, recipient):
    org.record(recipient, "withdrawn")


def _erased(org, recipient):
    org.erase(recipient)


def _given_and_withdrawn(org, recipient):
    _given(org, recipient)
    _withdraws(org, recipient)


def _given_and_erased(org, recipient):
    _given(org, recipient)
    _erased(org, recipient)


def _expired(org, recipient):
    validity = {"occurredAt": times.from_now(hours=-2), "validUntil": times.from_now(hours=-1)}
    org.record(recipient, "given", **validity)


SOON = 1.0


def _about_to_expire(org, recipient):
    org.record(recipient, "given", occurredAt=times.from_now(hours=-2), validUntil=times.from_now(seconds=SOON))


def _expires(org, recipient):
    time.sleep(SOON + 0.1)


@dataclass(frozen=True)
class ConsentState:
    name: str
    # What happens before the notification is composed, and what between that and the tap.
    before: Callable
    after: Callable
    # Whether the payload is the tracked one, and whether what its reader does may be recorded.
    tracked: bool
    recorded: bool
    enforcement: str = "restrictive"

    def __str__(self):
        return self.name


GIVEN = ConsentState("given", _given, _nothing, True, True)
NEVER_SEEN = ConsentState("never seen", _nothing, _nothing, False, False)
WITHDRAWN_LATER = ConsentState("withdrawn after the send", _given, _withdraws, True, False)
ERASED_LATER = ConsentState("erased after the send", _given, _erased, True, False)

STATES = [
    GIVEN,
    ConsentState("not opted out", _nothing, _nothing, True, True, "nonRestrictive"),
    NEVER_SEEN,
    ConsentState("withdrawn before the send", _given_and_withdrawn, _nothing, False, False),
    WITHDRAWN_LATER,
    ConsentState("expired before the send", _expired, _nothing, False, False),
    ConsentState("expired after the send", _about_to_expire, _expires, True, False),
    ConsentState("erased before the send", _given_and_erased, _nothing, False, False),
    ERASED_LATER,
]


@dataclass(frozen=True)
class Delivery:
    """A notification as it arrives on one person's phone."""

    org: object
    recipient: str
    message: str
    # The dictionary that iOS gives to the app, or FCM's data map.
    content: dict
    tracked: bool


def send(org, state, content, format, platform):
    """Composes a message for somebody in this state, and hands it to the carrier; then time passes."""
    recipient = person()
    state.before(org, recipient)
    composed = org.compose([recipient], content, format=format, platform=platform)
    assert composed.of(recipient)["tracked"] is state.tracked, composed.of(recipient)
    delivered = deliver(composed.payload_text(recipient), platform)
    state.after(org, recipient)
    return Delivery(org, recipient, composed.message, delivered, state.tracked)
