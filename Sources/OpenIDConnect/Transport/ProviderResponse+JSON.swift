import JSON

extension ProviderResponse {
    private static let mediaTypes = ["application/json", "application/jwk-set+json"]
    private static let maximumDepth = 16

    /// The body as a JSON object without duplicate members.
    func object() throws(DocumentFault) -> JSONObject {
        guard let type = mediaType, Self.mediaTypes.contains(type) else { throw .mediaType }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(body, limits: JSONLimits(depth: Self.maximumDepth))
        } catch {
            if case .duplicateMember = error { throw .duplicateMember }
            throw .notJSON
        }
        guard case .object(let object) = value else { throw .shape }
        return object
    }

    /// The status that a document must have.
    func mustBeOK() throws(DocumentFault) {
        guard !(300..<400).contains(status) else { throw .redirect }
        guard status == 200 else { throw .status(status) }
    }

    private var mediaType: String? {
        contentType.map { text in
            let name = text.prefix { $0 != ";" }
            return String(decoding: name.utf8.filter { $0 != 0x20 && $0 != 0x09 }, as: UTF8.self).lowercased()
        }
    }
}

extension DocumentFault {
    init(_ failure: TransportFailure) {
        switch failure {
        case .unreachable: self = .unreachable
        case .late: self = .late
        case .tooLarge: self = .tooLarge
        }
    }
}

extension ProviderTransport {
    /// The object in the answer to a GET of `url`.
    func document(_ url: SecureURL, longest: Int) async throws(DocumentFault) -> JSONObject {
        let response = try await answer(to: .get(url, maximumAnswerSize: longest))
        try response.mustBeOK()
        return try response.object()
    }

    func answer(to request: ProviderRequest) async throws(DocumentFault) -> ProviderResponse {
        do throws(TransportFailure) {
            return try await send(request)
        } catch {
            throw DocumentFault(error)
        }
    }
}
