"""Every command of README.md and docs/ is run as a reader would run it; `harness/documents.py` has the conventions."""

import json
import re
import socket
import subprocess

import pytest

from harness.documents import all_documents, blocks
from harness.service import ROOT, Service, binary, environment, free_port

# Blocks that cannot run inside a test, word for word, and why. One that no document has any more is an error.
NOT_RUN = {
    "Deploy/run\n": "runs until it is stopped; test_deploy.py runs it and what it prints",
    "Deploy/test\n": "runs this very test",
}

DOCUMENTS = all_documents(ROOT)

# curl ends with 0 whatever the answer was; this is what a refusal looks like.
PROBLEM = re.compile(r'"status"\s*:\s*[45]\d\d')


def is_free(address):
    host, port = address.split(":")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except OSError:
            return False
        return True


def address(default):
    return default if is_free(default) else f"127.0.0.1:{free_port()}"


@pytest.fixture
def reader(tmp_path):
    """A service as a reader of the documents has it: data in ./data, on the default ports where they are free."""
    service = Service(tmp_path, listen=address("127.0.0.1:8080"), api_listen=address("127.0.0.1:8081"))
    command = tmp_path / ".build/release/consentlink"
    command.parent.mkdir(parents=True)
    if service.api_listen == "127.0.0.1:8081":
        command.symlink_to(binary())
    else:
        command.write_text(f'#!/bin/sh\nexec {binary()} "$@" --api {service.api}\n')
        command.chmod(0o755)
    service.start()
    yield service
    assert service.stop() == 0


def on_its_ports(text, service):
    for default, actual in (("8080", service.listen), ("8081", service.api_listen)):
        text = re.sub(rf"\b(127\.0\.0\.1|localhost):{default}\b", actual, text)
    return text


def as_script(found, service):
    """One script of all blocks, each with an output of its own."""
    lines = ["set -euo pipefail"]
    for number, block in enumerate(found):
        lines += [
            f"echo {number} > at",
            "{",
            on_its_ports(block.commands, service),
            f"}} > out.{number} 2> err.{number}",
        ]
    return "\n".join(lines)


def assert_same_shape(actual, expected, at=""):
    assert type(actual) is type(expected) or {type(actual), type(expected)} <= {int, float}, f"{at}: {actual!r}"
    if isinstance(expected, dict):
        assert set(actual) == set(expected), f"{at}: {sorted(actual)} instead of {sorted(expected)}"
        for name, value in expected.items():
            assert_same_shape(actual[name], value, f"{at}/{name}")
    if isinstance(expected, list) and expected:
        assert len(actual) == len(expected), f"{at}: {len(actual)} items instead of {len(expected)}"
        for place, value in enumerate(expected):
            assert_same_shape(actual[place], value, f"{at}/{place}")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_command_of_a_document_runs(reader, document):
    assert document.exists(), f"{document.name} is missing"
    found = [block for block in blocks(document) if block.commands not in NOT_RUN]
    settings = {"PATH": f"{reader.folder / '.build/release'}:{environment()['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", as_script(found, reader)],
        cwd=reader.folder,
        env=environment(**settings),
        stdin=subprocess.DEVNULL,
        timeout=120,
    )
    if done.returncode != 0:
        at = int((reader.folder / "at").read_text())
        said = (reader.folder / f"out.{at}").read_text() + (reader.folder / f"err.{at}").read_text()
        pytest.fail(f"{found[at]} ended with {done.returncode}:\n{found[at].commands}\n{said}")
    for number, block in enumerate(found):
        said = (reader.folder / f"out.{number}").read_text()
        assert block.shape or not PROBLEM.search(said), f"{block} was refused:\n{block.commands}\n{said}"
        if block.shape:
            start = min(place for place in (said.find("{"), said.find("[")) if place >= 0)
            assert_same_shape(json.loads(said[start:]), json.loads(block.shape), str(block))


def test_the_readme_shows_the_way_from_nothing_to_an_audited_decision():
    readme = [block.commands for block in blocks(ROOT / "README.md")]
    assert {"Deploy/run\n", "Deploy/test\n"} <= set(readme), "the two commands are not blocks of their own"
    commands = "".join(readme)
    for step in ("/v1/orgs", "/consents", "/payloads", "/decisions", "/interactions"):
        assert step in commands, f"no command with {step}"


def test_what_is_not_run_is_in_a_document():
    everything = {block.commands for document in DOCUMENTS for block in blocks(document)}
    unknown = set(NOT_RUN) - everything
    assert unknown == set(), f"take these out of NOT_RUN: {unknown}"
