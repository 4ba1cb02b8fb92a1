import Synchronization

@testable import OpenIDConnect

/// A provider without a socket, whose documents a test changes.
final class SampleProvider: ProviderTransport {
    struct Documents: Sendable {
        var discovery: String = Sample.json(Sample.discovery())
        var keys = Sample.keySet([])
        var token = ""
        /// In place of a document's answer.
        var replies: [ProviderDocument: ProviderResponse] = [:]
        var failures: [ProviderDocument: TransportFailure] = [:]
    }

    private struct State {
        var documents = Documents()
        var asked: [ProviderDocument] = []
    }

    /// Guards the documents and what was asked.
    private let state = Mutex(State())

    init(_ change: (inout Documents) -> Void = { _ in }) { self.change(change) }

    /// A provider with one key that answers with one token.
    convenience init(_ key: TestKey, token: String) {
        self.init {
            $0.keys = Sample.keySet([key])
            $0.token = token
        }
    }

    func change(_ change: (inout Documents) -> Void) { state.withLock { change(&$0.documents) } }

    func count(_ document: ProviderDocument) -> Int {
        state.withLock { state in state.asked.count { $0 == document } }
    }

    func send(_ request: ProviderRequest) async throws(TransportFailure) -> ProviderResponse {
        let document: ProviderDocument =
            if request.form != nil {
                .token
            } else if request.url.description.hasSuffix("/keys") {
                .keys
            } else {
                .discovery
            }
        let documents = state.withLock { state in
            state.asked.append(document)
            return state.documents
        }
        await Task.yield()
        if let failure = documents.failures[document] { throw failure }
        if let reply = documents.replies[document] { return reply }
        let body =
            switch document {
            case .discovery: documents.discovery
            case .keys: documents.keys
            case .token: #"{"access_token":"a","token_type":"Bearer","id_token":"\#(documents.token)"}"#
            }
        return .json(body)
    }
}

extension ProviderResponse {
    static func json(_ body: String, status: Int = 200, type: String? = "application/json") -> ProviderResponse {
        ProviderResponse(status: status, contentType: type, body: Array(body.utf8))
    }
}

extension RelyingParty {
    /// Ends the sample's sign-in.
    func finish(
        _ query: String = Sample.query, _ freshness: SignInFreshness = .session, now: UnixTime = Sample.now
    ) async throws(SignInFailure) -> SignedInAccount {
        try await finish(query: query, Sample.pending(freshness), now: now)
    }
}
