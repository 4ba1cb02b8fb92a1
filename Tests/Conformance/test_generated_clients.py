"""Clients that two generators make from docs/openapi.yaml import whole, and take a backend's way from an organization
to the feed."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness import wire
from harness.client import unique
from harness.contract import DOCUMENT

TOOLS = Path(sys.executable).parent
FLOWS = Path(__file__).parent / "clients/generated"
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
names = [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""
# The generator is a Java program. It is given the Java of its own package, and nothing of the caller's.
GENERATORS = {
    "openapi-python-client": (
        [TOOLS / "openapi-python-client", "generate", "--path", DOCUMENT, "--output-path", "."],
        ["--overwrite", "--meta", "none"],
        "consent_link_client",
        "flow_openapi_python_client.py",
    ),
    "openapi-generator": (
        [TOOLS / "openapi-generator-cli", "generate", "-i", DOCUMENT, "-g", "python", "-o", "."],
        [],
        "openapi_client",
        "flow_openapi_generator.py",
    ),
}


class Generated:
    def __init__(self, name, folder):
        command, more, self.package, self.flow = GENERATORS[name]
        if name == "openapi-python-client":
            command = [*command[:-1], self.package]
        self.folder = folder
        self.environment = os.environ | {
            "PYTHONPATH": str(folder),
            "PATH": f"{TOOLS}:{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            [str(word) for word in [*command, *more]],
            cwd=folder, env=self.environment, capture_output=True, text=True, timeout=300,
        )
        self.said = done.stdout + done.stderr
        assert done.returncode == 0, self.said[-4000:]

    def python(self, *arguments, **more):
        return subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            cwd=self.folder, env=self.environment | more, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )


@pytest.fixture(scope="module", params=GENERATORS)
def generated(request, tmp_path_factory):
    return Generated(request.param, tmp_path_factory.mktemp("client"))


def test_every_module_imports(generated):
    process = generated.python("-c", IMPORT_ALL, generated.package)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert int(said) > 50


def test_a_backend_gets_from_an_organization_to_the_feed(generated, service):
    process = generated.python(
        FLOWS / generated.flow, API=service.api, OPERATOR_KEY=service.operator_key, ORG=unique("generated")
    )
    link = json.loads(process.stdout.readline())["link"]
    assert wire.follow(link).status == 302
    said, _ = process.communicate("followed\n", timeout=60)
    assert process.returncode == 0
    assert json.loads(said) == {
        "consent": "given",
        "reasons": ["consentGiven", "noConsentRecord"],
        "interactions": [["PushLinkClicked", "https://shop.example/spring"]],
        "cursor": True,
    }
