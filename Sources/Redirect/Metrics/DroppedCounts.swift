/// How many occurrences the drain did not store, by the reason.
struct DroppedCounts: Hashable, Sendable {
    /// Consent did not permit them, or no store has their message.
    var notPermitted = 0
    /// They are older than their organization keeps interactions.
    var pastRetention = 0

    var total: Int { notPermitted + pastRetention }

    static func += (one: inout Self, other: Self) {
        one.notPermitted += other.notPermitted
        one.pastRetention += other.pastRetention
    }
}
