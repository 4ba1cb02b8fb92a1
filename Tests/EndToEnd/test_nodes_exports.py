"""Exports at one node while another one erases."""

import json

import httpx
import pytest

from harness.client import person
from harness.exports import verified_export
from harness.nodes import Nodes

CUT_OFF = (httpx.RemoteProtocolError, httpx.ReadError)


@pytest.fixture
def orgs(tmp_path):
    """An organization, as each of two nodes has it."""
    nodes = Nodes(tmp_path, 2)
    yield nodes.organization()
    nodes.end()


def record_much(org, recipient):
    """So much evidence that an export of it cannot stand in the buffers on the way."""
    evidence = {member: "x" * 4000 for member in ("method", "source", "actor", "language")}
    for _ in range(3):
        org.record_all([{"recipient": recipient, "state": "given", "evidence": evidence} for _ in range(500)])


def exported(org, filters, meanwhile):
    """The archive. `meanwhile` is called when its beginning was read, before the service can write the rest."""
    headers = {"Authorization": f"Bearer {org.key}", "Content-Type": "application/json"}
    request = {"url": f"{org.service.api}{org.path('/audits')}", "headers": headers, "content": json.dumps(filters)}
    with httpx.stream("POST", timeout=60, **request) as answer:
        pieces = answer.iter_raw()
        archive = next(pieces)
        meanwhile()
        for piece in pieces:
            archive += piece
    return archive


class TestAnErasureAtAnotherNode:
    def test_a_whole_export_that_it_overtakes_is_cut_off_and_the_next_one_holds(self, orgs):
        """Else it would look as if private fields had been taken away."""
        (here, there), who = orgs, person()
        record_much(here, person())
        here.record(who, "given")
        here.compose([who])
        with pytest.raises(CUT_OFF):
            exported(here, {}, meanwhile=lambda: there.erase(who))
        verified_export(here.service, here, "after")

    def test_an_export_about_the_erased_recipient_is_cut_off(self, orgs):
        (here, there), who = orgs, person()
        record_much(here, who)
        with pytest.raises(CUT_OFF):
            exported(here, {"recipient": who}, meanwhile=lambda: there.erase(who))

    def test_an_export_that_has_no_entry_of_theirs_goes_on(self, orgs):
        (here, there), who, other = orgs, person(), person()
        record_much(here, who)
        here.record(other, "given")
        archive = exported(here, {"recipient": who}, meanwhile=lambda: there.erase(other))
        # The end of an archive: two blocks of zeros.
        assert archive.endswith(bytes(1024))
