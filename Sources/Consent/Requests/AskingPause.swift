package import Identifiers

/// How long an organization does not ask a recipient again about a purpose after a no and after silence.
package struct AskingPause: Hashable, Sendable {
    package static let allowedDays = 0...3650
    /// About six months, which CNIL considers good practice.
    package static let standardDays = 180

    let days: Int
    /// The earliest possible time at the moment of asking: a clock that is ahead must not end a pause. `nil` if that is
    /// the time of asking.
    private let earliest: Timestamp?

    package init(days: Int, earliest: Timestamp? = nil) {
        self.days = days
        self.earliest = earliest
    }

    /// The state of one purpose of a recipient, for deciding whether to ask.
    package struct Situation: Hashable, Sendable {
        let inForce: ConsentInForce?
        /// When they were last asked without an answer, to this request or later.
        let unansweredSince: Timestamp?

        /// Whether the recipient was never asked about the purpose and has no record for it.
        package var isBlank: Bool { inForce == nil && unansweredSince == nil }

        package init(inForce: ConsentInForce?, unansweredSince: Timestamp?) {
            self.inForce = inForce
            self.unansweredSince = unansweredSince
        }
    }

    /// The time from which on a recipient may be asked; `nil` if that is now.
    package func end(_ situations: [Situation], at now: Timestamp) -> Timestamp? {
        let begins = situations.flatMap { situation in
            [
                situation.inForce.flatMap { $0.state.endsTracking ? $0.occurredAt : nil }, situation.unansweredSince,
            ].compactMap(\.self)
        }
        guard days > 0, let last = begins.max() else { return nil }
        let end = last.advanced(byDays: days)
        return end > min(now, earliest ?? now) ? end : nil
    }
}
