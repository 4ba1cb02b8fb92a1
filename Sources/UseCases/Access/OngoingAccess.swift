/// Whether a caller may go on with what it was admitted for: an answer can last longer than the key, or the session, that
/// asked for it.
package struct OngoingAccess: Sendable {
    private let isValid: @Sendable () async throws -> Bool

    /// - Parameter header: the value of `Authorization` that the request came with.
    package init(header: String?, authenticator: Authenticator) {
        isValid = {
            if case .nobody = try await authenticator.principal(by: header) { return false }
            return true
        }
    }

    /// - Parameter isValid: asks the store whether the caller may go on.
    package init(isValid: @escaping @Sendable () async throws -> Bool) { self.isValid = isValid }

    /// Asks the store, so that a key is refused as soon as it is deleted.
    ///
    /// - Throws: ``RequestRefusal/keyDeleted`` once the caller may not. A key cannot change otherwise.
    package func check() async throws {
        guard try await isValid() else { throw RequestRefusal.keyDeleted }
    }
}
