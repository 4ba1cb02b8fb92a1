import Cryptography
import Foundation
import Testing

@testable import OpenIDConnect

/// Signs in at a provider that this project did not write. `Tests/EndToEnd/oidc_provider.py` starts it and sets the
/// variable.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["CONSENTLINK_OIDC_PROVIDER"] != nil))
struct RealProviderTests {
    private let issuer = ProcessInfo.processInfo.environment["CONSENTLINK_OIDC_PROVIDER"] ?? ""
    private var now: UnixTime { UnixTime(seconds: Int64(Date().timeIntervalSince1970)) }

    /// What a browser does when `subject` signs in: it sends the form and is redirected.
    private func query(_ url: String, _ subject: String) throws -> String {
        let curl = Process()
        let output = Pipe()
        curl.executableURL = URL(filePath: "/usr/bin/curl")
        curl.arguments = ["-sS", "-o", "/dev/null", "-w", "%{redirect_url}", "--data-urlencode", "sub=\(subject)", url]
        curl.standardOutput = output
        try curl.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        curl.waitUntilExit()
        let redirect = String(decoding: bytes, as: UTF8.self)
        return String(try #require(redirect.split(separator: "?", maxSplits: 1).last))
    }

    private func client(_ claim: String, secret: String? = "s:e c/r+e%t") throws -> RelyingParty {
        RelyingParty(
            try Sample.settings(
                issuer: issuer, clientID: "a:console", secret: secret, roles: ["consent-admins=operator"], claim: claim,
                redirectURI: "http://127.0.0.1:9/console/signed-in"))
    }

    @Test(
        "an account with a role signs in", arguments: ["roles", "realm_access.roles"],
        [SignInFreshness.session, .newAuthentication])
    func signIn(_ claim: String, _ freshness: SignInFreshness) async throws {
        let client = try client(claim)
        var random = SecureRandom()
        let request = try await client.begin(freshness, now: now, using: &random)
        let query = try query(request.url, "ana")
        let account = try await client.finish(query: query, request.pending, now: now)
        #expect(account.subject == "ana")
        #expect(account.roles == [.operator])
        #expect(freshness == .session || account.authenticatedAt != nil)
        await #expect(throws: SignInFailure.codeRefused(.invalidGrant)) {
            try await client.finish(query: query, request.pending, now: now)
        }
    }

    @Test("an account without a role is not let in")
    func noRole() async throws {
        let client = try client("roles", secret: nil)
        var random = SecureRandom()
        let request = try await client.begin(now: now, using: &random)
        let query = try query(request.url, "eve")
        await #expect(throws: SignInFailure.noRole) {
            try await client.finish(query: query, request.pending, now: now)
        }
    }
}
