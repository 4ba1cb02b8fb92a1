/// How many records have a method.
public struct MethodCount: Sendable, Hashable, Decodable {
    public let method: String
    public let given: Int
}
