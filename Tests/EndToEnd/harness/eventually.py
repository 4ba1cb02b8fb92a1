"""Waiting for what the service promises soon, without guessing how long it takes."""

import time


def eventually(probe, *, within=30.0, every=0.02):
    """The first value of `probe()` that is true; fails the test when there is none `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        value = probe()
        if value:
            return value
        assert time.monotonic() < deadline, f"still {value!r} after {within} s"
        time.sleep(every)
