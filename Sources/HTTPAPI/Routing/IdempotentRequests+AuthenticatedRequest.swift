import HTTPTypes
import Hummingbird
import Identifiers
import StoragePorts
import UseCases

extension Request {
    /// The key that the client gave the request; `nil` if it gave none.
    ///
    /// - Throws: 422 for a malformed key, and if there are two.
    var idempotencyKey: IdempotencyKey? {
        get throws {
            let values = headers[values: .idempotencyKey]
            guard let value = values.first else { return nil }
            guard values.count == 1, let key = IdempotencyKey(value) else {
                let length = IdempotencyKey.allowedLength
                throw Problem(
                    .unprocessableContent,
                    """
                    The header Idempotency-Key must be one string in quotes, of \(length.lowerBound) to \
                    \(length.upperBound) bytes of printable ASCII.
                    """)
            }
            return key
        }
    }
}

extension HTTPField.Name {
    fileprivate static var idempotencyKey: HTTPField.Name { .known("Idempotency-Key") }
}

extension IdempotentRequests {
    /// The answer of `make`, or of `replay` if an earlier request with the key had its effect. A request without a key
    /// always has its effect; `make` then gets no fingerprint.
    @inline(never)
    func answer(
        _ call: AuthenticatedRequest, body: [UInt8], make: (IdempotencyFingerprint?) async throws -> Response,
        replay: (RequestEffect) async throws -> Response
    ) async throws -> Response {
        guard let key = try call.request.idempotencyKey else { return try await make(nil) }
        return try await answer(
            key, of: call.principal, path: call.canonicalPath, body: body, make: make, replay: replay)
    }
}
