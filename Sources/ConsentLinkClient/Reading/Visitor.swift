/// What caused an interaction, as far as its user agent and its source tell.
public struct Visitor: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let person: Visitor = "person"
    public static let machine: Visitor = "machine"
    public static let cannotTell: Visitor = "cannotTell"
}

/// How the cause of an interaction is known.
public struct VisitorReason: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A user agent that the service does not know as a program.
    public static let browserAgent: VisitorReason = "browserAgent"
    /// An app of the recipient's device reported it.
    public static let deviceReport: VisitorReason = "deviceReport"
    /// Search engines, archives, monitors, HTTP libraries.
    public static let crawlerAgent: VisitorReason = "crawlerAgent"
    /// A program that fetches a link to show a preview of it.
    public static let previewerAgent: VisitorReason = "previewerAgent"
    /// Mail and web gateways that open links to look for threats.
    public static let scannerAgent: VisitorReason = "scannerAgent"
    /// No user agent; every browser sends one.
    public static let noUserAgent: VisitorReason = "noUserAgent"
    /// Apple Mail fetches pictures by itself, even if the mail is never opened.
    public static let appleMailPrivacy: VisitorReason = "appleMailPrivacy"
    /// Gmail fetches a picture for a reader, and sometimes without one.
    public static let gmailImageProxy: VisitorReason = "gmailImageProxy"
    /// Like Gmail, for Yahoo Mail and AOL.
    public static let yahooMailProxy: VisitorReason = "yahooMailProxy"
    /// `Mozilla/5.0` and nothing else, following a link.
    public static let bareAgent: VisitorReason = "bareAgent"
    /// The interaction was stored before reasons existed.
    public static let notKept: VisitorReason = "notKept"
}
