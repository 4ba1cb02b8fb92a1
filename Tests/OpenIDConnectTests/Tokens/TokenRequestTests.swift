import Cryptography
import JSON
import Testing

@testable import OpenIDConnect

@Suite struct TokenRequestTests {
    private func request(_ settings: ProviderSettings, methods: String? = nil) throws -> ProviderRequest {
        var discovery = Sample.discovery()
        discovery["token_endpoint_auth_methods_supported"] = methods
        guard case .object(let document) = try JSONValue.parse(Array(Sample.json(discovery).utf8)) else {
            throw DocumentFault.shape
        }
        let metadata = try ProviderMetadata(
            document, issuer: settings.issuer, hasSecret: settings.clientSecret != nil)
        return TokenRequest.make(settings, metadata, code: "c&d=e", verifier: "v")
    }

    private static let form =
        "grant_type=authorization_code&code=c%26d%3De"
        + "&redirect_uri=https%3A%2F%2Fconsole.example.com%2Fconsole%2Fsigned-in&code_verifier=v"

    @Test("id and secret are form-encoded each before they are joined for HTTP Basic")
    func basic() throws {
        let settings = try Sample.settings(clientID: "a:b c", secret: "%+: /ä".replacing("ä", with: "~"))
        for methods in [nil, #"["client_secret_post","client_secret_basic"]"#] {
            let request = try request(settings, methods: methods)
            #expect(request.authorization == "Basic " + Base64.encode(Array("a%3Ab+c:%25%2B%3A+%2F%7E".utf8)))
            #expect(request.form.map { String(decoding: $0, as: UTF8.self) } == Self.form)
            #expect(request.url.description == Sample.issuer + "/token")
        }
    }

    @Test("the secret is in the body where the provider takes nothing else")
    func post() throws {
        let settings = try Sample.settings(clientID: "a b", secret: "s&t")
        let request = try request(settings, methods: #"["private_key_jwt","client_secret_post"]"#)
        #expect(request.authorization == nil)
        let form = request.form.map { String(decoding: $0, as: UTF8.self) }
        #expect(form == Self.form + "&client_id=a+b&client_secret=s%26t")
    }

    @Test("a public client says its id")
    func none() throws {
        for methods in [nil, #"["none"]"#, #"["client_secret_basic"]"#] {
            let request = try request(try Sample.settings(secret: nil), methods: methods)
            #expect(request.authorization == nil)
            #expect(request.form.map { String(decoding: $0, as: UTF8.self) } == Self.form + "&client_id=console")
        }
    }

    @Test("nothing that is printed shows a secret, a code or a verifier")
    func printed() throws {
        let settings = try Sample.settings(secret: "the-secret")
        for methods in [nil, #"["client_secret_post"]"#] {
            let request = try request(settings, methods: methods)
            let response = ProviderResponse.json(#"{"id_token":"the-secret"}"#)
            for value: Any in [request, settings, response] {
                var dumped = ""
                dump(value, to: &dumped)
                let shown = "\(value) \(String(reflecting: value)) \(dumped)"
                for secret in ["the-secret", Base64.encode(Array("console:the-secret".utf8)), "c%26d"] {
                    #expect(!shown.contains(secret))
                }
            }
        }
    }
}
