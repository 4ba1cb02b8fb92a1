import Cryptography
import StubService
import Synchronization
import Testing

@testable import OpenIDConnect

/// A whole sign-in over real sockets, at a provider that checks the code, the verifier and the client.
@Suite struct SocketSignInTests {
    private final class Provider: Sendable {
        private struct Begun {
            var challenge = ""
            var nonce = ""
        }

        let key: TestKey
        /// Guards what the browser brought to the authorization endpoint.
        private let begun = Mutex(Begun())

        init() async throws { key = try await TestKey.make(.ps256) }

        /// What the authorization endpoint would do with the browser.
        func authorize(_ url: String) -> String {
            let parameters = Self.parameters(String(url.split(separator: "?")[1]))
            begun.withLock {
                $0 = Begun(challenge: parameters["code_challenge"] ?? "", nonce: parameters["nonce"] ?? "")
            }
            return "code=once&state=\(parameters["state"] ?? "")"
        }

        func reply(_ request: StubServer.Request) -> StubServer.Reply {
            let issuer = "http://" + (request.headers["host"] ?? "")
            switch request.path {
            case "/.well-known/openid-configuration": return .json(Sample.json(Sample.discovery(issuer)))
            case "/keys": return .json(Sample.keySet([key]))
            case "/token": return token(request, issuer)
            default: return .json("{}", status: 404)
            }
        }

        private func token(_ request: StubServer.Request, _ issuer: String) -> StubServer.Reply {
            let sent = Self.parameters(request.body)
            let begun = begun.withLock { $0 }
            let challenge = Base64URL.encode(SHA256.hash(of: Array((sent["code_verifier"] ?? "").utf8)))
            guard challenge == begun.challenge, sent["code"] == "once",
                request.headers["authorization"] == "Basic " + Base64.encode(Array("console:the-secret".utf8))
            else { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
            var token = TestToken(key)
            token.claims["iss"] = "\"\(issuer)\""
            token.claims["nonce"] = "\"\(begun.nonce)\""
            token.claims["auth_time"] = "\(Sample.now.seconds)"
            guard let text = try? token.text(key.signer) else { return .json("{}", status: 500) }
            return .json(#"{"access_token":"a","token_type":"Bearer","id_token":"\#(text)"}"#)
        }

        private static func parameters(_ form: String) -> [String: String] {
            let pairs = form.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
            return Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), FormEncoding.decode($0[1]) ?? "") })
        }
    }

    @Test("an account signs in", arguments: [SignInFreshness.session, .newAuthentication])
    func signIn(_ freshness: SignInFreshness) async throws {
        let provider = try await Provider()
        try await StubServer.with({ request, _ in provider.reply(request) }) { server in
            let client = RelyingParty(try Sample.settings(issuer: server.base))
            var random = SecureRandom()
            let request = try await client.begin(freshness, now: Sample.now, using: &random)
            let query = provider.authorize(request.url)
            let account = try await client.finish(query: query, request.pending, now: Sample.now)
            #expect(account.identity.subject == "ana")
            #expect(account.authenticatedAt == Sample.now)
            #expect(
                server.requests.map(\.line) == [
                    "GET /.well-known/openid-configuration", "POST /token", "GET /keys",
                ])
        }
    }

    @Test("an answer that another browser began is refused, at the provider too")
    func mixedUp() async throws {
        let provider = try await Provider()
        try await StubServer.with({ request, _ in provider.reply(request) }) { server in
            let client = RelyingParty(try Sample.settings(issuer: server.base))
            var random = SecureRandom()
            let mine = try await client.begin(now: Sample.now, using: &random)
            let theirs = try await client.begin(now: Sample.now, using: &random)
            let query = provider.authorize(theirs.url)
            await #expect(throws: SignInFailure.answer(.state)) {
                try await client.finish(query: query, mine.pending, now: Sample.now)
            }
            let forced = "code=once&state=\(mine.pending.state)"
            await #expect(throws: SignInFailure.codeRefused(.invalidGrant)) {
                try await client.finish(query: forced, mine.pending, now: Sample.now)
            }
        }
    }
}
