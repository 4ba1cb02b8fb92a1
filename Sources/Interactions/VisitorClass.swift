/// What followed a link, as far as its user agent says. This class is all that is kept of a user agent.
package enum VisitorClass: UInt8, Hashable, Sendable, CaseIterable {
    case person = 0
    /// Search engines, archives, monitors, HTTP libraries.
    case crawler = 1
    /// What fetches a link to show a card of it in a chat or a feed.
    case previewer = 2
    /// Mail and web gateways that open links to look for harm.
    case scanner = 3

    package var isAutomated: Bool { self != .person }
}
