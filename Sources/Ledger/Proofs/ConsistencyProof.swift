/// Proves that a tree is an earlier one with entries appended, and that nothing was changed or removed (RFC 6962,
/// 2.1.2).
package struct ConsistencyProof: Hashable, Sendable {
    /// The number of entries in the earlier tree.
    let oldSize: UInt64
    let hashes: [TreeHash]

    package init(oldSize: UInt64, hashes: [TreeHash]) {
        self.oldSize = oldSize
        self.hashes = hashes
    }

    /// Whether the hashes prove that `new` begins with `old` (RFC 9162, 2.1.4.2).
    ///
    /// Every tree begins with the tree without entries, so nothing need be proved for that one.
    package func holds(from old: TreeHead, to new: TreeHead, _ hasher: inout TreeHasher) -> Bool {
        guard old.size == oldSize, 0 < old.size, old.size <= new.size else { return false }
        guard old.size < new.size else { return hashes.isEmpty && old.root == new.root }
        guard let roots = roots(from: old.root, newSize: new.size, &hasher) else { return false }
        return roots.old == old.root && roots.new == new.root
    }

    /// Whether it leads to `new` from a tree of its old size, whose root is not known. If the old tree is a whole
    /// subtree (1, 2, 4, … entries), only the number of hashes is checked.
    func leads(to new: TreeHead, _ hasher: inout TreeHasher) -> Bool {
        guard 0 < oldSize, oldSize <= new.size else { return false }
        guard oldSize < new.size else { return hashes.isEmpty }
        guard let roots = roots(from: new.root, newSize: new.size, &hasher) else { return false }
        return isFromSubtree || roots.new == new.root
    }

    /// An old tree that is a whole subtree is part of the new one, so its root is not among the hashes.
    private var isFromSubtree: Bool { oldSize & (oldSize - 1) == 0 }

    /// - Returns: `nil` for a wrong number of hashes.
    private func roots(
        from oldRoot: TreeHash, newSize: UInt64, _ hasher: inout TreeHasher
    ) -> (old: TreeHash, new: TreeHash)? {
        var (node, last) = (oldSize - 1, newSize - 1)
        while node & 1 == 1 {
            node >>= 1
            last >>= 1
        }
        guard var oldHash = isFromSubtree ? oldRoot : hashes.first else { return nil }
        var newHash = oldHash
        for neighbour in hashes.dropFirst(isFromSubtree ? 0 : 1) {
            guard last > 0 else { return nil }
            if node & 1 == 1 || node == last {
                oldHash = hasher.node(neighbour, oldHash)
                newHash = hasher.node(neighbour, newHash)
                while node & 1 == 0, node != 0 {
                    node >>= 1
                    last >>= 1
                }
            } else {
                newHash = hasher.node(newHash, neighbour)
            }
            node >>= 1
            last >>= 1
        }
        return last == 0 ? (oldHash, newHash) : nil
    }
}

/// A consistency proof with the newer checkpoint, as C2SP tlog-witness sends them to witnesses: a line with the old
/// size, a line for each hash, an empty line, and the checkpoint.
///
///     old 20852014
///     gSKyXoYZUgZ6jduWYrkDOARinOMGJveXjgMkBTcdPlQ=
///
///     links.example.com/acme
///     …
package struct CheckpointUpdate: Equatable, Sendable {
    let proof: ConsistencyProof
    /// The note of the newer checkpoint.
    let note: SignedNote

    package init(proof: ConsistencyProof, note: SignedNote) {
        self.proof = proof
        self.note = note
    }

    /// Accepts only what ``bytes`` writes.
    package init(_ bytes: [UInt8]) throws(LedgerError) {
        var lines = LineReader(bytes)
        guard let size = lines.next(labelled: "old").flatMap(UInt64.init(decimal:)) else {
            throw .proof("the first line is not an old size")
        }
        guard let hashes = lines.hashes() else { throw .proof("no hashes and empty line come before the checkpoint") }
        let note = try SignedNote(Array(lines.rest))
        _ = try Checkpoint(note.text)
        self.init(proof: ConsistencyProof(oldSize: size, hashes: hashes), note: note)
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(line: "old \(proof.oldSize)")
        for hash in proof.hashes { bytes.append(line: hash.text) }
        bytes.append(.newline)
        return bytes + note.bytes
    }
}
