"""Tells Schemathesis how a body of lines is sent, as the text that it is, and that none of them is refused as a whole:
what does not fit is answered line by line, so such a body is not made where a refusal is expected. Nor is a request of
lines refused for its Idempotency-Key, which counts for JSON bodies alone."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return value.encode() if isinstance(value, str) else b""


@schemathesis.hook
def filter_case(ctx, case):
    if case.media_type != "application/x-ndjson":
        return True
    return isinstance(case.body, str) and "Idempotency-Key" not in (case.headers or {})
