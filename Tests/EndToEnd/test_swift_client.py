"""The Swift client's example program, `docs/examples/swift`: a campaign over a connection that breaks ten times."""

import json
import os
import random
import subprocess

import pytest

from harness.client import unique
from harness.cutting import CuttingProxy
from harness.service import binary, environment

# Decisions of lines whose answer was lost, each time.
MOST_LOST = 1_000


def example():
    """Beside the program itself: the release build, or that of END_TO_END_BINARY."""
    path = binary().parent / "ComposeCampaign"
    assert os.access(path, os.X_OK), f"{path} is missing: Deploy/build ComposeCampaign"
    return path


def compose(org, api, people):
    return subprocess.run(
        [str(example()), api, org.id, unique("summer"), "https://shop.example/summer"],
        input="".join(f"{who}\n" for who in people).encode(),
        env=environment(CONSENTLINK_KEY=org.key), capture_output=True, timeout=240,
    )  # fmt: skip


def everybody(count):
    mark = unique("reader")
    return [f"{number}-{mark}@people.example" for number in range(count)]


@pytest.mark.timeout(300)
def test_a_hundred_thousand_are_composed_over_ten_breaks_nobody_twice_and_nobody_left_out(org):
    people = everybody(100_000)
    org.record_all([{"recipient": who, "state": "given"} for who in people[:10_000]])
    cuts = [1_000, *(random.randint(300, 3_000_000) for _ in range(9))]
    with CuttingProxy(org.service.api_listen, cuts) as proxy:
        done = compose(org, proxy.url, people)
    assert done.returncode == 0, done.stderr
    assert (proxy.broken, proxy.connections) == (10, 11)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["recipient"] for answer in answers] == people
    assert [answer["tracked"] for answer in answers] == [place < 10_000 for place in range(100_000)]
    answered = {answer["decision"]["id"] for answer in answers}
    assert len(answered) == 100_000
    decided = {entry["id"] for entry in org.decisions(limit=1000)}
    assert answered <= decided and len(decided - answered) <= 10 * MOST_LOST
    assert b"100000 payloads, 0 refused, 11 connections" in done.stderr


def test_what_the_service_refuses_is_told_without_the_key(org):
    done = compose(org, org.service.api, [])
    assert done.returncode == 0 and done.stdout == b""
    key, org.key = org.key, "clk_wrong"
    done = compose(org, org.service.api, ["ana@people.example"])
    org.key = key
    assert done.returncode == 1 and b"401" in done.stderr
    assert b"clk_wrong" not in done.stderr and b"ana@" not in done.stderr


def test_a_refused_recipient_is_named_by_its_line(org):
    done = compose(org, org.service.api, ["ana@people.example", "", "bo@people.example"])
    assert done.returncode == 0
    assert [json.loads(line)["recipient"] for line in done.stdout.splitlines()] == [
        "ana@people.example", "bo@people.example",
    ]  # fmt: skip
    assert b"line 2: 422" in done.stderr
