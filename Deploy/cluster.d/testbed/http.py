"""Short questions over HTTP."""

import json
import urllib.error
import urllib.request

# Not by a proxy of the environment: the hosts are on this machine.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def get(url, timeout=1.0):
    """The status and the JSON of the answer; status 0 when there is none in time."""
    return _ask(urllib.request.Request(url), timeout)


def post(url, body, timeout=30.0):
    return _ask(urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"}), timeout)


def _ask(request, timeout):
    try:
        with _opener.open(request, timeout=timeout) as answer:
            return answer.status, _json(answer.read())
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, _json(refusal.read())
    except (OSError, ValueError):
        return 0, {}


def _json(body):
    try:
        return json.loads(body)
    except ValueError:
        return {"text": body.decode(errors="replace")}
