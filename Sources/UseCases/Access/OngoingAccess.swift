/// Whether a principal may go on with what it was admitted for: an answer can last longer than the key that asked for it.
package struct OngoingAccess: Sendable {
    private let authenticator: Authenticator
    private let header: String?

    /// - Parameter header: the value of `Authorization` that the request came with.
    package init(header: String?, authenticator: Authenticator) {
        self.authenticator = authenticator
        self.header = header
    }

    /// Asks the store, so that a key is refused as soon as it is deleted.
    ///
    /// - Throws: ``RequestRefusal/keyDeleted`` once the key is no more. A key cannot change otherwise.
    package func check() async throws {
        if case .nobody = try await authenticator.principal(by: header) { throw RequestRefusal.keyDeleted }
    }
}
