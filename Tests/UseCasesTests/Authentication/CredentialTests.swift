import Identifiers
import Organizations
import TestSupport
import Testing

@testable import UseCases

@Suite struct CredentialTests {
    @Test("a key is clk_ and 256 random bits, no two are the same, and each is known again by its digest")
    func made() throws {
        var generator = SeededGenerator(seed: 1)
        let credentials = (0..<100).map { _ in Credential(using: &generator) }
        #expect(Set(credentials.map(\.text)).count == 100)
        #expect(Set(credentials.map(\.digest)).count == 100)
        for credential in credentials {
            #expect(credential.text.hasPrefix("clk_"))
            #expect(credential.text.utf8.count == 4 + 43)
            #expect(credential.digest.bytes.count == 32)
            #expect(try #require(Credential(credential.text)).digest == credential.digest)
        }
    }

    @Test(
        "what no key looks like is none",
        arguments: [
            "", "clk_", "clk_x", "CLK_" + String(repeating: "A", count: 43), String(repeating: "A", count: 47),
            "clk_" + String(repeating: "A", count: 42), "clk_" + String(repeating: "A", count: 44),
        ])
    func refused(_ text: String) { #expect(Credential(text) == nil) }

    @Test("a digest is of all of the key")
    func digest() throws {
        let text = "clk_" + String(repeating: "A", count: 43)
        let digest = try #require(Credential(text)).digest
        for index in 4..<text.count {
            var changed = Array(text)
            changed[index] = "B"
            #expect(try #require(Credential(String(changed))).digest != digest)
        }
    }
}

@Suite struct CallerTests {
    @Test("callers are told apart by the id of the key, and grant what they have")
    func callers() throws {
        let key = try Samples.apiKey(7)
        #expect(Principal.operator.name == "operator")
        #expect(Principal.anonymous.name == "nobody")
        #expect(Principal.key(key).name == key.id.description)
        #expect(Principal.operator.grantableScopes == Set(Scope.allCases))
        #expect(Principal.key(key).grantableScopes == [.read, .report])
        #expect(Principal.anonymous.grantableScopes == [])
    }
}
