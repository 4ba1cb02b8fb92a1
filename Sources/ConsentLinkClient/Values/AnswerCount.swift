/// Compares an answer with what was asked for.
enum AnswerCount {
    /// - Parameters:
    ///   - found: how many things the answer lists.
    ///   - asked: how many were sent, each of which is answered.
    ///   - things: what they are, in the plural.
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` if the numbers differ.
    static func require(_ found: Int, of asked: Int, _ things: String) throws(ConsentLinkError) {
        guard found == asked else {
            throw .unexpectedAnswer("it has \(found) \(things), and \(asked) were asked for")
        }
    }
}
