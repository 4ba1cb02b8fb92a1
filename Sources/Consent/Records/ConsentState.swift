/// What a consent record says about one recipient and one purpose.
package enum ConsentState: String, Hashable, Sendable, CaseIterable {
    case given
    /// The recipient was asked and said no.
    case refused
    /// Taken back by the recipient.
    case withdrawn
    /// Taken back by another party.
    case revoked
    /// It turned out that the consent was never valid.
    case invalidated

    /// Whether tracking ends with this record.
    package var endsTracking: Bool { self != .given }
}
