"""Commands that documents show and no test runs, because they need another machine, a cluster or a database: what they
call of `consentlink` is there."""

import functools
import json
import re
import shlex

import pytest

from harness.documents import all_documents
from harness.service import ROOT, CommandLine

# The changelog and the decisions also name what there was before.
DOCUMENTS = [
    document
    for document in all_documents(ROOT)
    if document.name != "changelog.md" and document.parent.name != "decisions"
]
NOT_RUN = re.compile(r"^( *)```(?:bash|shell)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
# Not the names of derived keys, such as `consentlink tracking-id v1 signing`.
IN_A_SENTENCE = re.compile(r"(?<!`)`(consentlink (?![\w-]+ v\d )[^`\n]+)`(?!`)")


@functools.cache
def program():
    """The commands and options of the program, as ArgumentParser tells them."""
    return json.loads(CommandLine().run("--experimental-dump-help").stdout)["command"]


def words_of(commands):
    """The words of each command: lines, and the parts between `|`, `;`, `&&` and the like."""
    for line in commands.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line.replace("'", "").replace('"', ""), posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words = []
        for word in lexer:
            if set(word) <= set("();<>|&"):
                yield words
                words = []
            else:
                words.append(word)
        yield words


def calls(words):
    """The arguments of `consentlink` in a command: at its beginning, behind `--`, or behind the name of a container."""
    known = {command["commandName"] for command in program()["subcommands"]}
    for place, word in enumerate(words):
        if word.rsplit("/", 1)[-1] != "consentlink":
            continue
        arguments = words[place + 1 :]
        begins = place == 0 or words[place - 1] == "--"
        if arguments and (begins or arguments[0] in known):
            yield arguments


def faults(arguments):
    """What the program does not know of these arguments."""
    command = program()
    found = []
    while subcommands := {one["commandName"]: one for one in command.get("subcommands", [])}:
        if arguments and arguments[0] in subcommands:
            command, arguments = subcommands[arguments[0]], arguments[1:]
        elif command.get("defaultSubcommand"):
            command = subcommands[command["defaultSubcommand"]]
        else:
            found += [word for word in arguments[:1] if re.match(r"[a-z]", word)]
            break
    options = {name["name"] for argument in command.get("arguments", []) for name in argument.get("names", [])}
    # Every command has them, also where the list of its options does not say so.
    options |= {"help", "version", "generate-completion-script"}
    written = (re.match(r"--([a-z][\w-]*)", word) for word in arguments)
    return found + [option[0] for option in written if option and option[1] not in options]


def shown(document):
    """The arguments of every call of `consentlink` in a document that is not run."""
    text = document.read_text()
    pieces = [block[1] for block in NOT_RUN.findall(text)] + IN_A_SENTENCE.findall(text)
    return [arguments for piece in pieces for words in words_of(piece) for arguments in calls(words)]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: str(document.relative_to(ROOT)))
def test_every_command_that_is_shown_is_one_of_the_program(document):
    wrong = [(" ".join(arguments), found) for arguments in shown(document) if (found := faults(arguments))]
    assert wrong == []


def test_commands_are_found():
    assert sum(len(shown(document)) for document in DOCUMENTS) > 80


@pytest.mark.parametrize(
    "commands, found",
    [
        ("consentlink serve --data /var/lib/consentlink --treads 2", [["--treads"]]),
        ("consentlink org mint acme", [["mint"]]),
        ("consentlink orgs", [["orgs"]]),
        ("sudo -u consentlink consentlink audit --org acme --limits 2 | jq .", [["--limits"]]),
        ("docker stop consentlink\ndocker run consentlink consentlink init --all", [["--all"]]),
        ("docker exec consentlink consentlink org create acme --enforcement restrictive", [[]]),
        ("kubectl exec consentlink-0 -- consentlink key list", [["key"]]),
        ("consentlink audit --org acme && consentlink \\\n  doctor --data=/srv --json", [[], []]),
    ],
)
def test_what_the_program_does_not_know_is_found(commands, found):
    assert [faults(arguments) for words in words_of(commands) for arguments in calls(words)] == found
