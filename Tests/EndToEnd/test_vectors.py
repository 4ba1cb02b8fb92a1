"""The vectors that the Swift tests hold the product to are what the specifications say: each folder of them has a checker
that shares no code with the product."""

import re
import shutil
import subprocess
import sys

import pytest

from harness.service import ROOT

FOLDERS = ["LedgerTests/Vectors", "TrackingIDsTests/Vectors", "TrackingIDsTests/RequestLinkVectors"]


def check(folder):
    return subprocess.run([sys.executable, folder / "check_vectors.py"], capture_output=True, text=True)


@pytest.mark.parametrize("tests", FOLDERS)
def test_vectors_follow_from_their_specification(tests):
    checked = check(ROOT / "Tests" / tests)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("tests", FOLDERS)
def test_a_changed_vector_is_noticed(tests, tmp_path):
    copy = tmp_path / "Vectors"
    shutil.copytree(ROOT / "Tests" / tests, copy)
    (file,) = copy.glob("*.json")
    text = file.read_text()
    # One digit of a key or a hash.
    position = re.search(r'": ?"[0-9a-f]*?([0-8])[0-9a-f]{30}', text).start(1)
    file.write_text(text[:position] + str(int(text[position]) + 1) + text[position + 1 :])
    assert check(copy).returncode != 0
