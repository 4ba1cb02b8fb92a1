/// What a consent record says about one person and one purpose.
package enum ConsentState: String, Hashable, Sendable, CaseIterable {
    case given
    /// The person was asked and said no.
    case refused
    /// Taken back by the person.
    case withdrawn
    /// Taken back by somebody else.
    case revoked
    /// Found never to have been valid.
    case invalidated

    /// Whether tracking ends with this record.
    package var endsTracking: Bool { self != .given }
}
