import JSON
import Testing

@testable import OpenIDConnect

@Suite struct ProviderSettingsTests {
    struct Refusal: Sendable {
        let error: ProviderSettingsError
        let make: @Sendable () throws -> ProviderSettings

        init(_ error: ProviderSettingsError, _ make: @escaping @Sendable () throws -> ProviderSettings) {
            self.error = error
            self.make = make
        }
    }

    static let refusals: [Refusal] = [
        Refusal(.issuer) { try Sample.settings(issuer: "http://id.example.com") },
        Refusal(.issuer) { try Sample.settings(issuer: "https://id.example.com?a") },
        Refusal(.clientID) { try Sample.settings(clientID: "") },
        Refusal(.clientID) { try Sample.settings(clientID: "ä") },
        Refusal(.clientID) { try Sample.settings(clientID: String(repeating: "a", count: 513)) },
        Refusal(.clientSecret) { try Sample.settings(secret: "") },
        Refusal(.clientSecret) { try Sample.settings(secret: "secret\n") },
        Refusal(.clientSecret) { try Sample.settings(secret: String(repeating: "a", count: 1025)) },
        Refusal(.redirectURI) { try Sample.settings(redirectURI: "https://a.example/#b") },
        Refusal(.redirectURI) { try Sample.settings(redirectURI: "/signed-in") },
        Refusal(.scopes) { try Sample.settings(scopes: []) },
        Refusal(.scopes) { try Sample.settings(scopes: ["profile"]) },
        Refusal(.scopes) { try Sample.settings(scopes: ["openid", "openid"]) },
        Refusal(.scopes) { try Sample.settings(scopes: ["openid", "a b"]) },
        Refusal(.rolesClaim) { try Sample.settings(claim: "") },
        Refusal(.rolesClaim) { try Sample.settings(claim: "a..b") },
        Refusal(.rolesClaim) { try Sample.settings(claim: ".a") },
        Refusal(.rolesClaim) { try Sample.settings(claim: "a.b.c.d.e.f.g.h.i") },
        Refusal(.rolesClaim) { try Sample.settings(claim: "a\n") },
        Refusal(.noRoles) { try Sample.settings(roles: []) },
        Refusal(.tooManyRoles) { try Sample.settings(roles: (0..<1025).map { "a\($0)=operator" }) },
    ]

    @Test("settings that cannot be right are refused", arguments: refusals)
    func refused(_ refusal: Refusal) {
        #expect(throws: refusal.error) { try refusal.make() }
        #expect(!refusal.error.description.isEmpty)
    }

    @Test("roles are read with their organizations")
    func roles() throws {
        let mapping = try RoleMapping([
            "admins=operator", "m=marketer@acme", "a=auditor@acme", "CN=x,DC=y=manager@A.b_c-1", "a@b=manager@acme",
            "m=auditor@other",
        ])
        #expect(mapping.roles(of: ["admins"]) == [.operator])
        #expect(
            mapping.roles(of: ["m", "none"]) == [
                .member(.marketer, organization: "acme"), .member(.auditor, organization: "other"),
            ])
        #expect(mapping.roles(of: ["CN=x,DC=y"]) == [.member(.manager, organization: "A.b_c-1")])
        #expect(mapping.roles(of: ["a@b"]) == [.member(.manager, organization: "acme")])
        #expect(mapping.roles(of: ["", "ADMINS", "admins\u{0}", "acme"]).isEmpty)
    }

    static let faults: [(entry: String, fault: RoleMappingFault)] = [
        ("", .form), ("admins", .form), ("=operator", .value), ("a\nb=operator", .value),
        (String(repeating: "a", count: 257) + "=operator", .value), ("a=", .role), ("a=Operator", .role),
        ("a=admin", .role), ("a=operator ", .role), ("a= operator", .role), ("a=@acme", .role), ("a=admin@acme", .role),
        ("a=operator@acme", .organizationNotAllowed), ("a=marketer", .organizationMissing),
        ("a=auditor", .organizationMissing), ("a=manager", .organizationMissing), ("a=manager@", .organizationMissing),
        ("a=manager@a@b", .organization), ("a=manager@a/b", .organization), ("a=manager@..", .organization),
        ("a=manager@ä", .organization), ("a=manager@" + String(repeating: "a", count: 65), .organization),
        ("first=operator", .duplicate),
    ]

    @Test("an entry that cannot be right is refused with its place", arguments: faults)
    func roleFaults(_ entry: String, _ fault: RoleMappingFault) {
        #expect(throws: ProviderSettingsError.role(entry: 2, fault)) { try RoleMapping(["first=operator", entry]) }
        #expect(ProviderSettingsError.role(entry: 2, fault).description.hasPrefix("role 2: "))
    }
}
