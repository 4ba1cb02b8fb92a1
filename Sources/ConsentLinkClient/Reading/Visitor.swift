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

    public static let browserAgent: VisitorReason = "browserAgent"
    public static let deviceReport: VisitorReason = "deviceReport"
    public static let crawlerAgent: VisitorReason = "crawlerAgent"
    public static let previewerAgent: VisitorReason = "previewerAgent"
    public static let scannerAgent: VisitorReason = "scannerAgent"
    public static let noUserAgent: VisitorReason = "noUserAgent"
    public static let appleMailPrivacy: VisitorReason = "appleMailPrivacy"
    public static let gmailImageProxy: VisitorReason = "gmailImageProxy"
    public static let yahooMailProxy: VisitorReason = "yahooMailProxy"
    public static let bareAgent: VisitorReason = "bareAgent"
    /// The interaction was stored before reasons existed.
    public static let notKept: VisitorReason = "notKept"
}
