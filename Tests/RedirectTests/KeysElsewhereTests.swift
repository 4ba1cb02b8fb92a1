import Cryptography
import Identifiers
import Messages
import TestSupport
import Testing
import TrackingIDs

@testable import Redirect

/// Links that another node signed with a key that this node does not have.
@Suite struct KeysElsewhereTests {
    /// Where a plain request has its token, and where a request has it that only the decoder reads.
    private static let prefixes = ["/r/", "http://links.example/r/"]

    private func request(_ target: String) -> String {
        "GET \(target) HTTP/1.1\r\nHost: links.example\r\nConnection: close\r\n\r\n"
    }

    @Test(
        "while the ring may be behind, an unknown key is 503 without a look-up; with the key the link leads on",
        arguments: prefixes)
    func unknownKey(_ prefix: String) async throws {
        try await PublicServer.run { server in
            server.keys.mayLackKeys { true }
            let link = prefix + (try KeyRing.sample(keys: [1, 2]).token())
            let answer = try await server.answer(to: request(link))
            #expect(answer.hasPrefix("HTTP/1.1 503 "))
            #expect(answer.contains("\r\nRetry-After: "))
            #expect(server.messages.calls == 0)
            #expect(try server.metric("consentlink_redirects_total{outcome=\"unavailable\"}") == 1)
            #expect(try server.metric("consentlink_redirects_total{outcome=\"notFound\"}") == 0)
            server.keys.replace(with: try .sample(keys: [1, 2]))
            #expect(try await server.answer(to: request(link)).hasPrefix("HTTP/1.1 302 "))
        }
    }

    @Test("a forged link is 404 also while the ring may be behind", arguments: prefixes)
    func forged(_ prefix: String) async throws {
        try await PublicServer.run { server in
            server.keys.mayLackKeys { true }
            let foreign = try KeyRing(keys: [
                KeyRing.Key(id: 1, secret: SecretBytes([UInt8](repeating: 9, count: 32)), createdAt: .noon)
            ])
            let token = try server.keys.value.token()
            for forgery in [try foreign.token(), String(token.dropLast()), token + "=", "B" + token.dropFirst()] {
                #expect(try await server.answer(to: request(prefix + forgery)).hasPrefix("HTTP/1.1 404 "), "\(forgery)")
            }
        }
    }

    @Test("an unknown key is 404 while the node has the ring of the others", arguments: prefixes)
    func ringIsTheNewest(_ prefix: String) async throws {
        try await PublicServer.run { server in
            server.keys.mayLackKeys { false }
            let token = try KeyRing.sample(keys: [2]).token()
            #expect(try await server.answer(to: request(prefix + token)).hasPrefix("HTTP/1.1 404 "))
        }
    }
}
