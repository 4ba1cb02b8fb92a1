import NIOHTTP1

extension Transport {
    /// Reads.
    func get<Answer: Decodable>(_ path: String) async throws -> Answer {
        try WireCoding.decode(from: try await answer(to: APIRequest(.GET, path, repetition: .always)).bytes)
    }

    /// Reads what a recipient may be named for, who never stands in a URL.
    func query<Answer: Decodable>(_ path: String, _ body: some Encodable) async throws -> Answer {
        let request = APIRequest(.POST, path, body: try WireCoding.encode(body), repetition: .always)
        return try WireCoding.decode(from: try await answer(to: request).bytes)
    }

    /// Makes something once, however often it has to be asked for.
    ///
    /// - Parameter idempotencyKey: the caller's; `nil` makes one.
    func make(_ path: String, _ body: some Encodable, _ idempotencyKey: String?) async throws -> APIAnswer {
        let request = APIRequest(
            .POST, path, body: try WireCoding.encode(body), idempotencyKey: try IdempotencyKey.header(idempotencyKey))
        return try await answer(to: request)
    }

    /// A text, such as a proof.
    func text(_ path: String) async throws -> String {
        String(
            decoding: try await answer(to: APIRequest(.GET, path, repetition: .always)).bytes, as: UTF8.self)
    }
}

/// `{}`
struct EmptyRequest: Encodable {}

/// Names a recipient.
struct RecipientRequest: Encodable {
    let recipient: String
}
