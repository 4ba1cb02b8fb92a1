/// The tracked activities of a recipient: at least one.
package enum TrackedActivities: Hashable, Sendable, CaseIterable {
    case clicks
    case opens
    case both

    /// - Returns: `nil` if neither is tracked.
    package init?(clicks: Bool, opens: Bool) {
        switch (clicks, opens) {
        case (true, true): self = .both
        case (true, false): self = .clicks
        case (false, true): self = .opens
        case (false, false): return nil
        }
    }

    package func contains(_ activity: TrackedActivity) -> Bool {
        switch self {
        case .both: true
        case .clicks: activity == .clicks
        case .opens: activity == .opens
        }
    }
}
