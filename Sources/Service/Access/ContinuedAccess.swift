import HTTPTypes
import Hummingbird

/// Whether a caller may go on with what it was let in for: an answer can last longer than the key that asked for it.
struct ContinuedAccess: Sendable {
    private let authenticator: Authenticator
    private let header: String?

    init(_ request: Request, _ authenticator: Authenticator) {
        self.authenticator = authenticator
        header = request.headers[.authorization]
    }

    /// Asks the store, so that a key is refused as soon as it is deleted.
    ///
    /// - Throws: 401 once the key is no more. A key cannot change otherwise.
    func check() async throws {
        if case .nobody = try await authenticator.caller(by: header) { throw Problem.keyDeleted }
    }
}
