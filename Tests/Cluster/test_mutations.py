"""mutations/run --check: each mutation of the protocol still changes the program, so that a run of them means something. It
needs no cluster, no root and no build."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MUTATIONS = Path("Tests/Cluster/mutations")
NAMES = sorted(path.stem for path in (ROOT / MUTATIONS).glob("*.sed"))


def check(*names, root=ROOT):
    return subprocess.run(
        [root / MUTATIONS / "run", "--check", *names], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("name", NAMES)
def test_each_command_of_a_mutation_changes_its_file(name):
    done = check(name)
    assert (done.returncode, done.stderr) == (0, "")


def test_without_a_name_all_are_looked_at():
    done = check()
    assert (done.returncode, done.stderr) == (0, "")
    (listed,) = [line for line in (ROOT / MUTATIONS / "run").read_text().splitlines() if "|| mutations=(" in line]
    assert sorted(listed.partition("=(")[2].rstrip(")").split()) == NAMES


@pytest.mark.parametrize("how", ["changed", "gone"])
def test_one_that_changes_nothing_is_named_and_the_others_are_looked_at(tmp_path, how):
    shutil.copytree(ROOT / MUTATIONS, tmp_path / MUTATIONS)
    sources = [
        "Sources/PostgresStorage/Nodes/NodeFeed.swift",
        "Sources/PostgresStorage/Nodes/NodeFence.swift",
        "Sources/SQLStorage/Rules/RuleChangeRow.swift",
    ]
    for source in sources:
        (tmp_path / source).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / source, tmp_path / source)
    assert check(root=tmp_path).returncode == 0
    for source in (sources[0], sources[2]):
        if how == "gone":
            (tmp_path / source).unlink()
        else:
            text = (tmp_path / source).read_text()
            (tmp_path / source).write_text(text.replace("RuleChangeRow.page(", "page(").replace("row.at ==", "row.at >="))
    done = check(root=tmp_path)
    assert done.returncode == 1
    said = [line for line in done.stderr.splitlines() if not line.startswith("sed: ")]
    # One command of each, or all of a file that is gone.
    assert [line.split(":")[0] for line in said] == ["read-only-poll"] + ["no-mark"] * (2 if how == "gone" else 1)
    assert all("changes nothing" in line for line in said)
