"""Checkpoints that clients have seen, at any node and any time, against the tree of the end.

Two checkpoints are consistent when one tree has both as beginnings. That all of them are beginnings of the last tree
shows it for every pair."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Checkpoint:
    node: str
    at: float  # seconds of the observer's clock
    size: int
    root: bytes


def forks(checkpoints, tree, size):
    """In words, those that are no beginning of a tree of this size, each root once."""
    found = {}
    for checkpoint in checkpoints:
        place = (checkpoint.size, checkpoint.root)
        if place in found:
            continue
        is_beginning = checkpoint.size <= size and tree.root(checkpoint.size) == checkpoint.root
        found[place] = None if is_beginning else checkpoint
    return [
        f"{fork.node} showed a tree of {fork.size} entries that the ledger of {size} does not continue"
        for fork in found.values() if fork
    ]  # fmt: skip
