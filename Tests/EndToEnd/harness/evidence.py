"""What services leave where others can read it: logs, metrics, refusals, temporary files. It must not be personal.

With END_TO_END_EVIDENCE=FOLDER the tests keep there everything of that kind that they meet. `test_nothing_personal.py`
runs last and searches it for what the people, links and keys of all tests look like.
"""

import os
import re
import shutil
import uuid
from pathlib import Path

PERSONAL = {
    # A tracking ID: 54 characters of base64url, beginning with the format's version. In Adobe's fields hexadecimal.
    "a tracking ID": re.compile(rb"(?<![A-Za-z0-9_-])A[A-Za-z0-9_-]{53}(?![A-Za-z0-9_-])"),
    "a tracking ID in hexadecimal": re.compile(rb"(?<![0-9a-f])h?01[0-9a-f]{78}(?![0-9a-f])"),
    # A receipt token: 51 characters, beginning with its version.
    "a receipt token": re.compile(rb"(?<![A-Za-z0-9_-])wQ[A-Za-z0-9_-]{49}(?![A-Za-z0-9_-])"),
    # The link of a consent request: 51 characters, which begin with one of its two versions.
    "a consent request": re.compile(rb"(?<![A-Za-z0-9_-])g[Q-Za-v][A-Za-z0-9_-]{49}(?![A-Za-z0-9_-])"),
    # The recipients of all tests and documents are mail addresses below one of these, except a few.
    "a recipient": re.compile(rb"@(?:people\.|[a-z]+\.)?example(?:\.com)?", re.IGNORECASE),
    # Every target is below one of these. The service's own public URL, which the log names at a start, is not a target:
    # it is on the loopback or links.example.
    "a target": re.compile(
        rb"(?:shop\.example|website\.example|https?://(?!127\.0\.0\.1|localhost|links\.example(?:\.com)?[\"/\s])[a-z0-9])",
        re.IGNORECASE),
    "a key": re.compile(rb"clk_[A-Za-z0-9_-]{43}"),
}

# The advice in a refusal, which has the same words for every caller.
ADVICE = (
    b"must be an absolute URL such as https://shop.example/",
    b"must be a host such as shop.example, or *.shop.example for all below it",
)


def folder():
    """Where evidence is kept; None when the variable is not set."""
    named = os.environ.get("END_TO_END_EVIDENCE")
    return Path(named) if named else None


def _new(kind):
    place = folder() / kind / uuid.uuid4().hex
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def keep_text(kind, text):
    if folder():
        _new(kind).write_text(text)


def keep_files(kind, path):
    """A file, or all files below a folder."""
    path = Path(path)
    if not folder() or not path.exists():
        return
    if path.is_dir():
        shutil.copytree(path, _new(kind), symlinks=True)
    else:
        shutil.copyfile(path, _new(kind))


def personal(below):
    """The personal data in the files below a folder: (file, kind, the bytes), and how many files were searched."""
    found, searched = [], 0
    for file in sorted(Path(below).rglob("*")):
        if not file.is_file():
            continue
        searched += 1
        content = file.read_bytes()
        for text in ADVICE:
            content = content.replace(text + b'"', b'"')
        for what, form in PERSONAL.items():
            found += [(file.relative_to(below), what, hit[0]) for hit in form.finditer(content)]
    return found, searched
