"""The checker of the rounds finds each kind of broken promise in a history, and nothing in one that keeps them all."""

import dataclasses
import hashlib

import pytest

from checking import Checkpoint, History, Person, Sighting, doubled, lost, tree_of, violations

LEAVES = [f"entry {number}".encode() for number in range(70_000)]
TREE = tree_of(LEAVES)


def history(**changes):
    """A history in which all is well, but for the changes."""
    people = [Person(f"person-{number}", "before", "after", answered=2, asked=3) for number in range(5)]
    return dataclasses.replace(
        History(
            acknowledged=[10, 20, 30, 40],
            stored=[10, 20, 25, 30, 40],
            unanswered=1,
            counts={"leaves": (5, 5)},
            people=people,
            interactions={("before", person.name): 2 + number % 2 for number, person in enumerate(people)},
            sightings=[Sighting("n1", "before", False), Sighting("n2", "after", True)],
            checkpoints=[
                Checkpoint(f"n{number % 3 + 1}", number, size, TREE.root(size))
                for number, size in enumerate([0, 1, 2, 3, 255, 256, 257, 65_535, 65_536, 65_537, 69_999, 70_000, 300])
            ],
            tree=TREE,
            size=len(LEAVES),
            read=["a", "b", "c"],
            feed=["a", "b", "c"],
        ),
        **changes,
    )


def other(values, key, value):
    return values | {key: value}


def test_a_history_that_keeps_all_promises_has_no_violation():
    assert violations(history()) == []


def test_a_round_that_looked_at_nothing_has_no_violation():
    assert violations(History()) == []


# Each breaks one promise. The text is in the one violation that must be found.
CORRUPTED = {
    "a lost acknowledgement": ({"stored": [10, 20, 25, 40]}, "1 acknowledged decisions are lost, such as 1e"),
    "the last acknowledgement is lost": ({"stored": [10, 20, 25, 30]}, "such as 28"),
    "all are lost": ({"stored": []}, "4 acknowledged decisions are lost"),
    "an id that is stored twice": ({"stored": [10, 20, 20, 30, 40]}, "14 is stored twice"),
    "an id that two requests were told": ({"acknowledged": [10, 20, 20, 30, 40]}, "14 was given out twice"),
    "a request with two effects": ({"stored": [10, 20, 25, 30, 31, 40]}, "1 are stored that no request asked for"),
    "a count that is wrong": ({"counts": {"leaves": (4, 5)}}, "leaves: 4 instead of 5"),
    "a click after the withdrawal": (
        {"interactions": other(history().interactions, ("after", "person-1"), 1)}, "person-1 was recorded after"),
    "more clicks than there were before the withdrawal": (
        {"interactions": other(history().interactions, ("before", "person-2"), 4)}, "person-2 was recorded after"),
    "a click that is gone": (
        {"interactions": other(history().interactions, ("before", "person-3"), 1)}, "person-3 was redirected and"),
    "a stale poll that was believed": (
        {"sightings": [Sighting("n3", "after", False)]}, "n3 was fresh and wrote down a click after a withdrawal"),
    "a fork of equal size": (
        {"checkpoints": [*history().checkpoints, Checkpoint("n2", 9, 257, TREE.root(256))]}, "n2 showed a tree of 257"),
    "a fork behind the end": (
        {"checkpoints": [*history().checkpoints, Checkpoint("n1", 9, 70_001, TREE.root(70_000))]},
        "n1 showed a tree of 70001 entries that the ledger of 70000 does not continue"),
    "a tree with another leaf": (
        {"checkpoints": [Checkpoint("n3", 9, 400, tree_of([*LEAVES[:399], b"another"]).root(400))]},
        "n3 showed a tree of 400"),
    "a reader who missed one": ({"read": ["a", "c"]}, "1 were never read, such as b"),
    "a reader who read one twice": ({"read": ["a", "b", "b", "c"]}, "b was read 2 times"),
    "a reader who read what is not there": ({"read": ["a", "b", "c", "d"]}, "1 were read that are not stored"),
    "a reader who was shown another order": ({"read": ["b", "a", "c"]}, "in another order"),
}  # fmt: skip


@pytest.mark.parametrize(("changes", "text"), CORRUPTED.values(), ids=CORRUPTED)
def test_a_corrupted_history_is_found(changes, text):
    (found,) = violations(history(**changes))
    assert text in found


def test_every_acknowledgement_is_looked_at():
    acknowledged = list(range(0, 3000, 3))
    for missing in acknowledged[::37]:
        assert lost(acknowledged, [number for number in range(3000) if number != missing]) == [missing]


def test_what_is_unanswered_may_be_stored_or_not():
    assert doubled([1, 2], [1, 2], 3) == doubled([1, 2], [1, 2, 7, 8, 9], 3) == []


def test_roots_are_those_of_the_standard():
    """RFC 6962 as written down, without tiles."""

    def root(leaves):
        if len(leaves) == 1:
            return tree_of(leaves).root(1)
        middle = 1 << ((len(leaves) - 1).bit_length() - 1)
        left, right = root(leaves[:middle]), root(leaves[middle:])
        return hashlib.sha256(b"\x01" + left + right).digest()

    for size in (1, 2, 3, 7, 8, 255, 256, 257, 511, 1000):
        assert TREE.root(size) == root(LEAVES[:size])
