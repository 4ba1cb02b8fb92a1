import ArgumentParser
import ConsentLinkClient
import JSON
import NIOCore
import NIOHTTP1

/// Calls the private listener of a running service through the client library, once each, and says in the words of a
/// command why there is no answer. Documents are handed on as the service wrote them, for `--json`.
struct APIClient {
    let base: String
    let api: ConsentLinkAPI

    /// - Parameter reason: why the caller looks at recipients.
    init(base: String, key: String, reason: String? = nil) throws(CommandFailure) {
        self.base = base
        do throws(ConsentLinkError) {
            let api = try ConsentLinkAPI(base, key: key, retries: .never)
            self.api = if let reason { try api.giving(reason: reason) } else { api }
        } catch {
            throw CommandFailure("consentlink: \(error)", exitCode: ExitStatus.usage)
        }
    }

    /// - Parameter what: is asked for, in words: what a 404 is about.
    func get(_ path: String, of what: String? = nil) async throws -> JSONValue {
        try await call(APIRequest(.GET, path, patience: .seconds(30)), of: what)
    }

    func post(
        _ path: String, of what: String? = nil, within patience: Duration = .seconds(30),
        _ fill: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> JSONValue {
        try await call(APIRequest(.POST, path, body: Self.body(fill), patience: patience), of: what)
    }

    func delete(_ path: String, of what: String? = nil) async throws -> JSONValue {
        try await call(APIRequest(.DELETE, path, patience: .seconds(30)), of: what)
    }

    /// Looks whether something is there.
    ///
    /// - Returns: what to say where the service answers that it is not; `nil` where it is, and where there is no answer
    ///   that says so.
    func absence(of what: String, at path: String) async throws -> CommandFailure? {
        do {
            _ = try await api.transport.answer(to: APIRequest(.GET, path, patience: .seconds(30)))
            return nil
        } catch let error as ConsentLinkError {
            return error.problem?.status == 404 ? await failure(error, of: what) : nil
        }
    }

    /// Posts and takes an answer of any length piece by piece.
    ///
    /// - Parameters:
    ///   - accept: the type of the answer.
    ///   - take: wants the next piece; what it throws is thrown, and after `false` no more is read.
    /// - Throws: a passing failure when the answer had begun and did not come to its end.
    func stream(
        _ path: String, of what: String, accept: String, _ fill: (inout JSONWriter) -> Void,
        _ take: ([UInt8]) throws -> Bool
    ) async throws {
        try await takeAll(of: pieces(path, accept: accept, fill), of: what) { try take(Array($0.readableBytesView)) }
    }

    /// Posts and takes an answer of JSON lines, some whole lines at once. The other parameters are those of
    /// ``stream(_:of:accept:_:_:)``.
    ///
    /// - Throws: the same; and what the service says where it ends the answer with an error.
    func streamLines(
        _ path: String, of what: String, _ fill: (inout JSONWriter) -> Void, _ take: ([UInt8]) throws -> Bool
    ) async throws {
        let lines = ExportedLineBatches(bytes: pieces(path, accept: "application/x-ndjson", fill))
        try await takeAll(of: lines, of: what) { try take($0.bytes) }
    }

    private func pieces(_ path: String, accept: String, _ fill: (inout JSONWriter) -> Void) -> ExportedBytes {
        let request = APIRequest(
            .POST, path, body: Self.body(fill), accept: accept, patience: .seconds(24 * 60 * 60))
        return ExportedBytes(transport: api.transport, request: request)
    }

    private func takeAll<Pieces: AsyncSequence>(
        of pieces: Pieces, of what: String, _ take: (Pieces.Element) throws -> Bool
    ) async throws {
        do {
            for try await piece in pieces {
                guard try take(piece) else { return }
            }
        } catch let error as ConsentLinkError {
            throw await failure(error, of: what)
        }
    }

    /// Makes something of a document as it is.
    ///
    /// - Parameter patience: how long the answer may take.
    /// - Throws: ``ConsentLinkError`` or `CancellationError`.
    func make(_ path: String, _ body: [UInt8], idempotencyKey: String, within patience: Duration) async throws {
        _ = try await api.transport.answer(
            to: APIRequest(
                .POST, path, body: body, idempotencyKey: "\"\(idempotencyKey)\"", patience: patience))
    }

    private static func body(_ fill: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(fill)
        return writer.bytes
    }

    /// - Returns: the answer's document: `null` for an answer without one.
    private func call(_ request: APIRequest, of what: String?) async throws -> JSONValue {
        let bytes: [UInt8]
        do {
            bytes = try await api.transport.answer(to: request).bytes
        } catch let error as ConsentLinkError {
            throw await failure(error, of: what)
        }
        guard !bytes.isEmpty else { return .null }
        guard let document = try? JSONValue.parse(answer: bytes) else {
            throw CommandFailure(
                "consentlink: what answers at \(base.shown) is no service of this kind: it sends no JSON")
        }
        return document
    }
}
