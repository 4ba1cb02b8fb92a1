"""Tells Schemathesis to send a body of lines as plain text, and that the service does not refuse such a body as a
whole: it answers line by line what does not fit. So no such body is made where a refusal is expected. A request of
lines is not refused for its Idempotency-Key either, because that counts for JSON bodies alone."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return value.encode() if isinstance(value, str) else b""


@schemathesis.hook
def filter_case(ctx, case):
    if case.media_type != "application/x-ndjson":
        return True
    return isinstance(case.body, str) and "Idempotency-Key" not in (case.headers or {})
