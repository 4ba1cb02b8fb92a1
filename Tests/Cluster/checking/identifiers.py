"""Numbers that were acknowledged, against those that are stored."""

import collections
import datetime
from array import array

# As Sources/Identifiers/TimeOrderedNumber.swift has them.
COUNT_BITS, SLOT_BITS = 14, 7


def in_order(numbers):
    """The numbers as an array that rises; ten million of them take 80 MB."""
    return array("q", sorted(numbers))


def lost(acknowledged, stored):
    """Those that were acknowledged and are not stored. Both must rise."""
    missing, place, end = [], 0, len(stored)
    for number in acknowledged:
        while place < end and stored[place] < number:
            place += 1
        if place == end or stored[place] != number:
            missing.append(number)
    return missing


def twice(numbers):
    """Those that stand there more than once. They must rise."""
    return [one for one, other in zip(numbers, numbers[1:]) if one == other]


def doubled(acknowledged, stored, unanswered):
    """What a request may have had a second time, in words. Both must rise.

    `unanswered`: how many numbers may be stored that no client was told, of requests that got no answer."""
    found = [f"{number:x} was given out twice" for number in twice(acknowledged)]
    found += [f"{number:x} is stored twice" for number in twice(stored)]
    more = len(stored) - len(acknowledged) - unanswered
    if more > 0:
        found.append(f"{more} are stored that no request asked for")
    return found


def makings(numbers):
    """When and by which node's slot the numbers were made, in words: those of one write have a millisecond in common."""

    def time(milliseconds):
        made = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC)
        return made.strftime("%H:%M:%S.%f")[:-3]

    counts = collections.Counter(
        (number >> COUNT_BITS + SLOT_BITS, number >> COUNT_BITS & (1 << SLOT_BITS) - 1) for number in numbers)
    return ", ".join(f"{count} made at {time(at)} by slot {slot}" for (at, slot), count in sorted(counts.items()))
