import AsyncHTTPClient
import JSON
import NIOCore
import NIOHTTP1

/// Why the service could not be asked, in the words of a person.
enum ServiceFault {
    static func text(_ error: any Error) -> String {
        switch error {
        case let error where error.isConnectionFailure:
            return error.firstConnectionFailure.map(text) ?? "no host of this name is known"
        case let error where error.systemText != nil: return error.systemText ?? closed
        case ChannelError.eof, ChannelError.ioOnClosedChannel: return closed
        case let error as HTTPClientError: return text(error)
        default: return "\(error)"
        }
    }

    private static let closed = "the connection was closed"

    private static func text(_ error: HTTPClientError) -> String {
        if error == .connectTimeout { return "no connection in time" }
        if error == .remoteConnectionClosed { return closed }
        let isLate = [.deadlineExceeded, .readTimeout, .writeTimeout].contains(error)
        return isLate ? "no answer in time" : error.shortDescription
    }
}

extension APIClient {
    func unreachable(_ error: any Error) -> CommandFailure { Self.unreachable(base, ServiceFault.text(error)) }

    static func unreachable(_ base: String, _ reason: String) -> CommandFailure {
        CommandFailure("consentlink: cannot reach \(base.shown): \(reason.shown)")
    }

    /// What to say of an answer that is a refusal.
    ///
    /// - Parameters:
    ///   - document: the problem document, if the answer was one.
    ///   - what: was asked for, such as `organization acme`: the service says "nothing here", and not what.
    func refusal(_ status: UInt, _ document: JSONValue?, of what: String?) async -> CommandFailure {
        if status == 404 {
            if await isPublicListener {
                return CommandFailure(
                    """
                    consentlink: \(base.shown) is the public listener of a service; --api wants its private one \
                    (http://127.0.0.1:8081 unless it was set otherwise)
                    """)
            }
            if let what { return CommandFailure("consentlink: there is no \(what.shown) at \(base.shown)") }
        }
        return CommandFailure("consentlink: \(document?.problemText ?? "the service answered \(status)")")
    }

    /// What crawlers are told stands on the public listener and on no other.
    private var isPublicListener: Bool {
        get async {
            let client = Self.client()
            defer { client.shutdown { _ in } }
            let answer = try? await client.execute(HTTPClientRequest(url: base + "/robots.txt"), timeout: .seconds(5))
            return answer?.status == .ok
        }
    }
}
