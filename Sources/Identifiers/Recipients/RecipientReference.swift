/// The random number that stands for a recipient everywhere except in the recipients table.
///
/// 64 random bits, made with the recipient's first consent record or first decision. Recipients who were entered one
/// after the other may share the first of them (``RecipientReferenceSequence``). It is not derived from the identifier,
/// so it reveals nothing once the recipients table has forgotten the recipient. Never zero.
package struct RecipientReference: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64

    /// - Returns: `nil` for zero, which means an erased recipient in storage.
    package init?(rawValue: UInt64) {
        guard rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }

    /// A new reference from `generator`, which must be cryptographically secure.
    package init(using generator: inout some RandomNumberGenerator) {
        rawValue = .random(in: 1...UInt64.max, using: &generator)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    /// As for ``EntityID``.
    package func _rawHashValue(seed: Int) -> Int { rawValue._rawHashValue(seed: seed) }

    /// Reveals nothing, for the same reason as ``RecipientID/description``.
    package var description: String { "(reference)" }
}
