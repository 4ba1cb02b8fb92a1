import Cryptography
import Testing

@testable import OpenIDConnect

@Suite struct AuthorizationRequestTests {
    private func begin(
        _ freshness: SignInFreshness = .session, endpoint: String? = nil, scopes: [String] = ["openid"]
    ) async throws -> AuthorizationRequest {
        let provider = SampleProvider {
            guard let endpoint else { return }
            var discovery = Sample.discovery()
            discovery["authorization_endpoint"] = "\"\(endpoint)\""
            $0.discovery = Sample.json(discovery)
        }
        let settings = try Sample.settings(clientID: "a b&c", scopes: scopes)
        var random = SecureRandom()
        return try await RelyingParty(settings, transport: provider).begin(freshness, now: Sample.now, using: &random)
    }

    @Test("the browser is sent to the provider with everything that binds the answer")
    func url() async throws {
        let request = try await begin(scopes: ["openid", "roles"])
        let pending = request.pending
        let challenge = Base64URL.encode(SHA256.hash(of: Array(pending.codeVerifier.utf8)))
        #expect(
            request.url == "https://id.example.com/realms/a/authorize?response_type=code&client_id=a+b%26c"
                + "&redirect_uri=https%3A%2F%2Fconsole.example.com%2Fconsole%2Fsigned-in&scope=openid+roles"
                + "&state=\(pending.state)&nonce=\(pending.nonce)&code_challenge=\(challenge)&code_challenge_method=S256"
        )
        #expect(!request.url.contains(pending.codeVerifier))
        #expect(pending.madeAt == Sample.now)
    }

    @Test("the challenge is the one of RFC 7636, B")
    func challenge() {
        let challenge = AuthorizationRequest.challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("state, nonce and verifier are 256 bits each, and never the same")
    func secrets() async throws {
        var seen: Set<String> = []
        for _ in 0..<50 {
            let pending = try await begin().pending
            for secret in [pending.state, pending.nonce, pending.codeVerifier] {
                #expect(try Base64URL.decode(secret).count == 32)
                #expect(seen.insert(secret).inserted)
            }
        }
    }

    @Test("a fresh sign-in is asked for, and remembered")
    func fresh() async throws {
        let request = try await begin(.newAuthentication)
        #expect(request.url.hasSuffix("&prompt=login&max_age=0"))
        #expect(request.pending.freshness == .newAuthentication)
    }

    @Test("an endpoint's own query stays")
    func query() async throws {
        let request = try await begin(endpoint: "https://id.example.com/authorize?tenant=a")
        #expect(request.url.hasPrefix("https://id.example.com/authorize?tenant=a&response_type=code&"))
    }

    @Test("nothing that is printed shows a secret")
    func printed() async throws {
        let request = try await begin()
        for value: Any in [request, request.pending] {
            var dumped = ""
            dump(value, to: &dumped)
            let shown = "\(value) \(String(reflecting: value)) \(dumped)"
            for secret in [request.pending.state, request.pending.nonce, request.pending.codeVerifier] {
                #expect(!shown.contains(secret))
            }
        }
    }
}
