/// What caused an interaction, and how that is known. This is all that is kept of a user agent.
///
/// Its number is what the spool and the storage keep, so it never changes. ``class`` and ``reason`` follow from it.
package enum Visitor: UInt8, Hashable, Sendable, CaseIterable {
    /// Taken for a person when reasons were not kept yet.
    case formerPerson = 0
    /// Search engines, archives, monitors, HTTP libraries.
    case crawlerAgent = 1
    /// What fetches a link to show a card of it in a chat or a feed.
    case previewerAgent = 2
    /// Taken for a scanner when reasons were not kept yet, and openings through an image proxy were among them.
    case formerMachine = 3
    /// A user agent that is not in the table.
    case browserAgent = 4
    /// Mail and web gateways that open links to look for harm.
    case scannerAgent = 5
    /// Every browser says what it is.
    case noUserAgent = 6
    /// An app of the recipient's device reported it.
    case deviceReport = 7
    /// Apple Mail fetches the pictures of a mail by itself, whether somebody opens the mail or not.
    case appleMailPrivacy = 8
    /// Gmail fetches a picture for a reader, and sometimes before there is one.
    case gmailImageProxy = 9
    /// As Gmail, for Yahoo Mail and AOL.
    case yahooMailProxy = 10
    /// `Mozilla/5.0` and nothing else, following a link: a browser that hides what it is, or a program that claims to be
    /// one.
    case bareAgent = 11
}

/// What an interaction was caused by, as far as can be told.
package enum VisitorClass: String, Hashable, Sendable, CaseIterable {
    case person
    case machine
    case cannotTell
}

/// How a ``VisitorClass`` is known.
package enum VisitorReason: String, Hashable, Sendable, CaseIterable {
    case browserAgent
    case deviceReport
    case crawlerAgent
    case previewerAgent
    case scannerAgent
    case noUserAgent
    case appleMailPrivacy
    case gmailImageProxy
    case yahooMailProxy
    case bareAgent
    /// The interaction is older than reasons are.
    case notKept
}

extension Visitor {
    package var `class`: VisitorClass {
        switch self {
        case .formerPerson, .browserAgent, .deviceReport: .person
        case .crawlerAgent, .previewerAgent, .scannerAgent, .noUserAgent, .formerMachine, .appleMailPrivacy: .machine
        case .gmailImageProxy, .yahooMailProxy, .bareAgent: .cannotTell
        }
    }

    package var reason: VisitorReason {
        switch self {
        case .formerPerson, .formerMachine: .notKept
        case .crawlerAgent: .crawlerAgent
        case .previewerAgent: .previewerAgent
        case .browserAgent: .browserAgent
        case .scannerAgent: .scannerAgent
        case .noUserAgent: .noUserAgent
        case .deviceReport: .deviceReport
        case .appleMailPrivacy: .appleMailPrivacy
        case .gmailImageProxy: .gmailImageProxy
        case .yahooMailProxy: .yahooMailProxy
        case .bareAgent: .bareAgent
        }
    }

    package var isAutomated: Bool { self.class == .machine }
}
