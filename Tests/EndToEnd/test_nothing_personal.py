"""What a whole run of tests left in logs, metrics, refusals and temporary files names nobody. `Deploy/test` runs this
last, over the evidence of all its stages; alone it looks at a service of its own."""

import os
import re

import httpx
import pytest

from harness import evidence, tokens, wire
from harness.client import Client, message, person

KINDS = ("logs", "metrics", "refusals")


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """The folder with the evidence: the run's, or one of this test's."""
    if not evidence.folder():
        monkeypatch.setenv("END_TO_END_EVIDENCE", str(tmp_path / "evidence"))
    return evidence.folder()


def busy(service, org):
    """Everything that could name somebody, by people, programs and mistakes."""
    link = org.tracked_link(content=message(link="https://shop.example/secret"))
    token = tokens.of_link(link.url)
    for path in (f"/r/{token}", f"/r/{token}?x=1", f"/r/{token[:-1]}", f"/p/{token}", f"/p/{token[:-1]}", f"/nowhere/{token}", f"/r/?id=h{token},1,2"):
        wire.ask(service.listen, "GET", path)
    page = wire.ask(service.listen, "POST", f"/p/{token}", {"Content-Length": 0}).body.decode()
    (receipt,) = re.findall(r'/receipt/[\w-]{51}', page)
    for path in (receipt, receipt[:-1], receipt + "/?x=1"):
        wire.ask(service.listen, "GET", path)
    org.call("POST", org.path("/consents"), {"recipient": link.recipient, "state": "maybe"})
    org.call("POST", org.path("/messages"), message(link="javascript:shop.example"))
    org.call("POST", org.path("/payloads"), {"recipients": [link.recipient], "format": "plain", "messageId": "1"})
    Client(service, org.key[:-1] + "x").call("GET", org.path())
    org.call("POST", "/v1/inspect", {"token": token})
    org.call("GET", org.path(f"/decisions?recipient={link.recipient}"))
    asked = org.ask_for_consent(person())["url"].rsplit("/", 1)[1]
    for path in (f"/c/{asked}", f"/c/{asked}?x=1", f"/c/{asked[:-1]}", f"/p/{asked}", f"/nowhere/{asked}"):
        wire.ask(service.listen, "GET", path)
    answer = b"purpose=tracking&answer=given"
    form = {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": len(answer)}
    wire.ask(service.listen, "POST", f"/c/{asked}", form, answer)
    org.call("POST", org.path("/consent-requests"), {"recipient": link.recipient, "notice": {"text": asked}})
    org.settle()
    org.erase(link.recipient)
    return link


def test_nothing_that_is_left_names_a_person_a_link_or_a_key(kept, start):
    service = start(flags=["--log-level", "trace"])
    from harness.client import Operator

    busy(service, Operator(service).make())
    evidence.keep_text("metrics", httpx.get(f"{service.api}/metrics").text)
    assert service.stop() == 0
    service.assert_log_is_discreet()
    found, searched = evidence.personal(kept)
    assert all(any((kept / kind).iterdir()) for kind in KINDS), "there is nothing to search"
    assert searched >= len(KINDS)
    assert found == []


@pytest.mark.parametrize("what", evidence.PERSONAL)
def test_whatever_did_would_be_found(tmp_path, service, org, what):
    """One of each kind, from a service, in the middle of a log."""
    link = org.tracked_link()
    token = tokens.of_link(link.url)
    traces = {
        "a tracking ID": token,
        "a tracking ID in hexadecimal": "h" + tokens.decode(token).hex(),
        "a receipt token": tokens.encode(bytes([0xC1, 1]) + os.urandom(36)),
        "a consent request": org.ask_for_consent(person())["url"].rsplit("/", 1)[1],
        "a recipient": person(),
        "a target": "https://shop.example/offer?a=1&b=2",
        "a key": org.key,
    }
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs/one").write_text(f'{{"message":"it was {traces[what]}, you know"}}\n')
    assert what in [hit for _, hit, _ in evidence.personal(tmp_path)[0]]


def test_the_run_kept_its_evidence():
    """Under Deploy/test the other stages have filled the folder before this one."""
    if os.environ.get("END_TO_END_EVIDENCE"):
        counts = {kind: len(list((evidence.folder() / kind).iterdir())) for kind in ("logs", "refusals")}
        assert min(counts.values()) > 10, counts
