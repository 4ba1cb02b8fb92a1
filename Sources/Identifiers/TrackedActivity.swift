/// An activity of a recipient. If a message asks for them separately, consent to one says nothing about the other.
package enum TrackedActivity: String, Hashable, Sendable, CaseIterable {
    /// Following links and tapping notifications and buttons.
    case clicks
    /// Receiving and opening a message.
    case opens

    /// The number under which it is stored. It never changes; 0 means both activities together.
    package var code: UInt8 {
        switch self {
        case .clicks: 1
        case .opens: 2
        }
    }
}
