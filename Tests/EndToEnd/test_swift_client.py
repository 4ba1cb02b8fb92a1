"""The Swift client's example program, `docs/examples/swift`: a campaign over a connection that breaks ten times."""

import json
import os
import random
import signal
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
    return compose_lines(org, api, "".join(f"{who}\n" for who in people).encode())


def compose_lines(org, api, lines, stdout=subprocess.PIPE, prefix=()):
    return subprocess.run(
        [*prefix, str(example()), api, org.id, unique("summer"), "https://shop.example/summer"],
        input=lines, env=environment(CONSENTLINK_KEY=org.key), stdout=stdout, stderr=subprocess.PIPE, timeout=240,
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
    assert done.returncode == 1
    assert [json.loads(line)["recipient"] for line in done.stdout.splitlines()] == [
        "ana@people.example", "bo@people.example",
    ]  # fmt: skip
    assert b"line 2: 422" in done.stderr


@pytest.mark.parametrize("line", [b"c\xff", b"\xc3", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"])
def test_a_line_that_is_not_utf8_is_no_recipient(org, line):
    done = compose_lines(org, org.service.api, b"ana@people.example\n" + line + b"\nbo@people.example\n")
    assert done.returncode == 1 and b"line 2 of standard input is not UTF-8" in done.stderr
    assert [json.loads(line)["recipient"] for line in done.stdout.splitlines()] == ["ana@people.example"]
    assert b"1 lines are answered" in done.stderr


def test_lines_end_with_lf_or_crlf_and_the_last_one_with_the_input(org):
    done = compose_lines(org, org.service.api, "ana@people.example\r\né@people.example\nbo@people.example".encode())
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["recipient"] for line in done.stdout.splitlines()] == [
        "ana@people.example", "é@people.example", "bo@people.example",
    ]  # fmt: skip


def test_a_disk_that_is_full_is_told(org):
    with open("/dev/full", "wb") as full:
        done = compose_lines(org, org.service.api, b"ana@people.example\n", stdout=full)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == b"standard output: No space left on device"


@pytest.mark.parametrize("stream", [0, 1])
def test_a_stream_that_is_closed_is_told(org, stream):
    prefix = ["sh", "-c", f'exec "$@" {stream}>&-', "sh"]
    done = compose_lines(org, org.service.api, b"ana@people.example\n", prefix=prefix)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [b"standard input, output and error must be open"]


def test_a_reader_that_goes_away_ends_it_without_a_crash(org):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = compose_lines(org, org.service.api, b"ana@people.example\n", stdout=gone)
    assert done.returncode in (1, -signal.SIGPIPE)
    assert b"Fatal error" not in done.stderr
