package import Identifiers

extension MessageActivity {
    package var links: [LinkIndex: LinkCounts] {
        var links: [LinkIndex: LinkCounts] = [:]
        for (counter, tally) in counts.tallies {
            guard case .link(let link) = counter else { continue }
            var counts = LinkCounts()
            (counts.clicks, counts.unique) = (tally.total, tally.people)
            links[link] = counts
        }
        return links
    }
}

extension InteractionKind {
    /// Whether it reports that a message was opened.
    package var isOpen: Bool {
        switch self {
        case .messageOpened, .pushNotificationOpened: true
        case .pushLinkClicked, .pushNotificationClicked, .pushNotificationReceived: false
        }
    }
}
