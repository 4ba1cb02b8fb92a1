"""Messages whose payload has a length to the byte."""

from harness.client import message, person

CONTENT = {"title": "T", "link": "https://shop.example/offer"}


def fit(org, format, platform, filler, limit, *, content=CONTENT, tracked=True):
    """Fills the body of a message until its payload is `limit` bytes long: that payload as text, and the answer to
    the same message with one byte more. `tracked` says whose payload is measured, and so must be the longer one."""
    recipient = person()
    if tracked:
        org.record(recipient, "given")

    def text(body):
        composed = org.compose([recipient], message(body=body, **content), format=format, platform=platform)
        assert composed.of(recipient)["tracked"] is tracked
        return composed.payload_text(recipient)

    empty = len(text("x").encode()) - 1
    each = len(text("x" + filler).encode()) - empty - 1
    # Room is left for a few single bytes, whatever the filler's width.
    count = (limit - empty - 2) // each
    body = filler * count + "x" * (limit - empty - count * each)
    fitting = text(body)
    # For every recipient: the longer rendering counts.
    people = [person(), recipient]
    refused = [
        org.call(
            "POST",
            org.path("/payloads"),
            {"message": message(body=body + "x", **content), "format": format, "recipients": [who]}
            | ({"platform": platform} if platform else {}),
        )
        for who in people
    ]
    assert refused[0].status_code == refused[1].status_code, [answer.text for answer in refused]
    return fitting, refused[0]
