/// What of a recipient is tracked. Consent to one says nothing about the other where a message asks for them apart.
package enum TrackedActivity: String, Hashable, Sendable, CaseIterable {
    /// That they follow links and tap notifications and buttons.
    case clicks
    /// That a message reached them and was opened.
    case opens

    /// The number under which it is stored. Never changes; 0 stands for both in one.
    package var code: UInt8 {
        switch self {
        case .clicks: 1
        case .opens: 2
        }
    }
}
