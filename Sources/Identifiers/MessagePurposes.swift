/// What a message needs consent for: one purpose of its clicks and one of its opens. Two that are equal are one purpose,
/// and one decision is about both activities.
package struct MessagePurposes: Hashable, Sendable {
    /// The purpose that is meant where none is named, of both activities.
    package static let tracking = MessagePurposes(both: .tracking)

    package let clicks: Purpose
    package let opens: Purpose

    package init(clicks: Purpose, opens: Purpose) {
        self.clicks = clicks
        self.opens = opens
    }

    package init(both purpose: Purpose) { self.init(clicks: purpose, opens: purpose) }

    /// The purpose of both activities; `nil` where they have one each.
    package var shared: Purpose? { clicks == opens ? clicks : nil }

    /// Each purpose once, that of the clicks first.
    package var distinct: [Purpose] { clicks == opens ? [clicks] : [clicks, opens] }

    package subscript(_ activity: TrackedActivity) -> Purpose {
        switch activity {
        case .clicks: clicks
        case .opens: opens
        }
    }
}
