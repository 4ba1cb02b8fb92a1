/// What caused an interaction, and how that is known. Nothing else is stored about a user agent.
///
/// The spool and the storage have its number, so the number never changes. ``class`` and ``reason`` follow from it.
package enum Visitor: UInt8, Hashable, Sendable, CaseIterable {
    /// Classified as a person before reasons were stored.
    case formerPerson = 0
    /// Search engines, archives, monitors, HTTP libraries.
    case crawlerAgent = 1
    /// A program that fetches a link to show a preview of it in a chat or a feed.
    case previewerAgent = 2
    /// Classified as a scanner before reasons were stored; includes opens through an image proxy.
    case formerMachine = 3
    /// A user agent that is not in the table.
    case browserAgent = 4
    /// Mail and web gateways that open links to look for threats.
    case scannerAgent = 5
    /// No user agent; every browser sends one.
    case noUserAgent = 6
    /// An app of the recipient's device reported it.
    case deviceReport = 7
    /// Apple Mail fetches the pictures of a mail by itself, even if the mail is never opened.
    case appleMailPrivacy = 8
    /// Gmail fetches a picture for a reader, and sometimes without one.
    case gmailImageProxy = 9
    /// Like Gmail, for Yahoo Mail and AOL.
    case yahooMailProxy = 10
    /// `Mozilla/5.0` and nothing else, following a link: a browser that hides its name, or a program that claims to be
    /// a browser.
    case bareAgent = 11
}

/// The class of what caused an interaction, as far as can be told.
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
    /// The interaction is older than the storing of reasons.
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
