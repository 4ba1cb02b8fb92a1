import Cryptography

/// The two hashes of RFC 6962, 2.1. The first hashed byte differs for leaves and nodes, so that neither can be taken
/// for the other. Must be used by one thread at a time.
package struct TreeHasher: ~Copyable {
    /// Is hashed before an entry to make its leaf.
    static let leafPrefix: UInt8 = 0x00
    private static let leafPrefixes = [leafPrefix]
    private static let nodePrefix: [UInt8] = [0x01]

    private var sha256 = SHA256()

    package init() {}

    package mutating func leaf(_ entry: [UInt8]) -> TreeHash { leaf(entry.span) }

    mutating func leaf(_ entry: Span<UInt8>) -> TreeHash {
        sha256.update(Self.leafPrefixes)
        sha256.update(entry)
        return TreeHash(sha256.finishInline())
    }

    /// The leaf of an entry that is already preceded by ``leafPrefix``.
    mutating func leaf(ofPrefixed bytes: [UInt8]) -> TreeHash {
        sha256.update(bytes)
        return TreeHash(sha256.finishInline())
    }

    package mutating func node(_ left: TreeHash, _ right: TreeHash) -> TreeHash {
        sha256.update(Self.nodePrefix)
        sha256.update(left.bytes.span)
        sha256.update(right.bytes.span)
        return TreeHash(sha256.finishInline())
    }

    /// The hash of a tree without leaves.
    package mutating func empty() -> TreeHash { TreeHash(sha256.finishInline()) }

    /// The root over `hashes`, which are adjacent on one level (RFC 6962's MTH from there upwards).
    package mutating func root(of hashes: ArraySlice<TreeHash>) -> TreeHash {
        guard var level = hashes.isEmpty ? nil : Array(hashes) else { return empty() }
        // A hash without a partner goes up unchanged. That gives the same tree as splitting at powers of two from
        // above.
        while level.count > 1 {
            var above: [TreeHash] = []
            above.reserveCapacity((level.count + 1) / 2)
            for left in stride(from: 0, to: level.count - 1, by: 2) { above.append(node(level[left], level[left + 1])) }
            if !level.count.isMultiple(of: 2) { above.append(level[level.count - 1]) }
            level = above
        }
        return level[0]
    }
}
