package import Identifiers

/// For how long an organization leaves a recipient alone about a purpose after a no and after silence.
package struct AskingPause: Hashable, Sendable {
    package static let allowedDays = 0...3650
    /// As long as CNIL takes to be good practice: about six months.
    package static let standardDays = 180

    package let days: Int

    package init(days: Int) { self.days = days }

    /// What is known of one purpose of a recipient when they are to be asked.
    package struct Situation: Hashable, Sendable {
        package let inForce: ConsentInForce?
        /// When they were last asked in vain: neither this request nor anything later was answered.
        package let unansweredSince: Timestamp?

        /// Whether nothing was ever asked or said of the purpose.
        package var isBlank: Bool { inForce == nil && unansweredSince == nil }

        package init(inForce: ConsentInForce?, unansweredSince: Timestamp?) {
            self.inForce = inForce
            self.unansweredSince = unansweredSince
        }
    }

    /// From when a recipient may be asked; `nil` if that is now.
    package func end(_ situations: [Situation], at now: Timestamp) -> Timestamp? {
        let begins = situations.flatMap { situation in
            [
                situation.inForce.flatMap { $0.state.endsTracking ? $0.occurredAt : nil }, situation.unansweredSince,
            ].compactMap(\.self)
        }
        guard days > 0, let last = begins.max() else { return nil }
        let end = last.advanced(byDays: days)
        return end > now ? end : nil
    }
}
