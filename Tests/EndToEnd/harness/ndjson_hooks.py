"""Tells Schemathesis how a body of lines is sent: as the text that it is."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return value.encode() if isinstance(value, str) else b""
