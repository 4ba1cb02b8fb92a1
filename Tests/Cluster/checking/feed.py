"""What a reader of a feed has read by its cursor, against what is stored, in the feed's order."""

from collections import Counter


def misread(read, stored):
    """In words, what was not read exactly once and in order."""
    found = [f"{item} was read {count} times" for item, count in Counter(read).items() if count > 1]
    missed, unknown = set(stored) - set(read), set(read) - set(stored)
    if missed:
        found.append(f"{len(missed)} were never read, such as {min(missed)}")
    if unknown:
        found.append(f"{len(unknown)} were read that are not stored, such as {min(unknown)}")
    if not found and list(read) != list(stored):
        found.append("they were read in another order")
    return found
