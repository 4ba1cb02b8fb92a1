/// Proves that an entry is in a tree, at an index: the sibling hashes on the path from the leaf to the root (RFC 6962,
/// 2.1.1).
package struct InclusionProof: Hashable, Sendable {
    /// The index of the entry, from 0.
    let index: UInt64
    /// From the leaf's sibling up to the root's child.
    let hashes: [TreeHash]

    package init(index: UInt64, hashes: [TreeHash]) {
        self.index = index
        self.hashes = hashes
    }

    /// Whether the hashes prove that `leaf` is in the tree of `head` (RFC 9162, 2.1.3.2).
    package func holds(for leaf: TreeHash, in head: TreeHead, _ hasher: inout TreeHasher) -> Bool {
        guard index < head.size else { return false }
        var (node, last) = (index, head.size - 1)
        var hash = leaf
        for neighbour in hashes {
            guard last > 0 else { return false }
            if node & 1 == 1 || node == last {
                hash = hasher.node(neighbour, hash)
                // A subtree without a partner goes up unchanged, to the level where it is a right child.
                while node & 1 == 0, node != 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                hash = hasher.node(hash, neighbour)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 && hash == head.root
    }

    /// Whether the entry of a stored row is in the tree of `head`. A row that was changed no longer leads there.
    package func holds(for item: LedgerItem, in head: TreeHead) -> Bool {
        var hasher = TreeHasher()
        return holds(for: hasher.leaf(item.entry), in: head, &hasher)
    }
}
