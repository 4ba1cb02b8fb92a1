"""Times as the API writes them: RFC 3339 in UTC with milliseconds."""

import re
import time
from datetime import datetime, timedelta, timezone

PATTERN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def render(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def parse(text):
    assert PATTERN.fullmatch(text), f"not a time in UTC with milliseconds: {text!r}"
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc)


def now():
    return datetime.now(timezone.utc)


def from_now(**duration):
    """The time that lies `duration` (the arguments of `timedelta`) ahead; negative ones lie behind."""
    return render(now() + timedelta(**duration))


def next_millisecond():
    """Waits, so that whatever follows gets a later time in the milliseconds of the service. Within one millisecond, the
    end of consent wins over everything else."""
    time.sleep(0.003)


def moment(milliseconds):
    """Of milliseconds since 1970."""
    return datetime.fromtimestamp(0, timezone.utc) + timedelta(milliseconds=milliseconds)
