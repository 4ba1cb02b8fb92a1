"""Whether a history of the rounds keeps the promises. Pure: a history in, what is wrong with it in words out.

A history is what clients asked for and were told, what observers saw, and what the database has at the end. Every
operation has an id or a message of its own, so each promise is a comparison of sets."""

from .checkpoints import Checkpoint, forks
from .clicks import Person, Sighting, clicks_after_withdrawal, clicks_lost, known_by_fresh_nodes
from .feed import misread
from .history import History, violations
from .identifiers import doubled, lost
from .tree import Tree, tree_of

__all__ = [
    "Checkpoint", "History", "Person", "Sighting", "Tree", "clicks_after_withdrawal", "clicks_lost", "doubled", "forks",
    "known_by_fresh_nodes", "lost", "misread", "tree_of", "violations",
]  # fmt: skip
