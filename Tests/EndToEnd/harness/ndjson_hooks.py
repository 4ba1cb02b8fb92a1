"""Tells Schemathesis how a body of lines is sent, as the text that it is, and that none of them is refused as a whole:
what does not fit is answered line by line, so such a body is not made where a refusal is expected."""

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(ctx, value):
    return value.encode() if isinstance(value, str) else b""


@schemathesis.hook
def filter_case(ctx, case):
    return case.media_type != "application/x-ndjson" or isinstance(case.body, str)
