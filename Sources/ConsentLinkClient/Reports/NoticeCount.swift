/// How many records have a version of a notice.
public struct NoticeCount: Sendable, Hashable, Decodable {
    public let id: String?
    public let version: String?
    public let given: Int
}
