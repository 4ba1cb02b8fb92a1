"""The commands in README.md and docs/, taken out in order, so that a test can run what a reader would paste.

Fenced blocks, by the word after the fence:

- ```sh       run by the test, in order, in one shell per document: a variable set in one block is there in the
              next. Each block must end with exit code 0, and no answer that it prints may be a problem document.
- ```console  a session to look at: the lines that begin with `$ ` are run like a ```sh block, the others are what
              somebody saw and are not compared.
- ```json     directly after a block that is run, below the comment `<!-- shape of the answer -->`: what the block
              printed last is JSON with the same members, at every level; their values may differ.
- anything else is not looked at.

Documents say `http://127.0.0.1:8080`, `http://127.0.0.1:8081`, `./data`, `docs` and `.build/release/consentlink`: the
test runs them in an empty folder where all five are true, on other ports when those are taken. `$ORG` is the id of an
organization there; a document may set it to that of another one.
"""

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>[a-z]*)[^\n]*\n(?P<body>.*?)^(?P=indent)```\s*$", re.MULTILINE | re.DOTALL
)
SHAPE = "<!-- shape of the answer -->"


@dataclass
class Block:
    document: Path
    line: int
    commands: str
    shape: str | None = None

    def __str__(self):
        return f"{self.document.name}:{self.line}"


def all_documents(root):
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def blocks(document):
    """The blocks to run, in order."""
    text = document.read_text()
    found = []
    end = 0
    for fence in _FENCE.finditer(text):
        between = text[end : fence.start()].strip()
        end = fence.end()
        indent = len(fence["indent"])
        body = "".join(line[indent:] if line[:indent].isspace() else line for line in fence["body"].splitlines(True))
        line = text.count("\n", 0, fence.start()) + 1
        if fence["language"] == "sh":
            found.append(Block(document, line, body))
        elif fence["language"] == "console":
            found.append(Block(document, line, _typed(body)))
        elif fence["language"] == "json" and between.endswith(SHAPE):
            assert found and between == SHAPE, f"{document.name}:{line}: the shape of which answer?"
            found[-1].shape = body
    return found


def _typed(session):
    """What was typed in a session: lines after a prompt, with those that continue them."""
    typed = []
    goes_on = False
    for line in session.splitlines():
        if line.startswith("$ "):
            typed.append(line[2:])
        elif goes_on:
            typed.append(line)
        else:
            continue
        goes_on = typed[-1].endswith("\\")
    return "\n".join(typed) + "\n"
