import Identifiers

extension EntityID {
    /// The id that `text` contains; a named function, for the shapes of bodies and queries.
    static func parse(_ text: String) throws(IdentifierError) -> Self { try Self(text) }
}
