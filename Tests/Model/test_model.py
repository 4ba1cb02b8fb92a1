"""The model of the rule feed, checked by Spin: every state that two withdrawals, a failover and the nodes can come to is
safe, and what the protocol would be without one of its parts is not.

    MODEL_NODES=3 .venv/bin/pytest Tests/Model      # two minutes and 3 GB of memory; two nodes take a second
"""

import os
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).parent / "feed.pml"
NODES = int(os.environ.get("MODEL_NODES", 2))


def check(folder, nodes, *without):
    """What Spin's verifier says of the model without these parts."""
    options = [f"-D{name}" for name in without]
    subprocess.run(["spin", f"-DNODES={nodes}", *options, "-a", MODEL], cwd=folder, check=True, capture_output=True)
    # Every state is looked at (no bit-state hashing), and told apart from every other one.
    subprocess.run(
        ["gcc", "-O2", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", "pan", "pan.c"], cwd=folder, check=True, capture_output=True)
    return subprocess.run(["./pan", "-m400000", "-E"], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.mark.timeout(900)
def test_whoever_is_fresh_knows_what_was_acknowledged(tmp_path):
    said = check(tmp_path, NODES)
    assert "errors: 0" in said and "max search depth too small" not in said, said
    # Every way that the failover can go was gone.
    assert "unreached in proctype failover\n\t(0 of" in said, said


@pytest.mark.parametrize("part", ["READ_ONLY_POLL", "NO_MARK", "NO_FENCE", "BARE_POSITION"])
def test_without_each_of_its_parts_a_withdrawal_is_missed(tmp_path, part):
    said = check(tmp_path, NODES, part)
    assert "assertion violated" in said and "errors: 1" in said, said
