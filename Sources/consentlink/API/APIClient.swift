import ArgumentParser
import ConsentLinkClient
import Identifiers
import JSON
import NIOCore
import NIOHTTP1

/// Calls the private listener of a running service through the client library, without retries, and words errors for a
/// command. For `--json` it passes documents on as the service wrote them.
struct APIClient {
    let base: String
    let api: ConsentLinkAPI
    /// Where the key is from, such as the path of a file; `nil` if that is not to be told.
    let keySource: String?

    /// - Parameters:
    ///   - keySource: see ``keySource``.
    ///   - reason: the caller's reason to look at recipients.
    init(base: String, key: String, from keySource: String? = nil, reason: String? = nil) throws(CommandFailure) {
        self.base = base
        self.keySource = keySource
        do throws(ConsentLinkError) {
            let api = try ConsentLinkAPI(base, key: key, retries: .never)
            self.api = if let reason { try api.giving(reason: reason) } else { api }
        } catch {
            throw CommandFailure("consentlink: \(error)", exitCode: ExitStatus.usage)
        }
    }

    /// - Parameters:
    ///   - what: the requested thing, in words, for a 404.
    ///   - members: the answer must have them.
    func get(_ path: String, of what: String? = nil, having members: [AnswerMember]) async throws -> JSONValue {
        try await call(APIRequest(.GET, path, patience: .seconds(30)), of: what, having: members)
    }

    /// - Parameters:
    ///   - what: like that of ``get(_:of:having:)``, and so are `members`.
    ///   - doubt: what to tell if it may have been done although no answer says so.
    ///   - isUndone: whether the service has done nothing when it answers 503 with a reason. A front before it answers
    ///     503 without one.
    ///   - patience: how long the answer may take.
    ///   - fill: writes the members of the document to send.
    func post(
        _ path: String, of what: String? = nil, having members: [AnswerMember], inDoubt doubt: String? = nil,
        undoneIfUnavailable isUndone: Bool = false, within patience: Duration = .seconds(30),
        _ fill: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> JSONValue {
        let request = APIRequest(.POST, path, body: Self.body(fill), patience: patience)
        return try await call(request, of: what, having: members, inDoubt: doubt, undoneIfUnavailable: isUndone)
    }

    /// Carries out a request whose answer has no document.
    ///
    /// - Parameter body: `nil` for a request without a body.
    func perform(
        _ method: HTTPMethod, _ path: String, of what: String, inDoubt doubt: String,
        _ fill: ((inout JSONWriter) -> Void)? = nil
    ) async throws {
        let request = APIRequest(method, path, body: fill.map { Self.body($0) }, patience: .seconds(30))
        _ = try await answer(to: request.withoutDocument, of: what, inDoubt: doubt)
    }

    /// Checks whether something exists.
    ///
    /// - Returns: the failure if the service answers that it does not exist; `nil` if it exists, and if no answer says
    ///   so.
    func absence(of what: String, at path: String) async throws -> CommandFailure? {
        do {
            _ = try await api.transport.answer(to: APIRequest(.GET, path, patience: .seconds(30)))
            return nil
        } catch let error as ConsentLinkError {
            return error.problem?.status == 404 ? await failure(error, of: what) : nil
        }
    }

    /// Reads something whose content is not needed.
    ///
    /// - Parameter patience: how long the answer may take.
    /// - Throws: ``ConsentLinkError`` or `CancellationError`.
    func read(_ path: String, within patience: Duration) async throws {
        _ = try await api.transport.answer(to: APIRequest(.GET, path, patience: patience))
    }

    /// Posts, and takes an answer of any length piece by piece.
    ///
    /// - Parameters:
    ///   - accept: the media type of the answer.
    ///   - take: returns whether it takes the next piece; the call throws its errors.
    /// - Throws: a transient failure if the answer began and did not end.
    func stream(
        _ path: String, of what: String, accept: String, _ fill: (inout JSONWriter) -> Void,
        _ take: ([UInt8]) throws -> Bool
    ) async throws {
        try await takeAll(of: pieces(path, accept: accept, fill), of: what) { try take(Array($0.readableBytesView)) }
    }

    /// Posts, and takes an answer of JSON lines, several whole lines at once. The other parameters are those of
    /// ``stream(_:of:accept:_:_:)``.
    ///
    /// - Throws: the same; and the error with which the service ends the answer.
    func streamLines(
        _ path: String, of what: String, _ fill: (inout JSONWriter) -> Void, _ take: ([UInt8]) throws -> Bool
    ) async throws {
        let lines = ExportedLineBatches(bytes: pieces(path, accept: "application/x-ndjson", fill))
        try await takeAll(of: lines, of: what) { try take($0.bytes) }
    }

    private func pieces(_ path: String, accept: String, _ fill: (inout JSONWriter) -> Void) -> ExportedBytes {
        let request = APIRequest(
            .POST, path, body: Self.body(fill), accept: accept, patience: .hours(24))
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

    /// Makes something with a document, which is sent as it is.
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
            throw ConsentLinkError.unexpectedAnswer("it is not JSON")
        }
        return document
    }

    private static func body(_ fill: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(fill)
        return writer.bytes
    }

    private func call(
        _ request: APIRequest, of what: String?, having members: [AnswerMember], inDoubt doubt: String? = nil,
        undoneIfUnavailable isUndone: Bool = false
    ) async throws -> JSONValue {
        let bytes = try await answer(to: request, of: what, inDoubt: doubt, undoneIfUnavailable: isUndone)
        guard let document = try? JSONValue.parse(answer: bytes) else {
            throw CommandFailure("consentlink: \(foreign("it sends no JSON"))").adding(doubt)
        }
        if let member = AnswerMember.missing(members, in: document) {
            throw CommandFailure("consentlink: \(foreign("its answer has no \(member)"))").adding(doubt)
        }
        return document
    }

    private func answer(
        to request: APIRequest, of what: String?, inDoubt doubt: String?, undoneIfUnavailable isUndone: Bool = false
    ) async throws -> [UInt8] {
        do {
            return try await api.transport.answer(to: request).bytes
        } catch let error as ConsentLinkError {
            let isKnown = isUndone && error.problem?.status == 503 && error.problem?.detail != nil
            throw await failure(error, of: what).adding(error.mayHaveBeenDone && !isKnown ? doubt : nil)
        }
    }

    /// - Parameter how: how it is known.
    private func foreign(_ how: String) -> String {
        "the server at \(base.shown) is not a ConsentLink service: \(how)"
    }
}
