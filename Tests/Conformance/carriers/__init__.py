"""APNs and FCM, as strict as their documentation."""

from . import apns, fcm


def deliver(payload, platform):
    """What the app is given of a payload (its JSON, as text) that the platform's carrier takes."""
    return {"ios": apns.deliver, "android": fcm.deliver}[platform](payload)
