package import Identifiers

extension MessageActivity {
    package var kinds: [InteractionKind: KindCounts] {
        var kinds: [InteractionKind: KindCounts] = [:]
        for (counter, tally) in counts.tallies {
            guard case .kind(let kind) = counter else { continue }
            var counts = KindCounts()
            (counts.total, counts.unique) = (tally.total, tally.people)
            (counts.automated, counts.suspected) = (tally.automated, tally.suspected)
            kinds[kind] = counts
        }
        return kinds
    }

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
