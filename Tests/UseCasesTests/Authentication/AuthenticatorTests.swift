import Cryptography
import Identifiers
import Organizations
import Synchronization
import Testing

@testable import UseCases

/// The keys of one organization, in memory.
private final class Keys: APIKeyStore {
    private let keys: Mutex<[APIKeyDigest: APIKey]>

    init(_ keys: [APIKeyDigest: APIKey]) { self.keys = Mutex(keys) }

    func removeAll() { keys.withLock { $0 = [:] } }

    func key(with digest: APIKeyDigest) async throws -> APIKey? { keys.withLock { $0[digest] } }
    func keys(of _: OrganizationID) async throws -> [APIKey] { keys.withLock { Array($0.values) } }
    func keys(of _: OrganizationID, after _: APIKeyID?, limit _: Int) async throws -> [APIKey] { [] }
    func addKey(
        _: NewAPIKey, to _: OrganizationID, by _: APIKeyID?, at _: Timestamp
    ) async throws -> APIKey? { nil }
    func removeKey(_: APIKeyID, of _: OrganizationID) async throws -> Bool { false }
    func noteUses(_: [APIKeyID: Timestamp]) async throws {}
}

@Suite struct AuthenticatorTests {
    private let operatorKey: Credential
    private let key: Credential
    private let unknown: Credential
    private let keys: Keys
    private let authenticator: Authenticator

    init() throws {
        var generator = SecureRandom()
        operatorKey = Credential(using: &generator)
        key = Credential(using: &generator)
        unknown = Credential(using: &generator)
        keys = Keys([key.digest: try Samples.apiKey()])
        authenticator = Authenticator(operatorKey: operatorKey.digest, keys: keys)
    }

    @Test("a bearer key names its caller, whatever the case of the scheme", arguments: ["Bearer", "bearer", "BEARER"])
    func known(_ scheme: String) async throws {
        #expect(try await authenticator.principal(by: "\(scheme) \(operatorKey.text)").name == "operator")
        let principal = try await authenticator.principal(by: "\(scheme) \(key.text)")
        #expect(principal.name == (try Samples.apiKey().id.description))
        #expect(principal.grantableScopes == [.read, .report])
    }

    @Test("every other header names no caller")
    func others() async throws {
        let headers = [
            nil, "", "Bearer", "Bearer ", key.text, "Basic \(key.text)", "Bearer \(key.text) more",
            "Bearer \(unknown.text)", "Bearer \(key.text.dropLast())", "Bearer \(key.text)A",
            "Bearer \(key.text.uppercased())", "Bearer clk_",
        ]
        for header in headers {
            #expect(try await authenticator.principal(by: header).name == "nobody", "\(header ?? "none")")
        }
    }

    @Test("access ends with the key, while an answer is under way")
    func ongoing() async throws {
        let validity = CallerValidity(header: "Bearer \(key.text)", authenticator: authenticator)
        try await validity.check()
        keys.removeAll()
        await #expect(throws: RequestRefusal.keyDeleted) { try await validity.check() }
        try await CallerValidity(header: "Bearer \(operatorKey.text)", authenticator: authenticator).check()
    }
}
