"""The pages that people see, in every state that they can be in."""

import pytest

from harness import times, tokens, wire
from harness.client import message, person
from harness.eventually import eventually

LANGUAGES = ["cs", "da", "de", "en", "es", "fi", "fr", "it", "nl", "pl", "pt", "sv"]
# Where a test takes long: two of them, and the others with Deploy/test --all.
SOME_LANGUAGES = [
    language if language in ("de", "en") else pytest.param(language, marks=pytest.mark.slow) for language in LANGUAGES
]
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


def answer(org, url, said, purpose="tracking"):
    """Presses a button on the page of a consent request."""
    body = f"purpose={purpose}&answer={said}".encode()
    pressed = ask(org, request_page(url), "POST", {"Content-Type": "application/x-www-form-urlencoded"}, body)
    assert pressed.status == 200, pressed


def request_page(url):
    return "/c/" + url.rsplit("/", 1)[1]


def request_pages(org):
    """The pages of consent requests."""
    elsewhere = {"id": "privacy", "version": "3", "language": "en", "sha256": "0" * 64, "url": "https://privacy.example/notice"}
    said_yes, said_no, waiting, confirmed, overtaken = (
        org.ask_for_consent(person(), confirm=number in (2, 3)) for number in range(5))
    answer(org, said_yes["url"], "given")
    answer(org, said_no["url"], "refused")
    for request in (waiting, confirmed):
        answer(org, request["url"], "given")
    second = org.consent_request(confirmed["id"])["confirmUrl"]
    org.record(overtaken["recipient"], "refused")
    gone = person()
    erased = org.ask_for_consent(gone)
    org.erase(gone)
    return {
        "asked": (request_page(org.ask_for_consent(person())["url"]), 200),
        "asked apart": (request_page(org.ask_for_consent(person(), purposes=list(PURPOSES.values()))["url"]), 200),
        "asked about a notice elsewhere": (request_page(org.ask_for_consent(person(), notice=elsewhere)["url"]), 200),
        "said yes": (request_page(said_yes["url"]), 200),
        "said no": (request_page(said_no["url"]), 200),
        "waits for a confirmation": (request_page(waiting["url"]), 200),
        "to be confirmed": (request_page(second), 200),
        "overtaken": (request_page(overtaken["url"]), 200),
        "asked and erased": (request_page(erased["url"]), 410),
        "no request": ("/c/x", 404),
    }


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
        "no token": ("/p/", 404),
        "no path": ("/", 404),
        "no receipt": ("/receipt/x", 404),
        "no link": ("/r/x", 404),
        "link switched off": (f"/r/{tokens.of_link(switched_off.url)}", 410),
    }
    eventually(lambda: b"tracking is off" in ask(org, pages["silent"][0]).body)
    return pages | request_pages(org)
