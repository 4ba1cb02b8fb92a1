package import Identifiers

/// A stored request that had its effect: the values by which it is recognised, and references to its effect.
package struct IdempotencyRecord: Hashable, Sendable {
    /// How long it is stored at least.
    package static let lifetime = Duration.hours(24)

    package let fingerprint: IdempotencyFingerprint
    package let effect: RequestEffect

    package init(fingerprint: IdempotencyFingerprint, effect: RequestEffect) {
        self.fingerprint = fingerprint
        self.effect = effect
    }
}

/// The effect of a request, by its ids. One write on one node makes them one after another, so the first and the last
/// id identify all of them: the ids in between with the same slot.
package struct RequestEffect: Hashable, Sendable {
    package let first: TimeOrderedNumber
    package let last: TimeOrderedNumber
    /// `false` if the requested object existed already.
    package let isNew: Bool

    package init(first: TimeOrderedNumber, last: TimeOrderedNumber, isNew: Bool) {
        self.first = first
        self.last = last
        self.isNew = isNew
    }
}
