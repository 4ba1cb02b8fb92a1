"""A preview says what composing would give each recipient, and why. It leaves nothing behind: no file of the data folder
grows by it, and nothing in it leads anywhere."""

import contextlib
import json
import re
import time

import httpx
import pytest

from harness import postgres
from harness.client import Operator, assert_problem, message, person
from harness.eventually import eventually
from harness.service import Service
from test_faults import readiness, running, small_disk

TOKEN = re.compile(r"preview0+|[A-Za-z0-9_-]{54}")
FORMATS = [("plain", None), ("email", None)] + [
    (name, platform) for name in ("dynamics365", "adobe-campaign", "bird") for platform in ("ios", "android")
]


def order(content, format="plain", platform=None, **members):
    return {"message": content, "format": format} | ({"platform": platform} if platform else {}) | members


def preview(org, recipients, content, format="plain", platform=None, **headers):
    body = order(content, format, platform, preview=True, recipients=recipients)
    return org.expect(200, "POST", org.path("/payloads"), body, headers=headers)


def rows(service):
    """How many rows each table of the main file has."""
    names = "SELECT name FROM sqlite_schema WHERE type = 'table'"
    if postgres.is_asked_for():
        names = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
    return {table: service.stored(f"SELECT count(*) FROM {table}") for (table,) in service.stored(names)}


def rows_at_rest(service):
    """As `rows`, once what earlier tests asked for is done."""
    first = rows(service)
    time.sleep(1)
    return first if rows(service) == first else None


@pytest.fixture
def people(org):
    """One in each state, and how each is to be judged."""
    states = {"given": "consentGiven", "refused": "consentRefused", "withdrawn": "consentWithdrawn"}
    people = {person(state): reason for state, reason in states.items()}
    for one, state in zip(people, states):
        org.record(one, state)
    erased = person("erased")
    org.record(erased, "given")
    org.erase(erased)
    return people | {erased: "recipientErased", person("silent"): "noConsentRecord"}


@pytest.mark.parametrize(("format", "platform"), FORMATS)
def test_shows_what_composing_gives_a_moment_later(org, people, format, platform):
    content = message(
        title="T", html='<a href="https://shop.example/c">c</a>', text="https://shop.example/d", openTracking=True,
        tags=["t"], linkLabel="L")
    shown = preview(org, list(people), content, format, platform).json()
    composed = org.compose(people, content, format=format, platform=platform).body
    assert shown["message"] is None
    assert shown["unsupportedMembers"] == composed["unsupportedMembers"]
    assert [payload["decision"] for payload in shown["payloads"]] == [
        {"id": None, "outcome": "tracked" if reason == "consentGiven" else "untracked", "reason": reason}
        for reason in people.values()
    ]
    for one, other in zip(shown["payloads"], composed["payloads"], strict=True):
        assert one["recipient"] == other["recipient"] and one["tracked"] == other["tracked"]
        assert one["decision"] | {"id": other["decision"]["id"]} == other["decision"]
        if one["tracked"]:
            texts = [json.dumps(payload["payload"]) for payload in (one, other)]
            assert len(texts[0]) == len(texts[1])
            assert "preview000" in texts[0]
        else:
            assert one["payload"] == other["payload"]
    # Now the message is stored, and is named.
    assert preview(org, list(people), content, format, platform).json()["message"] == composed["message"]


def test_leaves_nothing_behind(org, people):
    service = org.service
    new = [person("new"), *people]
    before = eventually(lambda: rows_at_rest(service))
    log = service.data / "consentlink.db-wal"
    size = log.stat().st_size if log.exists() else None
    lines = "".join(json.dumps(line) + "\n" for line in [order(message(), preview=True), *new])
    preview(org, new, message(), **{"Idempotency-Key": '"one"'})
    preview(org, new, message(), Accept="application/x-ndjson")
    done = org.expect(
        200, "POST", org.path("/payloads"), content=lines.encode(), headers={"Content-Type": "application/x-ndjson"})
    assert len(done.text.splitlines()) == len(new) and "ConsentLink-Message" not in done.headers
    assert rows(service) == before
    assert (log.stat().st_size if log.exists() else None) == size
    for file in service.data.iterdir():
        if file.is_file():
            assert new[0].encode() not in file.read_bytes(), file
    service.assert_log_is_discreet()


def test_leads_nowhere(org, people, operator):
    given = next(iter(people))
    for format, platform in FORMATS:
        content = message(html='<a href="https://shop.example/c">c</a>', openTracking=True)
        (payload,) = preview(org, [given], content, format, platform).json()["payloads"]
        for token in set(re.findall(r"preview0{20,}", json.dumps(payload))):
            for path in (f"/r/{token}", f"/p/{token}", f"/o/{token}.gif"):
                assert httpx.get(org.service.public + path).status_code == 404, path
            assert operator.expect(200, "POST", "/v1/inspect", {"token": token}).json()["genuine"] is False


def test_is_given_while_a_ledger_is_closed(own_service):
    org = Operator(own_service).make()
    given = person("given")
    org.record(given, "given")
    content = message()
    org.compose([given], content)
    assert own_service.change("UPDATE decisions SET reason = 99") > 0
    assert_problem(org.call("GET", org.path("/decisions")), 503)
    assert_problem(org.call("POST", org.path("/payloads"), order(content, recipients=[given])), 503)
    (payload,) = preview(org, [given], content).json()["payloads"]
    assert payload["tracked"]


@pytest.mark.embedded_storage_only  # its disk is filled
@pytest.mark.fault
def test_is_given_while_the_disk_is_full(tmp_path):
    data = tmp_path / "data"
    service = Service(tmp_path, data=data, flags=["--disk-floor", "0"])
    with small_disk(data, 64 << 20), running(service):
        org = Operator(service).make()
        given = person("given")
        org.record(given, "given")
        filler = data / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(b"x" * 4096)

        def refused():
            recipients = [person() for _ in range(2000)]
            return org.call("POST", org.path("/payloads"), order(message(), recipients=recipients)).status_code == 503

        eventually(refused, within=60)
        (payload,) = preview(org, [given], message()).json()["payloads"]
        assert payload["tracked"]
        filler.unlink()
        eventually(lambda: readiness(service)[0] == 200, within=15)
