"""Clients that generators make from docs/openapi.yaml, in three languages, compile and take a backend's way from an
organization to the feed. The commands and programs of docs/integrating.md are run too."""

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness import wire
from harness.client import unique
from harness.contract import DOCUMENT
from harness.eventually import eventually
from harness.service import ROOT

TOOLS = Path(sys.executable).parent
FLOWS = Path(__file__).parent / "clients/generated"
GUIDE = ROOT / "docs/integrating.md"
# The jar of the generator brings Jackson with its module for times, which Debian does not have.
JARS = ":".join(
    [
        *map(str, Path(find_spec("openapi_generator_cli").origin).parent.glob("*.jar")),
        *(f"/usr/share/java/{name}.jar" for name in ("jakarta-annotation-api", "httpmime", "httpcore")),
    ]
)
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    importlib.import_module(name)
assert len(names) > 50, names
"""
# The last option stands for what tsc 4.9 can do and Debian's 4.8 cannot: know a member by `"x" in value`.
TSC_STRICT = "tsc --strict --suppressImplicitAnyIndexErrors"


@dataclass
class Guide:
    """What docs/integrating.md has about one language: its blocks, in their order. Python needs no compiler."""

    generate: str
    program: str
    compile: str
    run: str

    @classmethod
    def of(cls, language):
        section = GUIDE.read_text().partition("\n## A generated client\n")[2].partition("\n## ")[0]
        part = section.partition(f"\n### {language}\n")[2].partition("\n### ")[0]
        generate, program, *compile, run = re.findall(r"^```\w+\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
        return cls(generate, program, "".join(compile), run)


@dataclass(frozen=True)
class Generator:
    """Commands, in a folder: the one that generates a client, one that reads or compiles all of it with the flow, and
    one that runs the flow. With a guide, its program is compiled too."""

    generate: str
    flow: str
    compile: str
    run: str
    program: str | None = None
    guide: Guide | None = None


def guided(language, program, flow, run, compile=None):
    """The commands of the guide; its compiler gets the flow beside the program."""
    guide = Guide.of(language)
    compile = compile or guide.compile.replace(f" {program}", f" {program} {flow}").replace("tsc --strict", TSC_STRICT)
    return Generator(guide.generate, flow, compile, run, program, guide)


GENERATORS = {
    "openapi-python-client": Generator(
        "openapi-python-client generate --path docs/openapi.yaml --output-path client/consent_link_client --meta none",
        "flow_openapi_python_client.py",
        f"{sys.executable} -c '{IMPORT_ALL}' consent_link_client",
        f"{sys.executable} flow_openapi_python_client.py",
    ),
    "python": guided(
        "Python",
        "send.py",
        "flow_openapi_generator.py",
        f"{sys.executable} flow_openapi_generator.py",
        f"{sys.executable} -c '{IMPORT_ALL}' openapi_client",
    ),
    "typescript": guided("TypeScript", "send.ts", "flow.ts", "node js/flow.js"),
    "java": guided("Java", "Send.java", "Flow.java", "java -cp classes:$JARS Flow"),
}
STREAMS = {
    f"streams-{name}": Generator(
        Guide.of(language).generate.replace("openapi.yaml", "openapi-streams.yaml"), flow, compile, run
    )
    for name, language, flow, compile, run in [
        ("python", "Python", "streams.py", f"{sys.executable} -c 'import openapi_client.api'", f"{sys.executable} streams.py"),
        (
            "java",
            "Java",
            "Streams.java",
            Guide.of("Java").compile.replace("Send.java", "Streams.java"),
            "java -cp classes:$JARS Streams",
        ),
    ]
}
IN_THE_GUIDE = [name for name, generator in GENERATORS.items() if generator.guide]


class Client:
    """A generated client, in a folder of its own."""

    def __init__(self, generator, folder, api):
        self.generator, self.folder = generator, folder
        self.environment = os.environ | {
            "PATH": f"{TOOLS}:{os.environ['PATH']}",
            "PYTHONPATH": "client",
            "PYTHONDONTWRITEBYTECODE": "1",
            "JARS": JARS,
        }
        (folder / "docs").mkdir()
        (folder / "client").mkdir()
        for document in DOCUMENT.parent.glob("openapi*.yaml"):
            shutil.copy(document, folder / "docs")
        shutil.copy(FLOWS / generator.flow, folder)
        if generator.guide:
            (folder / generator.program).write_text(generator.guide.program.replace("http://127.0.0.1:8081", api))
        self.generated = self.done(generator.generate)
        self.compiled = self.done(generator.compile)

    def done(self, commands, **settings):
        return subprocess.run(
            ["bash", "-euc", commands],
            cwd=self.folder,
            env=self.environment | settings,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def started(self, **settings):
        return subprocess.Popen(
            ["bash", "-c", f"exec {self.generator.run}"],
            cwd=self.folder,
            env=self.environment | settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


@pytest.fixture(scope="module")
def clients(tmp_path_factory, service):
    """All of them, made two at a time."""
    with ThreadPoolExecutor(2) as workers:
        made = {
            name: workers.submit(Client, generator, tmp_path_factory.mktemp(name), service.api)
            for name, generator in (GENERATORS | STREAMS).items()
        }
        return {name: client.result() for name, client in made.items()}


@pytest.fixture(params=GENERATORS)
def client(request, clients):
    return clients[request.param]


@pytest.fixture(params=STREAMS)
def streams(request, clients):
    return clients[request.param]


def test_the_document_is_read_without_an_error(client):
    said = client.generated.stdout + client.generated.stderr
    assert client.generated.returncode == 0, said[-4000:]
    assert "ERROR" not in said


def test_every_file_compiles(client):
    assert client.compiled.returncode == 0, (client.compiled.stdout + client.compiled.stderr)[-4000:]


def test_a_backend_gets_from_an_organization_to_the_feed(client, service):
    process = client.started(API=service.api, OPERATOR_KEY=service.operator_key, ORG=unique("generated"))
    link = json.loads(process.stdout.readline())["link"]
    assert wire.follow(link).status == 302
    said, _ = process.communicate("followed\n", timeout=60)
    assert process.returncode == 0
    assert json.loads(said) == {
        "consent": "given",
        "reasons": ["consentGiven", "noConsentRecord"],
        "interactions": [["PushLinkClicked", "https://shop.example/spring"]],
        "cursor": True,
        "retention": [90, "forever"],
        "visitors": ["machine"],
    }


def test_a_backend_sends_and_reads_streams(streams, operator, service):
    for done in (streams.generated, streams.compiled):
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    org = operator.make("restrictive")
    done = streams.done(streams.generator.run, API=service.api, KEY=org.key, ORG=org.id)
    assert done.returncode == 0, done.stderr[-4000:]
    consents, payloads, decisions, table = (part.splitlines() for part in done.stdout.split("---\n"))
    assert [json.loads(line).get("state") for line in consents] == ["given", None]
    assert [json.loads(line)["tracked"] for line in payloads] == [True, False]
    assert [json.loads(line)["recipient"] for line in decisions] == ["ana@example.com"]
    assert len(table) == 3 and table[0].startswith('"id"')


@pytest.mark.parametrize("name", IN_THE_GUIDE)
def test_the_program_of_the_guide_shows_a_click_when_it_is_run_again(clients, operator, name):
    client = clients[name]
    org = operator.make("restrictive")
    key = org.with_scopes("compose", "consent", "read").made["key"]
    (client.folder / "crm.key").write_text(key + "\n")

    def run():
        done = client.done(client.generator.guide.run, ORG=org.id)
        assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
        return [line.split(" ") for line in done.stdout.splitlines()]

    tracked, raw = run()
    assert (tracked[0], raw) == ("consentGiven", ["noConsentRecord", "https://shop.example/winter"])
    assert wire.follow(tracked[1]).status == 302
    eventually(org.interactions)
    *composed, clicked = run()
    assert composed == [tracked, raw]
    assert clicked[0] == "PushLinkClicked"
