package import Identifiers

/// A request that had its effect, as it is kept: what it is recognised by, and references to what it made.
package struct IdempotencyRecord: Hashable, Sendable {
    /// How long it is kept.
    package static let lifetime = Duration.seconds(24 * 3600)

    package let fingerprint: IdempotencyFingerprint
    package let effect: RequestEffect

    package init(fingerprint: IdempotencyFingerprint, effect: RequestEffect) {
        self.fingerprint = fingerprint
        self.effect = effect
    }
}

/// What a request made, by its ids. One write makes them one after the other on one node, so the first and the last name
/// all of them: those between that are of the same slot.
package struct RequestEffect: Hashable, Sendable {
    package let first: TimeOrderedNumber
    package let last: TimeOrderedNumber
    /// `false` when what was asked for was there already.
    package let isNew: Bool

    package init(first: TimeOrderedNumber, last: TimeOrderedNumber, isNew: Bool) {
        self.first = first
        self.last = last
        self.isNew = isNew
    }
}
