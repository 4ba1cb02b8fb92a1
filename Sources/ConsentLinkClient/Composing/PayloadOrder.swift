/// What to compose, without the recipients.
public struct PayloadOrder: Sendable, Hashable, Encodable {
    /// A message, or the id of one that the service has.
    public enum Content: Sendable, Hashable {
        case message(Message)
        /// The id of a stored message.
        case stored(String)
    }

    public var content: Content
    public var format: PayloadFormat
    /// `nil` for ``PayloadFormat/email`` and ``PayloadFormat/plain``.
    public var platform: Platform?

    public init(_ message: Message, format: PayloadFormat, platform: Platform? = nil) {
        self.init(.message(message), format: format, platform: platform)
    }

    public init(_ content: Content, format: PayloadFormat, platform: Platform? = nil) {
        self.content = content
        self.format = format
        self.platform = platform
    }

    private enum CodingKeys: CodingKey { case message, messageId, format, platform }

    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch content {
        case .message(let message): try members.encode(message, forKey: .message)
        case .stored(let id): try members.encode(id, forKey: .messageId)
        }
        try members.encode(format, forKey: .format)
        try members.encodeIfPresent(platform, forKey: .platform)
    }
}

/// For whom payloads are written: the SDK of a device, a mail program or your own code.
public struct PayloadFormat: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let dynamics365: PayloadFormat = "dynamics365"
    public static let adobeCampaign: PayloadFormat = "adobe-campaign"
    public static let bird: PayloadFormat = "bird"
    public static let email: PayloadFormat = "email"
    public static let plain: PayloadFormat = "plain"
}

/// The push service that delivers a payload: APNs or FCM.
public struct Platform: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let ios: Platform = "ios"
    public static let android: Platform = "android"
}

/// An order, and the recipients of one request.
struct PayloadRequest: Encodable {
    let order: PayloadOrder
    let recipients: [String]
    /// Whether nothing is to be stored or signed.
    var isPreview = false

    private enum CodingKeys: String, CodingKey {
        case recipients
        case isPreview = "preview"
    }

    func encode(to encoder: any Encoder) throws {
        try order.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(recipients, forKey: .recipients)
        if isPreview { try members.encode(true, forKey: .isPreview) }
    }
}

/// The first line of a stream of previews.
struct PayloadPreviewOrder: Encodable {
    let order: PayloadOrder

    private enum CodingKeys: CodingKey { case preview }

    func encode(to encoder: any Encoder) throws {
        try order.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(true, forKey: .preview)
    }
}
