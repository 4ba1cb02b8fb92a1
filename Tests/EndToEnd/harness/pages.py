"""The pages that people see, in every state that they can be in."""

from harness import times, tokens, wire
from harness.client import message, person
from harness.eventually import eventually

LANGUAGES = ["cs", "da", "de", "en", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv"]
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PURPOSES = {"clicks": "tracking", "opens": "open-tracking"}
CONSENT_PAGE = "https://shop.example/agree?a=1&b=2"


def ask(org, path, method="GET", headers=None, body=b""):
    length = {"Content-Length": len(body)} if method == "POST" else {}
    return wire.ask(org.service.listen, method, path, HTML | (headers or {}) | length, body)


def page_of(link):
    """The page that belongs to a link: the same tracking ID, another path."""
    return f"/p/{tokens.of_link(link)}"


def asked_apart(org, recipient=None):
    """The page of a message that asks for clicks and opens apart, of somebody who agreed to both."""
    recipient = recipient or person()
    for purpose in PURPOSES.values():
        org.record(recipient, "given", purpose=purpose)
    return page_of(org.compose([recipient], message(purposes=PURPOSES)).link(recipient))


def every_page(org):
    """The path of each page, by what it shows, with the status of its answer."""
    soon = person()
    org.record(soon, "given", validUntil=times.from_now(seconds=2))
    silent = org.compose([soon]).link(soon)
    ended, erased, switched_off = (org.tracked_link() for _ in range(3))
    org.record(ended.recipient, "withdrawn")
    org.erase(erased.recipient)
    org.expect(200, "POST", org.path(f"/messages/{switched_off.message}/disable"))
    half = person()
    partly = asked_apart(org, half)
    org.record(half, "withdrawn", purpose=PURPOSES["opens"])
    pages = {
        "on": (page_of(org.tracked_link().url), 200),
        "silent": (page_of(silent), 200),
        "ended": (page_of(ended.url), 200),
        "erased": (page_of(erased.url), 200),
        "both on": (asked_apart(org), 200),
        "partly on": (partly, 200),
        "preferences": (f"/preferences/{org.id}", 200),
        "no preferences": ("/preferences/nobody", 404),
        "no page": ("/p/x", 404),
        "no receipt": ("/receipt/x", 404),
        "no link": ("/r/x", 404),
        "link switched off": (f"/r/{tokens.of_link(switched_off.url)}", 410),
    }
    eventually(lambda: b"tracking is off" in ask(org, pages["silent"][0]).body)
    return pages
