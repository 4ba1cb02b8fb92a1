"""A Merkle tree (RFC 6962) that is read from tiles (C2SP tlog-tiles)."""

import hashlib

HEIGHT = 8
WIDTH = 1 << HEIGHT
LENGTH = 32


class Tree:
    """Tells the root at every size that the tree has had."""

    def __init__(self, tile):
        """`tile`: the hashes of a tile, one after the other, by its level and index. A tile at the right edge may have
        fewer than 256."""
        self._tile = tile
        self._tiles = {}

    def root(self, size):
        """The root of the first `size` leaves. The tree must have that many."""
        if size == 0:
            return hashlib.sha256().digest()
        # The whole subtrees, from the left: one for each bit of the size.
        root, end = None, size
        for height in range(size.bit_length()):
            if size >> height & 1:
                end -= 1 << height
                subtree = self._hash(height, end >> height)
                root = subtree if root is None else parent(subtree, root)
        return root

    def _hash(self, height, index):
        if height % HEIGHT:
            return parent(self._hash(height - 1, 2 * index), self._hash(height - 1, 2 * index + 1))
        level, (tile, place) = height // HEIGHT, divmod(index, WIDTH)
        hashes = self._read(level, tile)
        return hashes[LENGTH * place : LENGTH * (place + 1)]

    def _read(self, level, index):
        if (level, index) not in self._tiles:
            self._tiles[level, index] = self._tile(level, index)
        return self._tiles[level, index]


def parent(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def leaf(content):
    return hashlib.sha256(b"\x00" + content).digest()


def tree_of(contents):
    """The tree of these leaves, in memory."""
    levels = [[leaf(content) for content in contents]]
    while len(levels[-1]) >= WIDTH:
        level = levels[-1]
        for _ in range(HEIGHT):
            level = [parent(*level[place : place + 2]) for place in range(0, len(level) - 1, 2)]
        levels.append(level)
    return Tree(lambda level, index: b"".join(levels[level][WIDTH * index : WIDTH * (index + 1)]))
