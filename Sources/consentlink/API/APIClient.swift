import AsyncHTTPClient
import JSON
import NIOCore
import NIOHTTP1

/// Calls the private listener of a running service.
struct APIClient {
    let base: String
    let key: String

    private static let maximumAnswer = 16 << 20

    /// - Parameter what: is asked for, in words: what a 404 is about.
    func get(_ path: String, of what: String? = nil) async throws -> JSONValue {
        try await call(.GET, path, body: nil, of: what)
    }

    func post(
        _ path: String, of what: String? = nil, within patience: Duration = .seconds(30),
        _ fill: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> JSONValue {
        var writer = JSONWriter()
        writer.object(fill)
        return try await call(.POST, path, body: writer.bytes, of: what, within: patience)
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
        var writer = JSONWriter()
        writer.object(fill)
        var request = request(.POST, path, body: writer.bytes)
        request.headers.add(name: "Accept", value: accept)
        let client = Self.client()
        defer { client.shutdown { _ in } }
        let response: HTTPClientResponse
        do { response = try await client.execute(request, timeout: .hours(24)) } catch { throw unreachable(error) }
        do {
            guard response.status == .ok else {
                var buffer = try await response.body.collect(upTo: Self.maximumAnswer)
                let document = try? JSONValue.parse(buffer.readBytes(length: buffer.readableBytes) ?? [])
                throw await refusal(response.status.code, document, of: what)
            }
            for try await var piece in response.body {
                guard try take(piece.readBytes(length: piece.readableBytes) ?? []) else { return }
            }
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(
                "consentlink: the answer of \(base.shown) broke off: \(ServiceFault.text(error).shown)",
                isTransient: true
            )
        }
    }

    private func request(_ method: HTTPMethod, _ path: String, body: [UInt8]?) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: base + path)
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(key)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        return request
    }

    static func client() -> HTTPClient {
        // A service that is not there is not waited for.
        var settings = HTTPClient.Configuration()
        settings.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
    }

    private func call(
        _ method: HTTPMethod, _ path: String, body: [UInt8]?, of what: String?, within patience: Duration = .seconds(30)
    ) async throws -> JSONValue {
        let (status, document) = try await answer(to: request(method, path, body: body), within: patience)
        guard (200..<300).contains(status) else { throw await refusal(status, document, of: what) }
        guard let document else {
            throw CommandFailure(
                "consentlink: what answers at \(base.shown) is no service of this kind: it sends no JSON")
        }
        return document
    }

    /// Posts a document as it is, whatever the answer.
    func send(
        _ path: String, _ body: [UInt8], headers: [(String, String)]
    ) async throws(CommandFailure) -> (status: UInt, document: JSONValue?) {
        var request = request(.POST, path, body: body)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        return try await answer(to: request, within: .seconds(60))
    }

    /// - Returns: the answer's document: `null` for an answer without one, `nil` for one that is not JSON.
    private func answer(
        to request: HTTPClientRequest, within patience: Duration
    ) async throws(CommandFailure) -> (status: UInt, document: JSONValue?) {
        let client = Self.client()
        defer { client.shutdown { _ in } }
        do {
            let response = try await client.execute(request, timeout: .nanoseconds(patience.wholeNanoseconds))
            var buffer = try await response.body.collect(upTo: Self.maximumAnswer)
            let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
            return (response.status.code, bytes.isEmpty ? .null : try? JSONValue.parse(bytes))
        } catch {
            throw unreachable(error)
        }
    }
}

extension JSONValue {
    /// A member of an object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// A scalar as people read it; what is not there is a dash.
    var text: String {
        switch self {
        case .null: "-"
        case .bool(let bool): bool ? "yes" : "no"
        case .string(let text): text
        case .number, .array, .object: String(decoding: serialized(), as: UTF8.self)
        }
    }

    /// What a problem document says (RFC 9457): the detail, then a line for each member that does not fit, and how many
    /// more there are.
    var problemText: String? {
        guard let detail = self["detail"]?.text else { return nil }
        let errors = (self["errors"]?.elements ?? []).map { error in
            "\n  \((error["pointer"]?.text ?? "").shown) \((error["detail"]?.text ?? "").shown)"
        }
        let omitted = self["errorsOmitted"].map { "\n  and \($0.text.shown) more" } ?? ""
        return detail.shown + errors.joined() + omitted
    }
}
