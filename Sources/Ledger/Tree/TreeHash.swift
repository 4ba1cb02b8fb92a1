/// A hash in a ledger's tree: of a leaf, of a node or of a whole tree. 32 bytes of SHA-256.
package struct TreeHash: Sendable {
    package static let length = 32

    package let bytes: InlineArray<32, UInt8>

    package init(_ bytes: InlineArray<32, UInt8>) { self.bytes = bytes }

    /// - Returns: `nil` unless there are 32 bytes.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = InlineArray { bytes[$0] }
    }

    /// The root of a tree without entries.
    static let ofNothing = {
        var hasher = TreeHasher()
        return hasher.empty()
    }()

    package func append(to output: inout [UInt8]) {
        bytes.span.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    }
}

extension TreeHash: Hashable {
    package static func == (one: TreeHash, other: TreeHash) -> Bool {
        one.bytes.indices.allSatisfy { one.bytes[$0] == other.bytes[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for index in bytes.indices { hasher.combine(bytes[index]) }
    }
}
