import NIOHTTP1

extension Transport {
    /// Reads.
    ///
    /// - Parameter patience: as in ``APIRequest``.
    func get<Answer: Decodable>(
        _ path: String, _ query: QueryString = QueryString(), patience: Duration = Patience.ordinary
    ) async throws -> Answer {
        let request = APIRequest(.GET, path + query.text, repetition: .always, patience: patience)
        return try WireCoding.decode(from: try await answer(to: request).bytes)
    }

    /// Reads with a body that may name a recipient. A recipient is never in a URL.
    ///
    /// - Parameter patience: as in ``APIRequest``.
    func query<Answer: Decodable>(
        _ path: String, _ body: some Encodable, patience: Duration = Patience.ordinary
    ) async throws -> Answer {
        try await query(path, body, patience: patience) { try WireCoding.decode(from: $0) }
    }

    /// - Parameters:
    ///   - accept: the media type of the answer, if the service offers several.
    ///   - patience: as in ``APIRequest``.
    ///   - read: converts the answer.
    func query<Answer>(
        _ path: String, _ body: some Encodable, accept: String? = nil, patience: Duration,
        reading read: ([UInt8]) throws -> Answer
    ) async throws -> Answer {
        let request = APIRequest(
            .POST, path, body: try WireCoding.encode(body), accept: accept, repetition: .always, patience: patience)
        return try read(try await answer(to: request).bytes)
    }

    /// Makes something once, however often the request is repeated.
    ///
    /// - Parameters:
    ///   - idempotencyKey: the caller's key; `nil` makes one.
    ///   - hasFinalConflicts: as in ``APIRequest``, and so is `patience`.
    func make(
        _ path: String, _ body: some Encodable, _ idempotencyKey: String?, hasFinalConflicts: Bool = false,
        patience: Duration = Patience.ordinary
    ) async throws -> APIResponse {
        var request = APIRequest(
            .POST, path, body: try WireCoding.encode(body), idempotencyKey: try IdempotencyKey.header(idempotencyKey),
            patience: patience)
        request.hasFinalConflicts = hasFinalConflicts
        return try await answer(to: request)
    }

    /// Deletes.
    func delete(_ path: String) async throws {
        _ = try await answer(to: APIRequest(.DELETE, path, repetition: .whenUnavailable).withoutDocument)
    }

    /// Bytes as they are, such as a tile.
    func bytes(_ path: String) async throws -> [UInt8] {
        try await answer(to: APIRequest(.GET, path, repetition: .always)).bytes
    }

    /// A text, such as a proof.
    func text(_ path: String) async throws -> String { String(decoding: try await bytes(path), as: UTF8.self) }
}

/// `{}`
struct EmptyRequest: Encodable {}

/// Names a recipient.
struct RecipientRequest: Encodable {
    let recipient: String
}
