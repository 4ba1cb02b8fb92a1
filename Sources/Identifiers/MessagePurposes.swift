/// The purposes for which a message needs consent: one for its clicks and one for its opens. If both are the same, one
/// decision is about both activities.
package struct MessagePurposes: Hashable, Sendable {
    /// The default purpose of both activities.
    package static let tracking = MessagePurposes(both: .tracking)

    package let clicks: Purpose
    package let opens: Purpose

    package init(clicks: Purpose, opens: Purpose) {
        self.clicks = clicks
        self.opens = opens
    }

    package init(both purpose: Purpose) { self.init(clicks: purpose, opens: purpose) }

    /// The purpose of both activities; `nil` if they have different ones.
    package var shared: Purpose? { clicks == opens ? clicks : nil }

    /// Each purpose once; the purpose of the clicks first.
    package var distinct: [Purpose] { clicks == opens ? [clicks] : [clicks, opens] }

    /// A further purpose about opens: a recipient who said no to it has no opens recorded, although the message's opens
    /// need consent to `tracking`. They were asked about opens separately from links, and their answer was about every
    /// message.
    package var opensApart: Purpose? { opens == .tracking ? .openTracking : nil }

    package subscript(_ activity: TrackedActivity) -> Purpose {
        switch activity {
        case .clicks: clicks
        case .opens: opens
        }
    }
}
