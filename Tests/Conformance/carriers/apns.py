"""APNs: the limits and rules that Apple documents for a notification's payload.

`Server` takes notifications over HTTP as APNs does (over HTTP/1.1, as `POST /3/device/…`) and answers with Apple's
reasons. Apple documents the types of what is in `aps` and refuses little of it; this server refuses whatever is not as
documented, with a reason of its own, `BadPayload`.
"""

import json
from http.server import BaseHTTPRequestHandler

from harness.listener import Listener

MAXIMUM = 4096


class Refused(Exception):
    def __init__(self, status, reason, detail=""):
        super().__init__(f"{status} {reason}: {detail}")
        self.status = status
        self.reason = reason


def _is_string(value):
    return isinstance(value, str)


def _is_strings(value):
    return isinstance(value, list) and all(map(_is_string, value))


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_one(value):
    return _is_count(value) and value == 1


def _is_share(value):
    return _is_number(value) and 0 <= value <= 1


ALERT = {
    "title": _is_string,
    "subtitle": _is_string,
    "body": _is_string,
    "launch-image": _is_string,
    "title-loc-key": _is_string,
    "title-loc-args": _is_strings,
    "subtitle-loc-key": _is_string,
    "subtitle-loc-args": _is_strings,
    "loc-key": _is_string,
    "loc-args": _is_strings,
}
SOUND = {"critical": lambda value: _is_count(value) and value <= 1, "name": _is_string, "volume": _is_share}


def _fits(value, members):
    return isinstance(value, dict) and all(name in members and members[name](it) for name, it in value.items())


APS = {
    "alert": lambda value: _is_string(value) or _fits(value, ALERT),
    "badge": _is_count,
    "sound": lambda value: _is_string(value) or _fits(value, SOUND),
    "thread-id": _is_string,
    "category": _is_string,
    "content-available": _is_one,
    "mutable-content": _is_one,
    "target-content-id": _is_string,
    "interruption-level": lambda value: value in ("passive", "active", "time-sensitive", "critical"),
    "relevance-score": _is_share,
}


def check(body):
    """Refuses what Apple would refuse, or documents otherwise; the payload as a dictionary."""
    if not body:
        raise Refused(400, "PayloadEmpty")
    if len(body) > MAXIMUM:
        raise Refused(413, "PayloadTooLarge", f"{len(body)} bytes")
    try:
        payload = json.loads(body.decode(), object_pairs_hook=_without_duplicates, parse_constant=_no_constant)
    except ValueError as fault:
        raise Refused(400, "BadPayload", f"not JSON in UTF-8: {fault}") from None
    if not isinstance(payload, dict) or not isinstance(payload.get("aps"), dict):
        raise Refused(400, "BadPayload", "no object with a dictionary aps")
    for key, value in payload["aps"].items():
        if key not in APS or not APS[key](value):
            raise Refused(400, "BadPayload", f"aps has {key}: {value!r}")
    return payload


def _without_duplicates(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _no_constant(name):
    raise ValueError(f"{name} is not JSON")


def deliver(text):
    """`userInfo`: the whole payload."""
    return check(text.encode())


class Server(Listener):
    def __init__(self):
        class Device(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                try:
                    self._require(self.path.startswith("/3/device/"), 404, "BadPath")
                    self._require("apns-topic" in self.headers, 400, "MissingTopic")
                    self._require(self.headers.get("apns-push-type") in ("alert", "background"), 400, "InvalidPushType")
                    check(body)
                except Refused as refusal:
                    self._answer(refusal.status, json.dumps({"reason": refusal.reason}).encode())
                else:
                    self._answer(200)

            def do_GET(self):
                self._answer(405, b'{"reason":"MethodNotAllowed"}')

            @staticmethod
            def _require(condition, status, reason):
                if not condition:
                    raise Refused(status, reason)

            def _answer(self, status, body=b""):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(Device)
