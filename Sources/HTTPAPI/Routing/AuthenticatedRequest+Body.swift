package import Hummingbird
import JSON
import NIOCore
import UseCases

extension Request {
    /// The largest body that the API reads, in bytes.
    package static let maximumBodySize = 16 << 20
    /// The largest body of a request for one small thing, in bytes.
    static let maximumSmallBodySize = 64 << 10
    /// How long a JSON body may take, from its head to its end.
    static let maximumBodyTime = Duration.seconds(300)

    /// Whether the body was not there yet when the caller was looked up.
    var hasLateBody: Bool { headers[.lateBody] != nil }
}

extension BodyAllowance {
    /// All bytes of a body, which count against the budget until the request is done.
    ///
    /// - Parameter limit: how long the body may take; `nil` for one that is there already. It is checked when bytes
    ///   arrive. A connection on which no bytes arrive for a while is closed, so every body arrives as a whole or ends.
    /// - Throws: 408 if it takes longer, 413 if it is too large, 503 if there is no room for it.
    func collect(
        _ pieces: some AsyncSequence<ByteBuffer, any Error>, within limit: Duration?
    ) async throws -> [UInt8] {
        let deadline = limit.map { ContinuousClock.now + $0 }
        var bytes: [UInt8] = []
        for try await piece in pieces {
            guard bytes.count + piece.readableBytes <= maximum else {
                throw Problem(.contentTooLarge, "The body is larger than \(maximum >> 10) KiB.")
            }
            if let limit, let deadline, ContinuousClock.now > deadline {
                throw Problem(.requestTimeout, "The body took longer than \(limit.components.seconds) s.")
            }
            try reserve(piece.readableBytes)
            bytes.append(contentsOf: piece.readableBytesView)
        }
        return bytes
    }
}

extension AuthenticatedRequest {
    /// The JSON body, read by `shape`.
    ///
    /// Never inlined: Swift 6.3.1 crashes in optimised builds when it splits a caller's coroutine around it.
    @inline(never)
    func json<Value>(as shape: JSONShape<Value>) async throws -> Value {
        try shape.read(try await json())
    }

    func json() async throws -> JSONValue { try JSONValue.parse(try await jsonBytes()) }

    /// The JSON body of a request that a client may repeat under an `Idempotency-Key`.
    ///
    /// - Parameter takesLines: whether the route also accepts lines.
    /// - Throws: 422 for a malformed key, before the body is read.
    func repeatableJSONBytes(orLines takesLines: Bool = false) async throws -> [UInt8] {
        _ = try request.idempotencyKey
        return try await jsonBytes(orLines: takesLines)
    }

    /// The body, which must be declared as JSON. Its bytes count against the budget of all bodies until the request is
    /// done.
    ///
    /// - Parameter takesLines: whether the route also accepts lines; the refusal of another type then says so.
    /// - Throws: 408 if it takes too long; ``RequestRefusal/keyDeleted`` if the caller's key was deleted while the body
    ///   was on its way.
    func jsonBytes(orLines takesLines: Bool = false) async throws -> [UInt8] {
        guard try request.bodyType == .json else {
            let types = takesLines ? "application/json or application/x-ndjson," : "application/json"
            throw Problem(.unsupportedMediaType, "The body must be \(types) in UTF-8.")
        }
        return try await bodyBytes()
    }

    /// Refuses a body that says something, because its sender believes that it is taken. `{}`, `[]` and `null` say
    /// nothing: clients send them where they have no members.
    ///
    /// - Throws: 422 for such a body; 408 and 413 as for every body.
    @inline(never)
    func refuseBody() async throws {
        let said = try await bodyBytes().filter { !" \t\r\n".utf8.contains($0) }
        guard ["", "{}", "[]", "null"].contains(where: { said.elementsEqual($0.utf8) }) else {
            throw Problem.bodyNotTaken
        }
    }

    private func bodyBytes() async throws -> [UInt8] {
        let bytes = try await body.collect(request.body, within: request.hasLateBody ? Request.maximumBodyTime : nil)
        if request.hasLateBody { try await requireCaller() }
        return bytes
    }

    /// Asks again whether the caller's key exists. Peers have none.
    private func requireCaller() async throws {
        if case .anonymous = principal { return }
        try await validity.check()
    }
}
