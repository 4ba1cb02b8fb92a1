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

    /// - Parameters:
    ///   - what: is asked for, in words: what a 404 is about.
    ///   - members: must be in the answer.
    func get(_ path: String, of what: String? = nil, having members: [AnswerMember]) async throws -> JSONValue {
        try await call(APIRequest(.GET, path, patience: .seconds(30)), of: what, having: members)
    }

    /// - Parameters:
    ///   - what: as of ``get(_:of:having:)``, and so are `members`.
    ///   - doubt: what to tell where it may have been done although no answer says so.
    ///   - patience: how long the answer may take.
    ///   - fill: writes the members of the document that is sent.
    func post(
        _ path: String, of what: String? = nil, having members: [AnswerMember], inDoubt doubt: String? = nil,
        within patience: Duration = .seconds(30), _ fill: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> JSONValue {
        let request = APIRequest(.POST, path, body: Self.body(fill), patience: patience)
        return try await call(request, of: what, having: members, inDoubt: doubt)
    }

    /// Has something done of which there is no document.
    ///
    /// - Parameter body: none where there is nothing to say.
    func perform(
        _ method: HTTPMethod, _ path: String, of what: String, inDoubt doubt: String,
        _ fill: ((inout JSONWriter) -> Void)? = nil
    ) async throws {
        let request = APIRequest(method, path, body: fill.map { Self.body($0) }, patience: .seconds(30))
        _ = try await answer(to: request.withoutDocument, of: what, inDoubt: doubt)
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
    /// - Returns: the answer's document.
    /// - Throws: ``ConsentLinkError`` or `CancellationError`.
    func make(
        _ path: String, _ body: [UInt8], idempotencyKey: String, within patience: Duration
    ) async throws -> JSONValue {
        let answer = try await api.transport.answer(
            to: APIRequest(
                .POST, path, body: body, idempotencyKey: "\"\(idempotencyKey)\"", patience: patience))
        guard let document = try? JSONValue.parse(answer: answer.bytes) else {
            throw ConsentLinkError.unexpectedAnswer("it is no JSON")
        }
        return document
    }

    private static func body(_ fill: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(fill)
        return writer.bytes
    }

    private func call(
        _ request: APIRequest, of what: String?, having members: [AnswerMember], inDoubt doubt: String? = nil
    ) async throws -> JSONValue {
        let bytes = try await answer(to: request, of: what, inDoubt: doubt)
        guard let document = try? JSONValue.parse(answer: bytes) else {
            throw CommandFailure("consentlink: \(foreign("it sends no JSON"))").adding(doubt)
        }
        if let member = AnswerMember.missing(members, in: document) {
            throw CommandFailure("consentlink: \(foreign("its answer has no \(member)"))").adding(doubt)
        }
        return document
    }

    private func answer(to request: APIRequest, of what: String?, inDoubt doubt: String?) async throws -> [UInt8] {
        do {
            return try await api.transport.answer(to: request).bytes
        } catch let error as ConsentLinkError {
            throw await failure(error, of: what).adding(error.mayHaveBeenDone ? doubt : nil)
        }
    }

    /// - Parameter how: it is known.
    private func foreign(_ how: String) -> String {
        "what answers at \(base.shown) is no service of this kind: \(how)"
    }
}
