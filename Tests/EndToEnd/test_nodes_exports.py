"""Exports at one node while another one erases."""

import httpx
import pytest

from harness.client import person
from harness.exports import exported, record_much, verified_export
from harness.nodes import Nodes

CUT_OFF = (httpx.RemoteProtocolError, httpx.ReadError)


@pytest.fixture
def orgs(tmp_path):
    """An organization, as each of two nodes has it."""
    nodes = Nodes(tmp_path, 2)
    yield nodes.organization()
    nodes.end()


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
