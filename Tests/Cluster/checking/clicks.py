"""Clicks before and after a withdrawal."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Person:
    """Somebody who clicked on one message, withdrew, and clicked on another one once that was acknowledged."""

    name: str
    before: str  # the message whose clicks were before the withdrawal
    after: str  # the message whose clicks began after its answer
    answered: int  # clicks on `before` that a 302 came back for, in time to count
    asked: int  # clicks on `before` that were asked for


@dataclass(frozen=True)
class Sighting:
    """A click that an observer saw in the spool of a node."""

    node: str
    message: str
    is_unjudged: bool  # the node said that it may not know every withdrawal


def clicks_after_withdrawal(people, interactions):
    """People whose click became an interaction after they had withdrawn.

    `interactions`: how many are stored for each (message, name)."""
    return [
        person for person in people
        if interactions.get((person.after, person.name), 0) > 0
        or interactions.get((person.before, person.name), 0) > person.asked
    ]  # fmt: skip


def clicks_lost(people, interactions):
    """People who were redirected, in time before they withdrew, more often than is stored."""
    return [person for person in people if interactions.get((person.before, person.name), 0) < person.answered]


def known_by_fresh_nodes(people, sightings):
    """Clicks after a withdrawal that a node wrote down as if it knew every withdrawal."""
    after = {person.after for person in people}
    return [sighting for sighting in sightings if sighting.message in after and not sighting.is_unjudged]
