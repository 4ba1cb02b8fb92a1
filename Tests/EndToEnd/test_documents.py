"""Every command of README.md and docs/ is run as a reader would run it; `harness/documents.py` has the conventions."""

import itertools
import json
import re
import socket
import subprocess
import urllib.request

import pytest

from harness.documents import all_documents, blocks
from harness.pasting import misread, pasted
from harness.service import ROOT, CommandLine, Service, binary, environment, free_port

# Blocks that cannot run inside a test, word for word, and why. One that no document has any more is an error.
NOT_RUN = {
    "Deploy/run\n": "runs until it is stopped; test_deploy.py runs it and what it prints",
    "Deploy/run --postgres\n": "the same; test_deploy.py runs it, too",
    "Deploy/test\n": "runs this very test",
}

DOCUMENTS = all_documents(ROOT)

# The ids of the organizations that are $ORG in documents.
READERS = itertools.count(1)

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


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """One service for all documents, as a reader has it who pastes one after another: data in ./data, on the default
    ports where they are free. The files of ./docs are there."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "docs").symlink_to(ROOT / "docs")
    service = Service(
        folder, listen=address("127.0.0.1:8080"), api_listen=address("127.0.0.1:8081"), has_console=True)
    command = folder / ".build/release/consentlink"
    command.parent.mkdir(parents=True)
    if service.api_listen == "127.0.0.1:8081":
        command.symlink_to(binary())
    else:
        command.write_text(f'#!/bin/sh\nCONSENTLINK_API={service.api} exec {binary()} "$@"\n')
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
            f"}} > out.{number} 2> err.{number} < /dev/null",
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


def name(document):
    return str(document.relative_to(ROOT))


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_every_command_of_a_document_runs(reader, document, shell):
    """Behind all the documents before it, and a second time: no document is in the way of another, nor of itself."""
    said = run_commands(document, reader, shell)
    for block, output in said:
        assert block.shape or not PROBLEM.search(output), f"{block} was refused:\n{block.commands}\n{output}"
        if block.shape:
            start = min(place for place in (output.find("{"), output.find("[")) if place >= 0)
            assert_same_shape(json.loads(output[start:]), json.loads(block.shape), str(block))


# Both read commands as they come from a terminal. zsh takes comments for arguments then, and bash does not; a script would
# hide that.
SHELLS = {"bash": ["bash", "-s"], "zsh": ["zsh", "-f", "-i", "-o", "no_prompt_sp"]}


def run_commands(document, reader, shell="bash"):
    """Pastes a document into a shell: its blocks, and what each printed."""
    assert document.exists(), f"{document.name} is missing"
    found = [block for block in blocks(document) if block.commands not in NOT_RUN]
    organization = f"reader-{next(READERS)}"
    assert CommandLine(reader).ask("org", "create", organization, "--enforcement", "restrictive").returncode == 0
    path = f"{reader.folder / '.build/release'}:{environment()['PATH']}"
    settings = {"ORG": organization, "PATH": path, "PS1": "", "PS2": ""}
    done = subprocess.run(
        SHELLS[shell],
        cwd=reader.folder,
        env=environment(**settings),
        input=as_script(found, reader) + "\n",
        text=True,
        timeout=120,
    )
    outputs = [reader.folder / f"out.{number}" for number in range(len(found))]
    if done.returncode != 0:
        at = int((reader.folder / "at").read_text())
        said = outputs[at].read_text() + (reader.folder / f"err.{at}").read_text()
        pytest.fail(f"{found[at]} ended with {done.returncode}:\n{found[at].commands}\n{said}")
    return [(block, output.read_text()) for block, output in zip(found, outputs)]


@pytest.mark.parametrize("document", [ROOT / "README.md", ROOT / "docs/using.md"], ids=name)
def test_the_click_that_a_document_shows_is_a_persons(reader, document):
    said = "".join(output for _, output in run_commands(document, reader))
    assert re.findall(r'"automated": (\w+)', said.partition('"PushLinkClicked"')[2])[0] == "false"


def test_the_readme_leaves_nothing_in_the_clone(reader):
    before = {entry.name for entry in reader.folder.iterdir()}
    run_commands(ROOT / "README.md", reader)
    left = {entry.name for entry in reader.folder.iterdir()} - before
    assert {entry for entry in left if not re.fullmatch(r"(out|err)\.\d+|at", entry)} == set()


def test_the_readme_shows_the_way_from_nothing_to_an_audited_decision():
    readme = [block.commands for block in blocks(ROOT / "README.md")]
    assert {"Deploy/run\n", "Deploy/test\n"} <= set(readme), "the two commands are not blocks of their own"
    commands = "".join(readme)
    for step in ("/v1/orgs", "/consents", "/payloads", "/decisions", "/interactions"):
        assert step in commands, f"no command with {step}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_what_is_pasted_means_the_same_in_zsh(document):
    """Also where a command is for a machine that no test has."""
    assert {commands: wrong for commands in pasted(document) if (wrong := misread(commands))} == {}


@pytest.mark.parametrize(
    "commands",
    [
        "umask 077   # for nobody else",
        "# first\nls",
        "curl http://127.0.0.1:8081/v1/orgs?limit=1",
        'operator $API/orgs?limit=1 -d "x"',
        "consentlink database check --storage postgres://h/db?host=/run",
        "echo =jq",
        "status=$(curl -sS x)",
        "cat <<'PY' > x\n# a comment of Python\nPY\nls # it",
    ],
)
def test_what_zsh_reads_otherwise_is_found(commands):
    assert len(misread(commands)) == 1


@pytest.mark.parametrize(
    "commands",
    [
        "jq '.a # b' x",
        'curl "http://h/x?limit=1#y" "$(jq -r \'.a?\' <<< "$B")"',
        "python3 - <<'PY'\n# a comment of Python\nPY\n",
        "echo ${#A} $? a#b http://h/x#y \\# x",
        "ls *.tar a/[bc]\nA=1 B==",
    ],
)
def test_what_zsh_reads_alike_is_not_found(commands):
    assert misread(commands) == []


def test_what_is_not_run_is_in_a_document():
    everything = {block.commands for document in DOCUMENTS for block in blocks(document)}
    unknown = set(NOT_RUN) - everything
    assert unknown == set(), f"take these out of NOT_RUN: {unknown}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_no_command_shows_a_key_to_other_users_of_the_machine(document):
    """They see the arguments of every process; `-H @<(…)` gives curl a header in a file."""
    assert re.findall(r"""(?:-H|--header|=) *["']?Authorization.*""", document.read_text()) == []


LINK = re.compile(r"\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)")


def test_the_readme_names_every_document():
    """Those of a folder with an index of its own are named there."""
    named = {(ROOT / path).resolve() for path, _ in LINK.findall((ROOT / "README.md").read_text())}
    assert [document.name for document in sorted((ROOT / "docs").glob("*.md")) if document not in named] == []


def without_blocks(document):
    return re.sub(r"^ *```.*?^ *```$", "", document.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(document):
    """The names that headings have as GitHub makes them."""
    found = re.findall(r"^#+ (.*)$", without_blocks(document), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("document", [*DOCUMENTS, *sorted((ROOT / "Tests").glob("*/README.md"))], ids=name)
def test_every_link_to_another_document_leads_somewhere(document):
    for path, anchor in LINK.findall(without_blocks(document)):
        target = (document.parent / path).resolve() if path else document
        assert target.exists(), f"{document.name}: {path}"
        assert not anchor or anchor in anchors(target), f"{document.name}: {path}#{anchor}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name)
def test_every_file_of_the_project_that_is_named_is_there(document):
    """Names in backticks that begin with a folder of the project."""
    for path in re.findall(r"`((?:Sources|Tests|Deploy|docs)/[\w./+-]+)`", document.read_text()):
        assert (ROOT / path).exists(), f"{document.name}: {path}"


def first_cells(text):
    """What the first column of tables has, each name by itself."""
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return sorted(found for cell in cells for found in re.findall(r"`([^`]+)`", cell))


def test_the_table_of_settings_has_all_of_them():
    said = subprocess.run([binary(), "serve", "--help"], capture_output=True, text=True, timeout=60).stdout
    flags = set(re.findall(r"^  --([a-z-]+) <", said, re.MULTILINE))
    _, _, text = (ROOT / "docs/settings.md").read_text().partition("\n## All settings\n")
    assert first_cells(text.partition("\n## ")[0]) == sorted(flags - {"config"})


def test_the_tables_of_metrics_have_all_of_them(reader):
    with urllib.request.urlopen(f"{reader.api}/metrics") as page:
        served = re.findall(r"^# TYPE (consentlink_\w+) ", page.read().decode(), re.MULTILINE)
    listed = first_cells((ROOT / "docs/metrics.md").read_text())
    assert [found for found in listed if found.startswith("consentlink_")] == sorted(served)


BENCHMARKS = sorted(path for path in (ROOT / "Tests/Benchmarks").iterdir() if path.is_file())


def test_the_table_of_decisions_has_all_of_them():
    folder = ROOT / "docs" / "decisions"
    listed = re.findall(r"^\| \[(\S+)\]", (folder / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(path.name for path in folder.glob("2*.md"))


def test_the_table_of_benchmarks_has_all_of_them():
    rows = re.findall(r"^\| `Tests/Benchmarks/(\w+)[^`]*` \|", (ROOT / "docs/benchmarks.md").read_text(), re.MULTILINE)
    assert sorted(rows) == [script.name for script in BENCHMARKS]


@pytest.mark.parametrize("script", BENCHMARKS, ids=name)
def test_a_benchmark_says_what_its_options_are(script):
    done = subprocess.run([script, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout.startswith("usage: "), done.stderr


@pytest.mark.parametrize("document", [ROOT / "docs/promises.md", ROOT / "Tests/EndToEnd/README.md"], ids=name)
def test_every_test_that_is_named_is_there(document):
    text = document.read_text()
    for file in re.findall(r"`(test_\w+\.py)`", text):
        assert (ROOT / "Tests/EndToEnd" / file).exists(), file
    suites = re.findall(r"`(\w+(?:Tests|Contract))`", text)
    assert len(suites) > 20 or document.name != "promises.md"
    for target in suites:
        assert any((ROOT / "Tests").glob(f"**/{target}")) or any((ROOT / "Tests").glob(f"**/{target}.swift")), target


def test_the_promises_are_one_table():
    (table,) = re.findall(r"(?:^\| \d+ .*\n)+", (ROOT / "docs/promises.md").read_text(), re.MULTILINE)
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1)) and len(rows) >= 14
    for number, promise, keeper, tests in rows:
        assert re.match(r"\*\*[^*]+\.\*\* ", promise) and "`" in keeper, number
        assert re.search(r"`test_\w+\.py`|`\w+(?:Tests|Contract)`", tests), f"no test notices when promise {number} is broken"
