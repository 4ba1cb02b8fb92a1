/// Checks whether a caller may still receive its answer: an answer can take longer than the key or the session of the
/// request exists.
package struct CallerValidity: Sendable {
    private let isValid: @Sendable () async throws -> Bool

    /// - Parameter header: the value of `Authorization` in the request.
    package init(header: String?, authenticator: Authenticator) {
        isValid = {
            if case .anonymous = try await authenticator.principal(by: header) { return false }
            return true
        }
    }

    /// - Parameter isValid: asks the store whether the caller may continue.
    package init(isValid: @escaping @Sendable () async throws -> Bool) { self.isValid = isValid }

    /// Asks the store, so that a key is refused as soon as it is deleted.
    ///
    /// - Throws: ``RequestRefusal/keyDeleted`` if the caller may not continue. A key cannot change in another way.
    package func check() async throws {
        guard try await isValid() else { throw RequestRefusal.keyDeleted }
    }
}
