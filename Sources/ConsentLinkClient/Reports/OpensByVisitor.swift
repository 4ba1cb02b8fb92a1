/// Openings by what fetched the picture.
public struct OpensByVisitor<Counts: Sendable & Hashable & Decodable>: Sendable, Hashable, Decodable {
    public let person: Counts
    public let cannotTell: Counts
    public let machine: Counts
}
