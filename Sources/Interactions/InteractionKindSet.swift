/// A set of kinds of interactions, in one word.
package struct InteractionKindSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    package init() {}

    package func contains(_ kind: InteractionKind) -> Bool { bits & 1 << kind.code != 0 }

    /// - Returns: whether it was not in the set before.
    @discardableResult
    package mutating func insert(_ kind: InteractionKind) -> Bool {
        defer { bits |= 1 << kind.code }
        return !contains(kind)
    }
}
