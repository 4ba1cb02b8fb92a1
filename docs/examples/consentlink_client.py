"""A client of ConsentLink that needs nothing but Python. Copy this file into your own program.

    service = ConsentLink("http://127.0.0.1:8081", "acme", key)
    service.record("ana@example.com", "given", evidence={"method": "web-form"})

A request that reads, or that has an Idempotency-Key, is sent again when the connection breaks, when the service or a
proxy cannot answer right now (5xx), and while an earlier try is still being worked on (409 with Retry-After). Any other
request may have been done although there was no answer: it is sent again only after 429, which says that nothing was
done. The client follows no redirect and never sends a recipient in a URL. docs/integrating.md shows its calls.
"""

import email.utils
import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid

# In seconds: no quota of requests a minute asks for more. The caller gets a longer Retry-After: `Refused.retry_after`.
LONGEST_PAUSE = 60


class Refused(Exception):
    """What the service answered instead: a problem document (RFC 9457), whose request id the operator finds in the log.
    Of an answer without one, such as a page of a proxy, `status` is all there is."""

    def __init__(self, status, problem, retry_after=None):
        errors = problem.get("errors")
        errors = [error for error in errors if isinstance(error, dict)] if isinstance(errors, list) else []
        places = "".join(f"\n  {error.get('pointer')} {error.get('detail')}" for error in errors)
        more = f"\n  and {problem['errorsOmitted']} more" if "errorsOmitted" in problem else ""
        detail = problem.get("detail", f"status {status} without a reason")
        super().__init__(f"{detail} (request {problem.get('requestId')}){places}{more}")
        self.status, self.retry_after = status, retry_after


class Unexpected(Exception):
    """An answer that is no refusal and not one of the service, such as a page of a proxy. The request may have been
    done: with the same Idempotency-Key (`once`) it can be sent again."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect would take the key to another host and make a GET of a POST. So it counts as a refusal."""

    def redirect_request(self, *_):
        return None


class ConsentLink:
    def __init__(self, base, organization, key):
        self.root, self.key = f"{base}/v1/orgs/{organization}", key
        self.opener = urllib.request.build_opener(NoRedirects)

    def call(self, path, body=None, headers=None, attempts=5):
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **(headers or {})}
        twice_is_once = body is None or "Idempotency-Key" in sent
        attempts = max(attempts, 1)
        for attempt in range(1, attempts + 1):
            try:
                with self.opener.open(urllib.request.Request(self.root + path, data, sent), timeout=60) as answer:
                    return document(answer)
            except urllib.error.HTTPError as error:
                retry_after = seconds(error.headers.get("Retry-After"), error.headers.get("Date"))
                # A 409 without Retry-After does not pass, such as asking a recipient who is to be left alone.
                is_running = error.code == 409 and retry_after is not None
                is_passing = error.code == 429 or (twice_is_once and (error.code >= 500 or is_running))
                pause = attempt if retry_after is None else retry_after
                if not is_passing or attempt == attempts or pause > LONGEST_PAUSE:
                    raise Refused(error.code, problem(error), retry_after) from None
            except (OSError, http.client.HTTPException):
                # Nobody knows whether it was done. The same Idempotency-Key makes it done once.
                if not twice_is_once or attempt == attempts:
                    raise
                pause = attempt
            # Part of it is chance, so that programs that failed together do not ask again together.
            time.sleep(pause + random.uniform(0, attempt / 2))

    def make(self, path, body, once=None):
        """Makes something once, however often it has to be asked for."""
        return self.call(path, body, {"Idempotency-Key": f'"{once or uuid.uuid4()}"'})

    def record(self, recipient, state, once=None, **more):
        """Records one consent. Give `once`, a name for the request, if your program may have to ask again after it was
        ended: a yes that is recorded twice without a time of its own outranks a no that came in between."""
        answer = self.make("/consents", {"recipient": recipient, "state": state, **more}, once)
        return listed(answer, "consents", 1)[0]

    def compose(self, message, recipients, format, platform=None, once=None):
        """Payloads by recipient. `once` is a name for this send: asked for again, it makes nothing new."""
        body = {"message": message, "format": format, "recipients": recipients}
        body.update({"platform": platform} if platform else {})
        answer = self.make("/payloads", body, once)
        return {payload["recipient"]: payload for payload in listed(answer, "payloads", len(recipients))}

    def interactions(self, after=None):
        """What came after a place in the feed, and the place to ask from the next time."""
        while True:
            page = self.call("/interactions?limit=1000" + (f"&after={after}" if after else ""))
            if not page.keys() >= {"interactions", "cursor", "next"}:
                raise Unexpected("it is no page of the feed")
            if page["next"] is not None and page["next"] == after:
                raise Unexpected("a page of the feed leads back to itself")
            after = page["cursor"]
            yield page["interactions"], after
            if page["next"] is None:
                return


def document(answer):
    """The JSON object of an answer that says it was done."""
    try:
        found = json.load(answer)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unexpected("it is no JSON object")
    return found


def listed(answer, name, count):
    """As many things as were sent: each of them is answered."""
    found = answer.get(name)
    if not isinstance(found, list) or len(found) != count:
        raise Unexpected(f"it does not list {count} {name}")
    return found


def problem(answer):
    """The problem document of an answer; empty where it has none."""
    try:
        with answer:
            document = json.load(answer)
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def seconds(retry_after, date=None):
    """How long to wait by a header Retry-After, which has seconds or a date; None where it has neither. A date is of
    the clock that the answer's own `date` is of, which this machine's may differ from."""
    if retry_after is None:
        return None
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        then = email.utils.parsedate_to_datetime(retry_after).timestamp()
        return max(then - (moment(date) or time.time()), 0)
    except (TypeError, ValueError, OverflowError):
        return None


def moment(date):
    """The time of a header Date; None where it has none."""
    try:
        return email.utils.parsedate_to_datetime(date).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
