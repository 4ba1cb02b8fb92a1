import Cryptography
import Identifiers
import Organizations
import Testing

@testable import UseCases

struct IdempotencyFingerprinterTests {
    private let erasureKey = SecretBytes([UInt8](repeating: 7, count: 32))

    private func fingerprint(
        _ principal: Principal = .operator, path: String = "/v1/orgs/acme/consents", key: String = "k",
        body: String = "{}",
        erasureKey: SecretBytes? = nil
    ) throws -> IdempotencyFingerprint {
        try IdempotencyFingerprinter(erasureKey: erasureKey ?? self.erasureKey).fingerprint(
            of: principal, path: path, key: try #require(IdempotencyKey("\"\(key)\"")), body: Array(body.utf8))
    }

    private func key(_ id: UInt64) throws -> Principal {
        .key(
            APIKey(
                id: APIKeyID(try #require(TimeOrderedNumber(rawValue: id))),
                organization: try OrganizationID("acme"),
                name: "", scopes: []))
    }

    @Test("the same request has the same fingerprint")
    func same() throws {
        let (mine, again) = (try fingerprint(), try fingerprint())
        #expect(mine == again)
        let (theirs, theirsAgain) = (try fingerprint(key(1)), try fingerprint(key(1)))
        #expect(theirs == theirsAgain)
    }

    @Test("another caller, path or key is another request")
    func others() throws {
        let keys = [
            try fingerprint().key, try fingerprint(key(1)).key, try fingerprint(key(2)).key,
            try fingerprint(path: "/v1/orgs/acme/payloads").key,
            try fingerprint(key: "l").key, try fingerprint(key: "kk").key,
            try fingerprint(path: "/v1/orgs/acme/consentsk").key,
        ]
        #expect(Set(keys).count == keys.count)
    }

    @Test("another body leaves the key as it is")
    func body() throws {
        let (one, other) = (try fingerprint(body: "{}"), try fingerprint(body: "{ }"))
        #expect(one.key == other.key)
        #expect(one.body != other.body)
    }

    @Test("nothing of it can be computed without the erasure key")
    func keyed() throws {
        let (mine, other) = (
            try fingerprint(), try fingerprint(erasureKey: SecretBytes([UInt8](repeating: 8, count: 32)))
        )
        #expect(mine.key != other.key)
        #expect(mine.body != other.body)
        #expect(mine.body != SHA256.hash(of: Array("{}".utf8)))
    }
}
