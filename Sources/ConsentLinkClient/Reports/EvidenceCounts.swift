/// How many records have which evidence.
public struct EvidenceCounts: Sendable, Hashable, Decodable {
    public let methodAndNotice: Int
    public let methodOnly: Int
    public let noticeOnly: Int
    /// Other evidence, without method and notice.
    public let other: Int
    public let none: Int
}
