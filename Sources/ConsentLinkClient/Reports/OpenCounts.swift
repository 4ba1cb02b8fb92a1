/// Openings of one class of visitors.
public struct OpenCounts: Sendable, Hashable, Decodable {
    public let total: Int
    /// Each recipient counts once, under the first of these classes that one of their opens has: person, cannotTell,
    /// machine.
    public let people: Int
}
