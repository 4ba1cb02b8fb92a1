"""All that is known of some rounds, and all that is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .checkpoints import Checkpoint, forks
from .clicks import Person, Sighting, clicks_after_withdrawal, clicks_lost, known_by_fresh_nodes
from .feed import misread
from .identifiers import doubled, lost, makings
from .tree import Tree


@dataclass
class History:
    """Of one organization. Whatever a round did not look at is empty, and then nothing is wrong with it."""

    # Decisions, by their numbers, which rise.
    acknowledged: Sequence[int] = ()
    stored: Sequence[int] = ()
    unanswered: int = 0  # how many decisions may be stored that no client was told
    # Counts that must be equal, by what they count: what was found, and how many there are.
    counts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    # Clicks and withdrawals.
    people: Sequence[Person] = ()
    interactions: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by message and name
    sightings: Sequence[Sighting] = ()
    # The ledger.
    checkpoints: Sequence[Checkpoint] = ()
    tree: Tree | None = None
    size: int = 0
    # A reader of the feed of interactions.
    read: Sequence[str] = ()
    feed: Sequence[str] = ()


def violations(history):
    """Every promise that the history breaks, in words; empty when it keeps all."""
    found = []
    if missing := lost(history.acknowledged, history.stored):
        found.append(f"{len(missing)} acknowledged decisions are lost, such as {missing[0]:x} ({makings(missing)})")
    found += [f"decision {text}" for text in doubled(history.acknowledged, history.stored, history.unanswered)]
    for name, (counted, there) in history.counts.items():
        if counted != there:
            found.append(f"{name}: {counted} instead of {there}")
    for person in clicks_after_withdrawal(history.people, history.interactions):
        found.append(f"{person.name} was recorded after the withdrawal was acknowledged")
    for person in clicks_lost(history.people, history.interactions):
        found.append(f"{person.name} was redirected and is not recorded")
    for sighting in known_by_fresh_nodes(history.people, history.sightings):
        found.append(f"{sighting.node} was fresh and wrote down a click after a withdrawal ({sighting.message})")
    if history.checkpoints:
        found += forks(history.checkpoints, history.tree, history.size)
    found += [f"interaction {text}" for text in misread(history.read, history.feed)]
    return found
