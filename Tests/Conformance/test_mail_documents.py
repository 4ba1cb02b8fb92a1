"""Mail before and after, read by another parser: the documents are equal but for the links, and those arrive.

`MAIL_FOLDER=…` names a folder of HTML files to send as well, such as public collections of templates.
"""

import json
import os
import re
from pathlib import Path

import pytest

from harness import wire
from harness.client import message, person
from stage.documents import differences

GOLDEN = Path(__file__).parents[1] / "MessagesTests" / "Golden"
FOLDER = os.environ.get("MAIL_FOLDER")


def golden():
    for file in sorted(GOLDEN.glob("*.json")):
        if "html" in (mail := json.loads(file.read_text())):
            yield pytest.param(mail["html"], id=file.stem)


def templates():
    for file in sorted(Path(FOLDER).rglob("*.htm*")) if FOLDER else ():
        yield pytest.param(file, id=str(file.relative_to(FOLDER)))


def check(org, door, html):
    """Sends a mail to somebody who consented and to somebody who did not; how many links were rewritten."""
    given, unseen = person("given"), person("unseen")
    org.record(given, "given")
    composed = org.compose([given, unseen], message(html=html), format="email")
    untracked = composed.payload(unseen)["html"]
    tracked = composed.payload(given)["html"]
    if page := composed.payload(unseen).get("preferencesUrl"):
        tracked = tracked.replace(composed.payload(given)["preferencesUrl"], page)
    else:
        assert untracked == html
    prefix = f"{door.origin}/r/"
    changed = list(differences(untracked, tracked))
    for target, link in changed:
        assert link.startswith(prefix) and len(link) == len(prefix) + 54
        assert wire.follow(link).header("Location") == target
    # The parser may show one place twice, and never fewer than there are.
    assert len({link for _, link in changed}) == len(set(re.findall(re.escape(prefix) + r"[\w-]{54}", tracked)))
    return len(changed)


@pytest.mark.parametrize("html", list(golden()))
def test_a_mail_of_our_own(org, door, html, record_property):
    record_property("links", check(org, door, html))


@pytest.mark.skipif(not FOLDER, reason="no MAIL_FOLDER")
@pytest.mark.parametrize("file", list(templates()))
def test_a_mail_of_somebody_else(org, door, file, record_property):
    raw = file.read_bytes().replace(b"\0", b"")
    try:
        html = raw.decode()
    except UnicodeDecodeError:
        html = raw.decode("latin-1")
    record_property("links", check(org, door, html))
