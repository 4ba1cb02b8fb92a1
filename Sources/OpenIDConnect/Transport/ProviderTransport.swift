/// Sends one request to the provider.
///
/// An adapter follows no redirect, uses no other address than the request's, repeats nothing, and gives up at the
/// request's limits. Any number of tasks may call it at any time.
package protocol ProviderTransport: Sendable {
    /// - Returns: the whole answer, with any status.
    /// - Throws: if there is no whole answer within the limits of the request.
    func send(_ request: ProviderRequest) async throws(TransportFailure) -> ProviderResponse
}

/// A GET, or a POST of a form, to the provider.
package struct ProviderRequest: Sendable {
    /// `nil` for GET, otherwise the body of a POST, form-encoded.
    package let form: [UInt8]?
    package let url: SecureURL
    /// The value of `Authorization`.
    package let authorization: String?
    /// The longest answer, in bytes.
    let maximumAnswerSize: Int
    /// The time from the beginning to the last byte of the answer.
    let timeout: Duration

    static func get(_ url: SecureURL, maximumAnswerSize: Int) -> ProviderRequest {
        ProviderRequest(
            form: nil, url: url, authorization: nil, maximumAnswerSize: maximumAnswerSize, timeout: .seconds(10))
    }

    static func post(_ form: String, to url: SecureURL, authorization: String?, maximumAnswerSize: Int)
        -> ProviderRequest
    {
        ProviderRequest(
            form: Array(form.utf8), url: url, authorization: authorization, maximumAnswerSize: maximumAnswerSize,
            timeout: .seconds(10))
    }
}

extension ProviderRequest: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(form == nil ? "GET" : "POST") \(url)" }
    /// Body and credentials are left out.
    package var customMirror: Mirror { Mirror(self, children: ["url": url]) }
}

/// The whole answer of the provider.
package struct ProviderResponse: Sendable {
    package let status: Int
    package let contentType: String?
    package let body: [UInt8]

    package init(status: Int, contentType: String?, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }
}

extension ProviderResponse: CustomStringConvertible, CustomReflectable {
    package var description: String { "\(status), \(body.count) bytes" }
    /// The body may be a token.
    package var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}

/// Why there is no answer.
package enum TransportFailure: Error, Hashable, Sendable {
    case unreachable
    case late
    case tooLarge
}
