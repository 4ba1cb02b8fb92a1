"""The feed of interactions, put so that a test can say exactly what is in it."""

from dataclasses import dataclass

CLICKED = "PushNotificationClicked"
OPENED = "PushNotificationOpened"
RECEIVED = "PushNotificationReceived"
LINK_CLICKED = "PushLinkClicked"


@dataclass(frozen=True, order=True)
class Interaction:
    type: str
    source: str
    # The URL of the link that was followed, for clicks that the redirect made.
    url: str = ""
    # The identifier of what was tapped, where the system has one.
    action: str = ""


def link_click(url):
    return Interaction(LINK_CLICKED, "redirect", url)


def recorded(org, message, recipient=None):
    """What is recorded about a message (of one recipient), in any order, once all is visible."""
    org.settle()
    found = org.interactions(message=message)
    if recipient is not None:
        assert {seen["recipient"] for seen in found} <= {recipient}, found
    assert not any(seen["automated"] for seen in found), found
    for seen in found:
        assert seen["message"] == message
        assert (seen["link"] is not None) == (seen["type"] == LINK_CLICKED), seen
    return sorted(
        Interaction(seen["type"], seen["source"], (seen["link"] or {}).get("url", ""), seen["action"] or "")
        for seen in found
    )
