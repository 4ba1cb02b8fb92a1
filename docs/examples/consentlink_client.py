"""A client of ConsentLink that needs nothing but Python. Copy this file into your own program.

    service = ConsentLink("http://127.0.0.1:8081", "acme", key)
    service.record("ana@example.com", "given", evidence={"method": "web-form"})

It tries again when the service says that it cannot answer right now, when the connection breaks, and when an earlier
try is still being worked on. Every other conflict (409) is raised at once. It never sends a recipient in a URL.
docs/integrating.md shows its calls.
"""

import http.client
import json
import time
import urllib.error
import urllib.request
import uuid


class Refused(Exception):
    """The service's answer, as a problem document (RFC 9457). Its request id is for the operator, who finds it in the log."""

    def __init__(self, problem):
        places = "".join(f"\n  {error['pointer']} {error['detail']}" for error in problem.get("errors", []))
        more = f"\n  and {problem['errorsOmitted']} more" if "errorsOmitted" in problem else ""
        super().__init__(f"{problem['detail']} (request {problem.get('requestId')}){places}{more}")
        self.status = problem["status"]


class ConsentLink:
    def __init__(self, base, organization, key):
        self.root, self.key = f"{base}/v1/orgs/{organization}", key

    def call(self, path, body=None, headers=None, attempts=5):
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json", **(headers or {})}
        for attempt in range(1, attempts + 1):
            try:
                with urllib.request.urlopen(urllib.request.Request(self.root + path, data, sent), timeout=60) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                # 503: it cannot just now. 409 with Retry-After: an earlier try of ours is still being worked on. Without
                # it a 409 does not pass, such as asking a recipient who is to be left alone.
                is_passing = error.code == 503 or (error.code == 409 and "Retry-After" in error.headers)
                if not is_passing or attempt == attempts:
                    raise Refused(json.load(error)) from None
                pause = float(error.headers.get("Retry-After", 1))
            except (OSError, http.client.HTTPException):
                # Nobody knows whether it was done. The same Idempotency-Key makes it done once.
                if attempt == attempts:
                    raise
                pause = attempt
            time.sleep(pause)

    def make(self, path, body, once=None):
        """Makes something once, however often it has to be asked for."""
        return self.call(path, body, {"Idempotency-Key": f'"{once or uuid.uuid4()}"'})

    def record(self, recipient, state, **more):
        return self.make("/consents", {"recipient": recipient, "state": state, **more})["consents"][0]

    def compose(self, message, recipients, format, platform=None, once=None):
        """Payloads by recipient. `once` is a name for this send: asked for again, it makes nothing new."""
        body = {"message": message, "format": format, "recipients": recipients}
        body.update({"platform": platform} if platform else {})
        answer = self.make("/payloads", body, once)
        return {payload["recipient"]: payload for payload in answer["payloads"]}

    def interactions(self, after=None):
        """What came after a place in the feed, and the place to ask from the next time."""
        while True:
            page = self.call("/interactions?limit=1000" + (f"&after={after}" if after else ""))
            after = page["cursor"]
            yield page["interactions"], after
            if page["next"] is None:
                return
